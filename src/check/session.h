/* SPDX-License-Identifier: Apache-2.0 */
/* Checking mode from its start to the exit of the process. */
#ifndef PACL_CHECK_SESSION_H
#define PACL_CHECK_SESSION_H

#include <stdbool.h>

/* For observers' `install`: true if checking is on. The first call opens the report and reads the suppressions. */
bool pacl_check_begin(void);

/* Writes the summary and the reports that come at the end; once. `how` the process ends, if not by exit(); else NULL. The
 * status that it shall have, or -1 for its own. */
int pacl_check_end(const char *how);
int pacl_check_status(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* leak: what the program owns when it ends, one finding for what one place made. */
#ifndef PACL_CHECK_LEAK_H
#define PACL_CHECK_LEAK_H

/* At aclFinalize, or where else `when` says. Everything is reported once. */
void pacl_leaks_report(const char *when);

/* At exit(): one line in place of all findings if the program ends with another status than 0, unless the user has asked for
 * leaks by name. */
void pacl_leaks_report_at_exit(void);

#endif

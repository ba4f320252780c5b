/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h: the part of `pacl doctor` that looks at the machine and its settings, without running anything. */
#ifndef PACL_TOOLS_MACHINE_H
#define PACL_TOOLS_MACHINE_H

#include "pacl/pacl.h"

/* Reports on memory limits, huge pages, protection keys and processors, as far as they concern `product`. */
void machine_check(const struct pacl_product *product);

/* Reports a libascendcl.so that LD_LIBRARY_PATH puts in front of this installation's. */
void machine_check_library_path(void);

/* Reports whether the Python module is installed. */
void machine_check_python(void);

#endif

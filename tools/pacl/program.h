/* SPDX-License-Identifier: Apache-2.0 */
/* program.h: the part of `pacl doctor` that looks at a user's program without running it. */
#ifndef PACL_TOOLS_PROGRAM_H
#define PACL_TOOLS_PROGRAM_H

/* Reports on an ELF program or shared library: functions of the interface that it needs and this library lacks, and
 * whether its run path leads to another library of our names. */
void program_check(const char *path);

#endif

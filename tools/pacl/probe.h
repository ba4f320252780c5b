/* SPDX-License-Identifier: Apache-2.0 */
/* probe.h: what `pacl doctor` and the program that it starts, pacl-probe, agree on. */
#ifndef PACL_TOOLS_PROBE_H
#define PACL_TOOLS_PROBE_H

/*
 * pacl-probe stands for a user's program: linked with -lascendcl, without a path of its own to the library. It is a
 * process of its own so that a loader error, a crash or a hang is something to report.
 *
 *     pacl-probe load FILE     prints which library this environment gives to a program, fails if it is not FILE
 *     pacl-probe use           uses the library and prints report lines: copies, events, protection of memory
 */
#define PROBE_LOAD "load"
#define PROBE_USE "use"

enum {
    PROBE_OK = 0,
    PROBE_FAILED = 1, /* and it printed why */
    PROBE_USAGE = 2,
    PROBE_NOT_LOADED = 127 /* the loader's status when a library or a symbol is missing */
};

enum { PROBE_TIMEOUT_S = 120 }; /* a probe that runs longer ends itself by SIGALRM */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "check/session.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/ending.h"
#include "check/finding.h"
#include "check/options.h"
#include "check/record.h"
#include "core/runtime.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool begun;
static atomic_flag ended = ATOMIC_FLAG_INIT;

static void begin(void)
{
    const struct pacl_check_options *options = pacl_check_options();
    const char *problem = options->problem[0] != '\0' ? options->problem : NULL;
    begun = options->on;
    if (begun && options->suppressions != NULL) {
        const char *wrong = pacl_suppressions_read(options->suppressions);
        problem = problem != NULL ? problem : wrong;
    }
    if (problem != NULL) /* also when nothing is checked: perhaps for this reason */
        fprintf(stderr, "pacl-check: %s\n", problem);
    if (!begun)
        return;
    pacl_check_open_report();
    pacl_endings_watch();
}

bool pacl_check_begin(void)
{
    pthread_once(&once, begin);
    return begun;
}

int pacl_check_end(const char *how)
{
    if (!begun || pacl_runtime_is_forked())
        return -1;
    if (!atomic_flag_test_and_set(&ended))
        pacl_check_close_report(how);
    return pacl_check_status();
}

int pacl_check_status(void)
{
    const struct pacl_check_options *options = pacl_check_options();
    return pacl_check_counts().errors > 0 && options->error_exitcode != 0 ? options->error_exitcode : -1;
}

/* After the runtime's own destructor, which settles the engines, and after the program's exit handlers and destructors,
 * since the library that they use is taken down after them. The status that the program ended with cannot be changed,
 * so the process ends here; what its streams still hold is written first, as exit() would do next. */
__attribute__((destructor(101))) static void end(void)
{
    const int status = pacl_check_end(NULL);
    if (status < 0)
        return;
    fflush(NULL);
    _exit(status);
}

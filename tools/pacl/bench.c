/* SPDX-License-Identifier: Apache-2.0 */
/* `pacl bench`: becomes pacl-bench, which knows nothing but the public ACL interface, on this installation. */
#include <err.h>
#include <unistd.h>

#include "command.h"
#include "sdk.h"

int command_bench(int argc, char **argv)
{
    (void)argc;
    sdk_environment_apply();
    execv(sdk_get()->bench, argv);
    err(STATUS_FAILED, "%s", sdk_get()->bench);
}

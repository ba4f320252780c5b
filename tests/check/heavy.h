/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs that give checking much to do share. */
#ifndef PACL_TESTS_CHECK_HEAVY_H
#define PACL_TESTS_CHECK_HEAVY_H

#include <acl/acl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEED(call) need(call, #call)

static void need(int code, const char *call)
{
    if (code == 0)
        return;
    printf("%s returned %d: %s\n", call, code, aclGetRecentErrMsg());
    exit(1);
}

/* 0 if it cannot be read. */
static unsigned long resident_kib(void)
{
    char line[256];
    unsigned long kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtoul(line + 6, NULL, 10);
    }
    if (file != NULL)
        fclose(file);
    return kib;
}

#endif

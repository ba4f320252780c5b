/* SPDX-License-Identifier: Apache-2.0 */
#include "testcase.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

const struct testcase testcases[TESTCASES] = {
    { "host_to_device_memcpy2d", "h2d", "aclrtMemcpy2dAsync from host to device", ACL_MEMCPY_HOST_TO_DEVICE, false },
    { "device_to_host_memcpy2d", "d2h", "aclrtMemcpy2dAsync from device to host", ACL_MEMCPY_DEVICE_TO_HOST, false },
    { "device_to_device_memcpy2d", "d2d", "aclrtMemcpy2dAsync within one device", ACL_MEMCPY_DEVICE_TO_DEVICE, false },
    { "host_device_bidirectional_memcpy2d", "bidir",
      "aclrtMemcpy2dAsync from host to device and from device to host at once, on streams of their own; the payload of "
      "both counts",
      ACL_MEMCPY_HOST_TO_DEVICE, true },
};

const struct testcase *testcase_find(const char *word)
{
    uint64_t index;

    if (text_to_number(word, &index))
        return index < TESTCASES ? &testcases[index] : NULL;
    for (size_t i = 0; i < TESTCASES; i++)
        if (strcmp(testcases[i].name, word) == 0 || strcmp(testcases[i].alias, word) == 0)
            return &testcases[i];
    return NULL;
}

char *testcase_names(void)
{
    char *names = text_format("%s", "");

    for (size_t i = 0; i < TESTCASES; i++) {
        char *longer = text_format("%s%s%s (%s)", names, i == 0 ? "" : ", ", testcases[i].name, testcases[i].alias);
        free(names);
        names = longer;
    }
    return names;
}

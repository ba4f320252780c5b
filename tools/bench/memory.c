/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

const char *const place_names[] = { "pinned", "pageable", "registered", "device" };

static bool allocate_pageable(struct block *block, size_t size, struct point *point)
{
    block->at = aligned_alloc(PAGE, (size + PAGE - 1) / PAGE * PAGE);
    if (block->at == NULL)
        point_set_status(point, STATUS_WAIVED, "no %zu bytes of host memory", size);
    return block->at != NULL;
}

static bool allocate_registered(struct block *block, size_t size, struct point *point)
{
    void *device_view;

    if (!allocate_pageable(block, size, point))
        return false;
    aclError error = aclrtHostRegister(block->at, size, ACL_HOST_REGISTER_MAPPED, &device_view);
    if (error == ACL_SUCCESS)
        return true;
    free(block->at);
    block->at = NULL;
    return point_called(point, "aclrtHostRegister", error);
}

bool block_allocate(struct block *block, enum place place, size_t size, struct point *point)
{
    *block = (struct block){ .place = place, .size = size };
    switch (place) {
    case PLACE_DEVICE:
        return point_called(point, "aclrtMalloc", aclrtMalloc((void **)&block->at, size, ACL_MEM_MALLOC_HUGE_FIRST));
    case PLACE_PINNED:
        return point_called(point, "aclrtMallocHost", aclrtMallocHost((void **)&block->at, size));
    case PLACE_REGISTERED:
        return allocate_registered(block, size, point);
    default:
        return allocate_pageable(block, size, point);
    }
}

void block_release(struct block *block, struct point *point)
{
    if (block->at == NULL)
        return;
    switch (block->place) {
    case PLACE_DEVICE:
        point_called(point, "aclrtFree", aclrtFree(block->at));
        break;
    case PLACE_PINNED:
        point_called(point, "aclrtFreeHost", aclrtFreeHost(block->at));
        break;
    case PLACE_REGISTERED:
        point_called(point, "aclrtHostUnregister", aclrtHostUnregister(block->at));
        free(block->at);
        break;
    default:
        free(block->at);
    }
    block->at = NULL;
}

bool block_write(const struct block *block, size_t at, const uint8_t *bytes, size_t count, struct point *point)
{
    if (block->place == PLACE_DEVICE)
        return point_called(point, "aclrtMemcpy",
                            aclrtMemcpy(block->at + at, block->size - at, bytes, count, ACL_MEMCPY_HOST_TO_DEVICE));
    memcpy(block->at + at, bytes, count);
    return true;
}

bool block_read(const struct block *block, size_t at, uint8_t *bytes, size_t count, struct point *point)
{
    if (block->place == PLACE_DEVICE)
        return point_called(point, "aclrtMemcpy",
                            aclrtMemcpy(bytes, count, block->at + at, count, ACL_MEMCPY_DEVICE_TO_HOST));
    memcpy(bytes, block->at + at, count);
    return true;
}

size_t memory_available(void)
{
    char line[128];
    size_t kib = 0;
    FILE *file = fopen("/proc/meminfo", "re");

    if (file == NULL)
        return SIZE_MAX;
    while (kib == 0 && fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kib = strtoul(line + 13, NULL, 10);
    fclose(file);
    return kib == 0 ? SIZE_MAX : kib * 1024;
}

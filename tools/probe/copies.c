/* SPDX-License-Identifier: Apache-2.0 */
/* One copy of each kind that the product supports, checked to the byte, gaps between rows included. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "use.h"

enum {
    ROWS = 257,
    WIDTH = 3001, /* bytes; odd, so that rows start at all alignments of the copy kernels' vectors */
    SRC_PITCH = 3079,
    DST_PITCH = 3200,
    LENGTH = 700001,          /* bytes of a 1D copy */
    BLOCK = ROWS * DST_PITCH, /* bytes; every source and destination has this size */
    PAGE = 4096,
    BACKGROUND = 0xA5 /* of a destination, before the copy */
};

enum place { PLACE_DEVICE, PLACE_PINNED, PLACE_REGISTERED, PLACE_PAGEABLE };

static const char *const place_names[] = { "device", "pinned", "registered", "pageable" };

struct block {
    enum place place;
    uint8_t *at;
};

struct form {
    const char *topic;
    aclrtMemcpyKind kind;
    bool rectangle; /* 2D */
    bool async;
};

static uint8_t pattern[BLOCK];  /* content of a source */
static uint8_t expected[BLOCK]; /* content of the destination after the copy */
static uint8_t found[BLOCK];

static aclError allocate_registered(struct block *block)
{
    void *device_view;

    block->at = aligned_alloc(PAGE, (BLOCK + PAGE - 1) / PAGE * PAGE);
    if (block->at == NULL)
        return ACL_ERROR_BAD_ALLOC;
    aclError error = aclrtHostRegister(block->at, BLOCK, ACL_HOST_REGISTER_MAPPED, &device_view);
    if (error != ACL_SUCCESS)
        free(block->at);
    return error;
}

static aclError block_allocate(struct block *block, enum place place)
{
    block->place = place;
    switch (place) {
    case PLACE_DEVICE:
        return aclrtMalloc((void **)&block->at, BLOCK, ACL_MEM_MALLOC_HUGE_FIRST);
    case PLACE_PINNED:
        return aclrtMallocHost((void **)&block->at, BLOCK);
    case PLACE_REGISTERED:
        return allocate_registered(block);
    default:
        block->at = malloc(BLOCK);
        return block->at != NULL ? ACL_SUCCESS : ACL_ERROR_BAD_ALLOC;
    }
}

static aclError block_free(struct block *block)
{
    aclError error = ACL_SUCCESS;

    switch (block->place) {
    case PLACE_DEVICE:
        return aclrtFree(block->at);
    case PLACE_PINNED:
        return aclrtFreeHost(block->at);
    case PLACE_REGISTERED:
        error = aclrtHostUnregister(block->at);
        free(block->at);
        return error;
    default:
        free(block->at);
        return error;
    }
}

static aclError block_write(const struct block *block, const uint8_t *bytes)
{
    if (block->place == PLACE_DEVICE)
        return aclrtMemcpy(block->at, BLOCK, bytes, BLOCK, ACL_MEMCPY_HOST_TO_DEVICE);
    memcpy(block->at, bytes, BLOCK);
    return ACL_SUCCESS;
}

static aclError block_read(const struct block *block, uint8_t *bytes)
{
    if (block->place == PLACE_DEVICE)
        return aclrtMemcpy(bytes, BLOCK, block->at, BLOCK, ACL_MEMCPY_DEVICE_TO_HOST);
    memcpy(bytes, block->at, BLOCK);
    return ACL_SUCCESS;
}

static void fill_pattern(void)
{
    uint32_t number = 1;

    for (size_t i = 0; i < BLOCK; i++) {
        number = number * 1664525 + 1013904223;
        pattern[i] = (uint8_t)(number >> 24);
    }
}

/* The plain computation that the library's result is compared with. */
static void fill_expected(const struct form *form)
{
    memset(expected, BACKGROUND, BLOCK);
    if (!form->rectangle) {
        memcpy(expected, pattern, LENGTH);
        return;
    }
    for (size_t row = 0; row < ROWS; row++)
        memcpy(expected + row * DST_PITCH, pattern + row * SRC_PITCH, WIDTH);
}

static aclError submit(const struct form *form, uint8_t *dst, const uint8_t *src, aclrtStream stream)
{
    if (form->rectangle && form->async)
        return aclrtMemcpy2dAsync(dst, DST_PITCH, src, SRC_PITCH, WIDTH, ROWS, form->kind, stream);
    if (form->rectangle)
        return aclrtMemcpy2d(dst, DST_PITCH, src, SRC_PITCH, WIDTH, ROWS, form->kind);
    if (form->async)
        return aclrtMemcpyAsync(dst, BLOCK, src, LENGTH, form->kind, stream);
    return aclrtMemcpy(dst, BLOCK, src, LENGTH, form->kind);
}

static bool same_bytes(const struct form *form, enum place place)
{
    for (size_t i = 0; i < BLOCK; i++)
        if (found[i] != expected[i]) {
            report_fail(form->topic, "%s: byte %zu of the destination is 0x%02x, not 0x%02x", place_names[place], i,
                        found[i], expected[i]);
            return false;
        }
    return true;
}

/* Copies between two blocks; `place` is that of the side that varies, for messages. */
static bool copy_between(const struct form *form, struct block *dst, struct block *src, enum place place,
                         aclrtStream stream)
{
    const char *topic = form->topic;

    memset(found, BACKGROUND, BLOCK);
    fill_expected(form);
    return use_succeeded(topic, "filling the source", block_write(src, pattern)) &&
           use_succeeded(topic, "filling the destination", block_write(dst, found)) &&
           use_succeeded(topic, place_names[place], submit(form, dst->at, src->at, stream)) &&
           use_succeeded(topic, "aclrtSynchronizeStream", aclrtSynchronizeStream(stream)) &&
           use_succeeded(topic, "reading the destination", block_read(dst, found)) && same_bytes(form, place);
}

enum outcome { OUTCOME_COPIED, OUTCOME_UNSUPPORTED, OUTCOME_FAILED };

static enum outcome copy_with_device(const struct form *form, struct block *device, enum place place,
                                     aclrtStream stream)
{
    struct block other;
    aclError error = block_allocate(&other, place);

    if (error == ACL_ERROR_RT_FEATURE_NOT_SUPPORT)
        return OUTCOME_UNSUPPORTED;
    if (error != ACL_SUCCESS) {
        use_succeeded(form->topic, place_names[place], error);
        return OUTCOME_FAILED;
    }
    bool copied = form->kind == ACL_MEMCPY_DEVICE_TO_HOST ? copy_between(form, &other, device, place, stream)
                                                          : copy_between(form, device, &other, place, stream);
    bool freed = use_succeeded(form->topic, "freeing", block_free(&other));
    return copied && freed ? OUTCOME_COPIED : OUTCOME_FAILED;
}

static enum outcome copy_with(const struct form *form, enum place place, aclrtStream stream)
{
    struct block device;

    if (!use_succeeded(form->topic, "aclrtMalloc", block_allocate(&device, PLACE_DEVICE)))
        return OUTCOME_FAILED;
    enum outcome outcome = copy_with_device(form, &device, place, stream);
    return use_succeeded(form->topic, "aclrtFree", block_free(&device)) ? outcome : OUTCOME_FAILED;
}

/* Adds a word to a list, after a comma if it is not the first. */
static void append(char *list, size_t size, const char *word)
{
    strncat(list, list[0] == '\0' ? "" : ", ", size - strlen(list) - 1);
    strncat(list, word, size - strlen(list) - 1);
}

/* Tries the places from `first` to `last` for the side that varies, and prints one line for those that work. */
static void try_form(const struct form *form, enum place first, enum place last, aclrtStream stream)
{
    char copied[64] = "";
    char unsupported[64] = "";

    for (enum place place = first; place <= last; place++) {
        enum outcome outcome = copy_with(form, place, stream);
        if (outcome == OUTCOME_UNSUPPORTED)
            append(unsupported, sizeof(unsupported), place_names[place]);
        else if (outcome == OUTCOME_COPIED)
            append(copied, sizeof(copied), place_names[place]);
    }
    if (copied[0] != '\0' && unsupported[0] != '\0')
        report_ok(form->topic, "%s memory, bytes compared; this product has no %s memory", copied, unsupported);
    else if (copied[0] != '\0')
        report_ok(form->topic, "%s memory, bytes compared", copied);
}

static bool supports(const struct pacl_product *product, aclrtMemcpyKind kind)
{
    switch (kind) {
    case ACL_MEMCPY_HOST_TO_DEVICE:
        return product->copy2d_h2d != 0;
    case ACL_MEMCPY_DEVICE_TO_HOST:
        return product->copy2d_d2h != 0;
    default:
        return product->copy2d_d2d != 0;
    }
}

/* The interface has no synchronous 2D copy from device to device. */
static const struct form forms[] = {
    { "h2d 1D sync", ACL_MEMCPY_HOST_TO_DEVICE, false, false },
    { "h2d 1D async", ACL_MEMCPY_HOST_TO_DEVICE, false, true },
    { "h2d 2D sync", ACL_MEMCPY_HOST_TO_DEVICE, true, false },
    { "h2d 2D async", ACL_MEMCPY_HOST_TO_DEVICE, true, true },
    { "d2h 1D sync", ACL_MEMCPY_DEVICE_TO_HOST, false, false },
    { "d2h 1D async", ACL_MEMCPY_DEVICE_TO_HOST, false, true },
    { "d2h 2D sync", ACL_MEMCPY_DEVICE_TO_HOST, true, false },
    { "d2h 2D async", ACL_MEMCPY_DEVICE_TO_HOST, true, true },
    { "d2d 1D sync", ACL_MEMCPY_DEVICE_TO_DEVICE, false, false },
    { "d2d 1D async", ACL_MEMCPY_DEVICE_TO_DEVICE, false, true },
    { "d2d 2D async", ACL_MEMCPY_DEVICE_TO_DEVICE, true, true },
};

void use_copies(const struct pacl_product *product, aclrtStream stream)
{
    fill_pattern();
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        const struct form *form = &forms[i];
        if (form->rectangle && !supports(product, form->kind))
            report_note(form->topic, "this product does not support it");
        else if (form->kind == ACL_MEMCPY_DEVICE_TO_DEVICE)
            try_form(form, PLACE_DEVICE, PLACE_DEVICE, stream);
        else
            try_form(form, PLACE_PINNED, PLACE_PAGEABLE, stream);
    }
}

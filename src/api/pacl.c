/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of include/pacl/pacl.h, but for the product table. */
#include "pacl/pacl.h"

#include <string.h>

#include "api/api.h"
#include "base/cpu.h"
#include "copy/explain.h"
#include "core/copy_request.h"
#include "core/device.h"
#include "core/engine.h"
#include "core/hostmem.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *pacl_version(void)
{
    return VERSION_TEXT(PACL_VERSION_MAJOR, PACL_VERSION_MINOR, PACL_VERSION_PATCH);
}

const struct pacl_product *pacl_product_current(void)
{
    pacl_self.call = __func__;
    const char *problem = pacl_runtime()->problem;
    if (problem[0] == '\0')
        return &pacl_runtime()->product;
    (void)PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s", problem);
    return NULL;
}

int pacl_product_select(const char *name)
{
    pacl_self.call = __func__;
    const struct pacl_product *product = name != NULL ? pacl_product_find(name) : NULL;
    if (product == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "name \"%.80s\" is no product; known are %s",
                         name != NULL ? name : "(null)", pacl_product_names());
    if (!pacl_runtime_select(product->name))
        return PACL_FAIL(ACL_ERROR_REPEAT_INITIALIZE, "the product is chosen already: %s",
                         pacl_runtime()->product.name);
    return ACL_SUCCESS;
}

const char *pacl_isolation(void)
{
    switch (pacl_runtime()->access) {
    case PACL_ACCESS_KEYS:
        return "protection-keys";
    case PACL_ACCESS_MAPPING:
        return "dual-mapping";
    case PACL_ACCESS_OPEN:
    case PACL_ACCESS_VIEW:
        break;
    }
    return "open";
}

uint32_t pacl_engine_count(void)
{
    return pacl_runtime()->engines;
}

const char *pacl_cpu_features(void)
{
    return pacl_cpu_describe();
}

/* A stream's counts move to the totals when it goes; a stream that is read in that moment may be missed or seen once. */
static void add_streams(struct pacl_counters *sum)
{
    struct pacl_stream *s;
    for (uint32_t i = 0; (s = pacl_pool_at(&pacl_streams, i)) != NULL; i++) {
        sum->tasks_queued += pacl_load_relaxed(&s->tasks_queued);
        sum->tasks_inline += pacl_load_relaxed(&s->tasks_inline);
        sum->tasks_helped += pacl_load_relaxed(&s->tasks_helped);
        sum->tasks_failed += pacl_load_relaxed(&s->tasks_failed);
        sum->bytes_copied += pacl_load_relaxed(&s->bytes_copied);
        sum->streams_live += pacl_object_handle(&s->object) != NULL;
    }
}

static void add_devices(struct pacl_counters *sum)
{
    struct pacl_device *device;
    for (uint32_t i = 0; i < pacl_runtime()->device_count; i++) {
        if (pacl_device_get((int32_t)i, &device) != ACL_SUCCESS)
            return;
        sum->events_live += pacl_load_relaxed(&device->events);
        sum->device_bytes_live += pacl_load_relaxed(&device->memory_used);
    }
}

int pacl_counters_get(struct pacl_counters *counters)
{
    pacl_self.call = __func__;
    if (counters == NULL || counters->size == 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "counters is null, or its size is 0");
    (void)pacl_runtime();
    struct pacl_counters sum = {
        .size = counters->size,
        .tasks_queued = pacl_load_relaxed(&pacl_stream_totals.tasks_queued),
        .tasks_inline = pacl_load_relaxed(&pacl_stream_totals.tasks_inline),
        .tasks_helped = pacl_load_relaxed(&pacl_stream_totals.tasks_helped),
        .tasks_failed = pacl_load_relaxed(&pacl_stream_totals.tasks_failed),
        .bytes_copied = pacl_load_relaxed(&pacl_stream_totals.bytes_copied),
        .copies_pageable = pacl_copies_pageable(),
        .engine_wakeups = pacl_engines_wakeups(),
        .pinned_bytes_live = pacl_pinned_live(),
    };
    add_streams(&sum);
    add_devices(&sum);
    memcpy(counters, &sum, counters->size < sizeof sum ? counters->size : sizeof sum);
    return ACL_SUCCESS;
}

int pacl_stream_exists(const void *stream)
{
    return !pacl_runtime_is_forked() && pacl_pool_find(&pacl_streams, stream) != NULL;
}

#define EXTENT_MAX (UINTPTR_MAX / 4)

int pacl_copy_explain(size_t width, size_t height, size_t dpitch, size_t spitch, struct pacl_copy_explanation *out)
{
    pacl_self.call = __func__;
    if (out == NULL || out->size != sizeof *out)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "out is null, or its size is not %zu", sizeof *out);
    if (width == 0 || width > PACL_WIDTH_MAX || height == 0 || height > PACL_HEIGHT_MAX)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "width %zu x height %zu; width is 1 to %d, height 1 to %d", width,
                         height, PACL_WIDTH_MAX, PACL_HEIGHT_MAX);
    if (width > dpitch || width > spitch)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "width %zu is larger than a pitch: dpitch is %zu, spitch is %zu",
                         width, dpitch, spitch);
    if (!pacl_pitched_fits(dpitch, width, height, EXTENT_MAX) || !pacl_pitched_fits(spitch, width, height, EXTENT_MAX))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%zu rows with pitches %zu and %zu are more than there are addresses",
                         height, dpitch, spitch);
    const char *problem = pacl_runtime()->problem; /* the runtime chooses the kernels, by PACL_CPU */
    if (problem[0] != '\0')
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "%s", problem);
    const struct pacl_rect rect = { .dst = NULL,
                                    .src = (const uint8_t *)EXTENT_MAX, /* only numbers, too far to overlap */
                                    .dst_pitch = dpitch,
                                    .src_pitch = spitch,
                                    .width = width,
                                    .height = height };
    pacl_copy_explain_plan(&rect, &pacl_copy_tuning, out);
    out->at_once = out->touched_bytes <= PACL_SMALL_COST;
    return ACL_SUCCESS;
}

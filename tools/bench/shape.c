/* SPDX-License-Identifier: Apache-2.0 */
#include "shape.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

static const struct {
    const char *name;
    const char *about;
} names[] = {
    { "kv-page", "one page of a KV cache over all layers: rows far apart, few bytes touched" },
    { "kv-mla", "rows of a multi-head latent attention cache" },
    { "state", "recurrent states of one sequence, a row per layer" },
    { "image-1080p", "RGB picture of 1920 x 1080 in rows padded to 2048 pixels" },
    { "image-4k", "RGB picture of 3840 x 2160 in rows padded to 4096 pixels" },
    { "logits", "a slice of the logits of a large vocabulary" },
    { "narrow", "1 to 64 bytes wide, up to a million rows" },
    { "wide", "rows of a million bytes and more" },
    { "limits", "the widest and the tallest copy that the interface allows" },
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

const struct shape shapes[] = {
    { "kv-page", 131072, 64, 0, 0, 1024 },     { "kv-mla", 512, 4096, 16384, 0, 0 },
    { "kv-mla", 576, 4096, 16384, 0, 0 },      { "kv-mla", 1152, 4096, 16384, 0, 0 },
    { "state", 65536, 32, 0, 0, 16 },          { "state", 262144, 32, 0, 0, 16 },
    { "image-1080p", 5760, 1080, 6144, 0, 0 }, { "image-4k", 11520, 2160, 12288, 0, 0 },
    { "logits", 24000, 256, 303872, 0, 0 },    { "narrow", 1, 1000000, 64, 0, 0 },
    { "narrow", 4, 1000000, 64, 0, 0 },        { "narrow", 16, 250000, 256, 0, 0 },
    { "narrow", 64, 250000, 256, 0, 0 },       { "wide", 1000000, 32, 1000448, 0, 0 },
    { "wide", 4000000, 8, 4000256, 0, 0 },     { "limits", WIDTH_LIMIT, 4, 5000192, 0, 0 },
    { "limits", 4, HEIGHT_LIMIT, 16, 0, 0 },
};

const size_t shapes_count = sizeof(shapes) / sizeof(shapes[0]);

const char *shape_find_name(const char *word)
{
    for (size_t i = 0; i < shapes_count; i++)
        if (strcmp(shapes[i].name, word) == 0)
            return shapes[i].name;
    return NULL;
}

const char *shape_about(const char *name)
{
    for (size_t i = 0; i < NAMES; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].about;
    return "";
}

char *shape_names(void)
{
    char *list = text_format("%s", "");

    for (size_t i = 0; i < NAMES; i++) {
        char *longer = text_format("%s%s%s", list, i == 0 ? "" : ", ", names[i].name);
        free(list);
        list = longer;
    }
    return list;
}

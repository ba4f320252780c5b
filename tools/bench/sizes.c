/* SPDX-License-Identifier: Apache-2.0 */
#include "sizes.h"

#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "text.h"

void sizes_add(struct sizes *sizes, size_t size)
{
    size_t place = sizes->count;

    while (place > 0 && sizes->at[place - 1] > size)
        place--;
    if (place > 0 && sizes->at[place - 1] == size)
        return;
    size_t *at = reallocarray(sizes->at, sizes->count + 1, sizeof(*at));
    if (at == NULL)
        err(STATUS_FAILED, "sizes");
    memmove(at + place + 1, at + place, (sizes->count - place) * sizeof(*at));
    at[place] = size;
    sizes->at = at;
    sizes->count++;
}

/* FIRST to LAST, doubling (`step` 0) or in steps. */
static bool add_range(struct sizes *sizes, uint64_t first, uint64_t last, uint64_t step)
{
    if (first == 0 || first > last || last > SIZE_MAX / 2 || step > last)
        return false;
    for (uint64_t size = first; size <= last; size = step != 0 ? size + step : size * 2) {
        if (sizes->count == SIZES_MAX)
            return false;
        sizes_add(sizes, size);
    }
    return true;
}

/* SIZE, FIRST:LAST or FIRST:LAST:STEP; cuts `item` up. */
static bool add_item(struct sizes *sizes, char *item)
{
    uint64_t numbers[3] = { 0 };
    size_t count = 0;

    for (char *part; (part = strsep(&item, ":")) != NULL; count++)
        if (count == 3 || !text_to_size(part, &numbers[count]))
            return false;
    if (count == 3 && numbers[2] == 0)
        return false;
    return add_range(sizes, numbers[0], count == 1 ? numbers[0] : numbers[1], numbers[2]);
}

bool sizes_parse(struct sizes *sizes, const char *text)
{
    char *copy = text_format("%s", text);
    char *rest = copy;
    bool valid = true;

    for (char *item; valid && (item = strsep(&rest, ",")) != NULL;)
        valid = add_item(sizes, item);
    free(copy);
    return valid;
}

void sizes_release(struct sizes *sizes)
{
    free(sizes->at);
    *sizes = (struct sizes){ 0 };
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the program owns and owned: memory that PACL gave out or that was registered, streams, events, contexts, notifies, graphs; each
 * with the places where it began and ended. Entries are small and found by key: the first address of memory, the
 * handle of an object. The newest entries that ended are remembered.
 *
 * From any thread; the lock is taken last and guards nothing else.
 */
#ifndef PACL_CHECK_LEDGER_H
#define PACL_CHECK_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check/finding.h"

enum pacl_owned_kind {
    PACL_OWNED_DEVICE_MEMORY,
    PACL_OWNED_PINNED_MEMORY,
    PACL_OWNED_REGISTERED_MEMORY,
    PACL_OWNED_STREAM,
    PACL_OWNED_EVENT,
    PACL_OWNED_CONTEXT,
    PACL_OWNED_NOTIFY,
    PACL_OWNED_GRAPH,
    PACL_OWNED_KINDS
};

struct pacl_owned {
    enum pacl_owned_kind kind;
    uint32_t id; /* of a stream */
    uintptr_t key;
    bool told;                     /* reported as left over */
    size_t size;                   /* of memory, in bytes; 0 for objects */
    const char *ended_by;          /* the call; a literal. NULL while it lives */
    const struct pacl_site *begun; /* NULL: unknown */
    const struct pacl_site *ended;
};

/* Begins and ends at the calling thread's present call. Nothing happens for a key that is not there. */
void pacl_ledger_begin(enum pacl_owned_kind kind, uintptr_t key, size_t size, uint32_t id);
void pacl_ledger_end(uintptr_t key);

/* What lives at exactly this key; what ended there last. */
bool pacl_ledger_find(uintptr_t key, struct pacl_owned *out);
bool pacl_ledger_find_ended(uintptr_t key, struct pacl_owned *out);

/* Memory around an address: what lives there, else what ended there last. `ended` alone looks at the latter only. */
bool pacl_ledger_memory(const void *p, struct pacl_check_memory *out);
bool pacl_ledger_ended_memory(const void *p, struct pacl_check_memory *out);

/* Calls `tell` for everything that lives, in the order of its begin, under the lock. */
void pacl_ledger_each(void (*tell)(void *context, struct pacl_owned *owned), void *context);

/* "device memory", "stream" ... */
const char *pacl_owned_name(enum pacl_owned_kind kind);
struct pacl_check_memory pacl_owned_memory(const struct pacl_owned *owned);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one process offers to others, and takes from them. An offer is a file that holds the bytes, and a key that is the
 * only way to it: the key says which process has it (its socket has a name in the abstract space, so nothing is left
 * behind when it dies) and a secret that nobody can guess. A thread, started with the first offer or link, answers for
 * the process: who knows the key and is allowed gets the file.
 *
 * Objects whose state is shared (events, notifies) keep the connection as a link: a process tells the others that
 * something has changed, and learns when one of them is gone, however it ended.
 */
#ifndef PACL_CORE_IPC_H
#define PACL_CORE_IPC_H

#include "acl/acl_rt.h"
#include "base/atomic.h"

enum pacl_ipc_kind { PACL_IPC_MEMORY = 1, PACL_IPC_PHYSICAL, PACL_IPC_EVENT, PACL_IPC_NOTIFY };

/* The number of the process's socket, and the secret. */
enum { PACL_KEY_BYTES = 32, PACL_KEY_SHORT = 8, PACL_KEY_TEXT = 2 * PACL_KEY_BYTES + 1 };
struct pacl_key {
    uint8_t bytes[PACL_KEY_BYTES];
};

/* As it goes from process to process; both have the same library. */
struct pacl_ipc_item {
    uint64_t kind;
    uint64_t offset, size; /* in the file */
    aclrtPhysicalMemProp prop;
    uint32_t device;      /* by its number in the machine */
    uint32_t participant; /* of an object: the number of the process that takes it; the one that offers is 0 */
};

/* Offers what `file` holds and makes a key; a short one has only PACL_KEY_SHORT bytes that are not zero. The file stays
 * the caller's and open until the offer is withdrawn, unless `gives_file`. `owner` is for pacl_ipc_withdraw_of, and for
 * objects their id. 507022 if the system refuses socket or thread. */
struct pacl_ipc_offer {
    struct pacl_ipc_item item;
    int file;
    bool gives_file;
    bool anyone; /* no process needs to be allowed first */
    bool short_key;
    uint64_t owner;
    void *slot; /* of an object: its memory, which outlives it */
};
aclError pacl_ipc_offer(const struct pacl_ipc_offer *offer, struct pacl_key *key);

/* Lets processes take what the key names. 107000 if this process does not offer it. */
aclError pacl_ipc_allow(const struct pacl_key *key, enum pacl_ipc_kind kind, const int32_t *pids, size_t count);

aclError pacl_ipc_allow_all_of(uint64_t owner, const int32_t *pids, size_t count);

/* Nobody can take it any more; who has it keeps it. False if this process does not offer it. */
bool pacl_ipc_withdraw(const struct pacl_key *key, enum pacl_ipc_kind kind);
void pacl_ipc_withdraw_of(uint64_t owner);

/* True if this process offers it. */
bool pacl_ipc_offers_key(const struct pacl_key *key, enum pacl_ipc_kind kind);

/* Takes what the key names; the caller owns *file. 107000: nobody offers it, or this process does; 507022: not allowed,
 * or the process that has it does not answer. With `link`, *link is a connection for pacl_ipc_link. */
aclError pacl_ipc_take(const struct pacl_key *key, enum pacl_ipc_kind kind, struct pacl_ipc_item *item, int *file,
                       int *link);

/* How many things this process offers, for those who free memory: mostly none. */
extern _Atomic uint32_t pacl_ipc_offers;

/* --- links of objects --------------------------------------------------------------------------------------------- */

/* Watches the connection for an object that was taken, by its id. Owns it on success. */
aclError pacl_ipc_link(enum pacl_ipc_kind kind, uint64_t object, void *slot, int link);
void pacl_ipc_unlink(uint64_t object);

/* Tells the other processes that have the object to look at it. Never blocks; may be called under any lock of objects. */
void pacl_ipc_nudge(uint64_t object);

/* How many processes have taken an object of this one: those that are there, and those that are gone and of which the
 * object has not said taker_told(), which its `left` does. Both may be called under any lock of objects. */
void pacl_ipc_count_takers(uint64_t object, uint32_t *living, uint32_t *gone);
void pacl_ipc_taker_told(uint64_t object, unsigned participant);

/* Called by the thread, without locks: something has changed; a process is gone. The slot may be another object's by
 * now, which its id tells. */
struct pacl_ipc_watcher {
    void (*changed)(void *slot, uint64_t object);
    void (*left)(void *slot, uint64_t object, unsigned participant);
};
extern const struct pacl_ipc_watcher pacl_event_watcher, pacl_notify_watcher;

/* --- keys as text ------------------------------------------------------------------------------------------------- */

void pacl_key_print(const struct pacl_key *key, char text[PACL_KEY_TEXT]);
bool pacl_key_parse(const char *text, struct pacl_key *key);

#endif

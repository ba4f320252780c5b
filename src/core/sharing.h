/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects that several processes have: events and notifies. Their state is a page that all of them map. It is changed by
 * single atomic steps, so a process that is killed leaves it whole; that something has changed, and who is gone, goes
 * over the links of core/ipc.h.
 */
#ifndef PACL_CORE_SHARING_H
#define PACL_CORE_SHARING_H

#include "base/atomic.h"
#include "core/ipc.h"

/* Part of the object, guarded by its lock. id 0: the object is this process's alone. */
struct pacl_sharing {
    _Atomic uint64_t id; /* names the object among this process's links; never used again; read without the lock, too */
    void *page;
    int file;             /* that holds the page, in the process that made the object; else -1 */
    unsigned participant; /* this process's number; 0 made the object */
    bool creator_gone;    /* nobody answers for the object any more */
};

/* A page of zeros, and its file. 207001. */
aclError pacl_sharing_create(struct pacl_sharing *sharing);

/* The page that another process offers, and the connection to it. Once the object has the sharing the caller gives *link to
 * pacl_sharing_link(): what the other process tells meanwhile, or that it is gone, waits there. */
aclError pacl_sharing_take(struct pacl_sharing *sharing, const struct pacl_key *key, enum pacl_ipc_kind kind,
                           int *link);

/* `slot` is the object's memory, which outlives it. The link is gone if this fails. */
aclError pacl_sharing_link(uint64_t id, enum pacl_ipc_kind kind, void *slot, int link);

/* Offers the object; calls make several keys. */
aclError pacl_sharing_offer(const struct pacl_sharing *sharing, enum pacl_ipc_kind kind, void *slot, bool anyone,
                            struct pacl_key *key);

/* Takes no notice of later takers; those who have the object keep it. */
void pacl_sharing_withdraw(const struct pacl_sharing *sharing);

/* Ends links, page and file. The object is the program's no more. */
void pacl_sharing_drop(struct pacl_sharing *sharing);

/* --- what an event has in its page -------------------------------------------------------------------------------- */

/* Records get numbers from 1 on, whoever makes them. A record is reached once its turn has come in its stream. */
uint64_t pacl_shared_record_claim(const struct pacl_sharing *sharing);
void pacl_shared_record_reach(const struct pacl_sharing *sharing, uint64_t number);

/* The newest record, 0: none. */
uint64_t pacl_shared_record_newest(const struct pacl_sharing *sharing);

enum pacl_shared_record { PACL_RECORD_OPEN, PACL_RECORD_REACHED, PACL_RECORD_LOST };

/* LOST: the process that was to reach it is gone, or the one that made the event. */
enum pacl_shared_record pacl_shared_record_state(const struct pacl_sharing *sharing, uint64_t number);

/* For the process that made the event, when another is gone: its open records are lost. */
void pacl_shared_records_lose(const struct pacl_sharing *sharing, unsigned participant);

#endif

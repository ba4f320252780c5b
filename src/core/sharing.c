/* SPDX-License-Identifier: Apache-2.0 */
#include "core/sharing.h"

#include <unistd.h>

#include "base/error.h"
#include "os/os.h"
#include "os/share.h"

/* --- life --------------------------------------------------------------------------------------------------------- */

static uint64_t next_id(void)
{
    static _Atomic uint64_t last = (uint64_t)1 << 63; /* no address and no handle has this bit */
    return pacl_add_relaxed(&last, 1) + 1;
}

static aclError map_page(int file, void **page)
{
    *page = os_reserve(OS_PAGE, OS_PAGE);
    if (*page != NULL && os_shared_map_open(file, 0, *page, OS_PAGE) == 0)
        return ACL_SUCCESS;
    if (*page != NULL)
        os_release(*page, OS_PAGE);
    return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "the system refuses to map a page; look at vm.max_map_count");
}

aclError pacl_sharing_create(struct pacl_sharing *sharing)
{
    const int file = os_shared_create("pacl-object", OS_PAGE);
    if (file < 0)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION,
                         "no file for an object of several processes; look at ulimit -f and -n");
    void *page;
    const aclError err = map_page(file, &page);
    if (err == ACL_SUCCESS)
        *sharing = (struct pacl_sharing){ .id = next_id(), .page = page, .file = file };
    else
        close(file);
    return err;
}

aclError pacl_sharing_take(struct pacl_sharing *sharing, const struct pacl_key *key, enum pacl_ipc_kind kind, int *link)
{
    struct pacl_ipc_item item;
    int file;
    void *page;
    aclError err = pacl_ipc_take(key, kind, &item, &file, link);
    if (err != ACL_SUCCESS)
        return err;
    err = map_page(file, &page);
    close(file); /* the mapping keeps it */
    if (err == ACL_SUCCESS)
        *sharing = (struct pacl_sharing){ .id = next_id(), .page = page, .file = -1, .participant = item.participant };
    else
        close(*link);
    return err;
}

aclError pacl_sharing_link(uint64_t id, enum pacl_ipc_kind kind, void *slot, int link)
{
    const aclError err = pacl_ipc_link(kind, id, slot, link);
    if (err != ACL_SUCCESS)
        close(link);
    return err;
}

aclError pacl_sharing_offer(const struct pacl_sharing *sharing, enum pacl_ipc_kind kind, void *slot, bool anyone,
                            struct pacl_key *key)
{
    const struct pacl_ipc_offer offer = { .item = { .kind = kind, .size = OS_PAGE },
                                          .file = sharing->file,
                                          .anyone = anyone,
                                          .owner = sharing->id,
                                          .slot = slot };
    return pacl_ipc_offer(&offer, key);
}

void pacl_sharing_withdraw(const struct pacl_sharing *sharing)
{
    pacl_ipc_withdraw_of(sharing->id);
}

void pacl_sharing_drop(struct pacl_sharing *sharing)
{
    pacl_ipc_withdraw_of(sharing->id);
    pacl_ipc_unlink(sharing->id);
    os_release(sharing->page, OS_PAGE);
    if (sharing->file >= 0)
        close(sharing->file);
    *sharing = (struct pacl_sharing){ .file = -1 };
}

/* --- records ------------------------------------------------------------------------------------------------------ */

enum { RECORDS = 240, OWNER_BITS = 8 };
#define LOST ((uint64_t)1 << 63)

/* Record n has entry n % RECORDS, so as many may be on their way at once. Words hold a number and, in the lowest bits,
 * who made the record. */
struct events_page {
    _Atomic uint64_t newest;
    struct {
        _Atomic uint64_t claim;
        _Atomic uint64_t reached; /* the number, perhaps with LOST */
    } records[RECORDS];
};

_Static_assert(sizeof(struct events_page) <= OS_PAGE, "the records of an event fit into its page");

static uint64_t word_of(uint64_t number, unsigned owner)
{
    return number << OWNER_BITS | owner;
}

static void raise(_Atomic uint64_t *word, uint64_t to)
{
    uint64_t now = pacl_load_acquire(word);
    while (now < to && !pacl_cas_seq_cst(word, &now, to))
        continue;
}

/* Enters the newest record into its entry. Whoever made it may have been killed before it came to that, so all do. */
static void note_newest(struct events_page *page, uint64_t newest)
{
    const uint64_t number = newest >> OWNER_BITS;
    if (number > 0)
        raise(&page->records[number % RECORDS].claim, newest);
}

uint64_t pacl_shared_record_claim(const struct pacl_sharing *sharing)
{
    struct events_page *page = sharing->page;
    uint64_t newest = pacl_load_acquire(&page->newest), mine;
    do {
        note_newest(page, newest);
        mine = word_of((newest >> OWNER_BITS) + 1, sharing->participant);
    } while (!pacl_cas_seq_cst(&page->newest, &newest, mine));
    note_newest(page, mine);
    return mine >> OWNER_BITS;
}

static uint64_t number_reached(const struct events_page *page, uint64_t number)
{
    return pacl_load_acquire(&page->records[number % RECORDS].reached) & ~LOST;
}

/* Sequentially consistent, paired with the acquire in number_reached: who sees the record reached sees what the stream
 * wrote before it, in whichever process. */
void pacl_shared_record_reach(const struct pacl_sharing *sharing, uint64_t number)
{
    struct events_page *page = sharing->page;
    _Atomic uint64_t *reached = &page->records[number % RECORDS].reached;
    uint64_t now = pacl_load_acquire(reached);
    while ((now & ~LOST) < number && !pacl_cas_seq_cst(reached, &now, number))
        continue;
}

uint64_t pacl_shared_record_newest(const struct pacl_sharing *sharing)
{
    const struct events_page *page = sharing->page;
    return pacl_load_acquire(&page->newest) >> OWNER_BITS;
}

enum pacl_shared_record pacl_shared_record_state(const struct pacl_sharing *sharing, uint64_t number)
{
    const struct events_page *page = sharing->page;
    const uint64_t reached = pacl_load_acquire(&page->records[number % RECORDS].reached);
    if (number == 0 || (reached & ~LOST) > number || reached == number)
        return PACL_RECORD_REACHED;
    if (reached == (number | LOST))
        return PACL_RECORD_LOST;
    return sharing->creator_gone ? PACL_RECORD_LOST : PACL_RECORD_OPEN;
}

void pacl_shared_records_lose(const struct pacl_sharing *sharing, unsigned participant)
{
    struct events_page *page = sharing->page;
    note_newest(page, pacl_load_seq_cst(&page->newest));
    for (unsigned i = 0; i < RECORDS; i++) {
        const uint64_t claim = pacl_load_acquire(&page->records[i].claim), number = claim >> OWNER_BITS;
        uint64_t reached = pacl_load_acquire(&page->records[i].reached);
        if (number == 0 || (claim & (((uint64_t)1 << OWNER_BITS) - 1)) != participant ||
            number_reached(page, number) >= number)
            continue;
        (void)pacl_cas_seq_cst(&page->records[i].reached, &reached, number | LOST);
    }
}

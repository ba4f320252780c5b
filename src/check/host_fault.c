/* SPDX-License-Identifier: Apache-2.0 */
#include "check/host_fault.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "base/log.h"
#include "check/ending.h"
#include "check/finding.h"
#include "check/guard_pages.h"
#include "check/host.h"
#include "check/kernel_access.h"
#include "check/ledger.h"
#include "check/observers.h"
#include "check/thread_sanitizer.h"
#include "core/arena.h"
#include "core/hostmem.h"
#include "core/place.h"
#include "core/stream.h"
#include "core/touch.h"
#include "os/fault.h"
#include "os/hook.h"
#include "os/os.h"

#define GUARD_BYTES ((size_t)1 << PACL_ARENA_REGION_SHIFT) /* beside an arena: nobody's, without access */

enum {
    LIFTED_MAX = 8,       /* pages that one instruction may touch, before their guard is given up */
    SPURIOUS_MAX = 64,    /* faults in a row at one instruction on pages that are open */
    SPURIOUS_NS = 100000, /* in a row: an instruction that is asked again faults within some microseconds */
    REPORTS_PER_PC = 32   /* races of one instruction that are reported, page by page; see is_tiresome() */
};

/* What a thread is about. */
static _Thread_local struct {
    unsigned depth;                    /* public functions that it is in */
    unsigned callbacks, outer;         /* the program's functions that the library runs in it; depth around the first */
    const uint8_t *lifted[LIFTED_MAX]; /* pages, while one instruction is let through */
    unsigned lifted_count;
    const void *pc, *fault; /* of the last spurious fault, and how many there were in a row */
    unsigned spurious;
    uint64_t spurious_ns; /* when the last one was */
} self;

/* The observers' locks may be held by what a signal handler has interrupted: then nobody is asked and nothing is noted,
 * and the access goes on. */
static bool is_inside(void)
{
    return self.depth > 0 || pacl_guard_pages_busy();
}

void pacl_host_lift(const void *at, size_t bytes)
{
    if (is_inside())
        pacl_guard_peek(at, bytes, true);
    else
        pacl_guard_lift(at, bytes);
}

void pacl_host_restore(const void *at, size_t bytes)
{
    if (is_inside())
        pacl_guard_peek(at, bytes, false);
    else
        pacl_guard_restore(at, bytes);
}

void pacl_host_touched(const void *at, size_t bytes, bool writes)
{
    if (!is_inside())
        (void)pacl_check_host_access(at, bytes, writes, NULL);
}

/* --- functions that read more than they use ----------------------------------------------------------------------- */

/* The C library looks for the end of a string in whole vectors, which reach into what lies beside it. */
static const char *const over_reading[] = { "strlen",  "strnlen", "strchr",    "strchrnul", "strrchr",    "strcmp",
                                            "strncmp", "strcpy",  "strncpy",   "stpcpy",    "strcat",     "strncat",
                                            "strcspn", "strspn",  "strpbrk",   "strstr",    "strcasecmp", "strncasecmp",
                                            "memchr",  "memrchr", "rawmemchr", "memmem",    "wcslen",     "wcsnlen",
                                            "wcschr",  "wcscmp",  "wmemchr",   "strcasestr" };
enum { OVER_READING = sizeof over_reading / sizeof over_reading[0] };
static const void *over_reading_at[OVER_READING]; /* constant once started; what the loader has chosen of several */

static void find_over_reading(void)
{
    for (unsigned i = 0; i < OVER_READING; i++)
        over_reading_at[i] = dlsym(RTLD_DEFAULT, over_reading[i]);
}

static bool over_reads(const void *pc)
{
    const void *const function = _Unwind_FindEnclosingFunction((void *)(uintptr_t)pc);
    for (unsigned i = 0; i < OVER_READING && function != NULL; i++) {
        if (over_reading_at[i] == function)
            return true;
    }
    return false;
}

/* --- pinned memory in flight --------------------------------------------------------------------------------------- */

static const uint8_t *page_of(const void *at)
{
    return (const uint8_t *)((uintptr_t)at & ~(uintptr_t)(OS_PAGE - 1));
}

static bool note_lifted(const uint8_t *page)
{
    for (unsigned i = 0; i < self.lifted_count; i++) {
        if (self.lifted[i] == page)
            return true;
    }
    if (self.lifted_count == LIFTED_MAX)
        return false;
    self.lifted[self.lifted_count++] = page;
    return true;
}

/* Lets the instruction through. Where the processor cannot stop behind it, or it touches more pages than are kept in
 * mind, they stay open until something is submitted that names them. */
static enum os_verdict step_over(const uint8_t *first, size_t size)
{
    for (const uint8_t *page = page_of(first); page < first + size; page += OS_PAGE) {
        if (!pacl_guard_pages_cover(page))
            continue;
        if (os_can_step && note_lifted(page)) {
            pacl_host_lift(page, 1);
        } else if (is_inside()) {
            pacl_guard_peek(page, 1, true);
        } else {
            pacl_guard_drop(page, 1);
        }
    }
    return OS_FAULT_STEP;
}

static void stepped(void)
{
    for (unsigned i = 0; i < self.lifted_count; i++)
        pacl_host_restore(self.lifted[i], 1);
    self.lifted_count = 0;
}

/* The page was open when the fault was looked at: another thread has opened it since, mostly. A loop that comes back to
 * a buffer may find that each time, so only faults that follow at once count. Should the system have refused to open it,
 * it is asked once more; memory that was never given out stays closed. */
static enum os_verdict try_again(const struct os_access *access)
{
    const uint64_t now = os_now_ns();
    const bool again =
        self.pc == access->pc && self.fault == access->fault && now - self.spurious_ns < (uint64_t)SPURIOUS_NS;
    self.spurious = again ? self.spurious + 1 : 1;
    self.spurious_ns = now;
    self.pc = access->pc;
    self.fault = access->fault;
    if (self.spurious == SPURIOUS_MAX / 2)
        pacl_guard_drop_all();
    return self.spurious < SPURIOUS_MAX ? OS_FAULT_RETRY : OS_FAULT_FOREIGN;
}

/* A loop over memory in flight would fault for each of its instructions. It is found once per page once it is known. */
static bool is_tiresome(const void *pc)
{
    static struct {
        _Atomic(const void *) pc;
        _Atomic unsigned count;
    } table[64];
    const unsigned i = (unsigned)((uintptr_t)pc >> 1) % (sizeof table / sizeof table[0]);
    if (pacl_load_relaxed(&table[i].pc) != pc) {
        pacl_store_relaxed(&table[i].pc, pc);
        pacl_store_relaxed(&table[i].count, 0);
    }
    return pacl_add_relaxed(&table[i].count, 1) >= REPORTS_PER_PC;
}

static enum os_verdict on_pinned(struct os_access *access)
{
    if (is_inside()) {
        os_access_measure(access);
        return step_over(access->first, access->size);
    }
    switch (pacl_guard_examine(access->fault, access->writes)) {
    case PACL_GUARD_FOUND_OPEN:
        return try_again(access);
    case PACL_GUARD_OPENED:
        self.spurious = 0;
        return OS_FAULT_RETRY;
    case PACL_GUARD_FOUND_CLOSED:
        break;
    }
    os_access_measure(access);
    const bool races = pacl_check_host_access_races(access->first, access->size, access->writes) &&
                       (access->writes || !over_reads(access->pc)) &&
                       pacl_check_host_access(access->first, access->size, access->writes, access->pc);
    if (races && is_tiresome(access->pc)) {
        pacl_guard_drop(access->fault, 1);
        return OS_FAULT_RETRY;
    }
    return step_over(access->first, access->size);
}

/* --- device memory ------------------------------------------------------------------------------------------------- */

/* The device whose memory the address is, or whose memory's guard on either side it hits; -1 for others. */
static int device_at(const uint8_t *at)
{
    const struct pacl_place place = pacl_place_of(at);
    if (place.memory == PACL_MEMORY_DEVICE)
        return place.device;
    for (unsigned side = 0; place.memory == PACL_MEMORY_PAGEABLE && side < 2; side++) {
        const uintptr_t beside = side == 0 ? (uintptr_t)at - GUARD_BYTES : (uintptr_t)at + GUARD_BYTES; /* may wrap */
        const struct pacl_arena *arena = pacl_arena_of((const void *)beside);
        if (arena != NULL && pacl_arena_device(arena) != PACL_PINNED && pacl_arena_touches(at, 1))
            return pacl_arena_device(arena);
    }
    return -1;
}

struct search {
    const uint8_t *at;
    size_t distance;
    struct pacl_owned nearest; /* size 0: none */
};

static void compare(void *context, struct pacl_owned *owned)
{
    struct search *search = context;
    const uint8_t *const base = (const uint8_t *)owned->key;
    if (owned->kind != PACL_OWNED_DEVICE_MEMORY)
        return;
    const size_t distance =
        search->at < base ? (size_t)(base - search->at) : (size_t)(search->at - base) - owned->size + 1;
    if (search->nearest.size > 0 && distance >= search->distance)
        return;
    search->nearest = *owned;
    search->distance = distance;
}

static void say_where(struct pacl_check_finding *finding, const struct os_access *access, int device)
{
    const char *const what = access->writes ? "writes" : "reads";
    const struct pacl_place place = pacl_place_of(access->fault);
    if (place.memory == PACL_MEMORY_DEVICE && place.size > 0) {
        pacl_check_say(finding, "host code %s device memory: byte %zu of the %zu bytes at %p on device %d", what,
                       (size_t)(access->fault - place.base), place.size, (const void *)place.base, device);
        (void)pacl_ledger_memory(access->fault, &finding->memory);
        return;
    }
    struct search search = { .at = access->fault };
    pacl_ledger_each(compare, &search);
    if (search.nearest.size == 0) {
        pacl_check_say(finding, "host code %s device memory that is not allocated, %p on device %d", what,
                       (const void *)access->fault, device);
        return;
    }
    pacl_check_say(
        finding, "host code %s device memory that is not allocated, %p on device %d, %zu bytes %s the %zu bytes at %p",
        what, (const void *)access->fault, device, search.distance,
        (uintptr_t)access->fault < search.nearest.key ? "before" : "behind the end of", search.nearest.size,
        (const void *)search.nearest.key);
    finding->memory = pacl_owned_memory(&search.nearest);
}

static void report_device_access(const struct os_access *access, int device)
{
    struct pacl_check_finding finding = { .kind = PACL_CHECK_DEVICE_POINTER_ACCESS };
    say_where(&finding, access, device);
    finding.access[0] = (struct pacl_check_access){ .call = "host code",
                                                    .writes = access->writes,
                                                    .thread = (uint32_t)gettid(),
                                                    .base = access->first,
                                                    .width = access->size,
                                                    .height = 1,
                                                    .site = pacl_site_capture_fault(access->pc) };
    (void)pacl_check_report(&finding);
}

static enum os_verdict faulted(struct os_access *access)
{
    if (pacl_guard_pages_cover(access->fault))
        return on_pinned(access);
    const int device = device_at(access->fault);
    if (device >= 0 && !is_inside()) {
        os_access_measure(access);
        report_device_access(access, device);
    }
    return OS_FAULT_FOREIGN;
}

static void dying(void)
{
    pacl_ending_now("SIGSEGV");
}

static const struct os_fault_watch watch = { .faulted = faulted, .stepped = stepped, .dying = dying };

/* --- what is submitted --------------------------------------------------------------------------------------------- */

/* For a range of bytes that may belong to several blocks. */
struct need {
    const uint8_t *at;
    size_t bytes;
    enum pacl_guard guard;
};

/* True if a row of the rectangle, and not only a gap, is in the range. */
static bool has_row_in(const struct pacl_check_flight *flight, const struct need *need)
{
    if (flight->at >= need->at)
        return (size_t)(flight->at - need->at) < need->bytes;
    const size_t offset = (size_t)(need->at - flight->at), pitch = flight->height > 1 ? flight->pitch : SIZE_MAX;
    const size_t row = offset / pitch, in_row = offset % pitch;
    if (row >= flight->height)
        return false;
    return in_row < flight->width || (row + 1 < flight->height && pitch - in_row < need->bytes);
}

static void look_at(void *context, const struct pacl_check_flight *flight)
{
    struct need *need = context;
    const enum pacl_guard guard = flight->writes ? PACL_GUARD_ALL : PACL_GUARD_WRITES;
    if (guard > need->guard && has_row_in(flight, need))
        need->guard = guard;
}

static enum pacl_guard guard_needed(const uint8_t *at, size_t bytes)
{
    const struct pacl_block block = pacl_arena_find(pacl_arena_of(at), at);
    const size_t offset = (size_t)(at - block.base);
    if (offset >= block.size || bytes > block.size - offset) {
        struct need need = { .at = at, .bytes = bytes };
        pacl_check_each_flight(at, bytes, look_at, &need);
        return need.guard;
    }
    if (pacl_check_host_access_races(at, bytes, false))
        return PACL_GUARD_ALL;
    return pacl_check_host_access_races(at, bytes, true) ? PACL_GUARD_WRITES : PACL_GUARD_NONE;
}

/* The pages of the whole span: row gaps that reach over pages are opened again by the first access to them. */
static void guard(void *context, const struct pacl_touch *touch)
{
    (void)context;
    if (touch->width == 0 || touch->height == 0 || !pacl_guard_pages_cover(touch->at))
        return;
    os_hooks_refresh(); /* a library loaded since would have its system calls fail on guarded pages */
    pacl_guard_raise(touch->at, (touch->height - 1) * touch->pitch + touch->width,
                     touch->writes ? PACL_GUARD_ALL : PACL_GUARD_WRITES);
}

static void submitted(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    pacl_work_touches(work, guard, NULL);
}

static void entered(const char *call, const void *return_address, const void *frame)
{
    (void)call;
    (void)return_address;
    (void)frame;
    self.depth++;
}

static void left(const char *call, aclError result)
{
    (void)call;
    (void)result;
    if (self.depth > 0)
        self.depth--;
}

/* The program's code, called from within the library: it may be asked for what it does. */
static void host_function_begins(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    (void)work;
    if (self.callbacks++ == 0)
        self.outer = self.depth;
    self.depth = 0;
}

static void host_function_ends(struct pacl_stream *stream, const struct pacl_work *work)
{
    (void)stream;
    (void)work;
    self.depth = --self.callbacks == 0 ? self.outer : 1;
}

const struct pacl_observer pacl_host_observer = {
    .entered = entered,
    .left = left,
    .submitted = submitted,
    .host_function_begins = host_function_begins,
    .host_function_ends = host_function_ends,
};

bool pacl_host_checks_start(void)
{
    const bool wants_races = pacl_check_wants(PACL_CHECK_HOST_RACE);
    if ((!wants_races && !pacl_check_wants(PACL_CHECK_DEVICE_POINTER_ACCESS)) || pacl_has_thread_sanitizer())
        return false;
    find_over_reading();
    const int err = os_faults_watch(&watch);
    if (err != 0) {
        pacl_log(PACL_LOG_WARNING, "accesses of host code are not checked: no handler of SIGSEGV (%s)", strerror(err));
        return false;
    }
    if (wants_races)
        pacl_guard_pages_start(guard_needed);
    pacl_kernel_access_start();
    (void)pthread_atfork(NULL, NULL, pacl_guard_pages_forget);
    return true;
}

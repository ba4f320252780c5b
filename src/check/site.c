/* SPDX-License-Identifier: Apache-2.0 */
#include "check/site.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "base/atomic.h"
#include "check/symbol.h"

enum {
    FRAMES_MAX = 24, /* of a site; what lies further out is cut */
    FRAMES_NEAR = 4, /* what tells two places apart */
    BUCKETS = 4096,
    CACHED = 64, /* stacks that a thread recognises at once */
};

/* Where a thread found the return addresses of a stack. `slot` counts bytes from the public function's frame. */
struct known {
    const void *frame; /* NULL: free */
    const struct pacl_site *site;
    uint32_t slot[FRAMES_MAX];
};

enum sort {
    STACK,
    FAULT,         /* pc[0] is an instruction that ran, not one to return to */
    PLACE,         /* pc are frames of a place */
    PLACE_DROPPED, /* the same; what the call returns is dropped */
};

struct pacl_site {
    struct pacl_site *next; /* in its bucket; constant */
    uint64_t hash;
    unsigned count;
    enum sort sort;
    uintptr_t pc[FRAMES_MAX];
};

static _Atomic(struct pacl_site *) buckets[BUCKETS]; /* lists only grow, at their heads, under the lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local struct {
    unsigned depth; /* public functions that this thread is in */
    const void *return_address, *frame;
    const struct pacl_site *place; /* set by pacl_site_use() */
    const struct pacl_site *site;  /* of the present call, once it was asked for; NULL: not yet */
    struct known *known;           /* CACHED of them, or NULL */
} self;

static const struct pacl_site *(*_Atomic present_place)(void);

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t known_key; /* its destructor frees a thread's memory */

/* --- the thread's own -------------------------------------------------------------------------------------------- */

void pacl_site_enter(const void *return_address, const void *frame)
{
    if (self.depth++ > 0)
        return;
    self.return_address = return_address;
    self.frame = frame;
    self.site = self.place;
}

void pacl_site_leave(void)
{
    if (self.depth > 0)
        self.depth--;
}

bool pacl_site_is_outermost(void)
{
    return self.depth == 1;
}

static void forget(void *known)
{
    self.known = NULL;
    free(known);
}

static void make_key(void)
{
    (void)pthread_key_create(&known_key, forget);
}

/* Where the thread keeps what it knows of a stack that begins like this; NULL when memory is short. */
static struct known *place_for(const void *return_address, const void *frame)
{
    if (self.known == NULL) {
        pthread_once(&key_once, make_key);
        struct known *known = calloc(CACHED, sizeof *known);
        if (known == NULL || pthread_setspecific(known_key, known) != 0) {
            free(known);
            return NULL;
        }
        self.known = known;
    }
    const uint64_t mixed =
        ((uint64_t)(uintptr_t)return_address ^ (uint64_t)(uintptr_t)frame << 20) * 0x9e3779b97f4a7c15;
    return &self.known[mixed >> 58];
}

/* Each return address lies where it lay last time. The first is at the known frame; each one that is right says which
 * function is next, and so where the next one must be: none is read that is not there. */
__attribute__((no_sanitize_address)) static bool is_same(const struct known *known, const void *return_address,
                                                         const void *frame)
{
    if (known->frame != frame)
        return false;
    const struct pacl_site *site = known->site;
    if (site->pc[0] != (uintptr_t)return_address)
        return false;
    for (unsigned i = 1; i < site->count; i++) {
        if (*(const uintptr_t *)((const char *)frame + known->slot[i]) != site->pc[i])
            return false;
    }
    return true;
}

/* --- walking the stack ------------------------------------------------------------------------------------------- */

struct walk {
    const void *frame; /* skip up to the caller of the function with this frame; NULL: see `pc` */
    uintptr_t pc;      /* skip up to this instruction; 0: skip the library's own */
    enum sort sort;
    bool started, plain; /* plain: all return addresses were found in the stack */
    unsigned count;
    uintptr_t pcs[FRAMES_MAX];
    uint32_t slots[FRAMES_MAX];
};

/* Of this shared object, set by the linker. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static bool is_own(uintptr_t pc)
{
    return pc - (uintptr_t)__ehdr_start < (uintptr_t)_end - (uintptr_t)__ehdr_start;
}

static bool starts(const struct walk *walk, uintptr_t pc, uintptr_t frame)
{
    if (walk->frame != NULL)
        return frame == (uintptr_t)walk->frame;
    return walk->pc != 0 ? pc == walk->pc : !is_own(pc);
}

/* The stack pointer of a frame at its call is the callee's frame address, right above the return address. On processors
 * that keep it elsewhere the content differs, and the stack is walked anew each time. */
__attribute__((no_sanitize_address)) static void note_slot(struct walk *walk, uintptr_t pc, uintptr_t frame)
{
    const uintptr_t at = frame - sizeof pc, distance = at - (uintptr_t)walk->frame;
    walk->plain = walk->plain && walk->frame != NULL && (walk->count == 0 || distance <= UINT32_MAX) &&
                  *(const uintptr_t *)at == pc;
    walk->slots[walk->count] = (uint32_t)distance;
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *argument)
{
    struct walk *walk = argument;
    const uintptr_t pc = _Unwind_GetIP(context), frame = _Unwind_GetCFA(context);
    walk->started = walk->started || starts(walk, pc, frame);
    if (!walk->started)
        return _URC_NO_REASON;
    if (pc == 0)
        return _URC_END_OF_STACK;
    if (walk->pc == 0)
        note_slot(walk, pc, frame);
    walk->pcs[walk->count++] = pc;
    return walk->count < FRAMES_MAX ? _URC_NO_REASON : _URC_END_OF_STACK;
}

/* --- interning --------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct walk *walk)
{
    uint64_t hash = walk->sort;
    for (unsigned i = 0; i < walk->count; i++)
        hash = (hash ^ walk->pcs[i]) * 0x100000001b3;
    return hash ^ hash >> 29;
}

/* Acquire, paired with the release in intern: who finds a site sees it complete. */
static struct pacl_site *find(struct pacl_site *from, const struct walk *walk, uint64_t hash)
{
    for (struct pacl_site *site = from; site != NULL; site = site->next) {
        if (site->hash == hash && site->count == walk->count && site->sort == walk->sort &&
            memcmp(site->pc, walk->pcs, walk->count * sizeof walk->pcs[0]) == 0)
            return site;
    }
    return NULL;
}

static const struct pacl_site *intern(const struct walk *walk)
{
    const uint64_t hash = hash_of(walk);
    _Atomic(struct pacl_site *) *bucket = &buckets[hash % BUCKETS];
    struct pacl_site *site = walk->count > 0 ? find(pacl_load_acquire(bucket), walk, hash) : NULL;
    if (site != NULL || walk->count == 0)
        return site;
    pthread_mutex_lock(&lock);
    site = find(pacl_load_relaxed(bucket), walk, hash);
    if (site == NULL)
        site = calloc(1, sizeof *site);
    if (site != NULL && site->count == 0) {
        site->next = pacl_load_relaxed(bucket);
        site->hash = hash;
        site->count = walk->count;
        site->sort = walk->sort;
        memcpy(site->pc, walk->pcs, sizeof site->pc);
        pacl_store_release(bucket, site);
    }
    pthread_mutex_unlock(&lock);
    return site;
}

/* --- taking one -------------------------------------------------------------------------------------------------- */

__attribute__((noinline)) static const struct pacl_site *learn(struct known *known, const void *frame)
{
    struct walk walk = { .frame = frame, .plain = true };
    _Unwind_Backtrace(visit, &walk);
    const struct pacl_site *site = intern(&walk);
    if (site != NULL && known != NULL && walk.plain) {
        known->frame = frame;
        known->site = site;
        memcpy(known->slot, walk.slots, sizeof known->slot);
    }
    return site;
}

const struct pacl_site *pacl_site_capture(void)
{
    if (self.depth == 0)
        return self.place != NULL ? self.place : learn(NULL, NULL);
    if (self.site != NULL)
        return self.site;
    struct known *known = place_for(self.return_address, self.frame);
    if (known != NULL && is_same(known, self.return_address, self.frame))
        self.site = known->site;
    else
        self.site = learn(known, self.frame);
    return self.site;
}

const struct pacl_site *pacl_site_capture_fault(const void *pc)
{
    const struct pacl_site *(*const ask)(void) = pacl_load_acquire(&present_place);
    const struct pacl_site *place = ask != NULL ? ask() : NULL;
    if (place != NULL)
        return place;
    struct walk walk = { .pc = (uintptr_t)pc, .sort = FAULT };
    _Unwind_Backtrace(visit, &walk);
    return intern(&walk);
}

bool pacl_site_same_place(const struct pacl_site *a, const struct pacl_site *b)
{
    if (a == b || a == NULL || b == NULL)
        return a == b;
    const unsigned near_a = a->count < FRAMES_NEAR ? a->count : FRAMES_NEAR;
    const unsigned near_b = b->count < FRAMES_NEAR ? b->count : FRAMES_NEAR;
    return near_a == near_b && memcmp(a->pc, b->pc, near_a * sizeof a->pc[0]) == 0;
}

/* --- places ------------------------------------------------------------------------------------------------------ */

const struct pacl_site *pacl_site_of_place(struct pacl_place_frame *const *frames, unsigned count, bool drops_result)
{
    struct walk walk = { .sort = drops_result ? PLACE_DROPPED : PLACE };
    for (; walk.count < count && walk.count < FRAMES_MAX; walk.count++)
        walk.pcs[walk.count] = (uintptr_t)frames[walk.count];
    return intern(&walk);
}

void pacl_site_use(const struct pacl_site *site)
{
    self.place = site;
}

void pacl_site_ask(const struct pacl_site *(*present)(void))
{
    pacl_store_release(&present_place, present); /* paired with the acquire in pacl_site_capture_fault */
}

bool pacl_site_is_place(const struct pacl_site *site, bool *drops_result)
{
    *drops_result = site->sort == PLACE_DROPPED;
    return site->sort >= PLACE;
}

/* --- reading one ------------------------------------------------------------------------------------------------- */

unsigned pacl_site_frames(const struct pacl_site *site)
{
    return site != NULL ? site->count : 0;
}

uintptr_t pacl_site_address(const struct pacl_site *site, unsigned index)
{
    return site->pc[index];
}

static void symbol_of_place(const struct pacl_place_frame *frame, struct pacl_symbol *symbol)
{
    memset(symbol, 0, sizeof *symbol);
    snprintf(symbol->function, sizeof symbol->function, "%s", frame->function);
    snprintf(symbol->file, sizeof symbol->file, "%s", pacl_symbol_path(frame->file));
    symbol->line = frame->line;
}

/* A return address belongs to the instruction after the call; what is wanted is the call. */
static unsigned symbols_of(const struct pacl_site *site, unsigned index, struct pacl_symbol *symbols)
{
    const bool exact = index == 0 && site->sort == FAULT;
    if (site->sort < PLACE)
        return pacl_symbols_of(site->pc[index] - (exact ? 0 : 1), symbols);
    symbol_of_place((const struct pacl_place_frame *)site->pc[index], symbols);
    return 1;
}

void pacl_site_each_frame(const struct pacl_site *site, pacl_site_frame_fn *tell, void *context)
{
    static struct pacl_symbol symbols[PACL_INLINED_MAX]; /* too large for the stack of a handler */
    unsigned number = 0;
    for (unsigned i = 0; i < pacl_site_frames(site); i++) {
        const unsigned count = symbols_of(site, i, symbols);
        for (unsigned k = 0; k < count; k++) {
            if (!tell(context, &symbols[k], number++))
                return;
        }
    }
}

static void write_place(FILE *out, const struct pacl_symbol *symbol)
{
    fprintf(out, "%s", symbol->function[0] != '\0' ? symbol->function : "???");
    if (symbol->file[0] != '\0')
        fprintf(out, " (%s:%d)\n", symbol->file, symbol->line);
    else if (symbol->object[0] != '\0')
        fprintf(out, " (in %s)\n", symbol->object);
    else
        fprintf(out, " (0x%llx)\n", (unsigned long long)symbol->address);
}

bool pacl_site_is_library(const struct pacl_symbol *symbol, unsigned number)
{
    static const char name[] = "libascendcl.so";
    const char *slash = strrchr(symbol->object, '/');
    return number > 0 && strncmp(slash != NULL ? slash + 1 : symbol->object, name, strlen(name)) == 0;
}

struct writing {
    FILE *out;
    const char *indent;
};

static bool write_frame(void *context, const struct pacl_symbol *symbol, unsigned number)
{
    const struct writing *w = context;
    if (pacl_site_is_library(symbol, number))
        return true;
    fprintf(w->out, "%s%s ", w->indent, number == 0 ? "at" : "by");
    write_place(w->out, symbol);
    /* What is further out is the C library's. */
    return strcmp(symbol->function, "main") != 0 && strcmp(symbol->function, "start_thread") != 0;
}

void pacl_site_write(FILE *out, const struct pacl_site *site, const char *indent)
{
    struct writing w = { .out = out, .indent = indent };
    pacl_site_each_frame(site, write_frame, &w);
}

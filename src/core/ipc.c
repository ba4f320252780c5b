/* SPDX-License-Identifier: Apache-2.0 */
#include "core/ipc.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/list.h"
#include "base/log.h"
#include "core/runtime.h"
#include "os/os.h"
#include "os/share.h"

enum {
    NUMBER_BYTES = 2, /* of a key: the socket's number */
    NAME_BYTES = 32,
    NUMBER_TRIES = 64,
    PEERS_MAX = 512, /* connections that wait for an answer; the oldest goes when there are more */
    PARTICIPANTS = 256,
    TRY_AGAIN_MS = 10,
    ANSWER_MS = 10000, /* how long a process may take to answer: it may be stopped */
    STACK_BYTES = 256 * 1024,
};
#define MAGIC 0x5041434C49504331U /* in every message: PACLIPC1 */

enum status { TAKEN, UNKNOWN, FORBIDDEN, FULL };

struct request {
    uint64_t magic, kind;
    struct pacl_key key;
};

struct reply {
    uint64_t magic, status;
    struct pacl_ipc_item item;
};

/* Something that this process offers. Guarded by ipc.lock, as all that follows. */
struct offer {
    struct pacl_list link;
    struct pacl_ipc_offer what;
    struct pacl_key key;
    int32_t *pids;
    size_t pid_count;
};

/* A connection. Only the thread takes it off the list and closes it. */
struct peer {
    struct pacl_list link;
    int fd;
    bool linked;  /* belongs to an object; before, it waits for an answer */
    bool served;  /* the other end took the object from here; else the object is its */
    bool closing; /* nobody wants it any more */
    bool told;    /* the object knows that the other end is gone */
    unsigned participant;
    enum pacl_ipc_kind kind;
    uint64_t object;
    void *slot;
};

static struct {
    pthread_mutex_t lock;
    bool started;
    bool deaf; /* a connection waits that there is no descriptor for: it would not let the thread sleep */
    int listener, wake;
    uint16_t number;
    struct pacl_list offers, peers;
    size_t peer_count;
} ipc = { .lock = PTHREAD_MUTEX_INITIALIZER,
          .listener = -1,
          .wake = -1,
          .offers = { &ipc.offers, &ipc.offers },
          .peers = { &ipc.peers, &ipc.peers } };

_Atomic uint32_t pacl_ipc_offers;
static pthread_once_t fork_once = PTHREAD_ONCE_INIT;

/* --- keys --------------------------------------------------------------------------------------------------------- */

void pacl_key_print(const struct pacl_key *key, char text[PACL_KEY_TEXT])
{
    for (size_t i = 0; i < PACL_KEY_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", key->bytes[i]);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Never reads past the text's end. */
bool pacl_key_parse(const char *text, struct pacl_key *key)
{
    for (size_t i = 0; i < PACL_KEY_BYTES; i++) {
        const int high = digit(text[2 * i]), low = high >= 0 ? digit(text[2 * i + 1]) : -1;
        if (low < 0)
            return false;
        key->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return text[2 * (size_t)PACL_KEY_BYTES] == '\0';
}

static uint16_t number_of(const struct pacl_key *key)
{
    return (uint16_t)(key->bytes[0] << 8 | key->bytes[1]);
}

/* How long it takes says nothing about where two keys differ. */
static bool same_key(const struct pacl_key *a, const struct pacl_key *b)
{
    unsigned difference = 0;
    for (size_t i = 0; i < PACL_KEY_BYTES; i++)
        difference |= (unsigned)(a->bytes[i] ^ b->bytes[i]);
    return difference == 0;
}

static void name_of(uint16_t number, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "pacl-ipc-%04x", number);
}

/* --- the thread (its helpers run under the lock) ------------------------------------------------------------------ */

static struct offer *find_offer(const struct pacl_key *key, uint64_t kind)
{
    PACL_LIST_EACH(node, &ipc.offers)
    {
        struct offer *o = PACL_CONTAINER(node, struct offer, link);
        if (o->what.item.kind == kind && same_key(&o->key, key))
            return o;
    }
    return NULL;
}

static bool is_allowed(const struct offer *o, int32_t pid)
{
    for (size_t i = 0; i < o->pid_count; i++) {
        if (o->pids[i] == pid)
            return true;
    }
    return o->what.anyone;
}

static bool is_object(uint64_t kind)
{
    return kind == PACL_IPC_EVENT || kind == PACL_IPC_NOTIFY;
}

/* A number that no other process which took the object has, by whichever key; 0, which is this process, if there is none. */
static unsigned free_participant(uint64_t object)
{
    bool takers[PARTICIPANTS] = { true };
    PACL_LIST_EACH(node, &ipc.peers)
    {
        const struct peer *p = PACL_CONTAINER(node, struct peer, link);
        if (p->linked && p->served && p->object == object)
            takers[p->participant] = true;
    }
    unsigned number = 0;
    while (number < PARTICIPANTS && takers[number])
        number++;
    return number % PARTICIPANTS;
}

static enum status serve(struct peer *p, const struct request *request, struct reply *reply, int *file)
{
    struct offer *o = request->magic == MAGIC ? find_offer(&request->key, request->kind) : NULL;
    if (o == NULL)
        return UNKNOWN;
    if (!is_allowed(o, os_socket_peer(p->fd)))
        return FORBIDDEN;
    reply->item = o->what.item;
    if (is_object(request->kind)) {
        p->participant = free_participant(o->what.owner);
        if (p->participant == 0)
            return FULL;
        reply->item.participant = p->participant;
        p->linked = p->served = true;
        p->kind = (enum pacl_ipc_kind)request->kind;
        p->object = o->what.owner;
        p->slot = o->what.slot;
    }
    *file = o->what.file;
    return TAKEN;
}

static void answer(struct peer *p, const struct request *request)
{
    int file = -1;
    struct reply reply = { .magic = MAGIC };
    reply.status = serve(p, request, &reply, &file);
    PACL_TRACE(MEMORY, "process %d asks for an offer of kind %d: status %d", os_socket_peer(p->fd), (int)request->kind,
               (int)reply.status);
    if (os_socket_send(p->fd, &reply, sizeof reply, file) != 0 || !p->linked)
        p->closing = true; /* of an object: the other end is gone already */
}

/* What the thread tells an object once the lock is released. */
struct notice {
    enum { NOTHING, CHANGED, LEFT } what;
    enum pacl_ipc_kind kind;
    uint64_t object;
    void *slot;
    unsigned participant;
};

static void pass_on(const struct peer *from)
{
    PACL_LIST_EACH(node, &ipc.peers)
    {
        const struct peer *p = PACL_CONTAINER(node, struct peer, link);
        if (p != from && p->linked && p->served && p->object == from->object && !p->closing)
            (void)os_socket_send(p->fd, "n", 1, -1);
    }
}

/* A message, or the end of the connection. Many nudges are one: the object is looked at as it is now. */
static struct notice hear(struct peer *p)
{
    struct request request;
    struct notice notice = { .kind = p->kind, .object = p->object, .slot = p->slot, .participant = p->participant };
    int passed, length, heard = 0;
    do {
        length = os_socket_receive(p->fd, &request, sizeof request, &passed);
        if (passed >= 0)
            close(passed); /* nobody has business to send one here */
        if (!p->linked && length == (int)sizeof request) {
            answer(p, &request);
            return notice;
        }
        heard += length > 0 && p->linked;
    } while (length > 0 && p->linked);
    if (length >= 0) { /* the end, or something that is no request */
        p->closing = true;
        notice.what = p->linked ? LEFT : NOTHING;
    } else if (heard > 0) {
        notice.what = CHANGED;
        if (p->served)
            pass_on(p);
    }
    return notice;
}

static void drop_peer(struct peer *p)
{
    pacl_list_remove(&p->link);
    ipc.peer_count--;
    close(p->fd);
    free(p);
}

static struct peer *add_peer(int fd)
{
    struct peer *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->fd = fd;
    pacl_list_append(&ipc.peers, &p->link);
    ipc.peer_count++;
    return p;
}

/* Processes that connect and say nothing must not keep others out. */
static void drop_oldest_unanswered(void)
{
    size_t unanswered = 0;
    struct peer *oldest = NULL;
    PACL_LIST_EACH(node, &ipc.peers)
    {
        struct peer *p = PACL_CONTAINER(node, struct peer, link);
        if (p->linked || p->closing)
            continue;
        unanswered++;
        if (oldest == NULL)
            oldest = p;
    }
    if (unanswered > PEERS_MAX && oldest != NULL)
        oldest->closing = true;
}

static void accept_all(void)
{
    int fd;
    while ((fd = os_socket_accept(ipc.listener)) >= 0) {
        if (add_peer(fd) == NULL)
            close(fd);
        drop_oldest_unanswered();
    }
    ipc.deaf = errno != EAGAIN && errno != EINTR && errno != ECONNABORTED;
}

static void drop_closing(void)
{
    PACL_LIST_EACH(node, &ipc.peers)
    {
        struct peer *p = PACL_CONTAINER(node, struct peer, link);
        if (p->closing)
            drop_peer(p);
    }
}

/* The descriptors to wait for: wake, listener, then the peers in their order. */
struct watch {
    struct pollfd *fds;
    struct peer **peers;
    size_t count, room;
};

static bool make_room(struct watch *w, size_t count)
{
    if (count <= w->room)
        return true;
    const size_t room = 2 * count;
    struct pollfd *fds = realloc(w->fds, room * sizeof *fds);
    if (fds != NULL)
        w->fds = fds;
    struct peer **peers = realloc(w->peers, room * sizeof(struct peer *));
    if (peers != NULL)
        w->peers = peers;
    if (fds == NULL || peers == NULL)
        return false;
    w->room = room;
    return true;
}

/* Without memory the peers that do not fit are not heard this time. */
static void collect(struct watch *w)
{
    const size_t fit = make_room(w, ipc.peer_count + 2) ? SIZE_MAX : w->room;
    w->count = 0;
    if (fit < 2 || w->fds == NULL)
        return;
    w->fds[w->count++] = (struct pollfd){ .fd = ipc.wake, .events = POLLIN };
    w->fds[w->count++] = (struct pollfd){ .fd = ipc.deaf ? -1 : ipc.listener, .events = POLLIN };
    PACL_LIST_EACH(node, &ipc.peers)
    {
        if (w->count >= fit)
            break;
        w->peers[w->count] = PACL_CONTAINER(node, struct peer, link);
        w->fds[w->count] = (struct pollfd){ .fd = w->peers[w->count]->fd, .events = POLLIN };
        w->count++;
    }
}

static void deliver(const struct notice *notice)
{
    const struct pacl_ipc_watcher *watcher =
        notice->kind == PACL_IPC_EVENT ? &pacl_event_watcher : &pacl_notify_watcher;
    if (notice->what == CHANGED)
        watcher->changed(notice->slot, notice->object);
    else if (notice->what == LEFT)
        watcher->left(notice->slot, notice->object, notice->participant);
}

/* Peers are freed by this thread only, and only here, so the watch's pointers are good until then. */
static void ipc_main(void *unused)
{
    struct watch w = { 0 };
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&ipc.lock);
        drop_closing();
        collect(&w);
        const bool tries_again = ipc.deaf || w.count == 0; /* descriptors or memory may be there in a moment */
        ipc.deaf = false;
        pthread_mutex_unlock(&ipc.lock);
        if (poll(w.fds, w.count, tries_again ? TRY_AGAIN_MS : -1) <= 0 || w.fds == NULL)
            continue;
        uint64_t sink;
        if (w.fds[0].revents != 0 && read(ipc.wake, &sink, sizeof sink) < 0)
            sink = 0; /* somebody else's turn has emptied it */
        for (size_t i = 1; i < w.count; i++) {
            if (w.fds[i].revents == 0)
                continue;
            struct notice notice = { .what = NOTHING };
            pthread_mutex_lock(&ipc.lock);
            if (i == 1)
                accept_all();
            else if (!w.peers[i]->closing)
                notice = hear(w.peers[i]);
            pthread_mutex_unlock(&ipc.lock);
            deliver(&notice);
        }
    }
}

/* --- start -------------------------------------------------------------------------------------------------------- */

static void before_fork(void)
{
    pthread_mutex_lock(&ipc.lock);
}

static void after_fork_in_parent(void)
{
    pthread_mutex_unlock(&ipc.lock);
}

/* The child must not keep alive what its parent's end is to end. Its own children come here, too: by then the numbers may
 * be those of other files. */
static void after_fork_in_child(void)
{
    PACL_LIST_EACH(node, &ipc.peers)
    {
        struct peer *p = PACL_CONTAINER(node, struct peer, link);
        close(p->fd);
        free(p);
    }
    if (ipc.started) {
        close(ipc.listener);
        close(ipc.wake);
    }
    pacl_list_init(&ipc.peers);
    ipc.peer_count = 0;
    ipc.started = false;
    ipc.listener = ipc.wake = -1;
    pthread_mutex_unlock(&ipc.lock);
}

static void watch_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static bool listen_somewhere(void)
{
    for (unsigned i = 0; i < NUMBER_TRIES && os_random(&ipc.number, sizeof ipc.number) == 0; i++) {
        char name[NAME_BYTES];
        name_of(ipc.number, name);
        ipc.listener = os_socket_listen(name);
        if (ipc.listener >= 0 || errno != EADDRINUSE)
            break;
    }
    return ipc.listener >= 0;
}

/* Under the lock. */
static aclError start(void)
{
    if (ipc.started)
        return ACL_SUCCESS;
    ipc.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (ipc.wake >= 0 && listen_somewhere() && os_thread_start(ipc_main, NULL, "pacl-ipc", STACK_BYTES) == 0) {
        ipc.started = true;
        return ACL_SUCCESS;
    }
    if (ipc.listener >= 0)
        close(ipc.listener);
    if (ipc.wake >= 0)
        close(ipc.wake);
    ipc.listener = ipc.wake = -1;
    return PACL_FAIL(
        ACL_ERROR_RT_IPC_ERROR,
        "the socket or thread that answers other processes cannot be made; look at ulimit -n and -u, and at what a sandbox denies");
}

static void wake_thread(void)
{
    const uint64_t one = 1;
    if (ipc.started && write(ipc.wake, &one, sizeof one) < 0)
        return; /* it is awake already: the counter is full */
}

/* --- offers ------------------------------------------------------------------------------------------------------- */

static bool make_key(bool is_short, struct pacl_key *key)
{
    const size_t bytes = is_short ? PACL_KEY_SHORT : PACL_KEY_BYTES;
    *key = (struct pacl_key){ .bytes = { (uint8_t)(ipc.number >> 8), (uint8_t)ipc.number } };
    return os_random(key->bytes + NUMBER_BYTES, bytes - NUMBER_BYTES) == 0;
}

aclError pacl_ipc_offer(const struct pacl_ipc_offer *what, struct pacl_key *key)
{
    struct offer *o = calloc(1, sizeof *o);
    if (o == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note what is offered to other processes");
    pthread_once(&fork_once, watch_forks);
    o->what = *what;
    pthread_mutex_lock(&ipc.lock);
    aclError err = start();
    if (err == ACL_SUCCESS && !make_key(what->short_key, &o->key))
        err = PACL_FAIL(ACL_ERROR_RT_IPC_ERROR, "the system gives no random numbers for a key");
    if (err == ACL_SUCCESS) {
        pacl_list_append(&ipc.offers, &o->link);
        pacl_add_seq_cst(&pacl_ipc_offers, 1);
        *key = o->key;
    }
    pthread_mutex_unlock(&ipc.lock);
    if (err != ACL_SUCCESS)
        free(o);
    return err;
}

static aclError not_offered(void)
{
    return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_PARAM_INVALID,
                             "the key names nothing of this kind that this process has exported");
}

static aclError add_pids(struct offer *o, const int32_t *pids, size_t count)
{
    int32_t *grown = count <= INT32_MAX ? realloc(o->pids, (o->pid_count + count) * sizeof *grown) : NULL;
    if (grown == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note %zu processes", count);
    memcpy(grown + o->pid_count, pids, count * sizeof *grown);
    o->pids = grown;
    o->pid_count += count;
    return ACL_SUCCESS;
}

aclError pacl_ipc_allow(const struct pacl_key *key, enum pacl_ipc_kind kind, const int32_t *pids, size_t count)
{
    pthread_mutex_lock(&ipc.lock);
    struct offer *o = find_offer(key, kind);
    const aclError err = o != NULL ? add_pids(o, pids, count) : not_offered();
    pthread_mutex_unlock(&ipc.lock);
    return err;
}

aclError pacl_ipc_allow_all_of(uint64_t owner, const int32_t *pids, size_t count)
{
    aclError err = ACL_SUCCESS;
    pthread_mutex_lock(&ipc.lock);
    PACL_LIST_EACH(node, &ipc.offers)
    {
        struct offer *o = PACL_CONTAINER(node, struct offer, link);
        if (o->what.owner == owner && err == ACL_SUCCESS)
            err = add_pids(o, pids, count);
    }
    pthread_mutex_unlock(&ipc.lock);
    return err;
}

static void drop_offer(struct offer *o)
{
    pacl_list_remove(&o->link);
    pacl_sub_seq_cst(&pacl_ipc_offers, 1);
    if (o->what.gives_file)
        close(o->what.file);
    free(o->pids);
    free(o);
}

bool pacl_ipc_withdraw(const struct pacl_key *key, enum pacl_ipc_kind kind)
{
    pthread_mutex_lock(&ipc.lock);
    struct offer *o = find_offer(key, kind);
    if (o != NULL)
        drop_offer(o);
    pthread_mutex_unlock(&ipc.lock);
    return o != NULL;
}

void pacl_ipc_withdraw_of(uint64_t owner)
{
    pthread_mutex_lock(&ipc.lock);
    PACL_LIST_EACH(node, &ipc.offers)
    {
        struct offer *o = PACL_CONTAINER(node, struct offer, link);
        if (o->what.owner == owner)
            drop_offer(o);
    }
    pthread_mutex_unlock(&ipc.lock);
}

bool pacl_ipc_offers_key(const struct pacl_key *key, enum pacl_ipc_kind kind)
{
    pthread_mutex_lock(&ipc.lock);
    const bool found = find_offer(key, kind) != NULL;
    pthread_mutex_unlock(&ipc.lock);
    return found;
}

/* --- taking ------------------------------------------------------------------------------------------------------- */

static bool is_own(const struct pacl_key *key)
{
    pthread_mutex_lock(&ipc.lock);
    const bool own = ipc.started && ipc.number == number_of(key);
    pthread_mutex_unlock(&ipc.lock);
    return own;
}

/* The answer to one request; false if there is none. */
static bool ask(int fd, const struct request *request, struct reply *reply, int *file)
{
    *file = -1;
    if (os_socket_send(fd, request, sizeof *request, -1) != 0 || !os_socket_wait(fd, ANSWER_MS))
        return false;
    const int length = os_socket_receive(fd, reply, sizeof *reply, file);
    return length == (int)sizeof *reply && reply->magic == MAGIC;
}

static aclError refuse(uint64_t status)
{
    if (status == FORBIDDEN)
        return PACL_FAIL(ACL_ERROR_RT_IPC_ERROR,
                         "process %d may not take what the key names; its owner has to allow it first", (int)getpid());
    if (status == FULL)
        return PACL_FAIL(ACL_ERROR_RT_IPC_ERROR, "%d processes have the object already", PARTICIPANTS - 1);
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "the key names nothing of this kind; its owner may have closed it");
}

static aclError take(int fd, const struct pacl_key *key, enum pacl_ipc_kind kind, struct pacl_ipc_item *item, int *file)
{
    const struct request request = { .magic = MAGIC, .kind = kind, .key = *key };
    struct reply reply;
    if (!ask(fd, &request, &reply, file))
        return PACL_FAIL(ACL_ERROR_RT_IPC_ERROR, "the process that exported what the key names does not answer");
    if (reply.status != TAKEN)
        return refuse(reply.status);
    if (*file < 0)
        return PACL_FAIL(ACL_ERROR_RT_IPC_ERROR, "the memory did not come with the answer; look at ulimit -n");
    *item = reply.item;
    return ACL_SUCCESS;
}

aclError pacl_ipc_take(const struct pacl_key *key, enum pacl_ipc_kind kind, struct pacl_ipc_item *item, int *file,
                       int *link)
{
    char name[NAME_BYTES];
    if (is_own(key))
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "the key is this process's own; another process imports it");
    pthread_once(&fork_once, watch_forks);
    name_of(number_of(key), name);
    const int fd = os_socket_connect(name);
    if (fd < 0)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID,
                         "no process offers what the key names: it has ended, or lives in another network namespace");
    const aclError err = take(fd, key, kind, item, file);
    if (err != ACL_SUCCESS && *file >= 0)
        close(*file);
    if (err == ACL_SUCCESS && link != NULL)
        *link = fd;
    else
        close(fd);
    return err;
}

/* --- links -------------------------------------------------------------------------------------------------------- */

aclError pacl_ipc_link(enum pacl_ipc_kind kind, uint64_t object, void *slot, int link)
{
    pthread_mutex_lock(&ipc.lock);
    aclError err = start();
    struct peer *p = err == ACL_SUCCESS ? add_peer(link) : NULL;
    if (p != NULL) {
        p->linked = true;
        p->object = object;
        p->kind = kind;
        p->slot = slot;
        wake_thread();
    } else if (err == ACL_SUCCESS) {
        err = PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory to note a connection");
    }
    pthread_mutex_unlock(&ipc.lock);
    return err;
}

void pacl_ipc_unlink(uint64_t object)
{
    pthread_mutex_lock(&ipc.lock);
    PACL_LIST_EACH(node, &ipc.peers)
    {
        struct peer *p = PACL_CONTAINER(node, struct peer, link);
        if (p->linked && p->object == object)
            p->closing = true;
    }
    wake_thread();
    pthread_mutex_unlock(&ipc.lock);
}

void pacl_ipc_count_takers(uint64_t object, uint32_t *living, uint32_t *gone)
{
    *living = *gone = 0;
    pthread_mutex_lock(&ipc.lock);
    PACL_LIST_EACH(node, &ipc.peers)
    {
        const struct peer *p = PACL_CONTAINER(node, struct peer, link);
        if (!p->linked || !p->served || p->object != object || p->told)
            continue;
        struct pollfd end = { .fd = p->fd };
        const bool ended = poll(&end, 1, 0) > 0 && (end.revents & (POLLHUP | POLLERR)) != 0;
        if (p->closing || ended)
            ++*gone;
        else
            ++*living;
    }
    pthread_mutex_unlock(&ipc.lock);
}

void pacl_ipc_taker_told(uint64_t object, unsigned participant)
{
    pthread_mutex_lock(&ipc.lock);
    PACL_LIST_EACH(node, &ipc.peers)
    {
        struct peer *p = PACL_CONTAINER(node, struct peer, link);
        if (p->linked && p->served && p->object == object && p->participant == participant)
            p->told = true;
    }
    pthread_mutex_unlock(&ipc.lock);
}

/* A socket that is full has a nudge in it already. */
void pacl_ipc_nudge(uint64_t object)
{
    pthread_mutex_lock(&ipc.lock);
    PACL_LIST_EACH(node, &ipc.peers)
    {
        const struct peer *p = PACL_CONTAINER(node, struct peer, link);
        if (p->linked && p->object == object && !p->closing)
            (void)os_socket_send(p->fd, "n", 1, -1);
    }
    pthread_mutex_unlock(&ipc.lock);
}

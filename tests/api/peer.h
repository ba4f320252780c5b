/* SPDX-License-Identifier: Apache-2.0 */
/*
 * peer.h: a second process for tests between processes. It is the test's own program, started anew, and does what it is
 * told, one thing at a time: a test says exactly at which step the other process is, and ends it there if it wants.
 */
#ifndef PACL_TESTS_API_PEER_H
#define PACL_TESTS_API_PEER_H

#include <sys/types.h>

#include "support.h"

/* What the peer can be told. Its memory, event and notify are one each. */
enum peer_op {
    PEER_EXPORT,       /* allocates value[0] bytes of value[2], exports them with flags value[1]; text: the key */
    PEER_ALLOW,        /* text: the key; value[0]: the process */
    PEER_IMPORT,       /* text: the key; value[0]: bytes that the key names */
    PEER_CLOSE,        /* text: the key */
    PEER_FREE,         /* what was exported */
    PEER_FILL,         /* writes value[0] into all bytes of its memory, by its stream */
    PEER_READ,         /* value[0]: the byte that fills its memory, or 256 if they differ */
    PEER_MAKE_HANDLE,  /* physical memory of value[0] bytes, mapped, filled with value[2], exported with flags value[1]
                          and share type value[3] (0: first version of the call); text: the handle */
    PEER_ALLOW_HANDLE, /* text: the handle; value[0]: the process; value[3] as above */
    PEER_TAKE_HANDLE,  /* text: the handle; value[0]: its bytes; value[3] as above: imports and maps */
    PEER_OPEN_NAME,    /* rtIpcOpenMemory; text: the name; value[0]: its bytes */
    PEER_CLOSE_NAME,   /* rtIpcCloseMemory */
    PEER_DROP_HANDLE,  /* unmaps, frees and releases */
    PEER_GATE_CLOSE,   /* parks its stream */
    PEER_GATE_OPEN,
    PEER_SYNCHRONIZE, /* its stream */
    PEER_MAKE_EVENT,  /* text: the handle of an event */
    PEER_OPEN_EVENT,  /* text: the handle */
    PEER_RECORD_EVENT,
    PEER_WAIT_EVENT,        /* lets its stream wait */
    PEER_QUERY_EVENT,       /* value[0]: the status */
    PEER_SYNCHRONIZE_EVENT, /* waits itself */
    PEER_DESTROY_EVENT,
    PEER_MAKE_NOTIFY,  /* with flags value[1]; text: the key */
    PEER_ALLOW_NOTIFY, /* value[0]: the process */
    PEER_TAKE_NOTIFY,  /* text: the key */
    PEER_RECORD_NOTIFY,
    PEER_WAIT_NOTIFY, /* lets its stream wait, value[0] seconds */
    PEER_DESTROY_NOTIFY,
    PEER_OPS
};

struct peer_message {
    int32_t op;
    int32_t code; /* what the call returned */
    uint64_t value[4];
    char text[256];
};

struct peer {
    pid_t pid;
    int to, from;
};

/* Starts the peer; it has a device, a context and a stream. */
struct peer peer_start(void);

/* Tells it to do one thing and waits until that is done; the result is in `message`. */
void peer_tell(struct peer *peer, enum peer_op op, struct peer_message *message);

/* The same without waiting, and the waiting. */
void peer_begin(struct peer *peer, enum peer_op op, struct peer_message *message);
void peer_await(struct peer *peer, struct peer_message *message);

/* Ends it with SIGKILL, between two steps; returns when it is gone. */
void peer_kill(struct peer *peer);

/* Lets it end by itself; fails the test if it did not do so without fault. */
void peer_end(struct peer *peer);

/* First in main(): in the peer it does what it is told and does not return. */
void peer_main(int argc, char **argv);

/* Descriptors of this process that name memory for several processes, or sockets. */
int peer_shared_descriptors(void);
int peer_own_sockets(void);

/* Whether the system has the socket of the process that made the key, and how many files of PACL's in /dev/shm. */
bool peer_socket_exists(const char *key);
int peer_shared_files(void);

#endif

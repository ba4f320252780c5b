/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pacl.h: what PACL offers beyond the ACL interface.
 *
 * Nothing here is needed to run a program on PACL. Programs that include this header no longer link with the vendor's
 * library; tools (`pacl info`, tests) do so on purpose. Every function may be called from any thread at any time,
 * before aclInit as well, and none of them sets the thread's last error.
 */
#ifndef PACL_PACL_H
#define PACL_PACL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PACL_VERSION_MAJOR 0
#define PACL_VERSION_MINOR 1
#define PACL_VERSION_PATCH 0

#if defined(__GNUC__)
#define PACL_API __attribute__((visibility("default")))
#else
#define PACL_API
#endif

/* One row of the product table: what a product looks like to a program. Strings are constant, never freed. */
struct pacl_product {
    const char *name;        /* as in PACL_PRODUCT, e.g. "atlas-a2" */
    const char *family;      /* e.g. "Atlas A2 training/inference" */
    const char *soc_name;    /* what aclrtGetSocName answers */
    const char *form;        /* "EP", "RC" or "CTRLCPU" */
    const char *memory_type; /* "HBM" or "DDR" */
    uint64_t memory_bytes;   /* per device; PACL_DEVICE_MEMORY overrides it */
    uint32_t devices;        /* PACL_DEVICES overrides it */
    uint32_t streams;        /* most that can exist at a time, per device */
    uint32_t events;         /* most that can exist at a time, per device */
    uint32_t notifies;       /* most that can exist at a time, per device */
    uint32_t ai_cores;       /* 0: not stated */
    uint32_t vector_cores;   /* 0: not stated */
    uint8_t runs_on_device;  /* 1: aclrtGetRunMode answers ACL_DEVICE */
    uint8_t copy2d_h2d;      /* 1: the 2D calls copy host to device */
    uint8_t copy2d_d2h;      /* 1: device to host */
    uint8_t copy2d_d2d;      /* 1: device to device */
};

/* What the runtime has done since the process started, over all devices and streams. */
struct pacl_counters {
    size_t size;                /* set by the caller to sizeof(struct pacl_counters); fields beyond it stay untouched */
    uint64_t tasks_queued;      /* tasks that went through a stream's queue */
    uint64_t tasks_inline;      /* tiny copies and sets that ran at once in the submitting thread */
    uint64_t tasks_helped;      /* queued tasks that a waiting thread ran instead of an engine */
    uint64_t copies_pageable;   /* asynchronous calls that waited because their host memory is pageable */
    uint64_t bytes_copied;      /* payload of all finished copies and sets */
    uint64_t tasks_failed;      /* tasks that left an error on their stream */
    uint64_t engine_wakeups;    /* times that a sleeping engine was woken (each is a system call) */
    uint64_t streams_live;      /* now */
    uint64_t events_live;       /* now */
    uint64_t device_bytes_live; /* allocated device memory now, as accounted against the product's size */
    uint64_t pinned_bytes_live; /* memory from aclrtMallocHost now */
};

/* PACL's own version, "major.minor.patch". Constant string. [P] */
PACL_API const char *pacl_version(void);

/* The products that PACL knows: how many, and the one at `index` (NULL past the end). Constant storage. [P] */
PACL_API size_t pacl_product_count(void);
PACL_API const struct pacl_product *pacl_product_at(size_t index);

/* The product that this process runs on, overrides included; NULL if PACL_PRODUCT or an override is not valid (then
 * aclGetRecentErrMsg says why). The first call of any function fixes the choice for the life of the process. [P] */
PACL_API const struct pacl_product *pacl_product_current(void);

/* Chooses the product by name, instead of PACL_PRODUCT. Returns 0; ACL_ERROR_INVALID_PARAM (100000) if `name` is null
 * or not in the table; ACL_ERROR_REPEAT_INITIALIZE (100002) if the choice is already fixed. [P] */
PACL_API int pacl_product_select(const char *name);

/* How device memory is kept from the host: "protection-keys", "dual-mapping" or "open". Constant string. [P] */
PACL_API const char *pacl_isolation(void);

/* How many engine threads serve the devices' streams (PACL_ENGINES, else the processors this process may use). [P] */
PACL_API uint32_t pacl_engine_count(void);

/* The processor's features that the copy kernels may use, e.g. "sse2 avx2"; constant string. [P] */
PACL_API const char *pacl_cpu_features(void);

/* Fills `counters` up to counters->size. Returns 0, or ACL_ERROR_INVALID_PARAM (100000) if it is null or its size is 0.
 * The numbers are exact once the program has synchronized; while work runs each is a recent value. [P] */
PACL_API int pacl_counters_get(struct pacl_counters *counters);

/* 1 if `stream` is the handle of a stream that exists, else 0: for null, stale and made-up handles, and in the child of
 * a fork. Asks without a trace: no message, no finding of checking mode. For bindings that hold objects for what a
 * stream has queued. [P] */
PACL_API int pacl_stream_exists(const void *stream);

/* How often the program called a function of the ACL interface, e.g. "aclrtMalloc", failed calls included; 0 for NULL and
 * for names that are none. Counts from the last pacl_call_count_reset(), or with PACL_COUNT=1 from the start of the
 * process; without either it stays 0. [P] */
PACL_API uint64_t pacl_call_count(const char *function);

/* Sets all counts to 0 and counts from here on. [P] */
PACL_API void pacl_call_count_reset(void);

/* How a pitched copy of one shape is made on this machine, and why. Texts are complete sentences without a full stop. */
struct pacl_copy_explanation {
    size_t size;            /* set by the caller to sizeof(struct pacl_copy_explanation) */
    const char *kernel;     /* the instruction set: "avx512", "avx2", "sse2", "neon" or "c"; constant string */
    const char *way;        /* "plain", "beyond" (more than the first cache), "far" (prefetched), "streamed" (past the
                             * caches) or "string" (rep movsb); if it depends on where the bytes are, from memory */
    uint64_t width;         /* bytes of a row and rows, as copied: one row where all adjoin */
    uint64_t height;        /* rows */
    uint64_t payload_bytes; /* width x height */
    uint64_t touched_bytes; /* of cache lines on one side; rows narrower than a line touch a line */
    uint64_t pieces;        /* parts that threads may share */
    uint64_t rows_per_piece;
    uint64_t piece_width;   /* bytes of a row in one piece */
    uint32_t prefetch_rows; /* rows that are fetched ahead; 0: left to the processor */
    uint32_t at_once;       /* 1: the submitting thread copies it itself if its stream is idle and no engine awake */
    char why_rows[160];
    char why_way[256];
    char why_pieces[160];
    char advice[160]; /* what would be faster; "" if there is nothing to say */
};

/* Explains a copy of `height` rows (1 to 5242880) of `width` bytes (1 to 5000000) whose rows start dpitch and spitch
 * bytes apart, between memory that does not overlap. Returns 0; ACL_ERROR_INVALID_PARAM (100000) if `out` is null,
 * out->size differs from the structure's, a number is out of its range, width is larger than a pitch, the rows span more
 * than a quarter of all addresses, or a PACL_ variable has a value that is not valid. [P] */
PACL_API int pacl_copy_explain(size_t width, size_t height, size_t dpitch, size_t spitch,
                               struct pacl_copy_explanation *out);

/* --- checking mode (docs/checking.md) ---------------------------------------------------------------------------- */

/* 1 if the process is checked (PACL_CHECK=1), else 0. [P] */
PACL_API int pacl_check_is_on(void);

/* How many different findings there are so far: of the class, e.g. "leak"; of all errors for NULL. 0 for names that are
 * none. For tests that expect one. [P] */
PACL_API uint64_t pacl_check_count(const char *finding_class);

/*
 * For bindings of interpreted languages, whose users want to see lines of their own programs in reports, and not frames
 * of the interpreter. A place is a stack, given innermost first; texts are copied. Equal places are equal pointers and
 * live as long as the process: make one for each position that calls, and keep it.
 */
struct pacl_frame {
    const char *function;
    const char *file;
    int line;
};
struct pacl_place;

/* `drops_result` is 1 if the program does nothing with what the call at this place returns. NULL if frames is null,
 * count is 0, or memory is short. From any thread. [P] */
PACL_API const struct pacl_place *pacl_place_make(const struct pacl_frame *frames, size_t count, int drops_result);

/* The calling thread's calls come from this place until it says otherwise; NULL: from where its stack says. [P] */
PACL_API void pacl_place_use(const struct pacl_place *place);

/* `present` tells the place of the calling thread outside of calls, or NULL. It is asked when host code touches what it
 * must not, in the handler of the fault. [P] */
PACL_API void pacl_place_ask(const struct pacl_place *(*present)(void));

#ifdef __cplusplus
}
#endif
#endif

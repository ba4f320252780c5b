/* SPDX-License-Identifier: Apache-2.0 */
/* run_info.h: where, when and with what a run was made. */
#ifndef PACL_BENCH_RUN_INFO_H
#define PACL_BENCH_RUN_INFO_H

#include <stddef.h>
#include <stdint.h>

struct run_info {
    char date[32]; /* ISO 8601, UTC */
    char *command; /* owned, as the other pointers */
    char *cpu;
    long processors; /* that the process may use */
    char *library;   /* file of the ACL runtime */
    char runtime_version[32];
    char soc_name[64];
    int32_t device;
    size_t device_memory; /* bytes */
};

/* `info` gets what needs no device. */
void run_info_start(struct run_info *info, int argc, char **argv);

/* Adds what only an open device tells. */
void run_info_add_device(struct run_info *info, int32_t device, size_t memory);
void run_info_release(struct run_info *info);

#endif

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_neon.sh SOURCE_DIR WORK_DIR
# The NEON kernels, built by Debian's cross compiler and run by QEMU's user-mode emulation.
set -eu
source=$1
work=$2

compiler=aarch64-linux-gnu-gcc
emulator=$(command -v qemu-aarch64-static || command -v qemu-aarch64 || true)
if ! command -v $compiler >/dev/null || [ -z "$emulator" ]; then
    echo "skipped: $compiler or qemu-aarch64 is not here; tools/setup.sh emulate installs them"
    exit 77
fi

mkdir -p "$work"
$compiler -std=gnu17 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -static -pthread \
    -I"$source/include" -I"$source/src" -o "$work/check_kernels" \
    "$source"/tests/emulated/check_kernels.c "$source"/src/copy/dispatch.c "$source"/src/copy/residence.c \
    "$source"/src/copy/rows_c.c \
    "$source"/src/copy/arm/*.c "$source"/src/base/cpu.c "$source"/src/os/linux.c
"$emulator" "$work/check_kernels" neon

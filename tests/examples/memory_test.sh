#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# memory_test.sh VMM_POOL IPC_RING KV_EXCHANGE: runs the examples of memory as a user does, in each way to keep device
# memory from the host, and looks at what they print. On products that lack what they need they say so and fail.
set -u
failed=0

expect() { # expect STATUS TEXT PROGRAM: how it ends, and a line that it prints
    want=$1 text=$2 program=$3
    output=$("$program" 2>&1)
    status=$?
    if [ "$status" -ne "$want" ] || ! printf '%s\n' "$output" | grep -qF -e "$text"; then
        printf '%s ended with %s, expected %s and "%s":\n%s\n' "$program" "$status" "$want" "$text" "$output"
        failed=1
    fi
}

unset PACL_PRODUCT PACL_DEVICE_MEMORY
for way in mapping open; do
    export PACL_DEVICE_ACCESS=$way
    expect 0 'closed, device memory in use: 0 MiB; 0 of 12 tensors were wrong' "$1"
    expect 0 'consumer: 200 frames received, 0 wrong' "$2"
    expect 0 '12 pages went in, out, in and out again: 0 wrong' "$3"
done
unset PACL_DEVICE_ACCESS
export PACL_PRODUCT=atlas-200i-500-a2
expect 1 'returned 207000' "$1"
expect 1 'returned 207000' "$2"
export PACL_PRODUCT=atlas-a2 PACL_DEVICE_MEMORY=100M
expect 1 'returned 207001' "$1"
expect 1 'returned 207001' "$3"
exit $failed

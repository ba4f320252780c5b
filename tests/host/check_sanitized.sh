#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_sanitized.sh PROGRAM
#
# ThreadSanitizer finds what is wrong in PROGRAM (sanitized.c) and is silent about what is right. R11, R09, R21.
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# No sleep at exit. Its shadow may not fit into the address space that a sandbox leaves.
run() {
    code=0
    TSAN_OPTIONS=exitcode=66:atexit_sleep_ms=0 "$program" "$1" >"$work/out" 2>&1 || code=$?
}

run read_after_sync
if grep -q 'FATAL: ThreadSanitizer' "$work/out"; then
    echo "skipped: ThreadSanitizer does not start here:"
    head -3 "$work/out"
    exit 77
fi

complain() {
    echo "FAIL: $*"
    sed 's/^/    /' "$work/out" | head -40
    status=1
}

for name in read_before_sync write_source_before_sync read_last_column_before_sync read_after_the_other_sync \
    tiny_copy_that_has_run thread_reads_before_sync two_streams_write write_source_of_a_graph_before_sync; do
    run "$name"
    if [ "$code" -ne 66 ] || ! grep -q 'WARNING: ThreadSanitizer: data race' "$work/out"; then
        complain "$name ends with $code, and no race is found"
    elif ! grep -q 'ACL stream' "$work/out" || ! grep -q 'sanitized.c:' "$work/out"; then
        complain "$name: the report does not name the stream and the program's line"
    fi
done
for name in read_after_sync read_source_before_sync touch_padding_before_sync event_between_streams \
    event_then_copy_back host_waits_for_event host_function_fills thread_reads_after_sync synchronous_copies \
    executions_of_a_graph host_function_of_a_graph_fills; do
    run "$name"
    if [ "$code" -ne 0 ] || grep -q 'ThreadSanitizer' "$work/out"; then
        complain "$name is right, and ends with $code"
    fi
done
exit $status

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # the scripts that source this use the variables
# Sourced by the scripts of this folder: `. common.sh PACL` sets pacl, home and work.
set -eu

pacl=$1
home=$(cd "$(dirname "$pacl")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset LD_LIBRARY_PATH PYTHONPATH PKG_CONFIG_PATH ASCEND_HOME_PATH ASCEND_TOOLKIT_HOME
unset PACL_SHARED PACL_PRODUCT PACL_DEVICES PACL_DEVICE_MEMORY PACL_DEVICE_ACCESS PACL_ENGINES PACL_QUEUE_DEPTH PACL_PEER PACL_CPU PACL_DEBUG
unset PACL_SCHEDULE PACL_FAULT PACL_COUNT PACL_TRACE_FILE
for variable in $(env | sed -n 's/^\(PACL_CHECK[A-Z_]*\|PACL_STATUS_SIGNAL\)=.*/\1/p'); do unset "$variable"; done
unset ASCEND_GLOBAL_LOG_LEVEL ASCEND_SLOG_PRINT_TO_STDOUT ASCEND_RT_VISIBLE_DEVICES

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# expect_status STATUS COMMAND...: runs it, its output in $work/out and $work/err.
expect_status() {
    wanted=$1
    shift
    status=0
    "$@" >"$work/out" 2>"$work/err" || status=$?
    [ "$status" = "$wanted" ] || {
        cat "$work/out" "$work/err" >&2
        fail "status $status, not $wanted: $*"
    }
}

# expect_line FILE PATTERN: a line of $work/FILE matches the basic regular expression.
expect_line() {
    grep -q -e "$2" "$work/$1" || {
        cat "$work/$1" >&2
        fail "no line with '$2'"
    }
}

expect_equal() {
    [ "$1" = "$2" ] || fail "'$1' is not '$2'"
}

# need COMMAND: skips the test without it.
need() {
    command -v "$1" >"$work/found" || {
        echo "skipped: no $1 here"
        exit 77
    }
}

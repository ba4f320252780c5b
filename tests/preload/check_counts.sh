#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_counts.sh WRAPPERS COMMAND...
#
# Runs COMMAND with the library WRAPPERS in front, and requires that it has seen every call.
set -eu

wrappers=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

LD_PRELOAD=$wrappers COUNTS=$work/counts "$@"
sort "$work/counts" >"$work/found"
cat >"$work/expected" <<END
aclrtFree 1
aclrtMalloc 1
aclrtMemcpy2dAsync 100
aclrtMemcpyAsync 2
aclrtSetDevice 1
aclrtSynchronizeStream 1
rtMemcpyAsyncWithoutCheckKind 1
END
diff "$work/expected" "$work/found"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: compile_headers.sh c|c++ COMPILER INCLUDE_DIR
#
# Compiles every public header by itself, under strict warnings and as the oldest standard that users may have. Lists
# the headers that fail; exits 77 if there is no such compiler.
set -eu

language=$1
compiler=$2
include_dir=$3
if ! command -v "$compiler" >/dev/null; then
    echo "skipped: no compiler '$compiler' for $language"
    exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

strict="-Wall -Wextra -Wpedantic -Wunused-const-variable=2 -Werror -fsyntax-only"
case $language in
c) strict="-std=c11 $strict -Wstrict-prototypes -Wold-style-definition" ;;
c++) strict="-std=c++14 $strict" ;;
*) echo "compile_headers: language '$language' is neither c nor c++" >&2; exit 2 ;;
esac
if "$compiler" --version | grep -q clang; then
    strict=$(echo "$strict" | sed 's/variable=2/variable/')  # clang has no levels there
fi

count=0
failed=0
for header in $(cd "$include_dir" && find . -name '*.h' | sort); do
    # Twice: the guard must work. The declaration: a unit of macros only is empty, which ISO C forbids.
    printf '#include "%s"\n#include "%s"\ntypedef int not_empty;\n' "$header" "$header" >"$work/unit"
    # shellcheck disable=SC2086 # $strict is a list of words
    if ! "$compiler" $strict -I"$include_dir" -x "$language" "$work/unit"; then
        echo "does not compile alone as $language: $header"
        failed=$((failed + 1))
    fi
    count=$((count + 1))
done

echo "$count headers as $language, $failed fail"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_exports.sh LIBRARY SOURCE_DIR
#
# Four lists must be the same: functions.txt here, those of include/pacl and src/api/rt.h; what the headers declare; what src/pacl.map
# names (the linker does not complain of names that it cannot find); what LIBRARY exports. Prints the differences.
set -eu

library=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# Functions that a header declares: the name before the first parenthesis of a line that starts with its attribute.
declared_with() {
    attribute=$1
    shift
    sed -n "s/^\(ACL_DEPRECATED \)\{0,1\}$attribute [^(]*[ *]\([A-Za-z_][A-Za-z0-9_]*\)(.*/\2/p" "$@"
}

declared_with PACL_API "$source"/include/pacl/*.h >"$work/own"
declared_with PACL_RT_API "$source/src/api/rt.h" >>"$work/own"
sort "$source/tests/abi/functions.txt" "$work/own" >"$work/listed"
declared_with ACL_FUNC_VISIBILITY "$source"/include/acl/*.h | sort - "$work/own" >"$work/declared"
sed -n 's/^ *\([A-Za-z_][A-Za-z0-9_]*\);$/\1/p' "$source/src/pacl.map" | sort >"$work/mapped"
# Type A: the version node itself.
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"

status=0
for list in declared mapped exported; do
    if ! diff "$work/listed" "$work/$list" >"$work/diff"; then
        echo "functions.txt and include/pacl (<) differ from what is $list (>):"
        grep '^[<>]' "$work/diff"
        status=1
    fi
done
echo "$(wc -l <"$work/listed") functions listed, $(wc -l <"$work/exported") exported"
exit $status

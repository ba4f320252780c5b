#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_sdk.sh PREFIX
#
# Builds a program against an installed PACL in each way that users do, and runs it. Prints a line per way; ends at
# the first that fails. PREFIX must be the folder that PACL was installed into, not a moved copy.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
prefix=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH ASCEND_HOME_PATH

fail() {
    echo "check_sdk: $*" >&2
    exit 1
}

# The public headers under strict rules, the library by each name that existing build files use.
with_link_names() {
    for name in ascendcl acl_rt runtime ascend_hal; do
        cc -std=c11 -Wall -Wextra -Werror -I"$prefix/include" "$here/program.c" -o "$work/by_name" \
            -L"$prefix/lib64" -l$name
        LD_LIBRARY_PATH="$prefix/lib64" "$work/by_name"
        echo "linked with -l$name: runs"
    done
}

with_pkg_config() {
    # shellcheck disable=SC1091,SC2046 # installed, not in the tree; flags are words
    (
        . "$prefix/set_env.sh"
        cc "$here/program.c" -o "$work/by_pkg_config" $(pkg-config --cflags --libs ascendcl)
        "$work/by_pkg_config"
    )
    echo "pkg-config ascendcl: builds and runs"
}

with_cmake() {
    cmake -S "$here/project" -B "$work/project" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$work/log"
    cmake --build "$work/project" >>"$work/log" || { cat "$work/log" >&2; fail "the project does not build"; }
    "$work/project/program"
    echo "find_package(PACL): builds and runs"
}

# The module by set_env.sh and by `pacl run`, in whichever Python is first in PATH.
with_python() {
    # shellcheck disable=SC1091 # installed, not in the tree
    (. "$prefix/set_env.sh" && cd "$work" && python3 "$here/program.py" "$prefix")
    (cd "$work" && "$prefix/bin/pacl" run python3 "$here/program.py" "$prefix")
    echo "python3 with set_env.sh and with pacl run: finds the module, which runs"
}

# What each shell does with set_env.sh: sourced twice, under -e and -u, with other entries before.
cat >"$work/use_env.sh" <<'END'
set -eu
PATH=$1/bin:$PATH
LD_LIBRARY_PATH=/elsewhere:$1/lib64:/other
. "$1/set_env.sh"
. "$1/set_env.sh"
[ "$LD_LIBRARY_PATH" = "$1/lib64:/elsewhere:/other" ]
[ "$PKG_CONFIG_PATH" = "$1/lib64/pkgconfig" ]
[ "$ASCEND_HOME_PATH:$ASCEND_TOOLKIT_HOME" = "$1:$1" ]
[ "$(printf '%s\n' "$PATH" | tr : '\n' | grep -cFx "$1/bin")" = 1 ]
[ "$(command -v pacl)" = "$1/bin/pacl" ]
pacl --version >/dev/null
exec "$2"
END

with_shells() {
    for shell in dash bash zsh; do
        if ! command -v $shell >/dev/null; then
            echo "set_env.sh in $shell: not tried, no $shell here"
            continue
        fi
        $shell "$work/use_env.sh" "$prefix" "$work/by_name" || fail "set_env.sh does not do in $shell"
        echo "set_env.sh in $shell: right, also twice"
    done
}

with_link_names
with_pkg_config
with_cmake
with_python
with_shells

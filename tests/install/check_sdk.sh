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
unset MANPATH LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH ASCEND_HOME_PATH

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
        # pkg-config quotes a path with a space for a shell that reads it again.
        ln -s "$prefix" "$work/a space"
        export PKG_CONFIG_PATH="$work/a space/lib64/pkgconfig"
        eval cc '"$here/program.c"' -o '"$work/by_eval"' "$(pkg-config --cflags --libs ascendcl)"
        "$work/by_eval"
    )
    echo "pkg-config ascendcl: builds and runs"
}

build_project() {
    if ! { cmake -S "$here/project" -B "$1" -G Ninja && cmake --build "$1"; } >"$work/log"; then
        cat "$work/log" >&2
        fail "the project does not build"
    fi
    "$1/program"
}

with_cmake() {
    (
        export CMAKE_PREFIX_PATH="$prefix"
        build_project "$work/by_prefix_path"
    )
    # shellcheck disable=SC1091 # installed, not in the tree
    (
        . "$prefix/set_env.sh"
        build_project "$work/by_set_env"
    )
    echo "find_package(PACL): builds and runs with CMAKE_PREFIX_PATH and after set_env.sh"
}

# The commands of the installed page of the examples, in a copy of its folder.
with_examples() {
    cp -r "$prefix/share/doc/pacl/examples" "$work/examples"
    # shellcheck disable=SC2016 # the fences of the page, nothing to expand
    sed -n '/^```sh$/,/^```$/{/^```/!p}' "$work/examples/README.md" >"$work/commands"
    [ "$(grep -c '^cc ' "$work/commands")" = 2 ] || fail "the page of the examples has other commands than two builds"
    # shellcheck disable=SC1091 # installed, not in the tree
    (
        . "$prefix/set_env.sh"
        cd "$work/examples" && sh -e "$work/commands"
    ) >"$work/log" || fail "a command of the page of the examples fails"
    [ -s "$work/examples/mosaic.png" ] || fail "mosaic has written no picture"
    echo "installed examples: build and run"
}

with_manual() {
    page=$prefix/share/man/man1/pacl.1
    [ -f "$page" ] || fail "$page is not there"
    if ! command -v man >/dev/null; then
        echo "manual page: installed; not tried, no man here"
        return
    fi
    # shellcheck disable=SC1091 # installed, not in the tree
    found=$(. "$prefix/set_env.sh" && man -w pacl) || fail "man does not find pacl after set_env.sh"
    [ "$(realpath "$found")" = "$(realpath "$page")" ] || fail "man pacl shows $found"
    LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" >"$work/log" 2>"$work/warnings" || fail "man does not show it"
    [ ! -s "$work/warnings" ] || { cat "$work/warnings" >&2; fail "the page has faults"; }
    echo "manual page: man pacl shows it after set_env.sh"
}

# The words that are offered for `pacl info --product atlas-a`, when the file was sourced as README says.
with_completion() {
    if ! command -v bash >/dev/null; then
        echo "completion: not tried, no bash here"
        return
    fi
    # shellcheck disable=SC2016 # the inner shell expands
    offered=$(PATH=$prefix/bin:$PATH bash -c '. "$1/share/bash-completion/completions/pacl"
        COMP_WORDS=(pacl info --product atlas-a) COMP_CWORD=3; _pacl; echo "${COMPREPLY[*]}"' - "$prefix")
    [ "$offered" = "atlas-a3 atlas-a2" ] || fail "completion offers '$offered'"
    echo "completion: offers products"
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
with_examples
with_manual
with_completion
with_shells

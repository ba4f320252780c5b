#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_completion.sh PACL
# Completion in bash offers every command, and every option that a command's --help has.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"
need bash
script=$(dirname "$0")/../../tools/completions/pacl

# offers WORD...: what is offered for the last word, one a line.
offers() {
    # shellcheck disable=SC2016 # the inner shell expands
    PATH=$home/bin:$PATH bash -c '. "$1"; shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _pacl; printf "%s\n" "${COMPREPLY[@]}"' - "$script" "$@"
}

# The commands of `pacl --help` stand at the left edge of their texts.
commands=$("$pacl" --help | sed -n '/^ Commands:/,/^ Options:/s/^  \([a-z]\{1,\}\)  .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 6 ] || fail "--help has the commands: $commands"
for command in $commands; do
    offers pacl '' | grep -qx "$command" || fail "'pacl ' does not offer $command"
    offers pacl help '' | grep -qx "$command" || fail "'pacl help ' does not offer $command"
    offers pacl "$command" -- >"$work/offered"
    while read -r option; do
        "$pacl" "$command" --help | grep -q -e "$option\\>" || fail "$command --help has no $option, which is offered"
    done <"$work/offered"
    # Options stand in the first columns; a line may have a second name, which completion need not know.
    for option in $("$pacl" "$command" --help | sed -n 's/^  *\(-.,\)\{0,1\} *\(--[a-zA-Z][-a-zA-Z]*\).*/\2/p'); do
        grep -qx -e "$option" "$work/offered" || fail "'pacl $command --' does not offer $option"
    done
done

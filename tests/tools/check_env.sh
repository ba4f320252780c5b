#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_env.sh PACL
# `pacl env`: the same variables as set_env.sh, safe to evaluate whatever they hold.
# shellcheck disable=SC2089,SC2090 # the quotes are meant literally
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

# Nothing in a value is taken for shell syntax.
odd="/it's:/\$(touch $work/executed):/\`touch $work/executed\`:/\"double\" \\ & ; * ~:
/second line"
evaluated() {
    LD_LIBRARY_PATH=$odd
    export LD_LIBRARY_PATH
    eval "$("$pacl" env)"
    printf '%s' "$LD_LIBRARY_PATH"
}
expect_equal "$(evaluated)" "$home/lib64:$odd"
[ ! -e "$work/executed" ] || fail "a value was executed"

# In front, once; an empty list is no list; repeating changes nothing.
listed() {
    LD_LIBRARY_PATH=$1
    export LD_LIBRARY_PATH
    eval "$("$pacl" env --shell sh)"
    eval "$("$pacl" env)"
    printf '%s' "$LD_LIBRARY_PATH"
}
expect_equal "$(listed '')" "$home/lib64"
expect_equal "$(listed /one)" "$home/lib64:/one"
expect_equal "$(listed "/one:$home/lib64:$home/lib64:/two")" "$home/lib64:/one:/two"
expect_equal "$(listed "$home/lib64/more:$home")" "$home/lib64:$home/lib64/more:$home"

# The command is found afterwards, and set_env.sh, which has its own way to the same end, sets nothing else.
expect_equal "$(eval "$("$pacl" env)" && command -v pacl)" "$home/bin/pacl"
script=$(dirname "$0")/../../tools/set_env.sh.in
sed -n -e 's/^pacl_put_first \([A-Z_]*\) .*/\1/p' -e 's/^export //p' "$script" | tr ' ' '\n' | sort >"$work/script"
"$pacl" env | sed -n 's/^export \([A-Z_]*\)=.*/\1/p' | sort >"$work/command"
diff "$work/script" "$work/command" || fail "set_env.sh and pacl env set different variables"

expect_status 2 "$pacl" env --shell fish
expect_status 2 "$pacl" env argument

need python3
LD_LIBRARY_PATH=$odd "$pacl" env --shell json >"$work/json"
python3 - "$work/json" "$home" "$odd" <<'END'
import json, sys
path, home, odd = sys.argv[1:]
with open(path) as file:
    variables = json.load(file)
assert variables["LD_LIBRARY_PATH"] == f"{home}/lib64:{odd}", variables
assert variables["ASCEND_HOME_PATH"] == home, variables
END

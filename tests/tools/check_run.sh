#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_run.sh PACL
# `pacl run` and the top level: options become variables, everything else is the program's own.
# shellcheck disable=SC2016 # the inner shell expands
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

# Exit status, process number, signals, standard streams and arguments are the program's.
for status in 0 1 2 42 126 127 255; do
    expect_status $status "$pacl" run -- sh -c "exit $status"
done
for signal in 9 11 15; do
    expect_status $((128 + signal)) "$pacl" run sh -c "ulimit -c 0; kill -$signal \$\$"
done
"$pacl" run sh -c 'echo $$' >"$work/pid" &
wait $!
expect_equal "$(cat "$work/pid")" $!
expect_equal "$(echo input | "$pacl" run cat)" input
expect_equal "$("$pacl" run printf '%s.' 'a b' '' --product -- '*')" 'a b..--product.--.*.'
expect_equal "$("$pacl" run -- printf '%s.' --help)" '--help.'

expect_status 127 "$pacl" run -- "$work/nothing"
expect_line err "$work/nothing"
expect_status 127 "$pacl" run -- pacl-no-such-program
echo text >"$work/text"
expect_status 126 "$pacl" run -- "$work/text"
expect_status 126 "$pacl" run -- "$work"

# Each option sets its variable, and no other variable of the runtime is set.
"$pacl" run --product atlas-a3 --devices 2 --device-memory 512M --engines=3 --queue-depth 1024 --device-access mapping \
    --peer open --debug stream,memory --log-level warning --log-stdout --visible-devices 0,1 -- env >"$work/all"
cat >"$work/wanted" <<'END'
ASCEND_GLOBAL_LOG_LEVEL=2
ASCEND_RT_VISIBLE_DEVICES=0,1
ASCEND_SLOG_PRINT_TO_STDOUT=1
PACL_DEBUG=stream,memory
PACL_DEVICES=2
PACL_DEVICE_ACCESS=mapping
PACL_DEVICE_MEMORY=512M
PACL_ENGINES=3
PACL_PEER=open
PACL_PRODUCT=atlas-a3
PACL_QUEUE_DEPTH=1024
END
grep -E '^(PACL|ASCEND)_' "$work/all" | grep -v -E '^ASCEND_(HOME_PATH|TOOLKIT_HOME)=' | LC_ALL=C sort >"$work/given"
diff "$work/wanted" "$work/given" || fail "the options' variables"
"$pacl" run env >"$work/out"
! grep -q '^PACL_' "$work/out" || fail "variables without options"

# What the user has set stays, unless an option says otherwise.
export PACL_DEVICES=5
expect_equal "$("$pacl" run sh -c 'echo $PACL_DEVICES')" 5
expect_equal "$("$pacl" run --devices 6 sh -c 'echo $PACL_DEVICES')" 6
unset PACL_DEVICES

# The installation comes first and once.
LD_LIBRARY_PATH=/one:$home/lib64:/two PYTHONPATH=/three "$pacl" run env >"$work/out"
expect_line out "^LD_LIBRARY_PATH=$home/lib64:/one:/two\$"
expect_line out "^PYTHONPATH=$home/python/site-packages:/three\$"
expect_line out "^ASCEND_HOME_PATH=$home\$"
expect_line out "^ASCEND_TOOLKIT_HOME=$home\$"

# Wrong values are refused before anything runs, with what would be right.
refused() {
    expect_status 2 "$pacl" run "$@" -- touch "$work/ran"
    [ ! -e "$work/ran" ] || fail "ran in spite of: $*"
}
refused --product atlas-a7
expect_line err "unknown product 'atlas-a7'.* atlas-a2 .*atlas-200i-500-a2-rc"
for value in 0 -1 '' 1x ' 1' 4294967296; do
    refused --devices "$value"
    refused --engines "$value"
    refused --queue-depth "$value"
done
for value in 0 0G 5X 1GB -1G G 99999999999999999999 16777216T; do
    refused --device-memory "$value"
    expect_line err "'$value' is not a number of bytes"
done
refused --devices 65
expect_line err PACL_DEVICES
refused --queue-depth 65537
expect_line err PACL_QUEUE_DEPTH
PACL_DEVICE_ACCESS=closed refused
expect_line err PACL_DEVICE_ACCESS
refused --device-access closed
refused --peer closed
refused --log-level loud
refused --debug 'a b'
refused --check
refused --trace file

# The top level.
expect_status 2 "$pacl" run
expect_status 2 "$pacl"
expect_status 2 "$pacl" fly
expect_line err "unknown command 'fly'.*run.*info.*env.*doctor"
expect_status 0 "$pacl" --version
expect_line out '^pacl [0-9]*\.[0-9]*\.[0-9]*$'
expect_status 0 "$pacl" --help
for command in run info env doctor; do
    expect_line out "^ *$command "
done
for command in run info env doctor; do
    expect_status 0 "$pacl" $command --help
    expect_line out "^Usage: pacl $command"
done
expect_status 0 "$pacl" run --help
sed 's/=.*//' "$work/wanted" | while read -r variable; do
    expect_line out "($variable"
done

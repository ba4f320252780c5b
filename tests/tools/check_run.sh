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
    --cpu sse2 --peer open --debug stream,memory --log-level warning --log-stdout --visible-devices 0,1 -- env >"$work/all"
cat >"$work/wanted" <<'END'
ASCEND_GLOBAL_LOG_LEVEL=2
ASCEND_RT_VISIBLE_DEVICES=0,1
ASCEND_SLOG_PRINT_TO_STDOUT=1
PACL_CPU=sse2
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

for cpu in c sse2 avx2 avx512 neon all; do
    expect_equal "$("$pacl" run --cpu $cpu sh -c 'echo $PACL_CPU')" $cpu
done

# Wrong values are refused before anything runs, with what would be right.
refused() {
    expect_status 2 "$pacl" run "$@" -- touch "$work/ran"
    [ ! -e "$work/ran" ] || fail "ran in spite of: $*"
}
refused --product atlas-a7
expect_line err "^pacl run: --product 'atlas-a7' is not valid; it takes .*atlas-a2, .*atlas-200i-500-a2-rc\$"
for value in 0 -1 '' 1x ' 1' 99999 4294967296; do
    refused --devices "$value"
    refused --engines "$value"
    refused --queue-depth "$value"
done
for value in 0 0G 16 2T 1048575 5X 1GB -1G G 99999999999999999999 16777216T; do
    refused --device-memory "$value"
    expect_line err "^pacl run: --device-memory '$value' is not valid; it takes bytes, .* K, M, G or T .*, 1M to 1T\$"
done
refused --devices 65
expect_line err "^pacl run: --devices '65' is not valid; it takes a number from 1 to 64\$"
refused --engines 99
expect_line err "^pacl run: --engines '99' is not valid; it takes a number from 1 to 64\$"
for value in 1 65537; do
    refused --queue-depth $value
    expect_line err "^pacl run: --queue-depth '$value' is not valid; it takes a number from 2 to 65536\$"
done
for value in bla stream,bla stream,memory,x '' ','; do
    refused --debug "$value"
    expect_line err "^pacl run: --debug '$value' is not valid; it takes init, memory, "
done
for value in a '' -1 0,a '0,' ',0' 1,0 2,2 '0 1' 64 8 0,7,8; do
    refused --visible-devices "$value"
    expect_line err "^pacl run: --visible-devices .*'$value' is not valid; "
done
refused --devices 2 --visible-devices 1,2
expect_line err 'atlas-a2 has devices 0 to 1$'

# The same for what was set before, the values of the program's own shell included.
for assignment in PACL_PRODUCT=atlas-a7 PACL_DEVICES=65 PACL_DEVICE_MEMORY=1 PACL_DEVICE_ACCESS=closed \
    PACL_ENGINES=0 PACL_QUEUE_DEPTH=1 PACL_PEER=closed PACL_CPU=mmx PACL_DEBUG=bla ASCEND_RT_VISIBLE_DEVICES=a \
    ASCEND_RT_VISIBLE_DEVICES=8 ASCEND_GLOBAL_LOG_LEVEL=warning ASCEND_GLOBAL_LOG_LEVEL=5 \
    ASCEND_SLOG_PRINT_TO_STDOUT=yes; do
    expect_status 2 env "$assignment" "$pacl" run -- touch "$work/ran"
    [ ! -e "$work/ran" ] || fail "ran in spite of $assignment"
    expect_line err "^pacl run: .*${assignment%%=*}.* '${assignment#*=}' is not valid; "
done
for assignment in PACL_DEVICES= PACL_DEVICE_MEMORY=2g PACL_QUEUE_DEPTH=4K 'PACL_DEBUG=stream memory,COPY' PACL_DEBUG=all \
    ASCEND_RT_VISIBLE_DEVICES= ASCEND_RT_VISIBLE_DEVICES=0,3,7 ASCEND_GLOBAL_LOG_LEVEL=4 \
    ASCEND_SLOG_PRINT_TO_STDOUT=0; do
    expect_status 0 env "$assignment" "$pacl" run -- true
done
refused --device-access closed
refused --peer closed
refused --log-level loud
refused --debug 'a b'
refused --check=1
for value in race '' ',' leak,race 'leak race' out-of; do
    refused --only "$value"
    expect_line err "^pacl run: --only '$value' is not valid; it takes out-of-bounds, .*, queue-growth\$"
    refused --skip "$value"
    expect_line err "^pacl run: --skip '$value' is not valid; it takes out-of-bounds, .*, queue-growth\$"
done
refused --error-exitcode 256
refused --suppressions "$work/nothing"
refused --max-findings -1
for value in "$work/no/such/folder" "$work/no/%p" "$work"; do
    refused --report "$value"
    refused --junit "$value"
    refused --trace "$value"
    expect_line err "^pacl run: --trace (PACL_TRACE_FILE) '$value': "
done

# Options of checking switch it on; a run begins with an empty report.
echo old >"$work/report"
echo old >"$work/junit"
"$pacl" run --report "$work/report" --junit "$work/junit" --only leak,shape --skip shape --suppressions "$work/text" --gen-suppressions \
    --max-findings 7 --error-exitcode 9 --status-signal env | grep '^PACL_' | LC_ALL=C sort >"$work/given"
cat >"$work/wanted_check" <<END
PACL_CHECK=1
PACL_CHECK_ERROR_EXITCODE=9
PACL_CHECK_GEN_SUPPRESSIONS=1
PACL_CHECK_JUNIT=$work/junit
PACL_CHECK_MAX_FINDINGS=7
PACL_CHECK_ONLY=leak,shape
PACL_CHECK_REPORT=$work/report
PACL_CHECK_SKIP=shape
PACL_CHECK_SUPPRESSIONS=$work/text
PACL_STATUS_SIGNAL=1
END
diff "$work/wanted_check" "$work/given" || fail "the variables of checking"
for file in report junit; do
    [ ! -s "$work/$file" ] || fail "the $file still holds an earlier run"
done
"$pacl" run --report "$work/%p" --junit "$work/%p/%p" --trace "$work/%p" true || fail "names with %p"

# Schedules, faults, counts, timeline.
"$pacl" run --schedule random:7 --fault aclrtMalloc:3 --fault alloc:2,aclrtFree --count --trace "$work/trace" env |
    grep '^PACL_' | LC_ALL=C sort >"$work/given"
cat >"$work/wanted_faults" <<END
PACL_COUNT=1
PACL_FAULT=aclrtMalloc:3,alloc:2,aclrtFree
PACL_SCHEDULE=random:7
PACL_TRACE_FILE=$work/trace
END
diff "$work/wanted_faults" "$work/given" || fail "the variables of schedules and faults"
# The seed of a random schedule is the same for all processes, and told once.
"$pacl" run --schedule random sh -c 'echo "$PACL_SCHEDULE"; exec "$1" info' sh "$pacl" >"$work/out" 2>"$work/err"
seed=$(sed -n '1s/^random:\([0-9]*\)$/\1/p' "$work/out")
expect_equal "$(cat "$work/err")" "pacl: schedule random:${seed:?}"
"$pacl" run --schedule random:7 true 2>"$work/err"
expect_equal "$(cat "$work/err")" "pacl: schedule random:7"

for value in late '' random: random:x random:-1 eager,lazy; do
    refused --schedule "$value"
    expect_line err "^pacl run: --schedule '$value' is not valid; it takes eager, lazy, random or random:SEED\$"
done
refused --fault aclrtMaloc
expect_line err '^pacl run: PACL_FAULT "aclrtMaloc": there is no function aclrtMaloc'
refused --fault aclrtMalloc:0
refused --fault ''
refused --fault random:2:1
refused --count=1
refused --trace ''

# The top level.
expect_status 2 "$pacl" run
expect_status 2 "$pacl"
expect_status 2 "$pacl" fly
expect_line err "unknown command 'fly'.*run.*info.*env.*doctor.*bench"
"$pacl" --help >"$work/help"
expect_equal "$("$pacl" help)" "$(cat "$work/help")"
expect_equal "$("$pacl" help run)" "$("$pacl" run --help)"
expect_status 2 "$pacl" help fly
expect_status 0 "$pacl" --version
expect_line out '^pacl [0-9]*\.[0-9]*\.[0-9]*$'
expect_status 0 "$pacl" --help
for command in run info env doctor bench; do
    expect_line out "^ *$command "
done
for command in run info env doctor bench; do
    expect_status 0 "$pacl" $command --help
    expect_line out "^Usage: pacl $command"
done
expect_status 0 "$pacl" run --help
for range in 'from 1 to 64' '2 to *65536' '1M to 1T'; do
    tr -s '\n ' '  ' <"$work/out" | grep -q "$range" || fail "--help does not say '$range'"
done
sed 's/=.*//' "$work/wanted" | while read -r variable; do
    expect_line out "($variable"
done

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_explain.sh PACL
# `pacl explain`: the plan of a shape in words and as JSON. What the machine decides is compared with what it says of it.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

expect_status 0 "$pacl" explain --width 64 --height 10
expect_line out '^rows  *1 row(s) of 640 bytes; width and both pitches are 64'
expect_line out '^thread  *the submitting one'
expect_status 0 "$pacl" explain --width 8 --height 100K --spitch 4096
expect_line out '^way  *far; narrow rows, 256 bytes and more apart'
expect_line out '^prefetch  *24 rows ahead$'
expect_line out '^pieces  *25 of 4096 row(s), 8 bytes wide'
expect_line out '^advice  *spitch is a multiple of 4096.* 4160 is faster$'
expect_status 0 env PACL_CPU=c "$pacl" explain --width 100 --height 10 --dpitch 128 --spitch 100
expect_line out '^kernel  *c$'
expect_line out '^way  *plain; '
expect_line out '^pieces  *1 of 10 row(s), 100 bytes wide; 1000 bytes of cache lines'

expect_status 2 "$pacl" explain
expect_line err '--width and --height are needed'
expect_status 2 "$pacl" explain --width 0 --height 1
expect_status 2 "$pacl" explain --width x --height 1
expect_line err "not 'x'"
expect_status 2 "$pacl" explain --width 5 --height 3 --dpitch 2
expect_line err 'width 5 is larger than a pitch: dpitch is 2, spitch is 5'
expect_status 2 "$pacl" explain --width 5000001 --height 1
expect_status 2 "$pacl" explain --width 1 --height 5242881
expect_status 2 "$pacl" explain --width 1 --height 5242880 --dpitch 1125899906842624
expect_line err 'more than there are addresses'
expect_status 2 "$pacl" explain --width 1 --height 1 more
expect_status 2 env PACL_CPU=mmx "$pacl" explain --width 1 --height 1
expect_line err 'PACL_CPU is "mmx"; it takes c, sse2'
[ ! -s "$work/out" ] || fail "explains in spite of a wrong variable"

need python3
python3 - "$pacl" <<'END'
import json, os, subprocess, sys

def explain(width, height, dpitch, spitch, **variables):
    shape = dict(width=width, height=height, dpitch=dpitch, spitch=spitch)
    options = [f"--{name}={value}" for name, value in shape.items()]
    answer = json.loads(subprocess.run([sys.argv[1], "explain", "--json", *options], check=True,
                                       env={**os.environ, **variables}, stdout=subprocess.PIPE).stdout)
    assert {name: answer[name] for name in shape} == shape, answer
    assert answer["row_bytes"] * answer["rows"] == answer["payload_bytes"] == width * height, answer
    assert answer["way"] in ("plain", "beyond", "far", "streamed", "string"), answer
    return answer

answer = explain(5000000, 5242880, 5000001, 5000000)
assert (answer["way"], answer["pieces"], answer["at_once"]) == ("streamed", 20 * 5242880, False), answer
answer = explain(16, 16, 64, 64)
assert (answer["way"], answer["pieces"], answer["touched_bytes"], answer["at_once"]) == ("plain", 1, 1024, True), answer
assert answer["advice"] is None, answer
# Rows of 2 KiB and more go by the processor's instruction, or through registers where that is slow: never with PACL_CPU.
for cpu in "c", "sse2", "avx2", "avx512", "neon":
    answer = explain(8192, 16, 8256, 8256, PACL_CPU=cpu)
    assert answer["way"] == "beyond", (cpu, answer)
assert explain(8192, 16, 8256, 8256)["way"] in ("beyond", "string")
# R24: pitches that are no multiple of 4 are copied as all others; elsewhere each row becomes a transfer of its own.
plans = [{name: value for name, value in explain(1024, 16384, pitch, 1024).items() if name != "dpitch"}
         for pitch in (1040, 1041, 1042, 1043)]
assert plans.count(plans[0]) == 4 and plans[0]["pieces"] < 16384, plans
END

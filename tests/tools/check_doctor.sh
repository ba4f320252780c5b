#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_doctor.sh PACL
# `pacl doctor` on a healthy library: nothing fails on any product, and its findings follow the environment.
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

expect_status 0 "$pacl" doctor
! grep -q '^FAIL' "$work/out" || fail "status 0 in spite of a FAIL line"
for form in 'h2d 1D sync' 'h2d 1D async' 'h2d 2D sync' 'h2d 2D async' \
    'd2h 1D sync' 'd2h 1D async' 'd2h 2D sync' 'd2h 2D async'; do
    expect_line out "^ok    $form  *pinned, registered, pageable memory"
done
for form in 'd2d 1D sync' 'd2d 1D async' 'd2d 2D async' event 'device memory'; do
    expect_line out "^ok    $form "
done
expect_line out '^note  plain start '
expect_line out "^ok    pacl run .*$home/lib64/libascendcl.so\$"

for product in $("$pacl" info --products | sed 1d | cut -d' ' -f1); do
    expect_status 0 "$pacl" run --product "$product" -- "$pacl" doctor
    expect_line out "^ok    product  *$product:"
    expect_line out '^ok    plain start '
    repeated=$(sed -n 's/^[okFAILnote]*  *\([hd]2[hd] .D [a-z]*\) .*/\1/p' "$work/out" | sort | uniq -d)
    expect_equal "$repeated" ''
done
expect_line out '^ok    h2d 1D async  *pinned, pageable memory, .*no registered memory$' # the last one is a -rc
expect_status 0 "$pacl" run --product atlas-training -- "$pacl" doctor
expect_line out '^note  d2d 2D async '
expect_line out '^ok    d2h 2D async '
expect_status 0 "$pacl" doctor --product atlas-inference --devices 3
expect_line out '^ok    product  *atlas-inference:'
! grep -q 'No space left' "$work/out" || fail "an error number without a meaning"

expect_status 0 "$pacl" run --device-access mapping -- "$pacl" doctor
expect_line out '^ok    device memory  *refused .*dual-mapping'
expect_status 0 "$pacl" run --device-access open -- "$pacl" doctor
expect_line out '^note  device memory  *open '
engines=$(($(nproc) + 1))
expect_status 0 "$pacl" run --engines $engines -- "$pacl" doctor
expect_line out "^note  processors .* $engines engines"

# Addresses are reserved three times over. A sanitizer's own do not fit below such a limit.
cramped='ulimit -v 2883584; exec env PACL_DEVICE_MEMORY=1G PACL_DEVICE_ACCESS=open "$@"'
if sh -c "$cramped" sh "$pacl" info >/dev/null 2>&1; then
    expect_status 0 sh -c "$cramped" sh "$pacl" doctor --devices 1
    expect_line out '^note  address space  *limited to 2.8 GiB, all devices together would take 3.0 GiB'
fi

# A library of another kind in front is found, and `pacl run` still works.
mkdir "$work/other"
echo text >"$work/other/libascendcl.so"
expect_status 0 env LD_LIBRARY_PATH="$work/other" "$pacl" doctor
expect_line out '^note  plain start '
expect_line out "^note  library path .*$work/other/libascendcl.so"

expect_status 1 env PACL_PRODUCT=atlas-a7 "$pacl" doctor
expect_line out '^FAIL  product '
expect_line out '^  *PACL_PRODUCT takes .*atlas-a2, '
expect_status 1 env PACL_DEVICE_MEMORY=1 "$pacl" doctor
expect_line out '^FAIL  product .*PACL_DEVICE_MEMORY'
expect_line out '^  *PACL_DEVICE_MEMORY takes bytes, .*, 1M to 1T'
expect_status 0 env ASCEND_GLOBAL_LOG_LEVEL=loud "$pacl" doctor
expect_line out "^note  variables  *ASCEND_GLOBAL_LOG_LEVEL 'loud'"
expect_status 2 "$pacl" doctor --product atlas-a7

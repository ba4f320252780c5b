#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_doctor_fault.sh PACL FAULTY
# `pacl doctor` on a library with a fault: says what failed, and lives when the library does not.
faulty=$2
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

expect_status 1 env LD_PRELOAD="$faulty" FAULT=no-copy "$pacl" doctor
expect_line out '^FAIL  d2d 2D async  *device: byte 0 of the destination is 0xa5, not '
expect_line out '^ok    h2d 2D sync '
expect_line out '^ok    event '

expect_status 1 env LD_PRELOAD="$faulty" FAULT=error "$pacl" doctor
expect_line out '^FAIL  h2d 2D async  *pinned: error 507899'

expect_status 1 env LD_PRELOAD="$faulty" FAULT=crash "$pacl" doctor
expect_line out '^FAIL  use .*signal [0-9]* (Aborted)'
expect_line out '^ok    h2d 2D sync '
expect_line out ' processors '

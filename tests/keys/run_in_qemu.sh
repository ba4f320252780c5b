#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: run_in_qemu.sh KERNEL_DIR WORK_DIR FILE... -- COMMAND...
#
# Runs the COMMANDs, one after the other, in an emulated x86-64 machine whose processor has protection keys. A COMMAND
# is one word for this script: assignments to variables, a program's absolute path and its arguments, with spaces
# between them. The machine gets the programs, the FILEs and the shared libraries of both under the paths that they have
# here, and nothing else but busybox. Works without /dev/kvm and without root.
#
# The kernel is PACL_TEST_KERNEL, else the vmlinuz in KERNEL_DIR, where `tools/setup.sh emulate` puts one. Status 0: all
# commands ended with 0 (77, skipped, is a failure here); 1: not so; 77: something that is needed is not there.
set -eu

seconds=800 # for the machine's whole life; about 60 on two of today's processors
kernel_dir=$1
work=$2
shift 2

skip() {
    echo "skipped: $*"
    exit 77
}

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

find_kernel() {
    kernel=${PACL_TEST_KERNEL:-}
    if [ -z "$kernel" ]; then
        for kernel in "$kernel_dir"/vmlinuz-*; do :; done # the last of them
    fi
    [ -r "$kernel" ] || skip "no kernel $kernel; 'tools/setup.sh emulate' fetches one, PACL_TEST_KERNEL names another"
}

# put_in FILE: FILE and its shared libraries go below $root.
put_in() {
    ldd "$1" 2>/dev/null | sed -n 's/^[^/]*\(\/[^ ]*\) (0x[0-9a-f]*)$/\1/p' | while read -r library; do
        mkdir -p "$root${library%/*}"
        cp -L "$library" "$root$library"
    done
    mkdir -p "$root${1%/*}"
    cp -L "$1" "$root$1"
}

program_of() {
    for word in $1; do
        case $word in
            *=*) ;;
            *) echo "$word"; return ;;
        esac
    done
}

make_initramfs() {
    for directory in bin dev proc sys tmp; do
        mkdir -p "$root/$directory"
    done
    cp "$(command -v busybox)" "$root/bin/busybox"
    cp "$(dirname "$0")/init.sh" "$root/init"
    chmod 755 "$root/init"
    (cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$work/initramfs"
}

# The first end of the machine is the last: no restart after a panic. -cpu max has all that the emulator can do. The
# kernel is quiet, or its messages would cut into the lines that are looked for.
run_machine() {
    timeout --kill-after=10 "$seconds" qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none \
        -machine q35 -accel tcg,thread=multi -cpu max -smp 2 -m 2G \
        -kernel "$kernel" -initrd "$work/initramfs" -append 'console=ttyS0 loglevel=1 panic=-1' \
        -serial "file:$work/console" </dev/null
}

[ "$(uname -m)" = x86_64 ] || skip "the programs are not for x86-64"
for program in qemu-system-x86_64 busybox cpio; do
    command -v "$program" >/dev/null || skip "no $program here; 'tools/setup.sh emulate' installs it"
done
! ldd "$(command -v busybox)" 2>/dev/null | grep -q '=>' || skip "busybox needs libraries; install busybox-static"
find_kernel

rm -rf "$work"
mkdir -p "$work/root"
root=$work/root
while [ "$1" != -- ]; do
    put_in "$1"
    shift
done
shift
for command; do
    program=$(program_of "$command")
    [ -x "$program" ] || fail "no program '$program' to run '$command'"
    put_in "$program"
    echo "$command" >>"$root/commands"
done
make_initramfs
status=0
run_machine || status=$?
tr -d '\r' <"$work/console" >"$work/output"
cat "$work/output"

[ "$status" -ne 124 ] || fail "the machine was still running after $seconds s"
[ "$status" -eq 0 ] || fail "qemu ended with status $status"
for command; do
    grep -q -x -F "==== ended with 0: $command" "$work/output" || fail "$command"
done
grep -q -x '==== all commands have run' "$work/output" || fail "the machine ended early"
rm -rf "$root" "$work/initramfs"

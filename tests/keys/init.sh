#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The first process of the machine of run_in_qemu.sh: runs the lines of /commands, says how each ended, and powers off.
/bin/busybox --install -s /bin
export PATH=/bin HOME=/tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir /dev/shm
mount -t tmpfs shm /dev/shm

echo "==== Linux $(uname -r), $(nproc) processors, protection keys: $(grep -c -w ospke /proc/cpuinfo)"
while read -r command; do
    start=$(cut -d. -f1 /proc/uptime)
    # shellcheck disable=SC2086 # variables, the program and its arguments
    env $command </dev/null 2>&1
    printf '\n==== ended with %d: %s\n' $? "$command"
    echo "     after $(($(cut -d. -f1 /proc/uptime) - start)) s"
done </commands
echo '==== all commands have run'
poweroff -f

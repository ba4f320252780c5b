#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: tools/setup.sh PURPOSE...     PURPOSE is build, test, bench, emulate or lint
#
# Makes sure that the programs and libraries for each purpose are there. On Debian root gets the missing ones from
# apt; everybody else is told the one command that installs them. Prints nothing when all is in place.
# `emulate` is for tests/keys/run_in_qemu.sh and tests/emulated; it unpacks a kernel below build/kernel and installs none.
set -eu

missing=
kernel_dir=$(dirname "$0")/../build/kernel
want_kernel=false

# need PACKAGE PROBE...: asks for the Debian package unless the probe succeeds.
need() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

have_program() { command -v "$1"; }
have_library() { pkg-config --exists "$1"; }
have_header() { echo "#include <$1>" | cc -E -; }
have_cross_libc() { [ -e /usr/aarch64-linux-gnu/lib/libc.a ]; }
have_kernel() { [ -n "${PACL_TEST_KERNEL:-}" ] || ls "$kernel_dir"/vmlinuz-*; }
# Of the system's interpreter, which the build prefers: another one in PATH does not see Debian's packages.
have_module() { /usr/bin/python3 -c "import $1"; }
have_python_headers() { pkg-config --exists python3; }

needs_of_build() {
    need gcc have_program cc
    need libc6-dev have_header stdio.h
    need cmake have_program cmake
    need ninja-build have_program ninja
    need pkg-config have_program pkg-config
    need libjson-c-dev have_library json-c
    need libelf-dev have_library libelf
    need libdw-dev have_library libdw
    need libcapstone-dev have_library capstone
    need libzydis-dev have_header Zydis/Zydis.h
    need libpng-dev have_library libpng
    need python3 have_program python3
    need python3-dev have_python_headers
}

needs_of_test() {
    need check have_library check
    need g++ have_program g++
    need python3-numpy have_module numpy
    need python3-pil have_module PIL
    need python3-pip have_module pip
    need python3-setuptools have_module setuptools
    need python3-wheel have_module wheel
    need python3-venv have_module ensurepip
    need valgrind have_program valgrind
}

have_numpy() { /usr/bin/python3 -c 'import numpy'; }
have_pocl() { grep -l pocl /etc/OpenCL/vendors/*.icd; }

# What PACL is measured against; each is optional, the benchmarks are built without those that are missing.
needs_of_bench() {
    need python3 have_program python3
    need libyuv-dev have_header libyuv/planar_functions.h
    need libavutil-dev have_library libavutil
    need libopenblas-dev have_library openblas
    need libpython3-dev have_library python3-embed
    need python3-numpy have_numpy
    need valgrind have_program valgrind
    need opencl-headers have_header CL/cl.h
    need ocl-icd-opencl-dev have_library OpenCL
    need pocl-opencl-icd have_pocl
}

needs_of_emulate() {
    [ "$(uname -m)" = x86_64 ] || return 0
    need qemu-system-x86 have_program qemu-system-x86_64
    need busybox-static have_program busybox
    need cpio have_program cpio
    need gcc-aarch64-linux-gnu have_program aarch64-linux-gnu-gcc
    need libc6-dev-arm64-cross have_cross_libc
    need qemu-user-static have_program qemu-aarch64-static
    have_kernel >/dev/null 2>&1 || want_kernel=true
}

needs_of_lint() {
    need clang-format have_program clang-format
    need clang-tidy have_program run-clang-tidy
    need cppcheck have_program cppcheck
    need shellcheck have_program shellcheck
    need zsh have_program zsh # tests/install tries set_env.sh in every shell that is here
}

apt_update() { apt-get -qq -o DPkg::Lock::Timeout=300 update; }

apt_install() {
    # shellcheck disable=SC2086 # one word per package
    DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        install -y --no-install-recommends $missing </dev/null >/dev/null
}

install_missing() {
    if ! have_program apt-get >/dev/null; then
        echo "setup: missing (by Debian's names):$missing" >&2
        exit 1
    elif [ "$(id -u)" -ne 0 ]; then
        echo "setup: packages are missing; install them with" >&2
        echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends$missing" >&2
        exit 1
    fi
    echo "setup: installing$missing"
    # The lists may be absent or too old; fetching them takes longer than most installs, so only then.
    apt_install 2>/dev/null || { apt_update && apt_install; }
}

# The package is downloaded into the directory and only its kernel is kept: installing it would change how this machine
# starts.
unpack_kernel() {
    package=$(apt-cache depends linux-image-cloud-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9][^ ]*\)$/\1/p')
    [ -n "$package" ] && mkdir -p "$kernel_dir" || return 1
    (cd "$kernel_dir" && apt-get -qq -o APT::Sandbox::User=root download "$package" &&
        dpkg-deb --fsys-tarfile "$package"_*.deb >package.tar &&
        tar -xf package.tar --strip-components=2 --wildcards './boot/vmlinuz-*' && rm package.tar "$package"_*.deb)
}

fetch_kernel() {
    echo "setup: fetching a kernel for the emulated machine"
    unpack_kernel 2>/dev/null && return
    if [ "$(id -u)" -eq 0 ] && have_program apt-get >/dev/null && apt_update && unpack_kernel; then
        return
    fi
    echo "setup: apt has no kernel here (linux-image-cloud-amd64); PACL_TEST_KERNEL can name a vmlinuz" >&2
    exit 1
}

[ $# -gt 0 ] || { sed -n '3,7s/^# //p' "$0" >&2; exit 2; }
for purpose; do
    case $purpose in
        build | test | bench | emulate | lint) "needs_of_$purpose" ;;
        *) echo "setup: unknown purpose '$purpose'; known are build, test, bench, emulate and lint" >&2; exit 2 ;;
    esac
done
[ -z "$missing" ] || install_missing
! $want_kernel || fetch_kernel

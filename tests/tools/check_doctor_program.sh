#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_doctor_program.sh PACL CC
# `pacl doctor PROGRAM`: what a program needs and the library lacks, and where its run path leads, as the loader sees it.
# shellcheck disable=SC2016 # the loader expands $ORIGIN
cc=$2
# shellcheck source=tests/tools/common.sh
. "$(dirname "$0")/common.sh"

# build NAME FUNCTIONS OPTION...: a program that needs these functions, linked with a library that has them all, which is
# in $work/other afterwards.
mkdir "$work/other"
build() {
    name=$1
    functions=$2
    shift 2
    for function in $functions; do echo "void $function(void) {}"; done |
        "$cc" -shared -fPIC -Wl,-soname,libascendcl.so -x c - -o "$work/other/libascendcl.so"
    {
        for function in $functions; do echo "void $function(void);"; done
        echo 'int main(int argc, char **argv) { (void)argv; if (argc < 9) return 0;'
        for function in $functions; do echo "$function();"; done
        echo 'return 0; }'
    } >"$work/$name.c"
    "$cc" "$work/$name.c" -o "$work/$name" -Wl,-z,lazy -L"$work/other" -lascendcl "$@"
}

build whole 'aclInit aclrtMalloc'
expect_status 0 "$pacl" doctor "$work/whole"
expect_line out "^ok    program  *$work/whole: linked with libascendcl.so\$"
expect_line out '^ok    functions  *needs 2 of the interface, all are there$'
expect_line out '^ok    run path  *none'

# Missing functions are named, one by one; a POSIX access list's and a weak one's are not.
build lacking 'aclInit aclmdlExecute rtKernelLaunch acl_get_file rtprint'
expect_status 1 "$pacl" doctor "$work/whole" "$work/lacking"
expect_line out '^ok    functions '
expect_line out '^FAIL  functions  *needs 3 of the interface; this version does not have 2 of them:$'
expect_equal "$(grep -c '^ \{25\}[a-z]' "$work/out")" 2
expect_line out '^ \{25\}aclmdlExecute$'
expect_line out '^ \{25\}rtKernelLaunch$'
echo 'void aclmdlExecute(void) __attribute__((weak)); int main(void) { return aclmdlExecute != 0; }' >"$work/weak.c"
"$cc" "$work/weak.c" -o "$work/weak" -fPIE -pie -L"$work/other" -Wl,--no-as-needed -lascendcl
expect_status 0 "$pacl" doctor "$work/weak"

# Functions that are there to refuse are told.
build refused 'acltdtSendTensor aclInit aclrtLaunchKernel acldumpRegCallback'
expect_status 0 "$pacl" doctor "$work/refused"
expect_line out '^ok    functions  *needs 4 of the interface, all are there$'
expect_line out '^note  functions  *3 of them refuse every call (api-support.md):$'
expect_line out '^ \{25\}aclrtLaunchKernel$'
expect_line out '^ \{25\}acltdtSendTensor$'
expect_equal "$(grep '^ \{25\}[a-z]' "$work/out")" "$(grep '^ \{25\}[a-z]' "$work/out" | LC_ALL=C sort)"
expect_equal "$(grep -c '^ \{25\}[a-z]' "$work/out")" 3
build one 'aclInit aclrtLaunchKernel'
expect_status 0 "$pacl" doctor "$work/one"
expect_line out '^note  functions  *1 of them refuses every call (api-support.md):$'

# It is the loader who decides: the lacking program starts with lazy binding, and not with LD_BIND_NOW.
expect_status 0 "$pacl" run "$work/lacking"
expect_status 127 env LD_BIND_NOW=1 "$pacl" run "$work/lacking"
expect_line err 'symbol'

# The old run path wins over LD_LIBRARY_PATH, the new one does not; a path to this library or to nowhere is none.
build old aclInit -Wl,--disable-new-dtags,-rpath,'/nowhere:$ORIGIN/other'
build new aclInit -Wl,--enable-new-dtags,-rpath,'${ORIGIN}/other'
build own aclInit -Wl,--disable-new-dtags,-rpath,"$home/lib64"
expect_status 1 "$pacl" doctor "$work/old"
expect_line out "^FAIL  run path  *DT_RPATH .* leads to $work/other/libascendcl.so"
expect_status 0 "$pacl" doctor "$work/new"
expect_line out "^note  run path  *DT_RUNPATH .* leads to $work/other/libascendcl.so"
expect_status 0 "$pacl" doctor "$work/own"
expect_line out '^ok    run path '
cd "$work"
expect_status 1 "$pacl" doctor old
expect_line out "^FAIL  run path .* leads to ./other/libascendcl.so"

# What is no such program.
expect_status 0 "$pacl" doctor "$(command -v env)"
expect_line out '^note  program .*not linked with the library itself'
expect_line out '^ok    functions  *needs none'
expect_status 1 "$pacl" doctor "$work/whole.c"
expect_line out '^FAIL  program .*whole.c: neither a program'
expect_status 1 "$pacl" doctor "$work/nothing"
expect_line out '^FAIL  program .*nothing: No such file'
echo 'int main(void) { return 0; }' | "$cc" -static -x c - -o "$work/static"
expect_status 1 "$pacl" doctor "$work/static"
expect_line out '^FAIL  program .*linked statically'

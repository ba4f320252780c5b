#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: check_package.sh PYTHON
#
# Installs the package from the source tree into an environment of its own and uses it. Exit status 77: pip, setuptools
# or venv is not there.
set -eu

python=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
for module in pip setuptools wheel venv; do
    "$python" -c "import $module" 2>/dev/null || { echo "skipped: $python has no module $module"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM
unset LD_LIBRARY_PATH PYTHONPATH ASCEND_HOME_PATH

# A copy: pip leaves folders behind in the tree that it builds.
mkdir "$work/source"
(cd "$root" && tar -cf - --exclude=./build --exclude=./.git .) | tar -C "$work/source" -xf -
"$python" -m venv --system-site-packages "$work/env"
"$work/env/bin/pip" install --quiet --no-build-isolation --no-index "$work/source"

cat >"$work/use.py" <<'END'
import ctypes, pathlib, sys
import acl, pacl, pacl_constants

site = pathlib.Path(acl.__file__).parent
assert pathlib.Path(sys.argv[1]) in site.parents, site
assert (site / "acl-stubs" / "rt.pyi").exists() and (site / "pacl_constants" / "py.typed").exists()
assert acl.init() == 0 and acl.rt.set_device(0) == 0, acl.get_recent_err_msg()
device, ret = acl.rt.malloc(64, pacl_constants.ACL_MEM_MALLOC_HUGE_FIRST)
assert ret == 0
data = bytes(range(64))
back = ctypes.create_string_buffer(64)
assert acl.rt.memcpy2d_async(device, 8, acl.util.bytes_to_ptr(data), 8, 8, 8, 1, 0) == 0
assert acl.rt.memcpy2d_async(ctypes.addressof(back), 8, device, 8, 8, 8, 2, 0) == 0
assert back.raw == data
pacl.call_count_reset()
assert acl.rt.set_device(0) == 0 and pacl.call_count("aclrtSetDevice") == 1
with open("/proc/self/maps", encoding="ascii") as maps:
    libraries = {line.split()[-1] for line in maps if "libascendcl" in line}
assert libraries == {str(site / "pacl.libs" / "libascendcl.so")}, libraries
END
(cd "$work" && "$work/env/bin/python" use.py "$work/env")
echo "pip install: the module works, with the library of the package"

"$work/env/bin/pip" --quiet uninstall --yes pacl
left=$(find "$work/env/lib" -name '*acl*' | grep -v __pycache__ || true)
[ -z "$left" ] || { echo "left behind: $left" >&2; exit 1; }
echo "pip uninstall: leaves nothing"

"$work/env/bin/pip" install --quiet --no-build-isolation --no-index --editable "$work/source"
(cd "$work" && "$work/env/bin/python" use.py "$work/source")
echo "pip install --editable: the module works, with the library beside it in the source tree"

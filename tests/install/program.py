# SPDX-License-Identifier: Apache-2.0
"""A user's program: usage program.py PREFIX. Copies a matrix to the device and back with the module installed there."""
import ctypes
import pathlib
import sys

import acl
import acl.rt
from pacl_constants import ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, strerror

HEIGHT, WIDTH, HOST_PITCH, DEVICE_PITCH = 5, 7, 9, 64


def ok(answer):
    *values, ret = answer if isinstance(answer, tuple) else (answer,)
    if ret != 0:
        sys.exit(f"{strerror(ret)}\n{acl.get_recent_err_msg()}")
    return values[0] if values else None


site = pathlib.Path(acl.__file__).parent
if site != pathlib.Path(sys.argv[1], "python", "site-packages") or not (site / "acl-stubs" / "rt.pyi").exists():
    sys.exit(f"the module or its stubs are not where they belong, but in {site}")
ok(acl.init())
ok(acl.rt.set_device(0))
source = bytes(range(HEIGHT * HOST_PITCH))
back = ctypes.create_string_buffer(b"." * (HEIGHT * HOST_PITCH), HEIGHT * HOST_PITCH)
device = ok(acl.rt.malloc(HEIGHT * DEVICE_PITCH, ACL_MEM_MALLOC_HUGE_FIRST))
ok(acl.rt.memcpy2d_async(device, DEVICE_PITCH, acl.util.bytes_to_ptr(source), HOST_PITCH, WIDTH, HEIGHT,
                         ACL_MEMCPY_HOST_TO_DEVICE, 0))
ok(acl.rt.memcpy2d_async(ctypes.addressof(back), HOST_PITCH, device, DEVICE_PITCH, WIDTH, HEIGHT,
                         ACL_MEMCPY_DEVICE_TO_HOST, 0))
for row in range(HEIGHT):
    begin = row * HOST_PITCH
    if back.raw[begin:begin + HOST_PITCH] != source[begin:begin + WIDTH] + b"..":
        sys.exit(f"row {row}: {back.raw[begin:begin + HOST_PITCH]}")
ok(acl.rt.free(device))
ok(acl.rt.reset_device(0))
ok(acl.finalize())

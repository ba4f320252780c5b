# SPDX-License-Identifier: Apache-2.0
"""As program.c."""
import ctypes

import acl


def require(*answer):
    *values, ret = answer
    assert ret == 0, acl.get_recent_err_msg()
    return values[0] if values else None


require(acl.rt.set_device(0))
stream = require(*acl.rt.create_stream())
device = require(*acl.rt.malloc(128, 0))
host = require(*acl.rt.malloc_host(128))
for _ in range(100):
    require(acl.rt.memcpy2d_async(device, 32, host, 32, 16, 4, 1, stream))
for _ in range(2):
    require(acl.rt.memcpy_async(device, 128, host, 128, 1, stream))
copy = ctypes.CDLL(None).rtMemcpyAsyncWithoutCheckKind
copy.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int32, ctypes.c_void_p]
require(copy(device, 128, host, 128, 1, stream))
require(acl.rt.synchronize_stream(stream))
require(acl.rt.free(device))
require(acl.rt.free_host(host))
require(acl.rt.reset_device(0))

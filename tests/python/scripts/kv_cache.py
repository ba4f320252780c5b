# SPDX-License-Identifier: Apache-2.0
# Written from docs/python.md alone. Offloads one page of a KV cache over all layers to the host and brings it back to
# another place: on the device a page's rows lie `pages * page_bytes` apart.
import ctypes

import acl
import numpy as np
from pacl_constants import ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE, strerror


def ok(answer):
    *values, ret = answer if isinstance(answer, tuple) else (answer,)
    if ret != 0:
        raise RuntimeError(f"{strerror(ret)}\n{acl.get_recent_err_msg()}")
    return values[0] if len(values) == 1 else tuple(values)


LAYERS, PAGES, PAGE_BYTES = 64, 256, 16 * 1024

ok(acl.init())
ok(acl.rt.set_device(0))
stream = ok(acl.rt.create_stream())
pitch = PAGES * PAGE_BYTES
cache = ok(acl.rt.malloc(LAYERS * pitch, ACL_MEM_MALLOC_HUGE_FIRST))

at = ok(acl.rt.malloc_host(LAYERS * PAGE_BYTES))
page = np.frombuffer((ctypes.c_ubyte * (LAYERS * PAGE_BYTES)).from_address(at), np.uint8).reshape(LAYERS, PAGE_BYTES)
content = np.random.default_rng(7).integers(0, 256, page.shape, np.uint8)

# Fill page 3, fetch it, clear it, put it back as page 200, and fetch that.
ok(acl.rt.memcpy2d_async(cache + 3 * PAGE_BYTES, pitch, content.ctypes.data, PAGE_BYTES, PAGE_BYTES, LAYERS,
                         ACL_MEMCPY_HOST_TO_DEVICE, stream))
ok(acl.rt.memcpy2d_async(at, PAGE_BYTES, cache + 3 * PAGE_BYTES, pitch, PAGE_BYTES, LAYERS, ACL_MEMCPY_DEVICE_TO_HOST,
                         stream))
ok(acl.rt.memcpy2d_async(cache + 200 * PAGE_BYTES, pitch, at, PAGE_BYTES, PAGE_BYTES, LAYERS, ACL_MEMCPY_HOST_TO_DEVICE,
                         stream))
ok(acl.rt.synchronize_stream(stream))
assert (page == content).all()
page[:] = 0
ok(acl.rt.memcpy2d_async(at, PAGE_BYTES, cache + 200 * PAGE_BYTES, pitch, PAGE_BYTES, LAYERS, ACL_MEMCPY_DEVICE_TO_HOST,
                         stream))
ok(acl.rt.synchronize_stream(stream))
assert (page == content).all()

del page
ok(acl.rt.free_host(at))
ok(acl.rt.free(cache))
ok(acl.rt.destroy_stream(stream))
ok(acl.rt.reset_device(0))
ok(acl.finalize())
print("page moved")

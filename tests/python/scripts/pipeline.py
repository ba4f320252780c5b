# SPDX-License-Identifier: Apache-2.0
# Written from docs/python.md alone. Two threads: one fills pinned buffers and uploads them in turn, the other takes the
# results from a queue that a Python function in the stream feeds. A wrong call on the way is handled, not fatal.
import queue
import threading
import warnings

import acl
import numpy as np

H2D, D2H = 1, 2
warnings.simplefilter("ignore")                   # acl.util.ptr_to_numpy warns on every call


def ok(answer):
    *values, ret = answer if isinstance(answer, tuple) else (answer,)
    assert ret == 0, (ret, acl.get_recent_err_msg())
    return values[0] if len(values) == 1 else tuple(values)


ROWS, COLUMNS, ROUNDS = 32, 100, 20
SIZE = ROWS * COLUMNS * 4
ok(acl.init())
ok(acl.rt.set_device(0))
stream = ok(acl.rt.create_stream())
device = ok(acl.rt.malloc(ROWS * 512, 0))
addresses = [ok(acl.rt.malloc_host(SIZE)) for _ in range(4)]
arrays = [acl.util.ptr_to_numpy(at, (ROWS, COLUMNS), np.dtype(np.float32).num) for at in addresses]
free, done = queue.Queue(), queue.Queue()
for pair in ((0, 1), (2, 3)):
    free.put(pair)


def produce():
    ok(acl.rt.set_device(0))
    for number in range(ROUNDS):
        source, target = free.get()
        arrays[source][:] = number
        ok(acl.rt.memcpy2d_async(device, 512, addresses[source], COLUMNS * 4, COLUMNS * 4, ROWS, H2D, stream))
        ok(acl.rt.memcpy2d_async(addresses[target], COLUMNS * 4, device, 512, COLUMNS * 4, ROWS, D2H, stream))
        ok(acl.rt.launch_host_func(stream, done.put, (source, target)))


thread = threading.Thread(target=produce)
thread.start()
for number in range(ROUNDS):
    source, target = done.get()
    assert (arrays[target] == number).all(), number
    free.put((source, target))
thread.join()

try:
    acl.rt.memcpy2d_async(device, 512, np.uint64(addresses[0]), 400, 400, ROWS, H2D, stream)
except TypeError as error:
    assert "argument 3 (src) must be int" in str(error)
assert acl.rt.memcpy2d_async(device, 16, addresses[0], 400, 400, ROWS, H2D, stream) == 100000
assert "dpitch" in acl.get_recent_err_msg()

del arrays
for at in addresses:
    ok(acl.rt.free_host(at))
ok(acl.rt.free(device))
ok(acl.rt.destroy_stream(stream))
ok(acl.rt.reset_device(0))
ok(acl.finalize())
print("pipeline done")

# SPDX-License-Identifier: Apache-2.0
"""Memory over many calls. CALLS in the environment: how many, 100000 unless given.

PYTHONMALLOC=malloc makes every object of Python an allocation of the C library, so that each byte is counted: an object
whose reference was lost shows as much as a block of C.
"""
import ctypes
import gc
import os
import unittest
import warnings

import acl
from support import AclTest, generate, needs_numpy, numpy

CALLS = int(os.environ.get("CALLS", "100000"))
CACHES = 64 * 1024  # bytes that the interpreter's and the library's caches may come to hold


def lookup(name):
    found = acl
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()]


def heap_bytes():
    """Bytes that the process holds from malloc. 0 where the C library does not tell (a sanitizer's malloc)."""
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except AttributeError:
        return 0
    mallinfo.restype = Mallinfo
    info = mallinfo()
    return info.uordblks + info.hblkhd


@unittest.skipUnless(os.environ.get("PYTHONMALLOC") == "malloc", "needs PYTHONMALLOC=malloc, to count every byte")
class Leaks(AclTest):
    def assert_keeps_nothing(self, call, calls=CALLS):
        """Runs call() often: the memory in use must not grow with the number of calls."""
        for _ in range(1000):
            call()
        gc.collect()
        before = heap_bytes()
        for _ in range(calls):
            call()
        gc.collect()
        self.assertLess(heap_bytes() - before, calls + CACHES)  # the smallest leak is 24 bytes a call

    def test_copy(self):
        device, host = self.device(64), self.pinned(bytes(64))
        self.assert_keeps_nothing(lambda: acl.rt.memcpy2d_async(device, 8, host, 8, 8, 8, 1, self.stream))
        self.synchronize()

    def test_allocation(self):
        self.assert_keeps_nothing(lambda: acl.rt.free(acl.rt.malloc(64, 0)[0]))

    def test_dicts(self):
        device = self.device(64)
        self.assert_keeps_nothing(lambda: acl.rt.pointer_get_attributes(device))
        cfg = {"attrs": [{"attr": 1, "value": {"moduleId": 3}}], "numAttrs": 1}
        self.assert_keeps_nothing(lambda: acl.rt.free(acl.rt.malloc_with_cfg(64, 0, cfg)[0]), CALLS // 4)

    def test_texts(self):
        self.assert_keeps_nothing(lambda: acl.get_version_str("runtime"), CALLS // 4)
        self.assert_keeps_nothing(lambda: (acl.rt.malloc(0, 0), acl.get_recent_err_msg()), CALLS // 4)

    def test_bytes(self):
        data = bytes(100)
        self.assert_keeps_nothing(lambda: acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(data), 100))

    @needs_numpy
    def test_arrays(self):
        array = numpy.zeros((4, 4))[:, 1:3]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assert_keeps_nothing(
                lambda: acl.util.ptr_to_numpy(acl.util.numpy_contiguous_to_ptr(array)[0], (8,), 12), CALLS // 20)

    def test_host_functions(self):
        def call():
            acl.rt.launch_host_func(self.stream, str, object())
            acl.rt.synchronize_stream(self.stream)
        self.assert_keeps_nothing(call, CALLS // 10)

    def test_host_functions_that_are_dropped(self):
        def call():
            stream, _ = acl.rt.create_stream()
            acl.rt.set_stream_failure_mode(stream, 1)
            acl.rt.memcpy_async(device, 64, host, 64, 1, stream)  # leaves the allocation: the stream stops
            for _ in range(50):
                acl.rt.launch_host_func(stream, str, object())
            acl.rt.destroy_stream(stream)
        device, host = self.device(8), self.pinned(bytes(64))
        self.assert_keeps_nothing(call, CALLS // 50)

    def test_threads(self):
        self.assert_keeps_nothing(lambda: acl.util.stop_thread(acl.util.start_thread(str, [])[0]), CALLS // 10)

    def test_every_function_with_wrong_arguments(self):
        functions = [f for f in generate.read_table() if not f.any_arguments]

        def call():
            for f in functions:
                try:
                    lookup(f.name)(*["text"] * (len(f.arguments) - 1), None, None)
                except TypeError:
                    pass
                try:
                    lookup(f.name)(*["text"] * (len(f.arguments) - 1), 1.5j)
                except (TypeError, ValueError):
                    pass
        self.assert_keeps_nothing(call, CALLS // 500)

    def test_every_function_that_refuses(self):
        value = {"callable": str, "dict": {}, "list": [], "str": "", "f32": 0.0}
        calls = [(lookup(f.name), [value.get(a.type, 0) for a in f.arguments])
                 for f in generate.read_table() if f.missing]

        def call():
            for function, arguments in calls:
                function(*arguments)
        self.assert_keeps_nothing(call, CALLS // 200)
        acl.get_recent_err_msg()


if __name__ == "__main__":
    unittest.main()

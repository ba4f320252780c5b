# SPDX-License-Identifier: Apache-2.0
"""usage: python_cases.py CASE. One case of host accesses from Python; check_python.py says what must be found in which."""
import ctypes
import os
import struct
import sys

import acl
from pacl_constants import ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE

BYTES, PITCH, WIDTH, ROWS = 65536, 256, 64, 100


def ok(result):
    value, ret = result if isinstance(result, tuple) else (None, result)
    assert ret == 0, ret
    return value


class Setting:
    def __enter__(self):
        ok(acl.init())
        ok(acl.rt.set_device(0))
        self.stream = ok(acl.rt.create_stream())
        self.device = ok(acl.rt.malloc(BYTES, 0))
        self.host = ok(acl.rt.malloc_host(BYTES))
        self.bytes = memoryview((ctypes.c_ubyte * BYTES).from_address(self.host)).cast("B")
        self.bytes[:] = b"\1" * BYTES
        ok(acl.rt.memset(self.device, BYTES, 2, BYTES))
        return self

    def __exit__(self, *exception):
        self.synchronize()
        del self.bytes
        ok(acl.rt.free_host(self.host))
        ok(acl.rt.free(self.device))
        ok(acl.rt.destroy_stream(self.stream))
        ok(acl.rt.reset_device(0))
        ok(acl.finalize())

    def synchronize(self):
        ok(acl.rt.synchronize_stream(self.stream))

    def download(self):
        ok(acl.rt.memcpy2d_async(self.host, PITCH, self.device, WIDTH, WIDTH, ROWS, ACL_MEMCPY_DEVICE_TO_HOST, self.stream))

    def upload(self):
        ok(acl.rt.memcpy2d_async(self.device, WIDTH, self.host, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, self.stream))

    def matrix(self):
        import numpy
        return numpy.frombuffer(self.bytes, dtype=numpy.uint8)[:ROWS * PITCH].reshape(ROWS, PITCH)


# --- wrong ------------------------------------------------------------------------------------------------------------


def view_read_before_synchronize(s):
    s.download()
    assert s.bytes[0] in (1, 2)


def view_written_before_synchronize(s):
    s.upload()
    s.bytes[(ROWS - 1) * PITCH + WIDTH - 1] = 9


def numpy_sum_before_synchronize(s):
    matrix = s.matrix()
    s.download()
    assert matrix[:, :WIDTH].sum() > 0


def numpy_fill_source_before_synchronize(s):
    matrix = s.matrix()
    s.upload()
    matrix[3, :WIDTH] = 7


def struct_unpack_across_the_border(s):
    s.download()
    struct.unpack_from("<Q", s.bytes, PITCH - 7)


def file_read_into_destination(s):
    with open("/dev/zero", "rb", buffering=0) as file:
        s.download()
        assert file.readinto(s.bytes) == BYTES
        assert s.bytes[BYTES - 1] == 0


def device_pointer_is_read(s):
    ctypes.c_ubyte.from_address(s.device + 16).value


# --- right ------------------------------------------------------------------------------------------------------------


def view_read_after_synchronize(s):
    s.download()
    s.synchronize()
    assert s.bytes[0] == 2 and s.bytes[WIDTH] == 1


def padding_of_numpy_matrix(s):
    matrix = s.matrix()
    s.download()
    matrix[:, WIDTH:] = 5
    assert (matrix[:, WIDTH:] == 5).all()
    s.synchronize()
    assert (matrix[:, :WIDTH] == 2).all() and (matrix[:, WIDTH:] == 5).all()


def source_is_read(s):
    s.upload()
    assert bytes(s.bytes) == b"\1" * BYTES


def files_and_pipes_beside_the_rows(s):
    reader, writer = os.pipe()
    s.download()
    gap = s.bytes[WIDTH:PITCH]
    gap[:] = b"\3" * len(gap)
    assert os.write(writer, gap) == len(gap)
    assert os.readv(reader, [s.bytes[PITCH + WIDTH:2 * PITCH]]) == len(gap)
    assert bytes(s.bytes[PITCH + WIDTH:2 * PITCH]) == b"\3" * len(gap)


def host_function_uses_the_result(s):
    seen = []
    s.download()
    ok(acl.rt.launch_host_func(s.stream, lambda view: seen.append(view[0]), s.bytes))
    s.synchronize()
    assert seen == [2]


def bytes_of_pageable_memory(s):
    target = bytearray(BYTES)
    address = ctypes.addressof((ctypes.c_ubyte * BYTES).from_buffer(target))
    ok(acl.rt.memcpy_async(address, BYTES, s.device, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, s.stream))
    assert target == b"\2" * BYTES


if __name__ == "__main__":
    with Setting() as setting:
        globals()[sys.argv[1]](setting)

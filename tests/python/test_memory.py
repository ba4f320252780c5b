# SPDX-License-Identifier: Apache-2.0
"""Virtual memory, memory and notifies between two Python processes, allocators."""
import os
import subprocess
import sys
import unittest

import acl
from support import AclTest
from pacl_constants import (ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_IPC_ERROR, ACL_ERROR_RT_PARAM_INVALID,
                            ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_HOST_TO_DEVICE)

UNIT = 2 << 20
PROP = {"handleType": 0, "allocationType": 0, "memAttr": 4, "reserve": 0,
        "location": {"id": 0, "type": ACL_MEM_LOCATION_TYPE_DEVICE}}

# Imports memory and a notify by the keys that it reads; waits for the notify, then turns every byte around.
PEER = """
import os, acl
acl.init()
assert acl.rt.set_device(0) == 0
stream, ret = acl.rt.create_stream()
assert ret == 0
print(os.getpid(), flush=True)
key, notify_key, size = input().split()
size = int(size)
refused = acl.rt.ipc_mem_import_by_key(key, 0)[1]
print(refused, flush=True)
input()
at, ret = acl.rt.ipc_mem_import_by_key(key, 0)
assert ret == 0, acl.get_recent_err_msg()
notify, ret = acl.rt.notify_import_by_key(notify_key, 0)
assert ret == 0, acl.get_recent_err_msg()
host, ret = acl.rt.malloc_host(size)
assert ret == 0
assert acl.rt.wait_and_reset_notify(notify, stream, 0) == 0
assert acl.rt.memcpy_async(host, size, at, size, 2, stream) == 0
assert acl.rt.synchronize_stream(stream) == 0
data = acl.util.ptr_to_bytes(host, size)
back = acl.util.bytes_to_ptr(data[::-1])
assert acl.rt.memcpy(at, size, back, size, 1) == 0
assert acl.rt.ipc_mem_close(key) == 0
assert acl.rt.destroy_notify(notify) == 0
print("done", flush=True)
"""


class VirtualMemory(AclTest):
    def test_reserve_map_copy_unmap(self):
        granularity, ret = acl.rt.mem_get_allocation_granularity(PROP, 0)
        self.ok(ret)
        self.assertEqual(granularity, UNIT)
        at, ret = acl.rt.reserve_mem_address(4 * UNIT, 0, 0, 1)
        self.ok(ret)
        for place in (at, at + UNIT):
            handle, ret = acl.rt.malloc_physical(UNIT, PROP, 0)
            self.ok(ret)
            self.ok(acl.rt.map_mem(place, UNIT, 0, handle, 0))
            self.ok(acl.rt.free_physical(handle))
        data = bytes(range(256)) * 16
        seam = at + UNIT - 2048
        self.ok(acl.rt.memcpy(seam, 4096, self.pinned(data), 4096, ACL_MEMCPY_HOST_TO_DEVICE))
        self.assertEqual(self.device_bytes(seam, 4096), data)
        self.assertEqual(acl.rt.release_mem_address(at), ACL_ERROR_RT_PARAM_INVALID)
        self.ok(acl.rt.unmap_mem(at))
        self.ok(acl.rt.unmap_mem(at + UNIT))
        self.ok(acl.rt.release_mem_address(at))

    def test_wrong_properties(self):
        handle, ret = acl.rt.malloc_physical(UNIT, {**PROP, "handleType": 2}, 0)
        self.assertEqual((handle, ret), (0, ACL_ERROR_INVALID_PARAM))
        handle, ret = acl.rt.malloc_physical(UNIT + 1, PROP, 0)
        self.assertEqual((handle, ret), (0, ACL_ERROR_RT_PARAM_INVALID))
        self.assertEqual(acl.rt.mem_get_allocation_granularity(PROP, 9)[1], ACL_ERROR_INVALID_PARAM)
        self.assertEqual(acl.rt.free_physical(0x10), ACL_ERROR_RT_PARAM_INVALID)

    def test_shareable_handle(self):
        handle, ret = acl.rt.malloc_physical(UNIT, PROP, 0)
        self.ok(ret)
        number, ret = acl.rt.mem_export_to_shareable_handle(handle, 0, 0)
        self.ok(ret)
        self.ok(acl.rt.mem_set_pid_to_shareable_handle(number, [os.getpid(), 1]))
        self.assertEqual(acl.rt.mem_set_pid_to_shareable_handle(number, []), ACL_ERROR_RT_PARAM_INVALID)
        with self.assertRaises(TypeError):
            acl.rt.mem_set_pid_to_shareable_handle(number, ["1"])
        self.assertEqual(acl.rt.mem_import_from_shareable_handle(number, 0), (0, ACL_ERROR_RT_PARAM_INVALID))
        self.ok(acl.rt.free_physical(handle))


class BetweenProcesses(AclTest):
    def test_memory_and_notify(self):
        size = 65536
        at = self.device(size)
        data = os.urandom(size)
        host = self.pinned(data)
        key, ret = acl.rt.ipc_mem_get_export_key(at, size, 65, 0)
        self.ok(ret)
        self.assertEqual(len(key), 64)
        notify, ret = acl.rt.create_notify(0)
        self.ok(ret)
        notify_key, ret = acl.rt.notify_get_export_key(notify, 65, 0)
        self.ok(ret)
        with subprocess.Popen([sys.executable, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as peer:
            pid = int(peer.stdout.readline())
            peer.stdin.write(f"{key} {notify_key} {size}\n")
            peer.stdin.flush()
            self.assertEqual(int(peer.stdout.readline()), ACL_ERROR_RT_IPC_ERROR)  # not allowed yet
            self.ok(acl.rt.ipc_mem_set_import_pid(key, [pid]))
            self.ok(acl.rt.notify_set_import_pid(notify, [pid]))
            peer.stdin.write("\n")
            peer.stdin.flush()
            self.ok(acl.rt.memcpy_async(at, size, host, size, ACL_MEMCPY_HOST_TO_DEVICE, self.stream))
            self.ok(acl.rt.record_notify(notify, self.stream))
            self.assertEqual(peer.stdout.readline(), "done\n")
            peer.stdin.close()
            self.assertEqual(peer.wait(), 0)
        self.ok(acl.rt.memcpy(host, size, at, size, ACL_MEMCPY_DEVICE_TO_HOST))
        self.assertEqual(acl.util.ptr_to_bytes(host, size), data[::-1])
        self.ok(acl.rt.ipc_mem_close(key))
        self.ok(acl.rt.destroy_notify(notify))

    def test_wrong_arguments(self):
        with self.assertRaises(ValueError):
            acl.rt.ipc_mem_get_export_key(self.device(4096), 4096, 1024, 0)
        with self.assertRaises(ValueError):
            acl.rt.notify_get_export_key(0x10, 1024, 0)
        self.assertEqual(acl.rt.ipc_mem_get_export_key(self.device(4096), 4096, 64, 0), ("", ACL_ERROR_RT_PARAM_INVALID))
        self.assertEqual(acl.rt.ipc_mem_import_by_key("no key", 0), (0, ACL_ERROR_RT_PARAM_INVALID))
        self.assertEqual(acl.rt.ipc_mem_close("no key"), ACL_ERROR_RT_PARAM_INVALID)
        self.assertEqual(acl.rt.notify_import_by_key("no key", 0), (0, ACL_ERROR_RT_PARAM_INVALID))


class Allocators(AclTest):
    def test_register_and_unregister(self):
        desc = acl.rt.allocator_create_desc()
        self.assertNotEqual(desc, 0)
        self.assertEqual(acl.rt.allocator_register(self.stream, desc), ACL_ERROR_INVALID_PARAM)  # empty
        self.ok(acl.rt.allocator_set_obj_to_desc(desc, 0x1234))
        self.ok(acl.rt.allocator_set_alloc_func_to_desc(desc, lambda allocator, size: None))
        self.ok(acl.rt.allocator_set_free_func_to_desc(desc, lambda allocator, block: None))
        self.ok(acl.rt.allocator_set_alloc_advise_func_to_desc(desc, lambda allocator, size, addr: None))
        self.ok(acl.rt.allocator_set_get_addr_from_block_func_to_desc(desc, lambda block: None))
        self.ok(acl.rt.allocator_register(self.stream, desc))
        self.ok(acl.rt.allocator_unregister(self.stream))
        self.ok(acl.rt.allocator_destroy_desc(desc))
        self.assertEqual(acl.rt.allocator_destroy_desc(desc), ACL_ERROR_INVALID_PARAM)
        self.assertEqual(acl.rt.allocator_set_free_func_to_desc(desc, print), ACL_ERROR_INVALID_PARAM)


if __name__ == "__main__":
    unittest.main()

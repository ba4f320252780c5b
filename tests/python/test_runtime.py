# SPDX-License-Identifier: Apache-2.0
"""What the functions do: one test per group of functions, results and errors."""
import ctypes
import unittest

import acl
from acl.rt import memcpy
from support import AclTest, Gate, python
from pacl_constants import (ACL_DEVICE, ACL_ERROR_INVALID_PARAM, ACL_ERROR_RT_CONTEXT_NULL,
                            ACL_ERROR_RT_INVALID_DEVICEID,
                            ACL_ERROR_RT_INVALID_HANDLE, ACL_ERROR_RT_PARAM_INVALID, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                            ACL_EVENT_SYNC, ACL_EVENT_TIME_LINE, ACL_HOST,
                            ACL_MEM_LOCATION_TYPE_DEVICE, ACL_MEM_LOCATION_TYPE_HOST,
                            ACL_MEM_LOCATION_TYPE_UNREGISTERED, ACL_MEMCPY_DEVICE_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST,
                            ACL_MEMCPY_HOST_TO_DEVICE, ACL_STREAM_STATUS_COMPLETE, ACL_STREAM_STATUS_NOT_READY)

H2D, D2H, D2D = ACL_MEMCPY_HOST_TO_DEVICE, ACL_MEMCPY_DEVICE_TO_HOST, ACL_MEMCPY_DEVICE_TO_DEVICE
NO_HANDLE = 0x10  # a made-up handle


class General(AclTest):
    def test_init_and_finalize(self):
        python("import acl\n"
               "assert acl.init() == 0\n"
               "assert acl.init('') == 100002\n"  # repeated: counted nevertheless
               "assert acl.finalize_reference() == (1, 0)\n"
               "assert acl.finalize_reference() == (0, 0)\n"
               "assert acl.finalize_reference() == (0, 100037)\n"
               "assert acl.init() == 0\n"
               "assert acl.finalize() == 0\n"
               "assert acl.finalize() == 100037\n")

    def test_init_with_a_file_that_is_not_there(self):
        python("import acl\nassert acl.init('/nowhere/acl.json') != 0\nassert '/nowhere' in acl.get_recent_err_msg()\n")

    def test_version(self):
        self.assertEqual(acl.get_version(), (1, 17, 0, 0))

    def test_version_text(self):
        text, ret = acl.get_version_str("no such package")
        self.assertEqual((text, ret != 0), ("", True))
        self.assertNotEqual(acl.get_version_str("x" * 1000)[1], 0)  # longer than the C buffer

    def test_soc_name(self):
        self.assertEqual(python("import acl; print(acl.get_soc_name())",
                                environment={"PACL_PRODUCT": "atlas-a2"}).stdout, "Ascend910B1\n")

    def test_half_floats(self):
        for bits, number in ((0x3C00, 1.0), (0xC000, -2.0), (0, 0.0), (0x7BFF, 65504.0)):
            self.assertEqual(acl.float16_to_float(bits), number)
            self.assertEqual(acl.float_to_float16(number), bits)

    def test_data_type_size(self):
        self.assertEqual([acl.data_type_size(t) for t in (0, 1, 9, 11)], [4, 2, 8, 8])

    def test_recent_err_msg(self):
        self.assertIsNone(acl.get_recent_err_msg())
        self.assertEqual(acl.rt.malloc(0, 0), (0, ACL_ERROR_INVALID_PARAM))
        self.assertIn("aclrtMalloc", acl.get_recent_err_msg())
        self.assertIsNone(acl.get_recent_err_msg())

    def test_last_error(self):
        acl.rt.get_last_error(0)
        self.assertEqual(acl.rt.free(NO_HANDLE), ACL_ERROR_RT_PARAM_INVALID)
        self.assertEqual(acl.rt.peek_at_last_error(0), ACL_ERROR_RT_PARAM_INVALID)
        self.assertEqual(acl.rt.get_last_error(0), ACL_ERROR_RT_PARAM_INVALID)
        self.assertEqual(acl.rt.get_last_error(0), 0)
        self.assertEqual(acl.rt.get_last_error(7), ACL_ERROR_INVALID_PARAM)


class Devices(AclTest):
    def test_device(self):
        self.assertEqual(acl.rt.get_device(), (0, 0))
        count, ret = acl.rt.get_device_count()
        self.ok(ret)
        self.assertEqual(acl.rt.set_device(count), ACL_ERROR_RT_INVALID_DEVICEID)
        self.assertIn(acl.rt.get_run_mode(), ((ACL_HOST, 0), (ACL_DEVICE, 0)))

    def test_info(self):
        value, ret = acl.rt.get_device_info(0, 301)  # global memory
        self.ok(ret)
        self.assertIsInstance(value, int)
        self.assertEqual(acl.rt.get_device_info(0, 0xFFFFFFFF)[1], ACL_ERROR_RT_PARAM_INVALID)

    def test_info_loses_the_upper_half(self):
        """As on the original, whose binding makes a 32-bit number of it."""
        script = "import acl; print(acl.rt.get_device_info(0, 301))"
        for size, value in (("1G", 1 << 30), ("4G", 0), ("6G", -(1 << 31))):
            self.assertEqual(python(script, environment={"PACL_DEVICE_MEMORY": size}).stdout, f"({value}, 0)\n")

    def test_no_context_in_a_new_thread(self):
        import threading
        answers = []
        thread = threading.Thread(target=lambda: answers.extend([acl.rt.get_device(), acl.rt.malloc(64, 0)]))
        thread.start()
        thread.join()
        self.assertEqual(answers, [(0, ACL_ERROR_RT_CONTEXT_NULL), (0, ACL_ERROR_RT_CONTEXT_NULL)])

    def test_peers(self):
        python("import acl\n"
               "assert acl.rt.set_device(0) == 0\n"
               "assert acl.rt.device_can_access_peer(0, 1) == (1, 0)\n"
               "assert acl.rt.device_peer_access_status(0, 1) == (0, 0)\n"
               "assert acl.rt.device_enable_peer_access(1, 0) == 0\n"
               "assert acl.rt.device_peer_access_status(0, 1) == (1, 0)\n"
               "assert acl.rt.device_disable_peer_access(1) == 0\n"
               "assert acl.rt.device_enable_peer_access(1, 1) == 200006\n"
               "assert acl.rt.device_can_access_peer(0, 0)[1] == 100000\n",
               environment={"PACL_DEVICES": "2", "PACL_PRODUCT": "atlas-a2"})

    def test_reset(self):
        python("import acl\n"
               "assert acl.rt.set_device(0) == 0\n"
               "assert acl.rt.reset_device(0) == 0\n"
               "assert acl.rt.get_device()[1] == 107002\n"
               "assert acl.rt.set_device(0) == acl.rt.set_device(0) == 0\n"
               "assert acl.rt.reset_device_force(0) == 0\n"
               "assert acl.rt.get_device()[1] == 107002\n"
               "assert acl.rt.reset_device_force(99) == 107001\n")

    def test_contexts(self):
        before, ret = acl.rt.get_context()
        self.ok(ret)
        context, ret = acl.rt.create_context(0)
        self.ok(ret)
        self.assertEqual(acl.rt.get_context(), (context, 0))
        stream, ret = acl.rt.ctx_get_current_default_stream()
        self.ok(ret)
        self.assertNotEqual(stream, 0)
        self.ok(acl.rt.set_context(before))
        self.ok(acl.rt.destroy_context(context))
        self.assertNotEqual(acl.rt.set_context(context), 0)
        self.assertEqual(acl.rt.create_context(-1), (0, ACL_ERROR_RT_INVALID_DEVICEID))


class Streams(AclTest):
    def test_create(self):
        stream, ret = acl.rt.create_stream_with_config(0, 0)
        self.ok(ret)
        number, ret = acl.rt.stream_get_id(stream)
        self.ok(ret)
        self.assertNotEqual(number, acl.rt.stream_get_id(self.stream)[0])
        self.ok(acl.rt.set_stream_failure_mode(stream, 1))
        self.ok(acl.rt.destroy_stream_force(stream))
        self.assertEqual(acl.rt.destroy_stream(stream), ACL_ERROR_RT_INVALID_HANDLE)
        self.assertEqual(acl.rt.stream_query(stream)[1], ACL_ERROR_RT_INVALID_HANDLE)
        self.assertEqual(acl.rt.destroy_stream(0), ACL_ERROR_INVALID_PARAM)

    def test_query_and_timeouts(self):
        self.assertEqual(acl.rt.stream_query(self.stream), (ACL_STREAM_STATUS_COMPLETE, 0))
        gate = Gate(self.stream)
        self.assertEqual(acl.rt.stream_query(self.stream), (ACL_STREAM_STATUS_NOT_READY, 0))
        self.assertEqual(acl.rt.synchronize_stream_with_timeout(self.stream, 1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)
        self.assertEqual(acl.rt.synchronize_device_with_timeout(1), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)
        gate.open()
        self.ok(acl.rt.synchronize_stream_with_timeout(self.stream, -1))
        self.ok(acl.rt.synchronize_device_with_timeout(-1))
        self.ok(acl.rt.synchronize_device())

    def test_query_of_no_stream_answers_reserved(self):
        self.assertEqual(acl.rt.stream_query(NO_HANDLE), (65535, ACL_ERROR_RT_INVALID_HANDLE))

    def test_late_failure(self):
        """A copy that leaves its allocation fails when it runs; the next synchronization tells."""
        device, host = self.device(64), self.pinned(bytes(128))
        self.ok(acl.rt.memcpy2d_async(device, 64, host, 64, 64, 2, H2D, self.stream))
        self.assertEqual(acl.rt.synchronize_stream(self.stream), 507013)
        self.assertIn("aclrtMemcpy2dAsync", acl.get_recent_err_msg())


class Events(AclTest):
    def event(self, create=acl.rt.create_event, *arguments):
        event, ret = create(*arguments)
        self.ok(ret)
        self.addCleanup(acl.rt.destroy_event, event)
        return event

    def test_order_between_streams(self):
        other, ret = acl.rt.create_stream()
        self.ok(ret)
        event = self.event()
        gate = Gate(self.stream)
        self.ok(acl.rt.record_event(event, self.stream))
        self.ok(acl.rt.stream_wait_event(other, event))
        self.assertEqual(acl.rt.stream_query(other), (ACL_STREAM_STATUS_NOT_READY, 0))
        self.assertEqual(acl.rt.query_event(event), (1, 0))
        self.assertEqual(acl.rt.query_event_status(event), (0, 0))
        self.assertEqual(acl.rt.query_event_wait_status(event)[1], 0)
        self.assertEqual(acl.rt.synchronize_event_with_timeout(event, 1), 507047)
        gate.open()
        self.ok(acl.rt.synchronize_event(event))
        self.assertEqual(acl.rt.query_event_status(event), (1, 0))
        self.ok(acl.rt.destroy_stream(other))
        self.ok(acl.rt.reset_event(event, self.stream))
        self.synchronize()

    def test_times(self):
        first = self.event(acl.rt.create_event_with_flag, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC)
        second = self.event(acl.rt.create_event_ex_with_flag, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC)
        for event in (first, second):
            self.ok(acl.rt.record_event(event, self.stream))
        self.synchronize()
        ms, ret = acl.rt.event_elapsed_time(first, second)
        self.ok(ret)
        self.assertGreaterEqual(ms, 0.0)
        begin, end = acl.rt.event_get_timestamp(first), acl.rt.event_get_timestamp(second)
        self.assertEqual((begin[1], end[1]), (0, 0))
        self.assertGreaterEqual(end[0], begin[0])
        self.assertAlmostEqual((end[0] - begin[0]) / 1000, ms, delta=0.01)

    def test_no_events(self):
        for call, arguments in ((acl.rt.record_event, (NO_HANDLE, 0)), (acl.rt.reset_event, (NO_HANDLE, 0)),
                                (acl.rt.stream_wait_event, (0, NO_HANDLE)), (acl.rt.synchronize_event, (NO_HANDLE,)),
                                (acl.rt.destroy_event, (NO_HANDLE,))):
            self.assertEqual(call(*arguments), ACL_ERROR_RT_INVALID_HANDLE, call.__name__)
        for call in (acl.rt.query_event, acl.rt.query_event_status, acl.rt.query_event_wait_status,
                     acl.rt.event_get_timestamp):
            self.assertEqual(call(NO_HANDLE), (0, ACL_ERROR_RT_INVALID_HANDLE), call.__name__)
        self.assertEqual(acl.rt.event_elapsed_time(NO_HANDLE, NO_HANDLE), (0.0, ACL_ERROR_RT_INVALID_HANDLE))
        self.assertEqual(acl.rt.create_event_with_flag(0), (0, ACL_ERROR_RT_PARAM_INVALID))
        self.assertEqual(acl.rt.create_event_ex_with_flag(0xFFFF), (0, ACL_ERROR_RT_PARAM_INVALID))


class Memory(AclTest):
    def test_device_memory(self):
        for allocate in (acl.rt.malloc, acl.rt.malloc_align32, acl.rt.malloc_cached):
            at, ret = allocate(100, 0)
            self.ok(ret)
            self.assertEqual(at % 64, 0)
            self.ok(acl.rt.free(at))
            self.assertEqual(acl.rt.free(at), ACL_ERROR_RT_PARAM_INVALID)
            self.assertEqual(allocate(0, 0), (0, ACL_ERROR_INVALID_PARAM))
            self.assertEqual(allocate(-1, 0), (0, ACL_ERROR_INVALID_PARAM))  # wraps to the largest size

    def test_pinned_memory(self):
        at, ret = acl.rt.malloc_host(100)
        self.ok(ret)
        self.ok(acl.rt.free_host(at))
        self.assertEqual(acl.rt.free_host(at), ACL_ERROR_RT_PARAM_INVALID)

    def test_memory_with_configuration(self):
        cfg = {"attrs": [{"attr": 1, "value": {"moduleId": 3}}, {"attr": 2, "value": {"deviceId": 0}}], "numAttrs": 2}
        for allocate, free, arguments in ((acl.rt.malloc_with_cfg, acl.rt.free, (64, 0)),
                                          (acl.rt.malloc_host_with_cfg, acl.rt.free_host, (64,))):
            for value in ({}, {"attrs": [], "numAttrs": 0}, cfg, {"attrs": [{"attr": 0, "value": {"rsv": [1] * 8}}],
                                                                  "numAttrs": 1}):
                with self.subTest(allocate.__name__, cfg=value):
                    at, ret = allocate(*arguments, value)
                    self.assertIn(ret, (0, ACL_ERROR_RT_PARAM_INVALID))
                    if ret == 0:
                        self.ok(free(at))

    def test_configurations_that_do_not_convert(self):
        attribute = {"attr": 1, "value": {"moduleId": 3}}
        for cfg, error in (({"attrs": [attribute], "numAttrs": 2}, KeyError), ({"numAttrs": 1}, KeyError),
                           ({"attrs": [attribute]}, KeyError), ({"attrs": [1], "numAttrs": 1}, TypeError),
                           ({"attrs": [{"attr": 1}], "numAttrs": 1}, KeyError),
                           ({"attrs": [{"attr": 1, "value": {}}], "numAttrs": 1}, KeyError),
                           ({"attrs": [{"attr": 1, "value": {"rsv": [0] * 9}}], "numAttrs": 1}, ValueError)):
            with self.subTest(cfg=cfg), self.assertRaises(error):
                acl.rt.malloc_with_cfg(64, 0, cfg)

    def test_configurations_that_change_while_they_are_read(self):
        class Key:
            """Runs code when it is compared with a name that is looked up."""
            def __init__(self, name, action):
                self.name, self.action = name, action

            def __hash__(self):
                return hash(self.name)

            def __eq__(self, other):
                self.action()
                return self.name == other

        for name in ("attr", "value", "moduleId", "deviceId", "rsv", "attrs", "numAttrs"):
            for allocate, arguments in ((acl.rt.malloc_with_cfg, (64, 0)), (acl.rt.malloc_host_with_cfg, (64,))):
                with self.subTest(allocate.__name__, name=name):
                    value, attribute, attributes, cfg = {}, {}, [], {}

                    def clear():
                        for each in (attributes, value, attribute, cfg):
                            each.clear()
                    inner = {"attr": 1, "value": value, "moduleId": 1, "deviceId": 1, "rsv": [1] * 8,
                             "attrs": attributes, "numAttrs": 1}
                    for target, names in ((value, (name,) if name in ("deviceId", "rsv") else ("moduleId",)),
                                          (attribute, ("attr", "value")), (cfg, ("attrs", "numAttrs"))):
                        target.update({Key(n, clear) if n == name else n: inner[n] for n in names})
                    attributes.append(attribute)
                    try:
                        at, ret = allocate(*arguments, cfg)
                    except (KeyError, TypeError):
                        continue
                    self.ok(ret)
                    self.ok((acl.rt.free if len(arguments) == 2 else acl.rt.free_host)(at))

    def test_pointer_attributes(self):
        host = ctypes.create_string_buffer(8)
        for at, kind in ((self.device(64), ACL_MEM_LOCATION_TYPE_DEVICE),
                         (self.pinned(b"x"), ACL_MEM_LOCATION_TYPE_HOST),
                         (ctypes.addressof(host), ACL_MEM_LOCATION_TYPE_UNREGISTERED)):
            attributes, ret = acl.rt.pointer_get_attributes(at)
            self.ok(ret)
            self.assertEqual(attributes["location"], {"id": 0, "type": kind})
            self.assertEqual(attributes["rsv"], [0, 0, 0, 0])
            self.assertEqual(set(attributes), {"location", "page_size", "rsv"})
        self.assertEqual(acl.rt.pointer_get_attributes(0)[1], ACL_ERROR_INVALID_PARAM)

    def test_memory_info(self):
        free, total, ret = acl.rt.get_mem_info(1)
        self.ok(ret)
        self.assertTrue(0 < free <= total)
        self.device(1 << 20)
        self.assertLessEqual(acl.rt.get_mem_info(1)[0], free - (1 << 20))
        self.assertEqual(acl.rt.get_mem_info(99), (0, 0, 107016))

    def test_registered_memory(self):
        size = 8192
        buffer = ctypes.create_string_buffer(size)
        at = ctypes.addressof(buffer)
        pointer, ret = acl.rt.host_register(at, size, 0)
        self.ok(ret)
        self.assertEqual(pointer, at)
        self.assertEqual(acl.rt.host_get_device_pointer(at, 0), (at, 0))
        self.ok(acl.rt.host_unregister(at))
        self.assertEqual(acl.rt.host_unregister(at), 507911)
        self.ok(acl.rt.host_register_v2(at, size, 2))
        self.ok(acl.rt.host_unregister(at))
        self.assertEqual(acl.rt.host_register_v2(at, size, 0), ACL_ERROR_RT_PARAM_INVALID)
        self.assertEqual(acl.rt.host_get_device_pointer(at, 0)[1], ACL_ERROR_RT_PARAM_INVALID)


class Copies(AclTest):
    DATA = bytes(range(64))

    def test_1d(self):
        device, host = self.device(64), self.pinned(self.DATA)
        self.ok(memcpy(device, 64, host, 64, H2D))
        self.assertEqual(self.device_bytes(device, 64), self.DATA)
        self.assertEqual(memcpy(device, 63, host, 64, H2D), ACL_ERROR_RT_PARAM_INVALID)
        self.ok(acl.rt.memset(device, 64, 7, 64))
        self.assertEqual(self.device_bytes(device, 64), b"\7" * 64)
        self.assertNotEqual(acl.rt.memset(device, 63, 7, 64), 0)

    def test_1d_asynchronous(self):
        device, back = self.device(64), self.pinned(bytes(64))
        self.ok(acl.rt.memset_async(device, 64, 9, 64, self.stream))
        self.ok(acl.rt.memcpy_async(device, 32, self.pinned(self.DATA), 32, H2D, self.stream))
        self.ok(acl.rt.memcpy_async(back, 64, device, 64, D2H, self.stream))
        self.synchronize()
        self.assertEqual(acl.util.ptr_to_bytes(back, 64), self.DATA[:32] + b"\x09" * 32)
        self.assertEqual(acl.rt.memcpy_async(device, 64, back, 64, H2D, NO_HANDLE), ACL_ERROR_RT_INVALID_HANDLE)
        self.assertEqual(acl.rt.memset_async(device, 64, 9, 64, NO_HANDLE), ACL_ERROR_RT_INVALID_HANDLE)

    def test_values(self):
        cell, other = self.device(64), acl.rt.create_stream()[0]
        self.addCleanup(acl.rt.destroy_stream, other)
        self.ok(acl.rt.memset(cell, 64, 0, 64))
        self.ok(acl.rt.value_wait(cell, 5, 0, self.stream))
        self.assertEqual(acl.rt.stream_query(self.stream), (ACL_STREAM_STATUS_NOT_READY, 0))
        self.ok(acl.rt.value_write(cell, 5, 0, other))
        self.synchronize()
        self.assertEqual(self.device_bytes(cell, 8), (5).to_bytes(8, "little"))
        self.assertEqual(acl.rt.value_write(cell, 5, 1, other), ACL_ERROR_RT_PARAM_INVALID)
        self.assertEqual(acl.rt.value_wait(0, 5, 0, other), ACL_ERROR_INVALID_PARAM)

    def test_reduce(self):
        device, addend = self.device(64), self.pinned(bytes([1, 2] * 32))
        self.ok(acl.rt.memset(device, 64, 3, 64))
        self.ok(acl.rt.reduce_async(device, addend, 64, 10, 4, self.stream, 0))  # sum of uint8
        self.ok(acl.rt.reduce_async(device, self.pinned(b"\4" * 64), 64, 12, 4, self.stream, 0))  # the smaller
        self.synchronize()
        self.assertEqual(self.device_bytes(device, 64), bytes([4, 4] * 32))
        self.assertEqual(acl.rt.reduce_async(device, addend, 64, 9, 4, self.stream, 0), ACL_ERROR_INVALID_PARAM)

    def test_copy_by_description(self):
        size, ret = acl.rt.get_memcpy_desc_size(6)
        self.assertEqual((size, ret), (64, 0))
        desc, source, target = self.device(size), self.device(64), self.device(64)
        self.ok(memcpy(source, 64, self.pinned(self.DATA), 64, H2D))
        self.assertEqual(acl.rt.set_memcpy_desc(desc, 6, source, target, 64, 0), (desc, 0))
        self.ok(acl.rt.memcpy_async_with_desc(desc, 6, self.stream))
        self.synchronize()
        self.assertEqual(self.device_bytes(target, 64), self.DATA)
        self.assertEqual(acl.rt.get_memcpy_desc_size(3)[1], 207000)

    def test_2d(self):
        """3 rows of 5 bytes, to a pitch of 8, and back to a pitch of 16; the gaps stay."""
        device, host, back = self.device(64), self.pinned(self.DATA), self.pinned(b"." * 64)
        self.ok(acl.rt.memset(device, 64, 0xEE, 64))
        self.ok(acl.rt.memcpy2d(device, 8, host, 6, 5, 3, H2D))
        row = [self.DATA[r * 6:r * 6 + 5] for r in range(3)]
        self.assertEqual(self.device_bytes(device, 24), b"".join(r + b"\xee" * 3 for r in row))
        self.ok(acl.rt.memcpy2d_async(back, 16, device, 8, 5, 3, D2H, self.stream))
        self.synchronize()
        self.assertEqual(acl.util.ptr_to_bytes(back, 48), b"".join(r + b"." * 11 for r in row))

    def test_2d_between_device_memory(self):
        first, second = self.device(64), self.device(64)
        self.ok(memcpy(first, 64, self.pinned(self.DATA), 64, H2D))
        self.ok(acl.rt.memset(second, 64, 0, 64))
        self.ok(acl.rt.memcpy2d_async(second, 4, first, 32, 4, 2, D2D, self.stream))
        self.synchronize()
        self.assertEqual(self.device_bytes(second, 8), self.DATA[:4] + self.DATA[32:36])

    def test_pyt_265_answers_an_int(self):
        device, host = self.device(64), self.pinned(bytes(64))
        answer = acl.rt.memcpy2d_async(device, 8, host, 8, 8, 1, 1, 0)
        self.assertIs(type(answer), int)
        self.assertEqual(answer, 0)

    def test_pyt_266_seven_arguments(self):
        with self.assertRaises(TypeError):
            acl.rt.memcpy2d_async(0, 8, 0, 8, 8, 1, 1)

    def test_pyt_268_width_one_past_the_limit(self):
        device, host = self.device(64), self.pinned(bytes(64))
        self.assertEqual(acl.rt.memcpy2d_async(device, 1 << 40, host, 1 << 40, 5000001, 1, 1, self.stream),
                         ACL_ERROR_RT_PARAM_INVALID)

    def test_pyt_269_height_one_past_the_limit(self):
        device, host = self.device(64), self.pinned(bytes(64))
        self.assertEqual(acl.rt.memcpy2d_async(device, 8, host, 8, 8, 5242881, 1, self.stream),
                         ACL_ERROR_RT_PARAM_INVALID)

    def test_2d_errors(self):
        device, host = self.device(64), self.pinned(bytes(64))
        for arguments, code in (((device, 4, host, 8, 8, 1, H2D), ACL_ERROR_INVALID_PARAM),
                                ((0, 8, host, 8, 8, 1, H2D), ACL_ERROR_INVALID_PARAM),
                                ((device, 8, host, 8, 8, 1, 0), ACL_ERROR_INVALID_PARAM),
                                ((device, 8, host, 8, 8, 1, 99), ACL_ERROR_INVALID_PARAM),
                                ((0, 0, 0, 0, 0, 1, 99), 0)):
            with self.subTest(arguments=arguments):
                self.assertEqual(acl.rt.memcpy2d(*arguments), code)
                self.assertEqual(acl.rt.memcpy2d_async(*arguments, self.stream), code)

    def test_pageable_memory_is_done_on_return(self):
        device = self.device(64)
        host = ctypes.create_string_buffer(self.DATA, 64)
        back = ctypes.create_string_buffer(64)
        self.ok(acl.rt.memcpy2d_async(device, 8, ctypes.addressof(host), 8, 8, 8, H2D, self.stream))
        self.ok(acl.rt.memcpy2d_async(ctypes.addressof(back), 8, device, 8, 8, 8, D2H, self.stream))
        self.assertEqual(back.raw, self.DATA)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Callbacks in a subscribed thread, exceptions, notifies, attributes of streams."""
import gc
import threading
import unittest
import weakref

import acl
from support import AclTest, python

NO_BLOCK, BLOCK = 0, 1


class Case(AclTest):
    def ok(self, answer):
        """The values of a successful answer: nothing, one, or a tuple."""
        *values, ret = answer if isinstance(answer, tuple) else (answer,)
        super().ok(ret)
        return values[0] if len(values) == 1 else tuple(values)


class Thing:
    """Something that a weak reference can watch."""


class Callbacks(Case):
    def setUp(self):
        super().setUp()
        self.ok(acl.rt.subscribe_report(threading.get_ident(), self.stream))
        self.addCleanup(acl.rt.unsubscribe_report, threading.get_ident(), self.stream)

    def test_in_the_subscribed_thread_in_order(self):
        seen = []
        for i in range(50):
            self.ok(acl.rt.launch_callback(seen.append, (i, threading.get_ident()), i % 2, self.stream))
        while len(seen) < 50:
            self.ok(acl.rt.process_report(-1))
        self.assertEqual(seen, [(i, threading.get_ident()) for i in range(50)])
        self.ok(acl.rt.synchronize_stream(self.stream))

    def test_a_thread_of_its_own(self):
        """As the original's samples do: start_thread gives the id that subscribe_report takes."""
        stream = self.ok(acl.rt.create_stream())
        context = self.ok(acl.rt.get_context())
        subscribed, seen, codes = threading.Event(), [], []

        def loop(args):
            acl.rt.set_context(context)
            subscribed.wait()
            while "quit" not in seen:
                codes.append(acl.rt.process_report(10000))

        thread = self.ok(acl.util.start_thread(loop, []))
        self.ok(acl.rt.subscribe_report(thread, stream))
        subscribed.set()
        self.ok(acl.rt.launch_callback(lambda _: seen.append(threading.get_ident()), None, BLOCK, stream))
        self.ok(acl.rt.launch_callback(seen.append, "quit", BLOCK, stream))
        self.ok(acl.rt.synchronize_stream(stream))
        self.ok(acl.util.stop_thread(thread))
        self.ok(acl.rt.unsubscribe_report(thread, stream))
        self.assertEqual(seen, [thread, "quit"])
        self.assertEqual(set(codes), {0})
        self.ok(acl.rt.destroy_stream(stream))

    def test_objects_are_kept_until_then(self):
        thing = Thing()
        gone = weakref.ref(thing)
        self.ok(acl.rt.launch_callback(lambda _: None, thing, BLOCK, self.stream))
        del thing
        gc.collect()
        self.assertIsNotNone(gone())
        self.ok(acl.rt.process_report(-1))
        self.assertIsNone(gone())

    def test_objects_of_dropped_callbacks_are_released(self):
        stream = self.ok(acl.rt.create_stream())
        self.ok(acl.rt.subscribe_report(threading.get_ident(), stream))
        thing = Thing()
        gone = weakref.ref(thing)
        self.ok(acl.rt.launch_callback(id, thing, BLOCK, stream))
        del thing
        self.ok(acl.rt.destroy_stream_force(stream))
        self.assertIsNone(gone())

    def test_refused(self):
        thing = Thing()
        gone = weakref.ref(thing)
        self.assertEqual(acl.rt.launch_callback(id, thing, 2, self.stream), 100000)
        del thing
        self.assertIsNone(gone())
        stream = self.ok(acl.rt.create_stream())
        self.assertEqual(acl.rt.launch_callback(id, None, BLOCK, stream), 107015)
        self.ok(acl.rt.destroy_stream(stream))
        self.assertRaises(TypeError, acl.rt.launch_callback, 1, None, BLOCK, self.stream)
        self.assertEqual(acl.rt.process_report(0), 100000)
        self.assertEqual(acl.rt.process_report(1), 507012)
        self.assertEqual(acl.rt.unsubscribe_report(1, self.stream), 107012)

    def test_an_exception_is_printed_and_the_stream_goes_on(self):
        done = python("import acl, threading\n"
                      "acl.rt.set_device(0)\n"
                      "stream = acl.rt.create_stream()[0]\n"
                      "acl.rt.subscribe_report(threading.get_ident(), stream)\n"
                      "acl.rt.launch_callback(lambda _: 1 // 0, None, 1, stream)\n"
                      "print(acl.rt.process_report(-1), acl.rt.synchronize_stream(stream))\n")
        self.assertEqual(done.stdout.split(), ["0", "0"])
        self.assertIn("ZeroDivisionError", done.stderr)


class Exceptions(Case):
    def tearDown(self):
        self.ok(acl.rt.set_exception_info_callback(None))
        super().tearDown()

    def queue_failure(self, stream):
        """Queues a copy that leaves its allocation."""
        device = self.ok(acl.rt.malloc(64, 0))
        pinned = self.ok(acl.rt.malloc_host(128))
        self.ok(acl.rt.memcpy_async(device, 128, pinned, 128, 1, stream))
        self.addCleanup(acl.rt.free, device)
        self.addCleanup(acl.rt.free_host, pinned)

    def test_a_failed_task_is_told(self):
        seen = []

        def note(info):
            seen.append((acl.rt.get_error_code_from_exception_info(info), acl.rt.get_task_id_from_exception_info(info),
                         acl.rt.get_stream_id_from_exception_info(info), acl.rt.get_device_id_from_exception_info(info),
                         acl.rt.get_thread_id_from_exception_info(info)))

        self.ok(acl.rt.set_exception_info_callback(note))
        self.queue_failure(self.stream)
        task = self.ok(acl.rt.get_thread_last_task_id())
        self.assertEqual(acl.rt.synchronize_stream(self.stream), 507013)
        self.assertEqual(seen, [(507013, task, self.ok(acl.rt.stream_get_id(self.stream)), 0,
                                 threading.get_native_id())])

    def test_a_query_that_returns_the_failure_does_not_hang(self):
        """It waits for the function, which takes the interpreter's lock."""
        seen = []
        self.ok(acl.rt.set_exception_info_callback(seen.append))
        self.queue_failure(self.stream)
        answers = set()
        while 507013 not in answers:
            answers.add(acl.rt.stream_query(self.stream)[1])
        self.assertEqual(len(seen), 1)

    def test_the_function_is_kept_until_another_is_set(self):
        def first(_):
            raise AssertionError("not set any more")

        gone = weakref.ref(first)
        self.ok(acl.rt.set_exception_info_callback(first))
        del first
        gc.collect()
        self.assertIsNotNone(gone())
        self.ok(acl.rt.set_exception_info_callback())
        self.assertIsNone(gone())
        self.queue_failure(self.stream)
        self.assertEqual(acl.rt.synchronize_stream(self.stream), 507013)

    def test_arguments(self):
        self.assertRaises(TypeError, acl.rt.set_exception_info_callback, 1)
        self.assertEqual(acl.rt.get_error_code_from_exception_info(0), 0xFFFFFFFF)
        self.assertEqual(acl.rt.get_thread_id_from_exception_info(12345), 0xFFFFFFFF)


class Notifies(Case):
    def test_order_between_streams(self):
        notify = self.ok(acl.rt.create_notify(0))
        other = self.ok(acl.rt.create_stream())
        self.ok(acl.rt.wait_and_reset_notify(notify, self.stream, 0))
        self.assertEqual(self.ok(acl.rt.stream_query(self.stream)), 1)
        self.ok(acl.rt.record_notify(notify, other))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.record_notify(notify, other))
        self.ok(acl.rt.synchronize_stream(other))
        self.ok(acl.rt.notify_batch_reset([notify]))
        self.ok(acl.rt.wait_and_reset_notify(notify, self.stream, 1))
        self.assertEqual(acl.rt.synchronize_stream(self.stream), 107019)
        self.assertIsInstance(self.ok(acl.rt.get_notify_id(notify)), int)
        self.ok(acl.rt.destroy_notify(notify))
        self.ok(acl.rt.destroy_stream(other))

    def test_arguments(self):
        notify = self.ok(acl.rt.create_notify(0))
        for timeout in (-1, 2**32):
            self.assertRaises(TypeError, acl.rt.wait_and_reset_notify, notify, self.stream, timeout)
        self.assertRaises(TypeError, acl.rt.notify_batch_reset, [notify, "x"])
        self.assertRaises(ValueError, acl.rt.notify_batch_reset, [notify, 2**64])
        self.assertEqual(acl.rt.notify_batch_reset([]), 107000)
        self.assertEqual(acl.rt.notify_batch_reset([notify, self.stream]), 107017)
        self.assertEqual(acl.rt.create_notify(5)[1], 107000)
        self.ok(acl.rt.destroy_notify(notify))


class Streams(Case):
    def test_attributes(self):
        self.ok(acl.rt.set_stream_attribute(self.stream, 3, {"userCustomTag": 2**32 - 1}))
        self.assertEqual(self.ok(acl.rt.get_stream_attribute(self.stream, 3)), {"userCustomTag": 2**32 - 1})
        self.ok(acl.rt.set_stream_attribute(self.stream, 2, {"userCustomTag": 5}))  # not this one's key: 0
        self.assertEqual(self.ok(acl.rt.get_stream_attribute(self.stream, 2)), {"overflowSwitch": 0})
        self.ok(acl.rt.set_stream_attribute(self.stream, 5, {"reserved": [4, "x", 9]}))
        self.assertEqual(self.ok(acl.rt.get_stream_attribute(self.stream, 5)), {"reserved": [4, 0, 0, 0]})
        self.assertEqual(self.ok(acl.rt.get_stream_attribute(self.stream, 1)), {"failureMode": 0})
        self.assertRaises(ValueError, acl.rt.set_stream_attribute, self.stream, 5, {"reserved": [0] * 5})
        self.assertEqual(acl.rt.set_stream_attribute(self.stream, 9, {}), 107000)

    def test_abort(self):
        event = self.ok(acl.rt.create_event())
        self.ok(acl.rt.stream_wait_event(self.stream, event))
        self.ok(acl.rt.stream_abort(self.stream))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.stream_wait_event(self.stream, event))
        self.ok(acl.rt.device_task_abort(0, 0))
        self.ok(acl.rt.synchronize_stream(self.stream))
        self.ok(acl.rt.destroy_event(event))

    def test_numbers(self):
        self.assertGreater(self.ok(acl.rt.get_stream_available_num()), 0)
        self.assertGreater(self.ok(acl.rt.get_event_avail_num()), 0)


if __name__ == "__main__":
    unittest.main()

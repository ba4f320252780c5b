# SPDX-License-Identifier: Apache-2.0
"""The GIL, Python functions that the library calls, and the end of the interpreter."""
import ctypes
import gc
import sys
import threading
import unittest
import weakref

import acl
from support import AclTest, Gate, python


class Waiting(AclTest):
    """While a thread waits in a call, others make progress.

    The stream is parked on a host function that ends when this thread opens the gate. The interpreter is told not to
    switch threads by itself, so the gate can only be opened after the waiting thread gave the GIL up inside its call: a
    call that keeps the GIL hangs here for ever, and the test's time limit ends it.
    """

    def setUp(self):
        super().setUp()
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())

    def assert_lets_others_run(self, call, *arguments, stream=None):
        gate = Gate(stream or self.stream)
        context, _ = acl.rt.get_context()
        about_to_call = threading.Event()
        answers = []

        def wait():
            acl.rt.set_context(context)
            about_to_call.set()
            answers.append(call(*arguments))

        thread = threading.Thread(target=wait)
        sys.setswitchinterval(1000)
        thread.start()
        about_to_call.wait()
        self.assertEqual(answers, [])
        gate.open()
        thread.join()
        self.assertEqual(answers, [0])

    def test_synchronize(self):
        event, ret = acl.rt.create_event()
        self.ok(ret)
        self.addCleanup(acl.rt.destroy_event, event)
        for call, arguments in ((acl.rt.synchronize_stream, (self.stream,)),
                                (acl.rt.synchronize_stream_with_timeout, (self.stream, -1)),
                                (acl.rt.synchronize_device, ()),
                                (acl.rt.synchronize_device_with_timeout, (-1,))):
            with self.subTest(call.__name__):
                self.assert_lets_others_run(call, *arguments)

    def test_synchronize_event(self):
        for call, arguments in ((acl.rt.synchronize_event, ()), (acl.rt.synchronize_event_with_timeout, (-1,))):
            with self.subTest(call.__name__):
                event, ret = acl.rt.create_event()
                self.ok(ret)
                gate = Gate(self.stream)
                self.ok(acl.rt.record_event(event, self.stream))
                opener = threading.Thread(target=gate.open)
                sys.setswitchinterval(1000)
                opener.start()  # runs once this thread gives the GIL up, at the latest inside the call
                self.ok(call(event, *arguments))
                opener.join()
                self.ok(acl.rt.destroy_event(event))

    def test_pageable_copies(self):
        host = ctypes.create_string_buffer(64)
        at, device = ctypes.addressof(host), self.device(64)
        for call, arguments in ((acl.rt.memcpy_async, (device, 64, at, 64, 1, self.stream)),
                                (acl.rt.memcpy_async, (at, 64, device, 64, 2, self.stream)),
                                (acl.rt.memcpy2d_async, (device, 8, at, 8, 8, 8, 1, self.stream)),
                                (acl.rt.memcpy2d_async, (at, 8, device, 8, 8, 8, 2, self.stream))):
            with self.subTest(call.__name__):
                self.assert_lets_others_run(call, *arguments)

    def test_destroy_waits(self):
        stream, ret = acl.rt.create_stream()
        self.ok(ret)
        self.assert_lets_others_run(acl.rt.destroy_stream, stream, stream=stream)

    def test_reset_device_waits(self):
        context, ret = acl.rt.create_context(0)
        self.ok(ret)
        stream, ret = acl.rt.create_stream()
        self.ok(ret)
        gate = Gate(stream)
        opener = threading.Thread(target=gate.open)
        sys.setswitchinterval(1000)
        opener.start()
        self.ok(acl.rt.destroy_context(context))
        opener.join()
        acl.rt.set_device(0)

    def test_full_queue(self):
        """Every call that queues waits when the queue is full, even for the end of a Python function."""
        python("""
import sys, threading, acl
from support import Gate
acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
event, _ = acl.rt.create_event()
device, _ = acl.rt.malloc(1 << 20, 0)
host, _ = acl.rt.malloc_host(1 << 20)
size = 1 << 20
sys.setswitchinterval(1000)
for call, *arguments in ((acl.rt.memcpy_async, device, size, host, size, 1, stream),
                         (acl.rt.memcpy2d_async, device, 1024, host, 1024, 1024, 1024, 1, stream),
                         (acl.rt.memset_async, device, size, 1, size, stream),
                         (acl.rt.record_event, event, stream), (acl.rt.stream_wait_event, stream, event),
                         (acl.rt.reset_event, event, stream), (acl.rt.launch_host_func, stream, id, None)):
    acl.rt.record_event(event, stream)
    gate = Gate(stream)
    opener = threading.Thread(target=gate.open)
    opener.start()
    for _ in range(4):  # twice the depth
        assert call(*arguments) == 0, call
        if call is acl.rt.reset_event:
            acl.rt.record_event(event, stream)
    opener.join()
    assert acl.rt.synchronize_stream(stream) == 0
""", environment={"PACL_QUEUE_DEPTH": "2", "PYTHONPATH": ":".join(sys.path)})


class Thing:
    """Can be referred to weakly."""


class HostFunctions(AclTest):
    def test_order_and_argument(self):
        seen = []
        device = self.device(64)
        back = self.pinned(bytes(64))
        for value in (1, 2):
            self.ok(acl.rt.memset_async(device, 64, value, 64, self.stream))
            self.ok(acl.rt.memcpy_async(back, 64, device, 64, 2, self.stream))
            self.ok(acl.rt.launch_host_func(self.stream, lambda _: seen.append(acl.util.ptr_to_bytes(back, 1)), None))
        self.synchronize()
        self.assertEqual(seen, [b"\1", b"\2"])

    def test_runs_in_another_thread(self):
        seen = []
        self.ok(acl.rt.launch_host_func(self.stream, lambda _: seen.append(threading.get_ident()), None))
        self.synchronize()
        self.assertNotEqual(seen, [threading.get_ident()])

    def test_objects_are_kept_until_then_and_not_longer(self):
        thing = Thing()
        reference = weakref.ref(thing)
        gate = Gate(self.stream)
        self.ok(acl.rt.launch_host_func(self.stream, lambda _: None, thing))
        del thing
        gc.collect()
        self.assertIsNotNone(reference())
        gate.open()
        self.synchronize()
        gc.collect()
        self.assertIsNone(reference())

    def launch_things(self, stream):
        """Weak references to what five functions keep that are queued on the stream."""
        things = [Thing() for _ in range(5)]
        for thing in things:
            self.ok(acl.rt.launch_host_func(stream, id, thing))
        return [weakref.ref(t) for t in things]

    def destroy_behind(self, gate, stream, destroy, *arguments):
        """Destroys while the gate's function runs, which ends when the stream is gone: what is queued is dropped."""
        def open_late():
            while acl.rt.stream_get_id(stream)[1] == 0:
                pass
            gate.open()
        opener = threading.Thread(target=open_late)
        opener.start()
        self.ok(destroy(*arguments))
        opener.join()

    def assert_released(self, references):
        gc.collect()
        self.assertEqual([r() for r in references], [None] * len(references))
        self.assertIsNone(acl.get_recent_err_msg())

    def test_destroy_stream_force_releases(self):
        stream, ret = acl.rt.create_stream()
        self.ok(ret)
        gate = Gate(stream)
        references = self.launch_things(stream)
        self.destroy_behind(gate, stream, acl.rt.destroy_stream_force, stream)
        self.assert_released(references)

    def test_releasing_leaves_no_message_anywhere(self):
        """With one store of messages for the process, what any thread asks in vain would be read here."""
        python("import acl, gc, tempfile, weakref\n"
               "class Thing: pass\n"
               "with tempfile.NamedTemporaryFile('w', suffix='.json') as file:\n"
               "    file.write('{\"err_msg_mode\": \"1\"}')\n"
               "    file.flush()\n"
               "    assert acl.init(file.name) == 0\n"
               "context, ret = acl.rt.create_context(0)\n"
               "stream, ret = acl.rt.create_stream()\n"
               "acl.rt.set_stream_failure_mode(stream, 1)\n"
               "device, host = acl.rt.malloc(8, 0)[0], acl.rt.malloc_host(64)[0]\n"
               "acl.rt.memcpy_async(device, 64, host, 64, 1, stream)\n"
               "thing = Thing()\n"
               "gone = weakref.ref(thing)\n"
               "assert acl.rt.launch_host_func(stream, str, thing) == 0\n"
               "del thing\n"
               "while acl.rt.stream_query(stream)[1] == 0: pass\n"  # returns the failure: its text is stored by now
               "assert 'aclrtMemcpyAsync' in acl.get_recent_err_msg()\n"
               "assert gone() is not None\n"
               "assert acl.rt.destroy_context(context) == 0\n"
               "gc.collect()\n"
               "assert gone() is None\n"
               "text = acl.get_recent_err_msg()\n"
               "assert text is None, text\n")

    def test_reset_device_force_releases(self):
        stream, ret = acl.rt.create_stream()
        self.ok(ret)
        gate = Gate(stream)
        references = self.launch_things(stream)
        acl.rt.get_last_error(0)
        self.destroy_behind(gate, stream, acl.rt.reset_device_force, 0)
        self.assertEqual(acl.rt.peek_at_last_error(0), 0)
        self.assert_released(references)
        self.ok(acl.rt.set_device(0))

    def test_default_stream_of_a_reset_device(self):
        stream, ret = acl.rt.ctx_get_current_default_stream()
        self.ok(ret)
        gate = Gate(0)
        references = self.launch_things(0)
        self.destroy_behind(gate, stream, acl.rt.reset_device_force, 0)
        self.assert_released(references)
        self.ok(acl.rt.set_device(0))

    def failed_stream(self):
        """A stream that stops on failures, with a failure that no call has returned."""
        stream, ret = acl.rt.create_stream()
        self.ok(ret)
        self.ok(acl.rt.set_stream_failure_mode(stream, 1))
        device, host = self.device(64), self.pinned(bytes(128))
        self.ok(acl.rt.memcpy_async(device, 128, host, 128, 1, stream))  # 64 bytes more than there are
        return stream

    def test_functions_that_a_failure_skips(self):
        stream = self.failed_stream()
        references = self.launch_things(stream)
        self.assertEqual(acl.rt.synchronize_stream(stream), 507013)
        seen = []
        self.ok(acl.rt.launch_host_func(stream, seen.append, "later"))
        self.ok(acl.rt.synchronize_stream(stream))
        acl.get_recent_err_msg()
        self.assertEqual(seen, ["later"])
        self.assert_released(references)
        self.ok(acl.rt.destroy_stream(stream))

    def test_destruction_after_a_failure_releases(self):
        for destroy_context in (False, True):
            context, ret = acl.rt.create_context(0)
            self.ok(ret)
            stream = self.failed_stream()
            references = self.launch_things(stream)
            if not destroy_context:
                self.ok(acl.rt.destroy_stream(stream))
                self.assert_released(references)
            self.ok(acl.rt.destroy_context(context))
            self.assert_released(references)
            self.ok(acl.rt.set_device(0))

    def test_other_streams_keep_theirs(self):
        """Destroying one stream releases nothing of another, whose functions run afterwards."""
        others, seen = Gate(self.stream), []
        for i in range(5):
            self.ok(acl.rt.launch_host_func(self.stream, seen.append, i))
        context, ret = acl.rt.create_context(0)
        self.ok(ret)
        stream, ret = acl.rt.create_stream()
        self.ok(ret)
        gate = Gate(stream)
        references = self.launch_things(stream)
        self.destroy_behind(gate, stream, acl.rt.destroy_stream_force, stream)
        self.assert_released(references)
        self.ok(acl.rt.destroy_context(context))
        self.ok(acl.rt.set_device(0))
        others.open()
        self.synchronize()
        self.assertEqual(seen, list(range(5)))

    def test_release_may_run_python_code_that_launches(self):
        seen, context = [], acl.rt.get_context()[0]

        class Launches:
            def __del__(thing):
                acl.rt.set_context(context)
                seen.append(acl.rt.launch_host_func(self.stream, seen.append, "ran"))
        stream, ret = acl.rt.create_stream()
        self.ok(ret)
        gate = Gate(stream)
        for _ in range(3):
            self.ok(acl.rt.launch_host_func(stream, id, Launches()))
        self.destroy_behind(gate, stream, acl.rt.destroy_stream_force, stream)
        self.synchronize()
        self.assertEqual(sorted(seen, key=str), [0, 0, 0] + ["ran"] * 3)

    def test_launches_of_many_threads_all_run(self):
        """Functions that were launched in an order that differs from the queue's are not taken for skipped ones."""
        seen, context = [], acl.rt.get_context()[0]

        def launch():
            acl.rt.set_context(context)
            for i in range(500):
                acl.rt.launch_host_func(self.stream, seen.append, i)
        threads = [threading.Thread(target=launch) for _ in range(4)]
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-6)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.synchronize()
        self.assertEqual(sorted(seen), sorted(list(range(500)) * 4))

    def test_a_failed_call_keeps_nothing(self):
        argument = object()
        before = sys.getrefcount(argument)
        self.assertEqual(acl.rt.launch_host_func(0x10, print, argument), 107017)
        self.assertEqual(sys.getrefcount(argument), before)

    def test_exceptions_are_printed_and_the_stream_goes_on(self):
        printed = []
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        sys.unraisablehook = lambda args: printed.append((args.exc_type, args.exc_traceback.tb_next is not None))
        seen = []

        def fail(_):
            def inner():
                raise ZeroDivisionError
            inner()
        for function in (fail, seen.append, lambda _: sys.exit(3), seen.append):
            self.ok(acl.rt.launch_host_func(self.stream, function, len(printed)))
        self.synchronize()
        self.assertEqual([p[0] for p in printed], [ZeroDivisionError, SystemExit])
        self.assertTrue(printed[0][1])
        self.assertEqual(len(seen), 2)

    def test_traceback_on_standard_error(self):
        done = python("import acl\n"
                      "def broken(x): raise KeyError(x)\n"
                      "acl.rt.set_device(0)\n"
                      "stream = acl.rt.create_stream()[0]\n"
                      "acl.rt.launch_host_func(stream, broken, 'here')\n"
                      "assert acl.rt.synchronize_stream(stream) == 0\n")
        self.assertIn("Traceback (most recent call last):", done.stderr)
        self.assertIn("KeyError: 'here'", done.stderr)

    def test_not_callable(self):
        with self.assertRaisesRegex(TypeError, r"argument 2 \(fn\) must be callable"):
            acl.rt.launch_host_func(self.stream, 1, None)


class Threads(AclTest):
    """acl.util.start_thread and stop_thread."""

    def test_argument(self):
        seen = []
        thread, ret = acl.util.start_thread(seen.append, [1, 2])
        self.assertEqual(ret, 0)
        self.assertEqual(acl.util.stop_thread(thread), 0)
        self.assertEqual(seen, [[1, 2]])
        self.assertEqual(acl.util.stop_thread(thread), 3)  # ESRCH: joined already

    def test_none_calls_without_argument(self):
        seen = []
        thread, _ = acl.util.start_thread(lambda: seen.append("called"), None)
        self.assertEqual(acl.util.stop_thread(thread), 0)
        self.assertEqual(seen, ["called"])

    def test_exception(self):
        self.addCleanup(setattr, sys, "unraisablehook", sys.unraisablehook)
        printed = []
        sys.unraisablehook = lambda args: printed.append(args.exc_type)
        thread, _ = acl.util.start_thread(lambda: 1 / 0, None)
        with self.assertRaisesRegex(RuntimeError, str(thread)):
            acl.util.stop_thread(thread)
        self.assertEqual(printed, [ZeroDivisionError])

    def test_stop_waits_and_lets_the_thread_run(self):
        go = threading.Event()
        thread, _ = acl.util.start_thread(go.wait, None)
        opener = threading.Thread(target=go.set)
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1000)
        opener.start()
        self.assertEqual(acl.util.stop_thread(thread), 0)
        opener.join()

    def test_stop_of_itself(self):
        answers = []
        told = threading.Event()

        def stop_myself():
            told.wait()
            answers.append(acl.util.stop_thread(own[0]))
        own = acl.util.start_thread(stop_myself, None)
        told.set()
        while not answers:
            pass
        self.assertEqual(answers, [35])  # EDEADLK

    def test_no_thread(self):
        self.assertEqual(acl.util.stop_thread(12345), 3)
        with self.assertRaises(TypeError):
            acl.util.start_thread(None, None)

    def test_interrupt_goes_back_to_its_default(self):
        python("import acl, signal\n"
               "thread, _ = acl.util.start_thread(lambda: None, None)\n"
               "acl.util.stop_thread(thread)\n"
               "import ctypes\n"
               "libc = ctypes.CDLL(None)\n"
               "libc.signal.restype = ctypes.c_void_p\n"
               "assert not libc.signal(signal.SIGINT, None)\n")


START = """
import acl, threading, sys
from support import Gate
acl.rt.set_device(0)
stream, _ = acl.rt.create_stream()
"""


class Exit(unittest.TestCase):
    """The interpreter ends while work is in flight: neither a hang nor a crash nor a function that runs too late."""

    def run_to_exit(self, script):
        done = python(START + script, environment={"PYTHONPATH": ":".join(sys.path)})
        self.assertNotIn("Fatal", done.stderr)
        return done.stdout

    def test_function_that_never_ends(self):
        self.assertEqual(self.run_to_exit("gate = Gate(stream)\n"), "")

    def test_functions_that_have_not_begun(self):
        self.assertEqual(self.run_to_exit("gate = Gate(stream)\n"
                                          "for _ in range(100): acl.rt.launch_host_func(stream, print, 'late')\n"), "")

    def test_functions_that_are_about_to_run(self):
        """Many short functions, with the exit in their midst."""
        for _ in range(10):
            self.run_to_exit("for _ in range(1000): acl.rt.launch_host_func(stream, lambda x: sum(range(100)), None)\n")

    def test_function_that_ends_during_the_exit(self):
        self.assertEqual(self.run_to_exit("import atexit\n"
                                          "gate = Gate(stream)\n"
                                          "acl.rt.launch_host_func(stream, print, 'before')\n"
                                          "atexit.register(acl.rt.synchronize_stream, stream)\n"
                                          "atexit.register(gate.open)\n"), "before\n")

    def test_synchronize_after_the_exit_handler(self):
        """A finalizer waits for the stream when functions are not called any more: it must not wait for ever."""
        self.run_to_exit("class Owner:\n"
                         "    def __del__(self, wait=acl.rt.synchronize_stream): wait(stream_of_owner)\n"
                         "stream_of_owner = stream\n"
                         "owner = Owner()\n"
                         "for _ in range(100): acl.rt.launch_host_func(stream, lambda x: None, None)\n")

    def test_thread_in_a_call(self):
        self.run_to_exit("gate = Gate(stream)\n"
                         "inside = threading.Event()\n"
                         "def wait():\n"
                         "    inside.set()\n"
                         "    acl.rt.synchronize_stream(stream)\n"
                         "thread = threading.Thread(target=wait, daemon=True)\n"
                         "thread.start()\n"
                         "inside.wait()\n")

    def test_started_thread_that_never_ends(self):
        self.run_to_exit("begun = threading.Event()\n"
                         "def forever():\n"
                         "    begun.set()\n"
                         "    while True: acl.rt.synchronize_stream(stream)\n"
                         "acl.util.start_thread(forever, None)\n"
                         "begun.wait()\n")

    def test_started_threads_that_have_not_begun(self):
        self.run_to_exit("for _ in range(20): acl.util.start_thread(lambda: None, None)\n")

    def test_copies_in_flight(self):
        self.run_to_exit("size = 64 << 20\n"
                         "device, host = acl.rt.malloc(size, 0)[0], acl.rt.malloc_host(size)[0]\n"
                         "for _ in range(20): acl.rt.memcpy_async(device, size, host, size, 1, stream)\n")

    def test_fork(self):
        self.run_to_exit("import os\n"
                         "gate = Gate(stream)\n"
                         "child = os.fork()\n"
                         "if child == 0: sys.exit(7)\n"
                         "assert os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 7\n"
                         "gate.open()\n"
                         "assert acl.rt.synchronize_stream(stream) == 0\n")


class Import(unittest.TestCase):
    def test_sub_interpreter_is_refused(self):
        for before in ("", "import acl\n"):
            # By version: shares the lock of the main one, or not.
            tried = [self.refused(before, arguments) for arguments in ("", "isolated=False", "'legacy'")]
            self.assertIn(True, tried)

    def refused(self, before, arguments):
        done = python(before + "try: import _interpreters as i\n"
                      "except ImportError: import _xxsubinterpreters as i\n"
                      f"try: interpreter = i.create({arguments})\n"
                      "except TypeError: raise SystemExit('cannot make such a one')\n"
                      "outcome = i.run_string(interpreter, 'try: import acl\\n'\n"
                      "    'except ImportError: print(\"refused\")')\n"
                      "i.destroy(interpreter)\n"
                      "import acl\n"
                      "assert acl.rt.set_device(0) == 0\n", check=False)
        if "No module named" in done.stderr:
            raise unittest.SkipTest("this Python cannot make sub-interpreters from Python code")
        if "cannot make" in done.stderr:
            return False
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "refused\n", ""))
        return True

    def test_refusal_says_why(self):
        script = "import _xxsubinterpreters as i; i.run_string(i.create(), 'import acl')"
        done = python(script, check=False)
        if "No module named '_xx" in done.stderr:
            raise unittest.SkipTest("no module _xxsubinterpreters")
        self.assertRegex(done.stderr, "ImportError.*interpreter")

    def test_submodules(self):
        python("from acl.rt import memcpy\n"
               "import acl.util as util, sys\n"
               "assert sys.modules['acl.rt'].memcpy is memcpy\n"
               "assert util.__name__ == 'acl.util'\n"
               "for name in ('rt', 'util', 'prof', 'mdl', 'op', 'media'): assert 'acl.' + name in sys.modules\n"
               "assert 'numpy' not in sys.modules\n")

    def test_again(self):
        python("import sys, acl\n"
               "old = acl\n"
               "for name in [n for n in sys.modules if n.split('.')[0] == 'acl']: del sys.modules[name]\n"
               "import acl\n"
               "assert acl is not old and acl.rt.set_device(0) == 0 == old.rt.get_device()[1]\n")


if __name__ == "__main__":
    unittest.main()

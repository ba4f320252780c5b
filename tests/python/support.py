# SPDX-License-Identifier: Apache-2.0
"""What the tests of the Python module share."""
import os
import pathlib
import subprocess
import sys
import threading
import unittest

import acl
from pacl_constants import ACL_SUCCESS

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("PACL_SHARED") or ROOT.parent / "shared")
sys.path.insert(0, str(ROOT / "python"))
import generate  # noqa: E402 (the table of functions, used by the tests)

try:
    import numpy
except ImportError:
    numpy = None
needs_numpy = unittest.skipIf(numpy is None, "needs NumPy (Debian: python3-numpy)")


def shared_table(name):
    """A fact table of the interface, as a list of dicts; skips the test if it is not there."""
    import csv
    path = SHARED / "abi" / name
    if not path.exists():
        raise unittest.SkipTest(f"no {path}")
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def python(script, *, environment=None, check=True):
    """Runs a script in an interpreter of its own, which must end by itself: a hang fails the test."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=240,
                          env={**os.environ, **(environment or {})})
    if check and done.returncode != 0:
        raise AssertionError(f"exit status {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


class Gate:
    """Parks a stream: what is queued behind it waits until open() is called."""

    def __init__(self, stream):
        self.reached = threading.Event()
        self.opened = threading.Event()
        ret = acl.rt.launch_host_func(stream, Gate._hold, self)
        assert ret == ACL_SUCCESS, ret
        self.reached.wait()

    def _hold(self):
        self.reached.set()
        self.opened.wait()

    def open(self):
        self.opened.set()


class AclTest(unittest.TestCase):
    """Device 0, a stream; device and pinned memory that is freed at the end."""

    @classmethod
    def setUpClass(cls):
        acl.init()  # once per process; later calls say so
        assert acl.rt.set_device(0) == ACL_SUCCESS

    def setUp(self):
        self.stream, ret = acl.rt.create_stream()
        self.ok(ret)
        self.addCleanup(acl.rt.destroy_stream, self.stream)
        acl.get_recent_err_msg()

    def ok(self, ret):
        self.assertEqual(ret, ACL_SUCCESS, acl.get_recent_err_msg())

    def synchronize(self):
        self.ok(acl.rt.synchronize_stream(self.stream))

    def device(self, size):
        at, ret = acl.rt.malloc(size, 0)
        self.ok(ret)
        self.addCleanup(acl.rt.free, at)
        return at

    def pinned(self, data):
        """Pinned memory with these bytes."""
        import ctypes
        at, ret = acl.rt.malloc_host(len(data))
        self.ok(ret)
        self.addCleanup(acl.rt.free_host, at)
        ctypes.memmove(at, bytes(data), len(data))
        return at

    def device_bytes(self, at, size):
        back = self.pinned(bytes(size))
        self.ok(acl.rt.memcpy(back, size, at, size, 2))
        return acl.util.ptr_to_bytes(back, size)

# SPDX-License-Identifier: Apache-2.0
"""Host accesses from Python in checking mode: each case of python_cases.py in an interpreter of its own."""
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import unittest

if os.environ.get("PACL_TEST_SANITIZE") in ("address", "thread"):
    print("skipped: a sanitizer has handlers of its own for the signals that single steps need")
    sys.exit(77)
if platform.machine() not in ("x86_64", "AMD64"):
    print("skipped: this processor's instructions cannot be let through one at a time; cases rely on that")
    sys.exit(77)

CASES = pathlib.Path(__file__).with_name("python_cases.py")
WRONG = {
    "view_read_before_synchronize": "host-race",
    "view_written_before_synchronize": "host-race",
    "numpy_sum_before_synchronize": "host-race",
    "numpy_fill_source_before_synchronize": "host-race",
    "struct_unpack_across_the_border": "host-race",
    "file_read_into_destination": "host-race",
    "device_pointer_is_read": "device-pointer-access",
}
RIGHT = ("view_read_after_synchronize", "padding_of_numpy_matrix", "source_is_read", "files_and_pipes_beside_the_rows",
         "host_function_uses_the_result", "bytes_of_pageable_memory")


class PythonAccesses(unittest.TestCase):
    def run_case(self, name):
        if "numpy" in name:
            try:
                import numpy  # noqa: F401
            except ImportError:
                self.skipTest("needs NumPy (Debian: python3-numpy)")
        environment = {**os.environ, "PACL_CHECK": "1", "ASCEND_GLOBAL_LOG_LEVEL": "4"}
        done = subprocess.run([sys.executable, "-X", "faulthandler", str(CASES), name], env=environment,
                              capture_output=True, text=True, timeout=120)
        return done, set(re.findall(r"^pacl-check: error: ([a-z-]+):", done.stderr, re.MULTILINE)), \
            f"{name}: status {done.returncode}\n{done.stderr}"


def find(name):
    def test(self):
        done, classes, context = self.run_case(name)
        self.assertIn(WRONG[name], classes, context)
        dies = WRONG[name] == "device-pointer-access"
        self.assertEqual(done.returncode, -signal.SIGSEGV if dies else 86, context)
        if dies:
            self.assertIn("Fatal Python error", done.stderr, context)  # the interpreter's own handler came after
    return test


def be_silent(name):
    def test(self):
        done, classes, context = self.run_case(name)
        self.assertEqual((classes, done.returncode), (set(), 0), context)
    return test


for case in WRONG:
    setattr(PythonAccesses, f"test_{case}", find(case))
for case in RIGHT:
    setattr(PythonAccesses, f"test_{case}", be_silent(case))
if __name__ == "__main__":
    unittest.main()

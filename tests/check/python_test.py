#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: python_test.py PACL PYTHON

Checking mode on Python programs: mistakes are found, their correct neighbours are silent, places are lines of Python.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

PACL, PYTHON = os.path.abspath(sys.argv[1]), sys.argv[2]

HEAD = """\
import acl

H2D, D2H = 1, 2

def ok(*answer):
    answer = answer[0] if len(answer) == 1 else answer
    ret = answer[-1] if isinstance(answer, tuple) else answer
    assert ret == 0, (answer, acl.get_recent_err_msg())
    return answer[0] if isinstance(answer, tuple) else None

ok(acl.init(""))
ok(acl.rt.set_device(0))
s, t = ok(acl.rt.create_stream()), ok(acl.rt.create_stream())
dev, pin = ok(acl.rt.malloc(8192, 0)), ok(acl.rt.malloc_host(8192))
ok(acl.rt.memset(dev, 8192, 0, 8192))
"""
TAIL = """\
ok(acl.rt.synchronize_stream(s))
ok(acl.rt.synchronize_stream(t))
ok(acl.rt.free(dev))
ok(acl.rt.free_host(pin))
ok(acl.rt.destroy_stream(s))
ok(acl.rt.destroy_stream(t))
ok(acl.rt.reset_device(0))
ok(acl.finalize())
"""
FIRST = HEAD.count("\n") + 1  # the line at which a case begins

# Class: the wrong program and the correct one beside it.
PAIRS = {
    "stream-race": ("ok(acl.rt.memcpy_async(dev, 64, pin, 64, H2D, s))\n"
                    "ok(acl.rt.memcpy_async(pin + 4096, 64, dev + 63, 64, D2H, t))\n",
                    "ok(acl.rt.memcpy_async(dev, 64, pin, 64, H2D, s))\n"
                    "ok(acl.rt.memcpy_async(pin + 4096, 64, dev + 64, 64, D2H, t))\n"),
    "use-after-free": ("more = ok(acl.rt.malloc_host(4096))\n"
                       "ok(acl.rt.memcpy_async(more, 64, dev, 64, D2H, s))\n"
                       "ok(acl.rt.free_host(more))\n",
                       "more = ok(acl.rt.malloc_host(4096))\n"
                       "ok(acl.rt.memcpy_async(more, 64, dev, 64, D2H, s))\n"
                       "ok(acl.rt.synchronize_stream(s))\n"
                       "ok(acl.rt.free_host(more))\n"),
    "uninitialized-read": ("fresh = ok(acl.rt.malloc(4096, 0))\n"
                           "ok(acl.rt.memset(fresh, 63, 0, 63))\n"
                           "ok(acl.rt.memcpy(pin, 64, fresh, 64, D2H))\n"
                           "ok(acl.rt.free(fresh))\n",
                           "fresh = ok(acl.rt.malloc(4096, 0))\n"
                           "ok(acl.rt.memset(fresh, 64, 0, 64))\n"
                           "ok(acl.rt.memcpy(pin, 64, fresh, 64, D2H))\n"
                           "ok(acl.rt.free(fresh))\n"),
    "out-of-bounds": ("assert acl.rt.memcpy2d(dev, 1024, pin, 64, 64, 9, H2D) == 507013\n",
                      "ok(acl.rt.memcpy2d(dev, 1024, pin, 64, 64, 8, H2D))\n"),
    "wrong-kind": ("ok(acl.rt.memcpy2d(pin, 128, dev, 128, 64, 8, H2D))\n",
                   "ok(acl.rt.memcpy2d(pin, 128, dev, 128, 64, 8, D2H))\n"),
    "unchecked-error": ("acl.rt.memcpy2d(dev, 16, pin, 64, 32, 4, H2D)\n",
                        "ret = acl.rt.memcpy2d(dev, 16, pin, 64, 32, 4, H2D)\n"),
    "leak": ("ok(acl.rt.malloc(64, 0))\n", "ok(acl.rt.free(ok(acl.rt.malloc(64, 0))))\n"),
    "double-free": ("more = ok(acl.rt.malloc(64, 0))\nok(acl.rt.free(more))\nassert acl.rt.free(more) == 107000\n",
                    "more = ok(acl.rt.malloc(64, 0))\nok(acl.rt.free(more))\n"),
    "invalid-handle": ("assert acl.rt.synchronize_stream(pin) == 107017\n", "ok(acl.rt.synchronize_stream(s))\n"),
}


def run(program):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEAD + program + TAIL)
        return subprocess.run([PACL, "run", "--check", "--", PYTHON, "program.py"], cwd=folder, text=True, timeout=100,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Programs(unittest.TestCase):
    def test_wrong_programs_are_named(self):
        for kind, (wrong, _) in PAIRS.items():
            ran = run(wrong)
            found = re.findall(r"^pacl-check: error: ([a-z-]+): ", ran.stderr, re.MULTILINE)
            self.assertEqual((found, ran.returncode), ([kind], 86), ran.stderr)

    def test_their_neighbours_are_silent(self):
        for kind, (_, correct) in PAIRS.items():
            ran = run(correct)
            self.assertEqual((ran.stderr, ran.returncode), ("pacl-check: 0 errors, 0 advice\n", 0), kind)

    def test_places_are_lines_of_python(self):
        ran = run("def new_page():\n"
                  "    return acl.rt.malloc(100, 0)\n"
                  "page, ret = new_page()\n")
        self.assertIn(f"    at new_page (program.py:{FIRST + 1})\n    by <module> (program.py:{FIRST + 2})\n", ran.stderr)
        self.assertNotIn("Py", ran.stderr)

    def test_both_sides_have_their_own_line(self):
        ran = run(PAIRS["stream-race"][0])
        self.assertEqual(re.findall(r"at <module> \(program\.py:(\d+)\)", ran.stderr)[:2], [str(FIRST + 1), str(FIRST)])

    def test_each_thing_that_one_line_leaves_is_named(self):
        ran = run("for i in range(2): acl.rt.malloc(64, 0); acl.rt.malloc_host(64)\n")
        self.assertEqual(sorted(re.findall(r"error: leak: (\d blocks of \w+)", ran.stderr)),
                         ["2 blocks of device", "2 blocks of pinned"])

    def test_an_interrupted_program_has_its_summary(self):
        ran = run("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nsignal.pause()\n")
        self.assertEqual(ran.returncode, -signal.SIGINT, ran.stderr)
        self.assertEqual(ran.stderr.splitlines()[-2:], ["KeyboardInterrupt",
                                                        "pacl-check: 0 errors, 0 advice; ended by SIGINT"])

    def test_an_exception_leaves_one_line_of_what_is_left(self):
        ran = run("raise ValueError\n")
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.assertRegex(ran.stderr, r"ValueError\npacl-check: exit with status 1, not freed or destroyed by then: .*\n"
                                     r"pacl-check: 0 errors, 0 advice\n$")

    def test_host_code_is_found_at_its_line(self):
        ran = run("import ctypes\n"
                  "ok(acl.rt.memcpy_async(pin, 64, dev, 64, D2H, s))\n"
                  "value = ctypes.string_at(pin, 8)\n")
        self.assertRegex(ran.stderr, r"(?s)^pacl-check: error: host-race: host code reads .*"
                                     rf"    at string_at \([^\n]*\n    by <module> \(program\.py:{FIRST + 2}\)\n")


if __name__ == "__main__":
    for name in [n for n in os.environ if n.startswith("PACL_CHECK")]:
        del os.environ[name]
    unittest.main(argv=[sys.argv[0]])

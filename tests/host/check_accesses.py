#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_accesses.py PROGRAM [ENCLOSED]

Runs each case of accesses.c in checking mode and looks at what is found. With a second argument, only cases whose name
contains it."""
import ctypes
import os
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

PROGRAM = sys.argv.pop(1)
RACE, DEVICE, FREE = "host-race", "device-pointer-access", "use-after-free"

# Case: the class that must be found, and texts that its report must have.
WRONG = {
    "R11_read_before_synchronize": (RACE, ["host code", "aclrtMemcpy2dAsync", "memory_cases.c"]),
    "R09_memset_source_before_synchronize": (RACE, ["host code", "aclrtMemcpy2dAsync", "memory_cases.c"]),
    "R21_synchronize_another_stream": (RACE, ["host code", "aclrtMemcpyAsync", "stream 2"]),
    "R08_free_source_in_flight": (FREE, ["aclrtFreeHost", "aclrtMemcpy2dAsync"]),
    "last_byte_of_last_row": (RACE, []),
    "eight_bytes_of_which_the_last": (RACE, []),
    "eight_bytes_of_which_the_first": (RACE, []),
    "tiny_copy_that_has_run": (RACE, []),
    "another_thread_reads": (RACE, ["read_row"]),
    "thread_that_blocks_signals_reads": (RACE, ["read_row"]),
    "memcpy_from_destination": (RACE, []),
    "small_block_between_others": (RACE, ["small_block_between_others"]),
    "read_into_destination": (RACE, ["kernel_cases.c"]),
    "write_from_destination": (RACE, ["kernel_cases.c"]),
    "read_into_source": (RACE, ["kernel_cases.c"]),
    "fread_into_destination": (RACE, ["kernel_cases.c"]),
    "fwrite_from_destination": (RACE, ["kernel_cases.c"]),
    "second_part_of_a_list": (RACE, ["kernel_cases.c"]),
    "host_reads_device_memory": (DEVICE, ["byte 16 of the 65536 bytes", "device_cases.c", "allocated"]),
    "host_writes_device_memory": (DEVICE, ["byte 32 of the 65536 bytes", "device_cases.c"]),
    "memcpy_from_device_memory": (DEVICE, ["device_cases.c"]),
    "host_reads_behind_the_block": (DEVICE, ["not allocated", "behind the end of the 3145728 bytes"]),
    "host_reads_a_freed_block": (DEVICE, ["not allocated"]),
    "host_reads_mapped_memory": (DEVICE, ["byte 5 of the 2097152 bytes", "device_cases.c"]),
    "handler_of_the_program_goes_on": (DEVICE, ["byte 0 of"]),
}
# Where the access's size must be known for the mistake to be seen.
NEED_DECODER = {"eight_bytes_of_which_the_last"}


def has_decoder():
    try:
        ctypes.CDLL("libZydis.so.4.0")
    except OSError:
        print("libZydis.so.4.0 is not here: accesses count as one byte, and", *NEED_DECODER, "is left out")
        return False
    return os.environ.get("PACL_TEST_DECODER") == "1"


DIES = {name for name, (kind, _) in WRONG.items() if kind == DEVICE} - {"handler_of_the_program_goes_on"}

RIGHT = """
    R11_read_after_synchronize R32_pageable_destination_is_complete R21_synchronize_the_right_stream
    neighbours_by_one_byte padding_by_the_c_library length_of_a_string_beside read_source_in_flight
    set_of_host_memory small_blocks_on_one_page other_block_in_flight event_of_another_stream host_waits_for_event query_says_complete
    host_function_reads_the_result one_thread_synchronizes_and_starts_another threads_count_in_one_gap
    signal_handler_touches_a_gap own_handler_of_faults handler_for_one_fault child_has_its_own_copy buffers_used_again
    scattered_over_many_pages read_into_gap short_read_ends_before_the_row write_from_gap write_from_source file_calls_beside_the_rows
    a_library_loaded_later_reads_into_gap
    socket_calls_beside_the_rows bare_system_calls_beside_the_rows read_after_synchronize
    a_call_that_fails_still_fails copies_of_device_memory arithmetic_on_device_pointers a_fault_that_is_none_of_it
""".split()


def run(name, **variables):
    environment = {**os.environ, "PACL_CHECK": "1", "ASCEND_GLOBAL_LOG_LEVEL": "4", **variables}
    return subprocess.run([PROGRAM, name], env=environment, capture_output=True, text=True, timeout=120)


def classes(done):
    return set(re.findall(r"^pacl-check: (?:error): ([a-z-]+):", done.stderr, re.MULTILINE))


class Accesses(unittest.TestCase):
    def find(self, name):
        kind, texts = WRONG[name]
        done = run(name)
        context = f"{name}: status {done.returncode}\n{done.stderr}"
        self.assertIn(kind, classes(done), context)
        for text in texts:
            self.assertIn(text, done.stderr, context)
        self.assertEqual(done.returncode, -signal.SIGSEGV if name in DIES else 86, context)

    def be_silent(self, name):
        done = run(name)
        context = f"{name}: status {done.returncode}\n{done.stderr}"
        self.assertEqual(classes(done), set(), context)
        self.assertEqual(done.returncode, 0, context)

    def test_every_case_is_listed(self):
        self.assertEqual(run("no such case").returncode, 2)

    def test_without_checking(self):
        """Device memory is out of reach all the same, and nothing is printed."""
        done = run("host_reads_device_memory", PACL_CHECK="0")
        self.assertEqual((done.returncode, classes(done)), (-signal.SIGSEGV, set()), done.stderr)
        done = run("R11_read_before_synchronize", PACL_CHECK="0")
        self.assertEqual((done.returncode, classes(done)), (0, set()), done.stderr)


def add(kind, name):
    setattr(Accesses, f"test_{name}", lambda self: getattr(self, kind)(name))


only = sys.argv.pop(1) if len(sys.argv) > 1 else ""
for case in WRONG:
    if only in case and not (case in NEED_DECODER and not has_decoder()):
        add("find", case)
for case in RIGHT:
    if only in case:
        add("be_silent", case)
if __name__ == "__main__":
    unittest.main()

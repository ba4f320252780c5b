#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: report_test.py CASES ENDINGS PACL

What a user gets of findings: text, JSON, JUnit, exit status, suppressions, and the state on SIGUSR2.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

sys.dont_write_bytecode = True
import meant_races

CASES, ENDINGS, PACL = (os.path.abspath(path) for path in sys.argv[1:4])
CLASSES = ("out-of-bounds use-after-free host-race stream-race uninitialized-read device-pointer-access wrong-kind "
           "double-free invalid-free invalid-handle leak unchecked-error deadlock blocked-async shape "
           "queue-growth").split()
LISTED = subprocess.run([CASES], stdout=subprocess.PIPE, text=True, check=True).stdout
RACES = re.findall(r"^stream_race wrong (\w+)$", LISTED, re.MULTILINE)


def run(*arguments, options=(), **more):
    with tempfile.TemporaryDirectory() as folder:
        if arguments[-1] in RACES:
            more["env"] = meant_races.environment(folder)
        return subprocess.run([PACL, "run", "--check", *options, "--", *arguments], text=True, timeout=100,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)


def first_lines(text):
    return [line for line in text.splitlines() if re.match(r"pacl-check: (error|advice): ", line)]


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)
        return self.path(name)

    def lines(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return [json.loads(line) for line in file]


class Status(unittest.TestCase):
    def ends(self, status, *arguments, options=()):
        ran = run(ENDINGS, *arguments, options=options)
        self.assertEqual(ran.returncode, status, ran.stderr)
        return ran

    def test_errors_end_with_86_whatever_the_program_says(self):
        for how in ("return", "exit", "thread", "handler"):
            for status in (0, 3):
                ran = self.ends(86, how, str(status), "mistake", options=["--skip", "leak"])
                self.assertEqual(ran.stdout.splitlines()[0], "buffered")
                self.assertEqual(ran.stderr.splitlines()[-1], "pacl-check: 1 error, 0 advice")

    def test_leaks_of_a_program_that_gives_up_are_one_line(self):
        for how in ("return", "exit", "thread", "handler"):
            ran = self.ends(3, how, "3")
            self.assertEqual(ran.stderr, "pacl-check: exit with status 3, not freed or destroyed by then: 1 block of device "
                                         "memory (4096 bytes) (--only leak reports each)\n"
                                         "pacl-check: 0 errors, 0 advice\n")
            self.assertEqual(len(first_lines(self.ends(86, how, "3", options=["--only", "leak"]).stderr)), 1)
            self.assertEqual(len(first_lines(self.ends(86, how, "0").stderr)), 1)
        ran = self.ends(3, "pending", "3")
        self.assertIn("1 block of device memory (4096 bytes), 1 stream, 1 event (", ran.stderr)
        self.assertEqual(self.ends(3, "return", "3", options=["--skip", "leak"]).stderr,
                         "pacl-check: 0 errors, 0 advice\n")

    def test_another_status_or_none(self):
        self.ends(9, "return", options=["--error-exitcode", "9"])
        self.ends(3, "return", "3", "mistake", options=["--error-exitcode", "0"])
        self.ends(0, "return", options=["--error-exitcode=0"])

    def test_without_findings_the_status_is_the_programs(self):
        for status in (0, 1, 86, 255):
            ran = self.ends(status, "return", str(status), options=["--skip", "leak"])
            self.assertEqual(ran.stderr, "pacl-check: 0 errors, 0 advice\n")

    def test_advice_does_not_count(self):
        ran = run(CASES, "rows_one_by_one")
        self.assertEqual(ran.returncode, 0)
        self.assertEqual(ran.stderr.splitlines()[-1], "pacl-check: 0 errors, 1 advice")

    @unittest.skipIf(os.environ.get("PACL_TEST_SANITIZE") == "thread", "handlers are not watched with ThreadSanitizer")
    def test_ends_without_exit_handlers(self):
        for how, status, said in (("_exit", 3, "_exit(3)"), ("signal", -signal.SIGTERM, "SIGTERM"),
                                  ("abort", -signal.SIGABRT, "SIGABRT"), ("fault", -signal.SIGSEGV, "SIGSEGV"),
                                  ("in-call", -signal.SIGTERM, "SIGTERM"), ("default", -signal.SIGTERM, "SIGTERM")):
            if how == "fault" and os.environ.get("PACL_TEST_SANITIZE"):
                continue  # the sanitizer has that one
            ran = self.ends(status, how, "3")
            self.assertEqual(ran.stderr, f"pacl-check: 0 errors, 0 advice; ended by {said}\n")
            ran = self.ends(86 if how == "_exit" else status, how, "3", "mistake")
            self.assertEqual(len(first_lines(ran.stderr)), 1, ran.stderr)
            self.assertEqual(ran.stderr.splitlines()[-1], f"pacl-check: 1 error, 0 advice; ended by {said}")

    def test_a_child_of_vfork_takes_nothing_away(self):
        ran = self.ends(86, "vfork", "0")
        self.assertEqual(ran.stderr.splitlines()[-1], "pacl-check: 1 error, 0 advice")
        self.assertNotIn("ended by", ran.stderr)

    def test_exit_handlers_of_the_program_come_first(self):
        ran = self.ends(86, "handler")
        self.assertEqual(ran.stdout, "buffered\nhandler\n")
        self.assertEqual(len(first_lines(ran.stderr)), 1, ran.stderr)

    def test_work_that_did_not_run(self):  # decision 16
        ran = self.ends(86, "pending")
        self.assertIn("pacl-check: error: leak: 1 stream not destroyed at exit, with 3 tasks that have not run\n",
                      ran.stderr)

    def test_a_forked_child_keeps_its_status_and_says_nothing(self):
        ran = self.ends(5, "fork", "5", "mistake", options=["--error-exitcode", "0"])
        self.assertEqual(ran.stderr.count("pacl-check: 1 error"), 1, ran.stderr)


class Text(unittest.TestCase):
    def test_first_line_place_and_summary(self):
        ran = run(CASES, "lost_device_memory")
        text = re.sub(r"0x[0-9a-f]+", "ADDRESS", ran.stderr)
        text = re.sub(r"\([^()\n]*/memory_cases\.c:\d+\)", "(FILE)", text)
        text = re.sub(r"\([^()\n]*/cases\.c:\d+\)", "(MAIN)", text)
        self.assertEqual(text, "pacl-check: error: leak: 1 block of device memory, 4096 bytes in all, not freed at "
                               "aclFinalize\n"
                               "  memory: 4096 bytes of device memory at ADDRESS, allocated\n"
                               "    at lost_device_memory_run (FILE)\n"
                               "    by main (MAIN)\n"
                               "\n"
                               "pacl-check: 1 error, 0 advice\n")

    def test_inlined_functions_are_frames(self):
        ran = run(CASES, "lost_in_an_inlined_function", options=["--gen-suppressions"])
        self.assertRegex(ran.stderr, r"    at lose \([^()\n]*/memory_cases\.c:\d+\)\n"
                                     r"    by lost_in_an_inlined_function_run \([^()\n]*/memory_cases\.c:\d+\)\n    by main ")
        self.assertIn("suppression: leak lose lost_in_an_inlined_function_run main\n", ran.stderr)

    def test_registered_memory_is_not_allocated(self):
        ran = run(CASES, "a_range_left_registered")
        self.assertRegex(ran.stderr, r"memory: \d+ bytes of registered host memory at 0x[0-9a-f]+, registered\n    at ")

    def test_frames_of_the_library_behind_those_of_the_program_are_left_out(self):
        ran = run(CASES, "in_a_host_function", options=["--gen-suppressions"])
        self.assertRegex(ran.stderr, r"    at free_as_device_memory \(.*memory_cases\.c:\d+\)\n(    by start_thread .*\n)?  ")
        self.assertNotIn("host_thread", ran.stderr)

    def test_exact_first_lines(self):
        for case, line in (
                ("one_row_too_many", "error: out-of-bounds: aclrtMemcpy2dAsync writes outside of 65536 bytes of device "
                                     "memory: first in row 64, byte 0, 0 bytes past the end"),
                ("one_byte_too_wide_in_the_last_row", "error: out-of-bounds: aclrtMemcpy2dAsync writes outside of 65536 "
                                                      "bytes of device memory: first in row 63, byte 1000, 0 bytes "
                                                      "past the end"),
                ("device_memory_twice", "error: double-free: aclrtFree gets device memory that aclrtFree took already"),
                ("an_address_inside_of_a_block", "error: invalid-free: aclrtFree gets a pointer 64 bytes inside of a "
                                                 "block; only its start can be freed"),
                ("a_destroyed_stream", "error: invalid-handle: aclrtMemcpyAsync gets a handle that aclrtDestroyStream "
                                       "made invalid, of a stream"),
                ("rows_one_by_one", "advice: shape: 16 copies of 100 bytes are one rectangle: aclrtMemcpy2dAsync with "
                                    "dpitch 1024, spitch 100, width 100, height 16")):
            self.assertEqual(first_lines(run(CASES, case).stderr), ["pacl-check: " + line])

    def test_repetitions_are_counted_and_not_printed(self):  # R31: once per call site
        ran = run(CASES, "in_a_loop")
        self.assertEqual(len(first_lines(ran.stderr)), 1, ran.stderr)

    def test_no_more_than_wanted(self):
        ran = run(CASES, "the_free_of_the_other_memory", options=["--max-findings", "1"])
        self.assertEqual(len(first_lines(ran.stderr)), 1, ran.stderr)
        self.assertIn("pacl-check: more than 1 finding; the others are counted only\n", ran.stderr)
        self.assertEqual(ran.stderr.splitlines()[-1], "pacl-check: 2 errors, 0 advice, 1 not shown")
        self.assertEqual(ran.returncode, 86)

    def test_classes_that_are_wanted(self):
        for options, count in ((["--only", "leak"], 1), (["--only", "shape,leak"], 1), (["--only", "shape"], 0),
                               (["--skip", "leak"], 0), (["--skip", "shape"], 1),
                               (["--only", "leak", "--skip", "leak"], 0)):
            self.assertEqual(len(first_lines(run(CASES, "lost_device_memory", options=options).stderr)), count, options)


class Json(WithFolder):
    def report(self, *arguments):
        run(*arguments, options=["--report", self.path("report")])
        return self.lines("report")

    def test_a_finding_has_all_that_the_text_says(self):
        finding, summary = self.report(CASES, "one_row_too_many")
        self.assertEqual((finding["event"], finding["id"], finding["severity"], finding["class"]),
                         ("finding", 1, "error", "out-of-bounds"))
        self.assertEqual(finding["pid"], summary["pid"])
        access, = finding["accesses"]
        self.assertEqual((access["call"], access["access"], access["stream"]), ("aclrtMemcpy2dAsync", "write", 1))
        self.assertEqual((access["pitch"], access["width"], access["height"]), (1024, 1000, 65))
        self.assertEqual([frame["function"] for frame in access["stack"]][:2], ["one_row_too_many_run", "main"])
        self.assertTrue(access["stack"][0]["file"].endswith("memory_cases.c"), access)
        self.assertGreater(access["stack"][0]["line"], 1)
        self.assertEqual(int(finding["common"]["address"], 16), int(access["base"], 16) + 65536)
        self.assertEqual(finding["common"]["in"], [{"row": 64, "column": 0}])
        memory = finding["memory"]
        self.assertEqual((memory["base"], memory["size"], memory["kind"]), (access["base"], 65536, "device memory"))
        self.assertEqual(memory["allocated"][0]["function"], "set_up")
        self.assertEqual((summary["event"], summary["errors"], summary["advice"]), ("summary", 1, 0))
        self.assertEqual(summary["findings"], [{"id": 1, "count": 1}])

    def test_two_sides_and_the_missing_edge(self):
        finding, _ = self.report(CASES, "one_common_byte")
        self.assertEqual([a["access"] for a in finding["accesses"]], ["write", "write"])
        self.assertEqual({a["stream"] for a in finding["accesses"]}, {1, 2})
        self.assertEqual(finding["common"]["in"], [{"row": 0, "column": 0}, {"row": 0, "column": 99}])
        self.assertIn("stream 1", finding["missing"])

    def test_a_side_in_a_graph_has_its_execution(self):
        finding, _ = self.report(CASES, "two_branches_of_a_graph")
        for access in finding["accesses"]:
            self.assertEqual((access["call"], access["stream"], access["graph"], access["executed_by"]),
                             ("aclrtMemsetAsync", 2, 1, "aclmdlRIExecuteAsync"))
            self.assertEqual([frame["function"] for frame in access["stack"]][:2], ["set", "two_branches_of_a_graph_run"])
            self.assertEqual([frame["function"] for frame in access["executed"]][:2],
                             ["execute", "two_branches_of_a_graph_run"])
        self.assertIn("within graph 1 from its stream 0 to its stream 1", finding["missing"])

    def test_counts_come_with_the_summary(self):
        finding, summary = self.report(CASES, "a_destroyed_event")
        self.assertEqual(summary["findings"], [{"id": finding["id"], "count": 1}])

    def test_the_process_number_in_the_name(self):
        run(CASES, "lost_device_memory", options=["--report", self.path("%p.json")])
        name, = os.listdir(self.folder)
        self.assertEqual(self.lines(name)[0]["pid"], int(name.split(".")[0]))

    def test_the_end_is_told(self):
        run(ENDINGS, "return", "3", options=["--report", self.path("report")])
        note, summary = self.lines("report")
        self.assertEqual((note["event"], summary["event"]), ("note", "summary"))
        self.assertIn("1 block of device memory", note["text"])
        if os.environ.get("PACL_TEST_SANITIZE") != "thread":
            run(ENDINGS, "signal", "0", "mistake", options=["--report", self.path("report")])
            finding, summary = self.lines("report")
            self.assertEqual((summary["ended"], summary["findings"]), ("SIGTERM", [{"id": finding["id"], "count": 1}]))

    def test_a_run_begins_with_an_empty_file(self):
        self.file("report", "old\n")
        self.assertEqual(len(self.report(CASES, "what_is_freed")), 1)


class JUnit(WithFolder):
    def document(self, case, *options):
        run(CASES, case, options=["--junit", self.path("junit"), *options])
        root = xml.parse(self.path("junit")).getroot()
        self.assertEqual(root.tag, "testsuite")
        self.assertEqual([c.get("name") for c in root.iter("testcase")], CLASSES)
        self.assertEqual(root.get("tests"), str(len(CLASSES)))
        self.assertEqual(root.get("failures"), str(len([c for c in root if c.find("failure") is not None])))
        return root

    def test_a_class_with_errors_fails(self):
        failure, = self.document("lost_device_memory").iter("failure")
        self.assertEqual(failure.get("type"), "leak")
        self.assertEqual(failure.get("message"), "1 block of device memory, 4096 bytes in all, not freed at aclFinalize")
        self.assertIn("at lost_device_memory_run (", failure.text)
        self.assertTrue(failure.text.endswith("\n(1 time)"), failure.text)

    def test_advice_is_output(self):
        root = self.document("rows_one_by_one")
        self.assertEqual(root.get("failures"), "0")
        self.assertIn("one rectangle", root.find("testcase[@name='shape']/system-out").text)

    def test_what_is_not_looked_for_is_skipped(self):
        root = self.document("lost_device_memory", "--skip", "leak,shape")
        self.assertEqual({c.get("name") for c in root.iter("testcase") if c.find("skipped") is not None},
                         {"leak", "shape"})


class Suppressions(WithFolder):
    def count(self, case, text):
        ran = run(CASES, case, options=["--suppressions", self.file("list", text)])
        self.assertEqual(ran.returncode, 86 if first_lines(ran.stderr) else 0, ran.stderr)
        return len(first_lines(ran.stderr)), ran.stderr.splitlines()[-1]

    def test_what_fits_is_counted_and_not_reported(self):
        for line in ("leak lost_device_memory_run main", "leak lost_*", "* main", "leak *memory_cases.c:*",
                     "leak memory_cases.c:[0-9]*", "leak", "*", "# nothing\n\n leak lost_*  # a comment",
                     "leak */check_cases", "stream-race x\nleak main"):
            self.assertEqual(self.count("lost_device_memory", line + "\n"),
                             (0, "pacl-check: 0 errors, 0 advice, 1 suppressed"), line)

    def test_what_does_not_fit_is_reported(self):
        for line in ("shape lost_device_memory_run", "leak main lost_*", "leak other", "leak lost_* main more",
                     "leak memory_cases.c:1", "# leak", ""):
            self.assertEqual(self.count("lost_device_memory", line + "\n"), (1, "pacl-check: 1 error, 0 advice"), line)

    def test_any_stack_of_a_finding_may_fit(self):
        self.assertEqual(self.count("one_row_too_many", "out-of-bounds set_up main\n")[0], 0)
        self.assertEqual(self.count("two_branches_of_a_graph", "stream-race execute two_*\n")[0], 0)

    def test_the_line_that_is_printed_does_it(self):
        ran = run(CASES, "one_common_byte", options=["--gen-suppressions"])
        line, = re.findall(r"^suppression: (.*)$", ran.stderr, re.MULTILINE)
        self.assertEqual(line, "stream-race one_common_byte_run main")
        self.assertEqual(self.count("one_common_byte", line)[0], 0)

    def test_a_wrong_file_is_named(self):
        ran = run(CASES, "what_is_freed", options=["--suppressions", self.file("list", "leak x\nrace x\n")])
        self.assertIn(f"pacl-check: {self.path('list')}:2: \"race\" is no class of findings", ran.stderr)


class Variables(unittest.TestCase):
    def said(self, **variables):
        """What the library says, without `pacl run`, which refuses such values."""
        library = subprocess.run([PACL, "run", "--", "printenv", "LD_LIBRARY_PATH"], text=True, check=True,
                                 stdout=subprocess.PIPE).stdout.strip()
        ran = subprocess.run([ENDINGS, "return"], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100,
                             env={**os.environ, "LD_LIBRARY_PATH": library, **variables})
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stderr

    def test_a_wrong_value_is_named_whether_checking_is_on_or_not(self):
        for variable, takes in (("PACL_CHECK", "0 or 1"), ("PACL_STATUS_SIGNAL", "0 or 1"),
                                ("PACL_CHECK_GEN_SUPPRESSIONS", "0 or 1"),
                                ("PACL_CHECK_MAX_FINDINGS", "a number from 0 to 1000000"),
                                ("PACL_CHECK_ERROR_EXITCODE", "a number from 0 to 255")):
            self.assertEqual(self.said(**{variable: "yes"}), f'pacl-check: {variable} is "yes"; it takes {takes}\n')
        self.assertEqual(self.said(PACL_CHECK="0", PACL_STATUS_SIGNAL=""), "")
        self.assertEqual(self.said(PACL_CHECK="1", PACL_CHECK_SKIP="leak", PACL_CHECK_MAX_FINDINGS="1000001"),
                         'pacl-check: PACL_CHECK_MAX_FINDINGS is "1000001"; it takes a number from 0 to 1000000\n'
                         "pacl-check: 0 errors, 0 advice\n")


class State(unittest.TestCase):
    def state(self, *options):
        program = subprocess.Popen([PACL, "run", *options, "--", ENDINGS, "hang"], text=True, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with program:
            while program.stdout.readline() != "hangs\n":
                self.assertIsNone(program.poll())
            program.send_signal(signal.SIGUSR2)
            lines = []
            while not (lines and "pinned host memory" in lines[-1]):
                line = program.stderr.readline()
                self.assertNotEqual(line, "", lines)
                if line.startswith("pacl-status: "):
                    lines.append(line[len("pacl-status: "):-1])
            program.stdin.close()
            self.assertEqual(program.wait(), 0)
        return lines

    def test_streams_and_what_they_wait_for(self):
        for option in ("--check", "--status-signal"):
            text = re.sub(r"0x[0-9a-f]+", "HANDLE", "\n".join(self.state(option)))
            self.assertRegex(text, r"stream 1 on device 0: parked, 2 tasks pending, 0 finished, waits for event HANDLE, "
                                   r"which is not recorded\n")
            self.assertRegex(text, r"stream 2 on device 0: parked, 1 task pending, 0 finished, waits for event HANDLE, "
                                   r"which stream 1 records as pending task 2\n")
            self.assertRegex(text, r"device 0: 4096 of \d+ bytes in use, 2 streams, 2 events\n")

    def test_streams_under_a_schedule(self):
        text = "\n".join(self.state("--status-signal", "--schedule", "lazy"))
        self.assertRegex(text, r"stream 0 on device 0: idle, 0 tasks pending, 0 finished\n")
        self.assertRegex(text, r"stream 1 on device 0: ready, waits for its turn, 2 tasks pending, 0 finished\n")

    def test_a_program_keeps_its_own_handler(self):
        ran = run(ENDINGS, "own-handler", options=["--skip", "leak"])
        self.assertEqual(ran.stdout, "own\nbuffered\n")
        self.assertNotIn("pacl-status", ran.stderr)


if __name__ == "__main__":
    for name in [n for n in os.environ if n.startswith("PACL_CHECK") or n == "PACL_STATUS_SIGNAL"]:
        del os.environ[name]
    unittest.main(argv=[sys.argv[0]])

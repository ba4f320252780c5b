#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: silent_test.py SOURCE PACL PYTHON EXAMPLES TEST... [-- SCHEDULE...]

Checking mode finds nothing in programs that are right: the examples (programs below the folder EXAMPLES), Python
programs of the tests (PYTHON is "none": not these), and tests that make no mistake on purpose (TEST: built programs). Each
is run once per SCHEDULE, the value of PACL_SCHEDULE; without one, as it is. A program that the machine lacks something
for is left out, and named.
"""
import os
import re
import subprocess
import sys
import tempfile

# What the programs do on purpose: the examples one way of each kind, the slow ones too; a download to pageable memory,
# which is complete at once. Tests do not tidy up, and one fills queues, which is what queue-growth advises against.
SKIPS = {"mosaic": "shape,blocked-async", "channels.py": "blocked-async"}
TESTS_SKIP = "leak,shape,blocked-async"
TEST_SKIPS = {"test_stress_queue": TESTS_SKIP + ",queue-growth"}


class Runner:
    def __init__(self, pacl, schedules):
        self.pacl, self.schedules = pacl, schedules
        self.failed = self.count = 0

    def run(self, name, *command, skip=None):
        for schedule in self.schedules:
            self.run_once(name, command, skip, schedule)

    def run_once(self, name, command, skip, schedule):
        options = ["--skip", skip] if skip else []
        environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        if schedule:
            environment["PACL_SCHEDULE"] = schedule
        ran = subprocess.run([self.pacl, "run", "--check", *options, "--", *command], text=True, timeout=250,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
        self.count += 1
        findings = re.findall(r"^pacl-check: (?:error|advice): .*$", ran.stdout, re.MULTILINE)
        if ran.returncode == 77:
            print(f"{name}: left out: {ran.stdout.strip()}")
        elif ran.returncode != 0 or findings or "pacl-check: 0 errors, 0 advice" not in ran.stdout:
            self.failed += 1
            print(f"{name}: PACL_SCHEDULE={schedule}: ends with {ran.returncode}, {len(findings)} findings\n{ran.stdout}")


def run_examples(runner, source, folder, work):
    picture = os.path.join(source, "examples", "pictures", "chart.png")
    output = os.path.join(work, "output.png")
    for name in sorted(os.listdir(folder)):
        program = os.path.join(folder, name, name)
        if os.access(program, os.X_OK) and not os.path.isdir(program):
            arguments = [picture, "-o", output] if name == "mosaic" else []
            runner.run(name, program, *arguments, skip=SKIPS.get(name))


def run_python(runner, source, python, work):
    if subprocess.run([python, "-c", "import numpy, PIL"], stderr=subprocess.PIPE, check=False).returncode != 0:
        print("Python programs: left out, NumPy or PIL is missing")
        return
    picture = os.path.join(source, "examples", "pictures", "chart.png")
    runner.run("mosaic.py", python, os.path.join(source, "examples", "python", "mosaic.py"), picture, "-o",
               os.path.join(work, "output.png"), skip=SKIPS["mosaic"])
    scripts = os.path.join(source, "tests", "python", "scripts")
    for name in sorted(os.listdir(scripts)):
        if name.endswith(".py"):
            runner.run(name, python, os.path.join(scripts, name), skip=SKIPS.get(name))


def main():
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    source, pacl, python, examples, *tests = sys.argv[1:end]
    runner = Runner(os.path.abspath(pacl), sys.argv[end + 1:] or [""])
    with tempfile.TemporaryDirectory() as work:
        run_examples(runner, source, examples, work)
        if python != "none":
            run_python(runner, source, python, work)
        for test in tests:
            name = os.path.basename(test)
            runner.run(name, test, skip=TEST_SKIPS.get(name, TESTS_SKIP))
    print(f"{runner.count} runs, {runner.failed} with findings")
    sys.exit(1 if runner.failed or runner.count == 0 else 0)


main()

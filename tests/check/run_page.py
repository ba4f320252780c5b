#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run_page.py [--write] PAGE PACL COMPILER [OPTION...]

Takes the C programs of docs/checking.md, each under a line `<!-- wrong: CLASS -->`, compiles them with -g and runs them
with `pacl run --check`. The block under `<!-- report -->` that follows must be what is reported, but for addresses,
numbers of processes and threads, and times. The exit status must be 86, or 0 if all is advice. --write puts the reports
into the page instead.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import meant_races

BLOCK = re.compile(
    r"^<!-- wrong: ([a-z-]+) -->\n```c\n(.*?)^```\n\n<!-- report -->\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
VARYING = [(re.compile(r"0x[0-9a-f]+"), "0x7f0000000000"), (re.compile(r"thread \d+"), "thread 4711"),
           (re.compile(r"\d+\.\d+ ms"), "20.150 ms"),
           (re.compile(r"after \d+ ms: \d+ tasks, \d+ KiB"), "after 1 ms: 512 tasks, 262656 KiB"),
           (re.compile(r"has only grown, to \d+ tasks"), "has only grown, to 32768 tasks")]
# How long the queue was when it was looked at depends on who had a processor.
SAMPLES = re.compile(r"(?:  after \d+ ms: \d+ tasks, \d+ KiB to write\n)+")

# How the program ends, where it is not by its own exit.
ENDS = {"device-pointer-access": -signal.SIGSEGV, "deadlock": -signal.SIGALRM}

# Sanitizers handle these signals themselves, and put frames of their own into the stacks.
NOT_SANITIZED = ("host-race", "device-pointer-access")


def leveled(text):
    for pattern, replacement in VARYING:
        text = pattern.sub(replacement, text)
    return text


def compared(text):
    return leveled(SAMPLES.sub("  after 1 ms: 512 tasks, 262656 KiB to write\n", text))


def reported(kind, source, pacl, compiler):
    """The report of a program and what else is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        name = kind + ".c"
        with open(os.path.join(folder, name), "w", encoding="utf-8") as out:
            out.write(source)
        built = subprocess.run([compiler[0], "-g", name, "-o", kind, *compiler[1:]], cwd=folder, text=True,
                               stderr=subprocess.PIPE)
        if built.returncode != 0:
            return "", "does not compile:\n" + built.stderr
        ran = subprocess.run([pacl, "run", "--check", "--", "./" + kind], cwd=folder, text=True, timeout=200,
                             stderr=subprocess.PIPE,
                             env=meant_races.environment(folder) if kind == "stream-race" else None)
    lines = re.findall(r"^pacl-check: (error|advice): ([a-z-]+): ", ran.stderr, re.MULTILINE)
    status = ENDS[kind] if kind in ENDS else 86 if ("error", kind) in lines else 0
    if ran.returncode != status:
        return ran.stderr, f"ends with {ran.returncode}, not {status}:\n{ran.stderr}"
    if {found for _, found in lines} != {kind}:
        return ran.stderr, f"reports other classes:\n{ran.stderr}"
    return ran.stderr, ""


def main():
    arguments = [a for a in sys.argv[1:] if a != "--write"]
    if len(arguments) < 3:
        sys.exit(__doc__)
    page, pacl, compiler = arguments[0], os.path.abspath(arguments[1]), arguments[2:]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    failed = 0

    def run(match):
        nonlocal failed
        kind, source, wanted = match.groups()
        if os.environ.get("PACL_TEST_SANITIZE") == "thread":  # it has the signals
            wanted = re.sub(r"^pacl-check: .*; ended by .*\n", "", wanted, flags=re.MULTILINE)
        sanitizer = os.environ.get("PACL_TEST_SANITIZE")
        if sanitizer and kind in NOT_SANITIZED:
            print(f"{kind}: left out, sanitizers handle the signal themselves")
            return match.group(0)
        report, problem = reported(kind, source, pacl, compiler)
        if not problem and compared(report) != compared(wanted) and "--write" not in sys.argv:
            problem = f"reports:\n{report}\nand not:\n{wanted}"
        print(f"{kind}: {problem or 'as printed'}")
        failed += bool(problem)
        return match.group(0).replace(f"<!-- report -->\n```\n{wanted}```", f"<!-- report -->\n```\n{leveled(report)}```")

    written, count = BLOCK.subn(run, text)
    if "--write" in sys.argv:
        with open(page, "w", encoding="utf-8") as file:
            file.write(written)
    marked = len(re.findall(r"^<!-- wrong: ", text, re.MULTILINE))
    if count == 0 or count != marked:
        print(f"{page}: {count} programs, {marked} marked")
        failed += 1
    sys.exit(1 if failed else 0)


main()

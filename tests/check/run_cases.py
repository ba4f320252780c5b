#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run_cases.py CASES PACL CLASS... [--except NAME...]

Runs each case of the classes (cases.h) under `pacl run --check`. A wrong one must have findings of the class and no
others, a correct one none; the exit status follows. At least three of both are there. PACL_CHECK_* of the environment
does not count; other variables do, so that a schedule can be given.
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import meant_races

LEAST = 3  # cases of both sorts
AT_ONCE = 4  # cases that run at the same time: the long ones sleep


def problem_of(program, pacl, kind, sort, name):
    """What is wrong with a case ("": nothing), and what it printed."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report")
        ran = subprocess.run([pacl, "run", "--check", "--report", report, "--", program, name], text=True, timeout=200,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env=meant_races.environment(folder) if (kind, sort) == ("stream-race", "wrong") else None)
        with open(report, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
    output = ran.stdout + ran.stderr
    findings = [line for line in lines if line["event"] == "finding"]
    classes = {finding["class"] for finding in findings}
    errors = any(finding["severity"] == "error" for finding in findings)
    if classes != ({kind} if sort == "wrong" else set()):
        return f"reports {sorted(classes) or 'nothing'}", output
    if ran.returncode != (86 if errors else 0):
        return f"ends with {ran.returncode}", output
    if not lines or lines[-1]["event"] != "summary":
        return "has no summary", output
    return "", output


def failures_of(program, pacl, kind, listed):
    cases = [(sort, name) for own, sort, name in listed if own.replace("_", "-") == kind]
    failed = 0
    order = sorted(cases, reverse=True)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        problems = list(pool.map(lambda case: problem_of(program, pacl, kind, *case), order))
    for (sort, name), (problem, output) in zip(order, problems):
        print(f"{kind}: {sort}: {name}: {problem or 'ok'}")
        if problem:
            print(output)
        failed += bool(problem)
    for sort in ("wrong", "correct"):
        if sum(s == sort for s, _ in cases) < LEAST:
            print(f"{kind}: fewer than {LEAST} {sort} cases")
            failed += 1
    return failed


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    program, pacl = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    for variable in [v for v in os.environ if v.startswith("PACL_CHECK")]:
        del os.environ[variable]
    listed = [line.split() for line in subprocess.run([program], stdout=subprocess.PIPE, text=True,
                                                      check=True).stdout.splitlines()]
    end = sys.argv.index("--except") if "--except" in sys.argv else len(sys.argv)
    listed = [words for words in listed if words[2] not in sys.argv[end:]]
    sys.exit(1 if sum(failures_of(program, pacl, kind, listed) for kind in sys.argv[3:end]) else 0)


main()

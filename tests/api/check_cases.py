#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verifies that the cases of the specification, the reports of users, and the tests agree.

Each id of cases.tsv is carried by the name of a test (mem_027_width_one_past_the_limit carries MEM-027, as does
test_mem_027_... in the tests of the Python module) or is listed in PENDING.md, never both; no test and no pending line
carries an id that does not exist; each C test that is defined is also registered.

Each id of reports.tsv is named by a test of any kind: in its name (r17_...) or in a comment (R17), in a file under
tests/. Those of files that are no tests do not count.

Exit status 0: agreed, 1: not, 77: the tables are not here.
"""

import csv
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
SKIPPED = 77

TEST_NAME = re.compile(r"^START_TEST\((\w+)\)", re.MULTILINE)
PYTHON_NAME = re.compile(r"^    def test_(\w+)\(self\)", re.MULTILINE)
REGISTERED = re.compile(r"tcase_add_(?:loop_)?test\(\w+, (\w+)[,)]")
REPORT_ID = re.compile(r"\b(R\d\d|r\d\d(?=_))")
PENDING_ID = re.compile(r"\b([A-Z]{3}-\d{3})\b")


def case_ids(path):
    """The ids of cases.tsv, in order."""
    with path.open(newline="", encoding="utf-8") as table:
        return [row["id"] for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE)]


def id_of_test(name, areas):
    """MEM-027 for mem_027_..., None for a test without a case."""
    match = re.match(r"([a-z]{3})_(\d{3})_", name)
    if match is None or match[1].upper() not in areas:
        return None
    return f"{match[1].upper()}-{match[2]}"


def read_tests():
    """Names of all tests, and complaints about tests that are not registered exactly once in their file."""
    names, problems = [], []
    for path in sorted(HERE.glob("test_*.c")):
        text = path.read_text(encoding="utf-8")
        defined = TEST_NAME.findall(text)
        registered = REGISTERED.findall(text)
        for name in defined:
            if registered.count(name) != 1:
                problems.append(f"{path.name}: {name} is registered {registered.count(name)} times")
        names += defined
    for path in sorted((HERE.parent / "python").glob("test_*.py")):
        names += PYTHON_NAME.findall(path.read_text(encoding="utf-8"))
    return names, problems


def report_ids(path):
    """The ids of reports.tsv, in order. Lines that begin with # are comments."""
    with path.open(newline="", encoding="utf-8") as table:
        lines = [line for line in table if not line.startswith("#")]
    return [row["id"] for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]


def read_reports():
    """Ids of reports that tests name."""
    named = set()
    for path in HERE.parent.rglob("*"):
        if path.suffix in (".c", ".py", ".sh") and path != pathlib.Path(__file__).resolve():
            named |= {number.upper() for number in REPORT_ID.findall(path.read_text(encoding="utf-8"))}
    return named


def compare(ids, tested, pending):
    """Complaints about ids that are covered by nothing, by both, or that do not exist."""
    problems = [f"{i}: neither tested nor pending" for i in ids if i not in tested and i not in pending]
    problems += [f"{i}: tested and pending" for i in ids if i in tested and i in pending]
    problems += [f"{i}: not in cases.tsv" for i in sorted((tested | pending) - set(ids))]
    return problems


def main():
    shared = pathlib.Path(os.environ.get("PACL_SHARED") or REPOSITORY.parent / "shared")
    table = shared / "spec" / "cases.tsv"
    reports = shared / "reports.tsv"
    if not table.is_file() or not reports.is_file():
        print("skipped: no spec/cases.tsv or no reports.tsv (PACL_SHARED names the folder of the tables)")
        return SKIPPED

    ids = case_ids(table)
    areas = {i.split("-")[0] for i in ids}
    names, problems = read_tests()
    tested = {i for i in (id_of_test(name, areas) for name in names) if i is not None}
    pending = set(PENDING_ID.findall((HERE / "PENDING.md").read_text(encoding="utf-8")))
    problems += compare(ids, tested, pending)
    named, wanted = read_reports(), set(report_ids(reports))
    problems += [f"{i}: a report that no test names" for i in sorted(wanted - named)]
    problems += [f"{i}: not in reports.tsv" for i in sorted(named - wanted)]
    for problem in problems:
        print(problem)
    print(f"{len(ids)} cases: {len(tested)} tested, {len(pending)} pending; {len(wanted)} reports; {len(names)} tests in all")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

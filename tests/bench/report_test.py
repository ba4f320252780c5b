#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: report_test.py ROOT PROGRAMS

bench/report.py fills every table of a copy of docs/performance.md, touches nothing outside the markers, and leaves the
page alone if a benchmark fails. No figure is looked at.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, PROGRAMS = sys.argv[1:3]
BLOCK = re.compile(r"<!-- bench:(\w+) -->\n(.*?)<!-- /bench:\1 -->", re.DOTALL)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.page = shutil.copy(os.path.join(ROOT, "docs", "performance.md"), self.folder)

    def report(self, programs):
        script = os.path.join(ROOT, "bench", "report.py")
        return subprocess.run([sys.executable, script, "--quick", "--write", self.page, programs],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)

    def test_fills_every_table_and_nothing_else(self):
        text = BLOCK.sub(r"<!-- bench:\1 -->\n<!-- /bench:\1 -->", read(self.page))
        with open(self.page, "w", encoding="utf-8") as file:
            file.write(text)
        done = self.report(PROGRAMS)
        self.assertEqual(done.returncode, 0, done.stderr)
        after = read(self.page)
        self.assertEqual(BLOCK.sub(r"<!-- bench:\1 -->\n<!-- /bench:\1 -->", after), text)
        filled = dict(BLOCK.findall(after))
        self.assertEqual(set(filled), {name for name, _ in BLOCK.findall(text)})
        for name, block in filled.items():
            self.assertGreaterEqual(len(block.strip().splitlines()), 1, name)
        for name in ("classes", "shapes", "async", "sizes", "streams", "blocked"):
            rows = [row for row in filled[name].splitlines() if row.startswith("|")]
            self.assertGreaterEqual(len(rows), 3, name)
            self.assertEqual(len({row.count("|") for row in rows}), 1, f"{name}: rows of different length")

    def test_keeps_the_page_if_a_benchmark_fails(self):
        programs = os.path.join(self.folder, "programs")
        os.mkdir(programs)
        os.symlink("/bin/false", os.path.join(programs, "peers"))
        before = read(self.page)
        self.assertNotEqual(self.report(programs).returncode, 0)
        self.assertEqual(read(self.page), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])

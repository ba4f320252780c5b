# SPDX-License-Identifier: Apache-2.0
"""The code on the page docs/python.md, and its links."""
import re
import unittest

from support import ROOT, needs_numpy, python

PAGE = ROOT / "docs" / "python.md"


def blocks():
    """(line, code) of each block of Python code."""
    text = PAGE.read_text(encoding="utf-8")
    for match in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, match.start()) + 2, match[1]


class Page(unittest.TestCase):
    @needs_numpy
    def test_code_runs(self):
        # Each line at its place, so that a traceback names the line of the page.
        lines = []
        for line, code in blocks():
            lines += [""] * (line - 1 - len(lines)) + code.splitlines()
        self.assertGreater(len([x for x in lines if x]), 100)
        script = f"exec(compile({chr(10).join(lines) + chr(10)!r}, {str(PAGE)!r}, 'exec'))"
        done = python(script, environment={"PACL_PRODUCT": "atlas-a2"})
        self.assertEqual((done.stdout, done.stderr), ("", ""))

    @needs_numpy
    def test_programs_written_from_the_page(self):
        for name, said in (("kv_cache", "page moved\n"), ("channels", "colours apart\n"),
                           ("pipeline", "pipeline done\n")):
            with self.subTest(name):
                script = f"import runpy; runpy.run_path({str(ROOT / 'tests' / 'python' / 'scripts' / name)!r} + '.py')"
                done = python(script, environment={"PACL_PRODUCT": "atlas-a2"})
                self.assertEqual((done.stdout, done.stderr), (said, ""))

    def test_links(self):
        text = PAGE.read_text(encoding="utf-8")
        anchors = {re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")
                   for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
        for target in re.findall(r"\]\(([^)]*)\)", text):
            if target.startswith("#"):
                self.assertIn(target[1:], anchors)
            else:
                self.assertTrue((PAGE.parent / target).exists(), target)


if __name__ == "__main__":
    unittest.main()

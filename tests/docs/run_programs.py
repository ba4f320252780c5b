#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: run_programs.py PAGE COMPILER [OPTION...]

Takes every C program of a Markdown page that stands under the line `<!-- program -->`, compiles and runs it. A block
under `<!-- output -->` that follows it must be what the program prints. A page without programs is an error.
"""
import os
import re
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"^<!-- program -->\n```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUT = re.compile(r"^<!-- output -->\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(text):
    """Pairs of a program's source and the output that the page gives for it, None if it gives none."""
    starts = list(PROGRAM.finditer(text))
    for i, match in enumerate(starts):
        end = starts[i + 1].start() if i + 1 < len(starts) else len(text)
        output = OUTPUT.search(text, match.end(), end)
        yield match.group(1), output.group(1) if output else None


def problem_of(source, wanted, compiler):
    """What is wrong with a program; "" if nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        file, program = os.path.join(folder, "program.c"), os.path.join(folder, "program")
        with open(file, "w", encoding="utf-8") as out:
            out.write(source)
        built = subprocess.run([compiler[0], file, "-o", program, *compiler[1:]], stderr=subprocess.PIPE, text=True)
        if built.returncode != 0:
            return "does not compile:\n" + built.stderr
        ran = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200)
    if ran.returncode != 0:
        return f"ends with status {ran.returncode}:\n{ran.stdout}"
    if wanted is not None and ran.stdout != wanted:
        return f"prints:\n{ran.stdout}and not:\n{wanted}"
    return ""


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    page, compiler = sys.argv[1], sys.argv[2:]
    with open(page, encoding="utf-8") as file:
        found = list(programs(file.read()))
    problems = [problem_of(source, wanted, compiler) for source, wanted in found]
    for number, problem in enumerate(problems, 1):
        print(f"{page}: program {number}: {problem or 'as printed'}")
    if not found:
        print(f"{page}: no program")
    sys.exit(1 if any(problems) or not found else 0)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_codes.py ROOT

Each error code that the sources of the library name has its number in docs/errors.md, and each number there has the name
beside it. Prints what does not; exit status 1 if anything.
"""
import os
import re
import sys


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def named_in_sources(root):
    names = set()
    for part in ("api", "core", "check", "trace", "fault"):
        for folder, _, files in os.walk(os.path.join(root, "src", part)):
            for name in files:
                names.update(re.findall(r"\bACL_ERROR_\w+", read(folder, name)))
    return names


def main(root):
    numbers = dict(re.findall(r"X\((ACL_ERROR_\w+), (\d+)\)", read(root, "src/base/codes.h")))
    page = read(root, "docs/errors.md")
    wrong = []
    for name in sorted(named_in_sources(root) & numbers.keys()):
        if f"`{name}`" not in page:
            wrong.append(f"docs/errors.md lacks {numbers[name]}, {name}")
    for number, name in re.findall(r"^\| (\d+) \| `(\w+)`", page, re.MULTILINE):
        if numbers.get(name) != number:
            wrong.append(f"docs/errors.md: {name} is {numbers.get(name)}, not {number}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: lint_database.py FROM TO

Writes the compilation database TO: FROM with each file once, as it is compiled first. The tests compile their common
files again for every program, and linters would look at each of these.
"""
import json
import os
import sys


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        entries = json.load(file)
    first = {}
    for entry in entries:
        first.setdefault(entry["file"], entry)
    os.makedirs(os.path.dirname(os.path.abspath(sys.argv[2])), exist_ok=True)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        json.dump(list(first.values()), file, indent=1)


main()

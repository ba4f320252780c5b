#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_links.py ROOT

In every Markdown file below ROOT: relative links lead to files that exist and to headings that they have. Where ROOT
has the sources and is not an installed tree: what stands in backticks and looks like a file of the sources exists.
Prints each that does not; exit status 1 if any.
"""
import os
import re
import sys
from urllib.parse import unquote

FENCE = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1[ \t]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
SOURCE = re.compile(r"`((?:src|include|tests|tools|examples|docs|cmake)/[\w./-]+\.\w+)`")
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)


def pages(root):
    """The Markdown files of the project; those in build directories, installed copies among them, are none."""
    for folder, folders, files in os.walk(root):
        if "CMakeCache.txt" in files:
            folders.clear()
            continue
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def read(path):
    with open(path, encoding="utf-8") as file:
        return FENCE.sub("", file.read())


def anchors(text):
    """The names that the usual renderers give to a page's headings."""
    found = set()
    for heading in HEADING.findall(text):
        plain = re.sub(r"[`*]|\[|\]\([^)]*\)", "", heading).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        count = 0
        while (name if count == 0 else f"{name}-{count}") in found:
            count += 1
        found.add(name if count == 0 else f"{name}-{count}")
    return found


def broken_links(path, text):
    for target in LINK.findall(CODE.sub("", text)):
        if ELSEWHERE.match(target):
            continue
        file, _, anchor = unquote(target).partition("#")
        goal = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if not os.path.exists(goal):
            yield f"link to {target}: there is no such file"
        elif anchor and anchor not in anchors(read(goal)):
            yield f"link to {target}: there is no such heading"


def missing_sources(root, text):
    if not os.path.isdir(os.path.join(root, "src")):
        return
    for name in SOURCE.findall(text):
        if not os.path.exists(os.path.join(root, name)):
            yield f"`{name}`: there is no such file"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    root = os.path.abspath(sys.argv[1])
    files = list(pages(root))
    problems = 0
    for path in files:
        text = read(path)
        for problem in [*broken_links(path, text), *missing_sources(root, text)]:
            print(f"{os.path.relpath(path, root)}: {problem}")
            problems += 1
    print(f"{len(files)} pages, {problems} problems")
    sys.exit(1 if problems or not files else 0)


main()

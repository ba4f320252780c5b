#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes calls.c: every function of the public headers, what its parameters are, which codes its comment names, and a call
with values that the test chooses.

usage: generate.py INCLUDE_DIR FILE
"""
import pathlib
import re
import sys

INTEGERS = {"int8_t": "I8", "uint8_t": "U8", "uint16_t": "U16", "int32_t": "I32", "uint32_t": "U32", "int": "I32",
            "int64_t": "I64", "uint64_t": "U64", "size_t": "U64", "aclFloat16": "U16", "aclError": "I32"}
# Integers that say how much is at an address; they are never larger than what is there.
AMOUNT = re.compile(r"size|count|num|len|max|bytes|width|height|pitch|offset|index", re.IGNORECASE)
# Handles that the test has a valid one of.
KNOWN = {"aclrtStream": "STREAM", "aclrtEvent": "EVENT", "aclrtContext": "CONTEXT"}

class Headers:
    def __init__(self, folder):
        self.files = sorted((folder / "acl").glob("*.h"))
        text = "\n".join(f.read_text() for f in self.files)
        self.enums = set(re.findall(r"typedef enum(?: \w+)? \{[^}]*\} (\w+);", text))
        self.callbacks = set(re.findall(r"typedef [\w *]+\(\*(\w+)\)\(", text))
        self.handles = set(re.findall(r"typedef void \*(\w+);", text))
        self.opaque = {y for x, y in re.findall(r"typedef struct (\w+) (\w+);", text)
                       if not re.search(rf"struct {x} \{{", text)}
        self.functions = []
        for file in self.files:
            self.functions += [(file.name, *f) for f in self.declarations(file.read_text())]

    def is_answer(self, c_type):
        """Whether a pointer leads to numbers, handles or addresses that the call may write."""
        target = c_type.removesuffix("*").strip()
        return "const" not in c_type and (target in INTEGERS or target in self.handles or target in self.enums
                                          or target in ("float", "char", "void *"))

    @staticmethod
    def declarations(text):
        pattern = re.compile(r"/\*\n((?: \*.*\n)+?) \*/\n(?:ACL_DEPRECATED )?ACL_FUNC_VISIBILITY (?:ACL_DUMP_WEAK )?"
                             r"([^;(]*?)\b(acl\w+)\(([^;]*)\);")
        for comment, result, name, parameters in pattern.findall(text):
            comment = re.sub(r"^ \* ?", "", comment, flags=re.MULTILINE)
            yield name, " ".join(result.split()), split(parameters), comment


def split(parameters):
    """At the commas that are not inside of parentheses."""
    parts, depth = [""], 0
    for c in " ".join(parameters.split()):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [] if parts == ["void"] else [p.strip() for p in parts]


def parameter(text, headers):
    """Type, name and kind of a parameter."""
    callback = re.fullmatch(r"(.*\(\*)(\w+)(\).*)", text)
    if callback:
        return f"{callback[1]}{callback[3]}", callback[2], "CALLBACK"
    c_type, name = re.fullmatch(r"(.*?)(\w+)", text).groups()
    c_type = c_type.strip()
    base = c_type.replace("const ", "").strip()
    if base in KNOWN:
        kind = KNOWN[base]
    elif base in headers.handles or (base.endswith("*") and base.rstrip("* ") in headers.opaque
                                     and base.count("*") == 1):
        kind = "HANDLE"
    elif base in headers.callbacks:
        kind = "CALLBACK"
    elif base in ("char *",) and "const" in c_type:
        kind = "TEXT"
    elif base.endswith("*"):
        kind = "POINTER"
    elif base in headers.enums:
        kind = "I32"
    elif base in INTEGERS:
        kind = INTEGERS[base]
    elif base == "float":
        kind = "FLOAT"
    else:
        kind = "STRUCT"
    return c_type, name, kind


def words_of(name, comments):
    """A comment with those that it refers to: "as aclX", "and what aclX answers", and, of the one before, "The same"."""
    names = list(comments)
    words = comments[name]
    others = re.findall(r"\b(?:[Aa]s|[Aa]s of|[Aa]nd what) (acl\w+)", words)
    if re.match(r"The same\b", words):
        others.append(names[names.index(name) - 1])
    return "\n".join([words] + [words_of(other, comments) for other in others if other in comments and other != name])


def argument(index, c_type, kind):
    member = {"FLOAT": "number", "POINTER": "pointer", "TEXT": "pointer", "STREAM": "pointer", "EVENT": "pointer",
              "CONTEXT": "pointer", "HANDLE": "pointer", "CALLBACK": "callback"}.get(kind, "integer")
    return f"({c_type})v[{index}].{member}" if kind != "STRUCT" else f"s{index}"


def write_function(out, header, name, result, parameters, words):
    parsed = [p for p in parameters if p != "..."]
    fields = []
    body = []
    arguments = []
    for i, (c_type, p, kind) in enumerate(parsed_parameters(parsed)):
        amount = "true" if kind.startswith(("U", "I")) and AMOUNT.search(p) else "false"
        answer = "true" if kind == "POINTER" and HEADERS.is_answer(c_type) else "false"
        fields.append(f'    {{ "{p}", {kind}, {amount}, {answer} }},')
        if kind == "STRUCT":
            body += [f"    {c_type} s{i};", f"    memset(&s{i}, (int)v[{i}].integer, sizeof s{i});"]
        arguments.append(argument(i, c_type, kind))
    call = f"{name}({', '.join(arguments)})"
    if result == "aclError":
        returns, line = "CODE", f"    return {call};"
    elif result == "void":
        returns, line = "NOTHING", f"    {call};\n    return 0;"
    elif "*" in result or result in HEADERS.handles:
        returns, line = "ADDRESS", f"    return {call} != NULL;"
    else:
        returns, line = "NUMBER", f"    return (int64_t){call};"
    out.append(f"static int64_t call_{name}(const union value *v)\n{{\n    (void)v;")
    out += body + [line, "}", ""]
    if fields:
        out += [f"static const struct parameter parameters_{name}[] = {{", *fields, "};", ""]
    codes = {int(c) for c in re.findall(r"\((\d{6})\)", words)}
    numbers = ", ".join(str(c) for c in sorted(codes)) + (", " if codes else "") + "0"
    out.append(f"static const int codes_{name}[] = {{ {numbers} }};")
    null_is_told = "true" if re.search(r"\bnull\b", words, re.IGNORECASE) else "false"
    return (f'    {{ "{name}", "{header}", {returns}, {len(fields)}, '
            f"{'parameters_' + name if fields else 'NULL'}, codes_{name}, {null_is_told}, call_{name} }},")


def parsed_parameters(parameters):
    return [parameter(p, HEADERS) for p in parameters]


def main(include, path):
    global HEADERS
    HEADERS = Headers(pathlib.Path(include))
    comments = {f[1]: f[4] for f in HEADERS.functions}
    out = ["/* SPDX-License-Identifier: Apache-2.0 */", "/* Generated by generate.py from the public headers. */",
           *(f"#include <acl/{f.name}>" for f in HEADERS.files), "", '#include "calls.h"', "",
           '#pragma GCC diagnostic ignored "-Wdeprecated-declarations"',
           '#pragma GCC diagnostic ignored "-Wcast-function-type"',
           '#pragma GCC diagnostic ignored "-Wformat-security"',
           '#pragma GCC diagnostic ignored "-Wformat-nonliteral"', ""]
    rows = [write_function(out, h, name, result, parameters, words_of(name, comments))
            for h, name, result, parameters, _ in HEADERS.functions]
    out += ["", "const struct call calls[] = {", *rows, "};", "",
            "const size_t call_count = sizeof calls / sizeof calls[0];", ""]
    pathlib.Path(path).write_text("\n".join(out))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])

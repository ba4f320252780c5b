#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes everything that follows from functions.tsv, the table of the Python module's functions.

usage: generate.py wrappers FILE    the C wrappers (the build does this)
       generate.py refresh          the type stubs and docs/python-api.md (committed)
       generate.py check            tells whether those two are up to date

The columns of functions.tsv:
  function   name in Python
  arguments  `name:type`, separated by spaces; a `?` behind the type: may be left out; `-`: any arguments are accepted
             and ignored
  returns    `ret`, `None` or `name:type`; several make a tuple. `=TYPE` is the C variable's type where it differs,
             `(VALUE)` what it holds if the C function does not write it (else 0)
  call       the C call, in which arguments and results have their names; `@name` is a function of python/src that is
             written by hand, and the C functions that it uses follow. A name alone has no call yet.
  gil        held or released during the call: released wherever a call may wait for another thread; destroys: released,
             and streams go, with Python functions that they have dropped
  doc        description, where the C function's comment in the header does not serve; a backslash and n: a new line

A function whose C function is not in src/pacl.map answers ACL_ERROR_API_NOT_SUPPORT in the shape of `returns`. Where the
C function refuses (src/api/refused_*.c), so does the function in Python: through the call if it has one, else by itself.
"""
import collections
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
SUBMODULES = ["rt", "util", "mdl", "op", "prof", "media"]  # beside the functions of acl itself
STUBS = HERE / "acl-stubs"
PAGE = ROOT / "docs" / "python-api.md"

# What acl.h does not bring.
HEADERS = ["acl_dump.h", "acl_prof.h", "acl_rt_allocator.h"]

# Of an argument's or result's type: the letter that src/parse.c reads, the C type, the member of union pyacl_value, the
# function of src/shape.h that makes a Python object of it, the type in stubs.
Type = collections.namedtuple("Type", "letter c member make stub")
TYPES = {
    "ptr": Type("k", "void *", "pointer", "pyacl_from_pointer", "int"),
    "size": Type("k", "size_t", "size", "PyLong_FromSize_t", "int"),
    "u64": Type("k", "uint64_t", "u64", "PyLong_FromUnsignedLongLong", "int"),
    "i64": Type("l", "int64_t", "i64", "PyLong_FromLongLong", "int"),
    "u32": Type("I", "uint32_t", "u32", "PyLong_FromUnsignedLong", "int"),
    "i32": Type("i", "int32_t", "i32", "PyLong_FromLong", "int"),
    "u16": Type("H", "uint16_t", "u16", "PyLong_FromUnsignedLong", "int"),
    "u8": Type("b", "uint8_t", "u8", "PyLong_FromUnsignedLong", "int"),
    "f32": Type("f", "float", "f32", "PyFloat_FromDouble", "float"),
    "str": Type("s", "const char *", "text.at", "pyacl_from_text", "str"),
    "object": Type("O", "PyObject *", "object", None, "Any"),
    "callable": Type("C", "PyObject *", "object", None, "Callable[..., object]"),
    "dict": Type("D", "PyObject *", "object", "pyacl_empty_dict", "dict[str, Any]"),
    "list": Type("L", "PyObject *", "object", "pyacl_empty_list", "list[Any]"),
    "bytes": Type(None, None, None, None, "bytes"),
    "ndarray": Type(None, None, None, None, "Any"),
}
# What a refusing function puts where a result of that type would stand; 0 for the others.
EMPTY = {"f32": "PyFloat_FromDouble(0)", "str": "PyUnicode_FromString(\"\")", "dict": "PyDict_New()",
         "list": "PyList_New(0)"}

# How a signature shows an optional argument that is left out, by its type.
DEFAULTS = {"str": '""', "callable": "None"}

Argument = collections.namedtuple("Argument", "name type optional")
Result = collections.namedtuple("Result", "name type c initial")


class Function:
    def __init__(self, line, exported, refused, comments):
        cells = line.rstrip("\n").split("\t")
        self.name, arguments, returns, self.call, gil, self.doc = cells + [""] * (6 - len(cells))
        self.module, self.base = self.name.rsplit(".", 1)
        self.id = self.name.replace(".", "_")
        self.any_arguments = arguments == "-"
        self.arguments = [] if self.any_arguments else [parse_argument(a) for a in arguments.split()]
        self.results = [] if returns == "None" else [parse_result(r) for r in returns.split()]
        self.released = {"held": False, "released": True, "destroys": True}[gil]
        self.destroys = gil == "destroys"
        self.by_hand = self.call.startswith("@")
        self.c_functions = self.call.split()[1:] if self.by_hand else [self.call.split("(")[0]]
        self.missing = [c for c in self.c_functions if c not in exported]
        self.refused = [c for c in self.c_functions if c in refused]
        self.comment = next((comments[c] for c in self.c_functions if c in comments), None)
        has_call = self.by_hand or "(" in self.call
        if not has_call:
            self.missing += self.refused
        self.refuses = bool(self.missing or self.refused)
        if not (self.missing or has_call):
            raise SystemExit(f"functions.tsv: the library has {self.call} now: write the call for {self.name}")

    @property
    def ret_only(self):
        return [r.name for r in self.results] == ["ret"]

    def signature(self):
        if self.any_arguments:
            return "*args"
        parts = [a.name + (f"={DEFAULTS[a.type]}" if a.optional else "") for a in self.arguments]
        return ", ".join(parts + ["/"]) if parts else ""


def parse_argument(text):
    name, type_name = text.split(":")
    return Argument(name, type_name.rstrip("?"), type_name.endswith("?"))


def parse_result(text):
    if text in ("ret", "ret:u32"):
        return Result("ret", "u32" if ":" in text else "i32", "aclError", None)
    name, type_name, c, initial = re.fullmatch(r"(\w+):(\w+)(?:=(\w+)(?:\((\w+)\))?)?", text).groups()
    return Result(name, type_name, c or TYPES[type_name].c, initial)


def exported_functions():
    text = (ROOT / "src" / "pacl.map").read_text()
    return set(re.findall(r"^\s+(acl\w+);", text, re.MULTILINE))


def refused_functions():
    """Those that the library has and that refuse; src/api/refused.h says how they look."""
    pattern = re.compile(r"\b(acl\w+)\([^;{]*\)\s*PACL_REFUSES", re.ASCII)
    files = sorted((ROOT / "src" / "api").glob("refused_*.c"))
    return {name for file in files for name in pattern.findall(file.read_text())}


# The comment above a declaration of the public headers, and the names of its parameters in C.
Comment = collections.namedtuple("Comment", "text parameters")


def header_comments():
    pattern = re.compile(r"/\*\n((?: \*.*\n)+?) \*/\n(?:ACL_DEPRECATED )?ACL_FUNC_VISIBILITY [^;(]*?(acl\w+)\(([^)]*)")
    comments = {}
    for header in sorted((ROOT / "include" / "acl").rglob("*.h")):
        for body, name, parameters in pattern.findall(header.read_text()):
            text = re.sub(r"^ \* ?", "", body, flags=re.MULTILINE).rstrip()
            comments[name] = Comment(text, [p.split()[-1].lstrip("(*") for p in parameters.split(",")])
    return comments


def read_table():
    exported, refused, comments = exported_functions(), refused_functions(), header_comments()
    lines = (HERE / "functions.tsv").read_text().splitlines()[2:]
    return [Function(line, exported, refused, comments) for line in lines]


# --- C wrappers -------------------------------------------------------------------------------------------------------

def docstring(f, python_names):
    signature = ", ".join(filter(None, ["$module", f.signature()]))
    parts = []
    if f.missing:
        parts.append(f"Not in PACL yet ({', '.join(f.missing)}): does nothing and answers ACL_ERROR_API_NOT_SUPPORT "
                     "(200001).")
    if f.doc:
        parts.append("\n".join(wrapped(line) for line in f.doc.split("\\n")))
    elif f.comment:
        parts.append(in_python(f, python_names))
    parts.append(f"Returns {return_text(f)}.")
    if f.c_functions:
        parts.append(f"C function: {', '.join(f.c_functions)}.")
    return f"{f.base}({signature})\n--\n\n" + "\n\n".join(parts)


def wrapped(line):
    """As the comments in the headers: what a name is followed by is indented."""
    return textwrap.fill(line, 116, subsequent_indent="    " if re.match(r"\w+(, returned| \(\d+\))?: ", line) else "")


def in_python(f, python_names):
    """The comment of the C function, as it holds for the function in Python: its names, and results that are returned
    instead of written to an address."""
    results = {r.name for r in f.results}
    text = re.sub(r"(?: ?\[[A-Z]\])+", "", f.comment.text)  # the headers' marks of sources
    for c, name in parameter_names(f).items():
        text = re.sub(rf"(?<![\w.]){c}\b", name, text)
    text = drop_null_results(text, f, results)
    text = re.sub(r"\b(\w+(?:, \w+)*):\s+receives? ",
                  lambda m: f"{m[1]}, returned: " if set(m[1].split(", ")) <= results else m[0], text)
    text = re.sub(r"\bacl\w+", lambda m: python_names.get(m[0], m[0]), text)
    text = re.sub(r"\bNull (\w+)", lambda m: f"{m[1].capitalize()} 0", text)
    return re.sub(r"\bnull\b", "0", text)


def parameter_names(f):
    """The names in C of a function's parameters, and those in Python."""
    call = re.fullmatch(r"\w+\((.*)\)", f.call)
    if call:
        return dict(zip(f.comment.parameters, [a.lstrip("&") for a in call[1].split(", ")]))
    return {re.sub(r"_(.)", lambda m: m[1].upper(), x.name): x.name for x in (*f.arguments, *f.results)}


def drop_null_results(text, f, results):
    """Without failures that a caller in Python cannot cause: the addresses of the results are the wrapper's."""
    takes_words = any(TYPES[a.type].letter == "k" for a in f.arguments)
    names = "|".join(f"`{r}`" for r in results)
    if names:
        text = re.sub(rf"(`\w+`) or (?:{names})(?= is null)", r"\1", text)
        text = re.sub(rf"(?:{names}) or (`\w+`)(?= is null)", r"\1", text)
        text = re.sub(rf"^ACL_ERROR_\w+ \(\d+\): (?:{names}) is null\.\n", "", text, flags=re.MULTILINE)
        text = re.sub(rf"(: )(?:{names}) is null(?:,(?: or)?|;) ", r"\1", text)
    if not takes_words:
        text = re.sub(r"^ACL_ERROR_\w+ \(\d+\): an argument is null\.\n", "", text, flags=re.MULTILINE)
    return text


def return_text(f):
    names = [r.name for r in f.results]
    return {0: "None", 1: names[0] if names else ""}.get(len(names), f"({', '.join(names)})")


def c_string(text):
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').split("\n")
    return "\n    ".join(f'"{line}\\n"' for line in escaped[:-1]) + ("\n    " if len(escaped) > 1 else "") + \
        f'"{escaped[-1]}"'


def signature_lines(f):
    letters = "".join(TYPES[a.type].letter for a in f.arguments)
    names = ", ".join(f'"{a.name}"' for a in f.arguments) or "NULL"
    required = sum(not a.optional for a in f.arguments)
    missing = f'"{f.missing[0]}"' if f.missing else "NULL"
    return [f"static const char *const {f.id}_names[] = {{ {names} }};",
            f'static const struct pyacl_signature {f.id}_signature = {{ "{f.name}", "{letters}", {f.id}_names, '
            f"{len(f.arguments)}, {required}, {missing} }};"]


def parse_lines(f):
    if f.any_arguments:
        return ["(void)args;"]
    return [f"union pyacl_value v[{len(f.arguments)}];",
            f"if (!pyacl_parse(&{f.id}_signature, args, v))",
            "    return NULL;"]


def has_text(f):
    return any(a.type == "str" for a in f.arguments)


def release_lines(f):
    return [f"pyacl_release(&{f.id}_signature, v);"] if has_text(f) else []


def make(result):
    if result.name == "ret":
        return "pyacl_from_ret(ret)"
    c = TYPES[result.type].c
    cast = f"({c})" if result.c != c else ""  # the original's binding loses the upper half of some results
    return f"{TYPES[result.type].make}({cast}{result.name})"


def result_lines(f):
    if not f.results:
        return ["Py_RETURN_NONE;"]
    if len(f.results) == 1:
        return [f"return {make(f.results[0])};"]
    items = ", ".join(make(r) for r in f.results)
    return [f"return pyacl_tuple({len(f.results)}, (PyObject *[]){{ {items} }});"]


def refusal_lines(f):
    lines = parse_lines(f) + release_lines(f) + [f"pyacl_refuse(&{f.id}_signature);"]
    items = ["pyacl_from_ret(ACL_ERROR_API_NOT_SUPPORT)" if r.name == "ret" else EMPTY.get(r.type, "PyLong_FromLong(0)")
             for r in f.results]
    if not items:
        return lines + ["Py_RETURN_NONE;"]
    if len(items) == 1:
        return lines + ["Py_RETURN_NONE;" if f.results[0].type == "str" else f"return {items[0]};"]
    return lines + [f"return pyacl_tuple({len(items)}, (PyObject *[]){{ {', '.join(items)} }});"]


def call_lines(f):
    inputs = {a.name for a in f.arguments}
    lines = parse_lines(f)
    lines += [f"{spaced(TYPES[a.type].c)}{a.name} = v[{i}].{TYPES[a.type].member};" for i, a in enumerate(f.arguments)]
    plain = f.results[0] if len(f.results) == 1 and not f.ret_only else None
    for r in f.results:
        if r.name not in inputs and r.name != "ret":
            lines.append(f"{spaced(r.c)}{r.name} = {r.initial or '0'};")
    target = "ret" if any(r.name == "ret" for r in f.results) else plain.name if plain else None
    if target == "ret":
        lines.append("aclError ret;")
    call = (f"{target} = " if target else "") + f.call + ";"
    if f.released:
        lines += ["PyThreadState *thread = PyEval_SaveThread();", call, "PyEval_RestoreThread(thread);"]
    else:
        lines.append(call)
    if f.destroys:
        lines.insert(lines.index("aclError ret;") + 1, "pyacl_destroy_begin();")
        lines.append(f"pyacl_destroy_end({'stream' if 'stream' in inputs else 'NULL'}, ret);")
    return lines + release_lines(f) + result_lines(f)


def spaced(c_type):
    return c_type if c_type.endswith("*") else c_type + " "


def by_hand_lines(f):
    name = "pyacl_" + f.call.split()[0][1:]
    if f.any_arguments:
        return ["(void)args;", f"return {name}(NULL);"]
    return parse_lines(f) + [f"PyObject *result = {name}(v);"] + release_lines(f) + ["return result;"]


def wrapper_lines(f):
    body = refusal_lines(f) if f.missing else by_hand_lines(f) if f.by_hand else call_lines(f)
    uses_signature = not f.any_arguments or f.missing
    return (signature_lines(f) if uses_signature else []) + \
        [f"static PyObject *{f.id}(PyObject *module, PyObject *args)", "{", "    (void)module;", "    PYACL_PLACE();"] + \
        ["    " + line for line in body] + ["}", ""]


def method_lines(functions, module):
    python_names = {c: f.name for f in reversed(functions) for c in f.c_functions[:1]}
    name = module.replace(".", "_")
    lines = [f"static PyMethodDef {name}_methods[] = {{"]
    for f in functions:
        if f.module == module:
            lines.append(f'    {{ "{f.base}", {f.id}, METH_VARARGS,\n    {c_string(docstring(f, python_names))} }},')
    return lines + ["    { NULL, NULL, 0, NULL }", "};", ""]


def write_wrappers(functions, path):
    lines = ["/* SPDX-License-Identifier: Apache-2.0 */",
             "/* Generated by python/generate.py from python/functions.tsv. */",
             '#include "acl_module.h"', "",
             *(f'#include "acl/{h}"' for h in HEADERS), "",
             '#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* the module wraps old functions, too */',
             '#pragma GCC diagnostic ignored "-Woverlength-strings"', ""]
    for f in functions:
        lines += wrapper_lines(f)
    modules = ["acl"] + ["acl." + s for s in SUBMODULES]
    for module in modules:
        lines += method_lines(functions, module)
    lines += ["const struct pyacl_submodule pyacl_submodules[] = {"]
    lines += [f'    {{ "{m}", {m.replace(".", "_")}_methods }},' for m in modules[1:]]
    lines += ["    { NULL, NULL }", "};", "", "PyMethodDef *const pyacl_methods = acl_methods;", ""]
    pathlib.Path(path).write_text("\n".join(lines))


# --- stubs and page ---------------------------------------------------------------------------------------------------

HEAD = "# SPDX-License-Identifier: Apache-2.0\n# Generated by python/generate.py from python/functions.tsv.\n"


def stub_result(f):
    types = [TYPES[r.type].stub for r in f.results]
    if f.name in ("acl.get_soc_name", "acl.get_recent_err_msg", "acl.get_tensor_desc_name"):
        return "Optional[str]"
    return {0: "None", 1: types[0] if types else ""}.get(len(types), f"tuple[{', '.join(types)}]")


def stub_parameter(a):
    if not a.optional:
        return f"{a.name}: {TYPES[a.type].stub}"
    stub = f"Optional[{TYPES[a.type].stub}]" if DEFAULTS[a.type] == "None" else TYPES[a.type].stub
    return f"{a.name}: {stub} = ..."


def stub_line(f):
    if f.any_arguments:
        parameters = "*args: object"
    else:
        parameters = ", ".join([stub_parameter(a) for a in f.arguments] + ["/"])
    return f"def {f.base}({parameters}) -> {stub_result(f)}: ..."


def stub_files(functions):
    files = {}
    for module in ["acl"] + ["acl." + s for s in SUBMODULES]:
        lines = [stub_line(f) for f in functions if f.module == module]
        names = {w for line in lines for w in ("Any", "Callable", "Optional") if re.search(rf"\b{w}\b", line)}
        text = HEAD + (f"from typing import {', '.join(sorted(names))}\n" if names else "")
        if module == "acl":
            text += "".join(f"from . import {s} as {s}\n" for s in sorted(SUBMODULES))
        text += "\n" + "".join(line + "\n" for line in lines) if lines else ""
        files[STUBS / ("__init__.pyi" if module == "acl" else module.split(".")[1] + ".pyi")] = text
    return files


def page(functions):
    there = [f for f in functions if not f.refuses]
    lines = ["<!-- Generated by python/generate.py from python/functions.tsv. -->",
             "# Functions of the Python module",
             "",
             f"{len(there)} of {len(functions)} functions do what their C function does. The others exist, accept and",
             "check their arguments, and answer `ACL_ERROR_API_NOT_SUPPORT` (200001) in the shape shown;",
             "`acl.get_recent_err_msg()` names the C function that PACL does not have.",
             "",
             "The page [Matrices from Python](python.md) is the way in; `help(acl.rt.memcpy2d_async)` gives units,",
             "limits and error codes.",
             ""]
    for title, group in (("Works", there), ("Refuses", [f for f in functions if f.refuses])):
        lines += [f"## {title}", "", "| function | returns | C function |", "| --- | --- | --- |"]
        lines += [f"| `{f.name}({call_text(f)})` | `{return_text(f)}` | {c_names(f)} |" for f in group]
        lines.append("")
    return "\n".join(lines)


def call_text(f):
    return ", ".join(f"[{a.name}]" if a.optional else a.name for a in f.arguments)


def c_names(f):
    return ", ".join(f"`{c}`" for c in f.c_functions) or "none"


def committed_files(functions):
    return {**stub_files(functions), PAGE: page(functions)}


def main(arguments):
    functions = read_table()
    if len(arguments) == 2 and arguments[0] == "wrappers":
        write_wrappers(functions, arguments[1])
    elif arguments == ["refresh"]:
        for path, text in committed_files(functions).items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    elif arguments == ["check"]:
        old = [str(p.relative_to(ROOT)) for p, text in committed_files(functions).items()
               if not p.exists() or p.read_text() != text]
        if old:
            raise SystemExit(f"out of date, run python/generate.py refresh: {', '.join(old)}")
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])

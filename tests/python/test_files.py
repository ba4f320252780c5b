# SPDX-License-Identifier: Apache-2.0
"""The files beside the module: type stubs and constants."""
import ast
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import acl
import pacl_constants
from support import ROOT, shared_table

STUBS = ROOT / "python" / "acl-stubs"


def stub_functions(path):
    return {node.name: node for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)}


def module_functions(module):
    return {n: v for n, v in vars(module).items() if inspect.isbuiltin(v)}


def stub_parameters(node):
    """[(name, optional)], or None for a function that takes anything."""
    if node.args.vararg:
        return None
    names = [a.arg for a in node.args.posonlyargs]
    optional = len(node.args.defaults)
    assert not node.args.args and not node.args.kwonlyargs, node.name
    return [(n, i >= len(names) - optional) for i, n in enumerate(names)]


def module_parameters(function):
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None
    assert all(p.kind is p.POSITIONAL_ONLY for p in parameters), function
    return [(p.name, p.default is not p.empty) for p in parameters]


class Stubs(unittest.TestCase):
    """The stubs and the module say the same, each walked in full."""

    def modules(self):
        for path in sorted(STUBS.glob("*.pyi")):
            name = path.stem
            yield path, acl if name == "__init__" else getattr(acl, name)

    def test_submodules(self):
        submodules = {n for n, v in vars(acl).items() if isinstance(v, type(acl))}
        self.assertEqual({p.stem for p in STUBS.glob("*.pyi")}, submodules | {"__init__"})
        imported = {a.name for node in ast.parse((STUBS / "__init__.pyi").read_text()).body
                    if isinstance(node, ast.ImportFrom) and node.level == 1 for a in node.names}
        self.assertEqual(imported, submodules)

    def test_same_functions_and_parameters(self):
        for path, module in self.modules():
            stubs, functions = stub_functions(path), module_functions(module)
            self.assertEqual(set(stubs), set(functions), path.name)
            for name, function in functions.items():
                with self.subTest(f"{module.__name__}.{name}"):
                    self.assertEqual(stub_parameters(stubs[name]), module_parameters(function))

    def test_results_fit(self):
        """A few functions of each shape, called."""
        cases = (("", "get_version"), ("", "data_type_size", 0), ("", "app_log", 0, ""), ("", "get_soc_name"),
                 ("rt", "get_mem_info", 1), ("rt", "event_elapsed_time", 0, 0), ("rt", "pointer_get_attributes", 0),
                 ("rt", "get_notify_id", 0), ("rt", "device_get_uuid", 0), ("rt", "free", 0),
                 ("util", "ptr_to_bytes", 0, 0), ("prof", "get_op_name", 0, 0, 0, 0), ("prof", "destroy_stamp", 0))
        for submodule, name, *arguments in cases:
            module = getattr(acl, submodule) if submodule else acl
            path = STUBS / f"{submodule or '__init__'}.pyi"
            returns = ast.get_source_segment(path.read_text(), stub_functions(path)[name].returns)
            with self.subTest(name):
                self.assert_fits(getattr(module, name)(*arguments), returns)

    def assert_fits(self, value, annotation):
        if annotation.startswith("tuple["):
            parts = re.split(r", (?![^\[]*\])", annotation[len("tuple["):-1])
            self.assertEqual(len(value), len(parts))
            for item, part in zip(value, parts):
                self.assert_fits(item, part)
        elif annotation == "None":
            self.assertIsNone(value)
        elif annotation.startswith("Optional["):
            self.assertIsInstance(value, (str, type(None)))
        else:
            kind = {"int": int, "float": float, "str": str, "bytes": bytes, "dict": dict}[annotation.split("[")[0]]
            self.assertIs(type(value), kind)

    def test_type_checker(self):
        """mypy knows functions, constants and strerror, and finds what is wrong."""
        if shutil.which("mypy") is None:
            self.skipTest("no mypy")
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "program.py")
            program.write_text("import acl, pacl_constants\n"
                               "acl.init()\n"
                               "text: str = pacl_constants.strerror(acl.rt.free(pacl_constants.ACL_SUCCESS))\n"
                               "acl.rt.set_exception_info_callback(None)\n"
                               "pacl_constants.strerror('a text')\n"
                               "acl.rt.free('a text')\n")
            done = subprocess.run(["mypy", "--cache-dir", folder, program], capture_output=True, text=True, cwd=folder,
                                  env={**os.environ, "MYPYPATH": str(pathlib.Path(acl.__file__).parent)})
        errors = [line.split(":")[1] for line in done.stdout.splitlines() if ": error: " in line]
        self.assertEqual(errors, ["5", "6"], done.stdout + done.stderr)

    def test_lie_where_type_checkers_look(self):
        place = pathlib.Path(acl.__file__).parent
        self.assertEqual({p.name for p in (place / "acl-stubs").glob("*.pyi")}, {p.name for p in STUBS.glob("*.pyi")})
        self.assertTrue((pathlib.Path(pacl_constants.__file__).parent / "py.typed").exists())


class Constants(unittest.TestCase):
    def constants(self):
        return {n: v for n, v in vars(pacl_constants).items() if isinstance(v, int)}

    def test_all_and_no_others(self):
        expected = {r["enumerator"]: int(r["value"]) for r in shared_table("enums.tsv")}
        expected.update({r["macro"]: int(r["value_dec"]) for r in shared_table("macros.tsv") if r["value_dec"]})
        expected.update({r["name"]: int(r["value"]) for r in shared_table("errors.tsv")})
        self.assertEqual(self.constants(), expected)

    def test_strerror(self):
        self.assertEqual(pacl_constants.strerror(0).split(":")[0], "ACL_SUCCESS (0)")
        self.assertTrue(pacl_constants.strerror(107002).startswith("ACL_ERROR_RT_CONTEXT_NULL (107002): "))
        self.assertEqual(pacl_constants.strerror(-5), "unknown code -5")

    def test_strerror_knows_every_code(self):
        for row in shared_table("errors.tsv"):
            text = pacl_constants.strerror(int(row["value"]))
            self.assertIn(f"({row['value']}): ", text)
            name = text.split(" ")[0]
            self.assertEqual(getattr(pacl_constants, name), int(row["value"]))

    def test_some_without_the_tables(self):
        self.assertEqual((pacl_constants.ACL_MEMCPY_HOST_TO_DEVICE, pacl_constants.ACL_MEMCPY_DEVICE_TO_HOST,
                          pacl_constants.ACL_MEMCPY_DEVICE_TO_DEVICE, pacl_constants.ACL_EVENT_SYNC), (1, 2, 3, 1))


if __name__ == "__main__":
    unittest.main()

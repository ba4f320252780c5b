# SPDX-License-Identifier: Apache-2.0
"""Every function of the module: that it is there, what it takes, the shape of what it returns, how it refuses."""
import ctypes
import inspect
import os
import re
import unittest

import acl
from support import AclTest, ROOT, generate, needs_numpy, numpy, shared_table

FUNCTIONS = generate.read_table()

# A value of each type that is accepted and names nothing: null addresses, 0 sizes.
HARMLESS = {"ptr": 0, "size": 0, "u64": 0, "i64": 0, "u32": 0, "i32": -1, "u16": 0, "u8": 0, "f32": 0.0, "str": "",
            "object": None, "callable": print, "dict": {}, "list": []}
LETTERS = {"k": "kK", "l": "lL", "C": "O", "D": "O", "L": "O"}  # our letter -> letters of the table
ADDED = {"acl.rt.launch_host_func"}  # additions of PACL


def lookup(name):
    found = acl
    for part in name.split(".")[1:]:
        found = getattr(found, part)
    return found


def wrong(type_name):
    return {"object": None, "dict": [], "list": {}}.get(type_name, object())


def harmless_call(f):
    return lookup(f.name)(*[HARMLESS[a.type] for a in f.arguments])


class Presence(unittest.TestCase):
    def test_module_has_what_the_table_has(self):
        for module, names in self.by_module().items():
            there = {n for n in dir(lookup(module)) if callable(getattr(lookup(module), n)) and not n.startswith("_")}
            self.assertEqual(there, names, module)

    @staticmethod
    def by_module():
        modules = {"acl.media": set()}
        for f in FUNCTIONS:
            modules.setdefault(f.module, set()).add(f.base)
        return modules

    def test_no_constants(self):
        for module in self.by_module():
            members = {n: v for n, v in vars(lookup(module)).items() if not n.startswith("_")}
            self.assertEqual([n for n, v in members.items() if not callable(v) and not isinstance(v, type(acl))], [])

    def test_functions_of_the_original(self):
        expected = {r["python_function"] for r in shared_table("pyacl.tsv") if not r["in_module"].startswith("n")}
        self.assertEqual({f.name for f in FUNCTIONS} - ADDED, expected)

    def test_library_exports_what_works(self):
        library = ctypes.CDLL("libascendcl.so")
        exported = generate.exported_functions()
        for f in FUNCTIONS:
            for c in f.c_functions:
                self.assertEqual(hasattr(library, c), c in exported, f"{f.name}: {c}")


class Original(unittest.TestCase):
    """The tabulated facts about the original's functions."""

    def rows(self):
        rows = {r["python_function"]: r for r in shared_table("pyacl.tsv")}
        return [(f, rows[f.name]) for f in FUNCTIONS if f.name not in ADDED]

    def test_arguments(self):
        for f, row in self.rows():
            with self.subTest(f.name):
                names = [a.split(":")[0] for a in row["args"].split(", ")] if row["args"] else []
                self.assertEqual([a.name for a in f.arguments], names)
                if row["parse_format"] == "unknown":
                    continue
                self.assertEqual(f.any_arguments, row["parse_format"] == "(not parsed)")
                ours = "".join(("|" if a.optional else "") + generate.TYPES[a.type].letter for a in f.arguments)
                theirs = row["parse_format"].replace("(not parsed)", "")
                self.assertRegex(theirs, "^" + "".join(f"[{re.escape(LETTERS.get(c, c))}]" for c in ours) + "$")

    def test_returns(self):
        for f, row in self.rows():
            with self.subTest(f.name):
                types = [] if row["returns"] == "None" else \
                    [re.sub(r"\[.*\]|^numpy\.", "", t) for t in re.split(r", ", row["return_types"].strip("()"))]
                bare = {"ptr": "int:u64", "size": "int:u64", "f32": "float"}
                ours = [bare.get(r.type, f"int:{r.type}" if re.match(r"[iu]\d", r.type) else r.type) for r in f.results]
                self.assertEqual(ours, types)
                names = [n.strip() for n in row["returns"].strip("()").split(",")]
                self.assertEqual("ret" in names, any(r.name == "ret" for r in f.results))

    def test_gil_is_released_at_least_where_the_original_does(self):
        for f, row in self.rows():
            if row["gil"] == "released":
                self.assertTrue(f.released, f.name)


class Arguments(unittest.TestCase):
    def parsed(self):
        return [f for f in FUNCTIONS if not f.any_arguments]

    def assert_refused(self, f, arguments, about):
        with self.subTest(f.name, about=about), self.assertRaises(TypeError) as caught:
            lookup(f.name)(*arguments)
        self.assertIn(f"{f.name} args parse failed", str(caught.exception))
        self.assertIn(about, str(caught.exception))

    def test_wrong_type_names_function_and_argument(self):
        for f in self.parsed():
            for i, a in enumerate(f.arguments):
                if a.type != "object":
                    arguments = [HARMLESS[b.type] for b in f.arguments]
                    arguments[i] = wrong(a.type)
                    self.assert_refused(f, arguments, f"argument {i + 1} ({a.name})")

    def test_too_few_and_too_many(self):
        for f in self.parsed():
            arguments = [HARMLESS[a.type] for a in f.arguments]
            if not f.arguments[-1].optional:
                self.assert_refused(f, arguments[:-1], f"({f.arguments[-1].name}) is missing")
            self.assert_refused(f, arguments + [0], f"{len(arguments) + 1} arguments given")

    def test_keywords_are_refused(self):
        for f in FUNCTIONS:
            with self.subTest(f.name), self.assertRaises(TypeError):
                lookup(f.name)(key=0)

    def test_functions_that_do_not_parse_take_anything(self):
        for f in FUNCTIONS:
            if f.any_arguments and f.missing:
                lookup(f.name)(1, "two", None)
        self.assertEqual(acl.rt.get_device_count(1, "two", None), acl.rt.get_device_count())

    @needs_numpy
    def test_numpy_integers(self):
        """Refused for addresses, sizes and handles; taken where the original's letter takes them."""
        for f in self.parsed():
            for i, a in enumerate(f.arguments):
                letter = generate.TYPES[a.type].letter
                arguments = [HARMLESS[b.type] for b in f.arguments]
                arguments[i] = numpy.uint64(0)
                if letter == "k":
                    self.assert_refused(f, arguments, f"argument {i + 1} ({a.name}) must be int")
                elif letter in "iIlHb" and f.missing:
                    with self.subTest(f.name, argument=a.name):
                        lookup(f.name)(*arguments)

    def test_bool_is_an_int(self):
        self.assertNotEqual(acl.rt.free(False), 0)

    def test_words_wrap(self):
        self.assertEqual(acl.rt.memcpy(1 << 64, 0, -(1 << 64), 0, 0), 0)  # null, null, nothing to copy
        self.assertEqual(acl.data_type_size(True), acl.data_type_size(1))

    def test_halves_wrap(self):
        self.assertEqual(acl.float16_to_float(0x10000 + 0x3C00), 1.0)
        self.assertEqual(acl.float16_to_float(-0x10000 + 0x3C00), 1.0)

    def test_signed_arguments_do_not_wrap(self):
        for value in (1 << 31, -(1 << 31) - 1, 1 << 100):
            with self.subTest(value=value), self.assertRaisesRegex(TypeError, r"\(device_id\) is out of range"):
                acl.rt.set_device(value)
        self.assertNotEqual(acl.rt.set_device((1 << 31) - 1), 0)

    def test_index_objects(self):
        class Index:
            def __index__(self):
                return 1

        class Broken:
            def __index__(self):
                raise ValueError("no")
        self.assertEqual(acl.data_type_size(Index()), acl.data_type_size(1))
        with self.assertRaises(TypeError):
            acl.data_type_size(Broken())
        with self.assertRaises(TypeError):
            acl.rt.free(Index())

    def test_floats_are_no_ints(self):
        with self.assertRaises(TypeError):
            acl.data_type_size(1.0)

    def test_texts(self):
        for text in (None, b"bytes", "null\0inside", "\ud800"):
            with self.subTest(text=text), self.assertRaisesRegex(TypeError, "acl.init args parse failed"):
                acl.init(text)


class Refusals(unittest.TestCase):
    """Functions that PACL does not have."""

    def missing(self):
        return [f for f in FUNCTIONS if f.missing]

    def test_shape(self):
        plain = {"str": None, "f32": 0.0, "dict": {}, "list": []}
        in_tuple = {**plain, "str": ""}
        for f in self.missing():
            with self.subTest(f.name):
                empty = plain if len(f.results) < 2 else in_tuple
                expected = tuple(200001 if r.name == "ret" else empty.get(r.type, 0) for r in f.results)
                self.assertEqual(harmless_call(f), expected if len(expected) > 1 else expected[0] if expected else None)

    def test_message(self):
        for f in self.missing():
            with self.subTest(f.name):
                harmless_call(f)
                self.assertIn(f"{f.name}: ACL_ERROR_API_NOT_SUPPORT (200001): PACL does not have {f.missing[0]}",
                              acl.get_recent_err_msg())
                self.assertIsNone(acl.get_recent_err_msg())

    def test_library_refuses(self):
        for f in FUNCTIONS:
            if f.refuses and not f.missing:
                with self.subTest(f.name):
                    answer = harmless_call(f)
                    if f.results and f.results[-1].name == "ret":
                        self.assertEqual(answer[-1] if isinstance(answer, tuple) else answer, 200001)
                    self.assertRegex(acl.get_recent_err_msg(), r"acl\w+: ACL_ERROR_API_NOT_SUPPORT \(200001\): PACL ")

    def test_refusal_comes_before_other_messages(self):
        acl.rt.malloc(0, 0)
        acl.create_tensor_desc(0, [], 0)
        first, second = acl.get_recent_err_msg().split("\n")
        self.assertIn("aclCreateTensorDesc", first)
        self.assertIn("aclrtMalloc", second)

    def test_messages_belong_to_the_thread(self):
        import threading
        acl.get_recent_err_msg()
        thread = threading.Thread(target=acl.create_tensor_desc, args=(0, [], 0))
        thread.start()
        thread.join()
        self.assertIsNone(acl.get_recent_err_msg())


class Shapes(AclTest):
    """Functions that PACL has, called with arguments that name nothing."""

    UNSUITED = {"acl.init", "acl.finalize", "acl.finalize_reference", "acl.rt.launch_host_func"}  # need more, or undo

    def test_shape(self):
        kinds = {"str": (str, type(None)), "f32": float, "dict": dict, "list": list, "bytes": bytes}
        for f in FUNCTIONS:
            if f.missing or f.name in self.UNSUITED or f.module == "acl.util":
                continue
            with self.subTest(f.name):
                answer = harmless_call(f)
                if not f.results:
                    self.assertIsNone(answer)
                    continue
                items = answer if len(f.results) > 1 else (answer,)
                self.assertEqual(type(answer) is tuple, len(f.results) > 1)
                self.assertEqual(len(items), len(f.results))
                for item, result in zip(items, f.results):
                    self.assertIsInstance(item, kinds.get(result.type, int), result.name)
                    self.assertNotIsInstance(item, bool)

    def test_doc(self):
        for f in FUNCTIONS:
            with self.subTest(f.name):
                doc = lookup(f.name).__doc__
                self.assertGreater(len(doc), 40)
                for c in f.c_functions:
                    self.assertIn(c, doc)
                self.assertTrue(lookup(f.name).__text_signature__.startswith("($module"))


    def test_doc_speaks_python(self):
        for f in FUNCTIONS:
            with self.subTest(f.name):
                doc = lookup(f.name).__doc__.rsplit("C function", 1)[0]
                self.assertNotRegex(doc, r"\b[Nn]ull\b|\breceives?\b|\[[A-Z]\]")
                for parameter in f.comment.parameters if f.comment else ():
                    if parameter != parameter.lower():
                        self.assertNotRegex(doc, rf"\b{parameter}\b")
                for result in f.results:
                    if result.name not in {a.name for a in f.arguments}:
                        self.assertNotIn(f"`{result.name}` is 0", doc)

    def test_defaults(self):
        self.assertEqual(inspect.signature(acl.init).parameters["config_path"].default, "")
        self.assertIsNone(inspect.signature(acl.rt.set_exception_info_callback).parameters["fn"].default)


class Files(unittest.TestCase):
    @unittest.skipUnless(os.access(ROOT / "docs", os.R_OK), "no source tree")
    def test_committed_files_are_up_to_date(self):
        generate.main(["check"])


if __name__ == "__main__":
    unittest.main()

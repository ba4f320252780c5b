# SPDX-License-Identifier: Apache-2.0
"""acl.util: addresses of bytes and arrays, and back. Its threads are in test_threads.py."""
import ctypes
import sys
import unittest
import warnings

import acl
from support import AclTest, needs_numpy, numpy, python


class Bytes(AclTest):
    def test_round_trip(self):
        data = bytes(range(256))
        self.assertEqual(acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(data), 256), data)

    def test_address(self):
        data = b"some bytes"
        self.assertEqual(ctypes.string_at(acl.util.bytes_to_ptr(data)), data)

    def test_keeps_no_reference(self):
        data = bytes(1000)
        before = sys.getrefcount(data)
        acl.util.bytes_to_ptr(data)
        self.assertEqual(sys.getrefcount(data), before)

    def test_subclass(self):
        class Sub(bytes):
            pass
        data = Sub(b"abc")
        self.assertEqual(acl.util.ptr_to_bytes(acl.util.bytes_to_ptr(data), 3), b"abc")

    def test_only_bytes(self):
        for other in (bytearray(3), memoryview(b"abc"), "abc", None, 5):
            with self.subTest(other=other), self.assertRaises(ValueError):
                acl.util.bytes_to_ptr(other)

    def test_is_a_copy(self):
        at = self.pinned(b"before")
        data = acl.util.ptr_to_bytes(at, 6)
        ctypes.memset(at, 0, 6)
        self.assertEqual(data, b"before")

    def test_nothing(self):
        self.assertEqual(acl.util.ptr_to_bytes(0, 0), b"")
        for size in (1, -1):
            with self.assertRaises(ValueError):
                acl.util.ptr_to_bytes(0, size)


@needs_numpy
class Arrays(unittest.TestCase):
    def warned(self, call, *arguments):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            answer = call(*arguments)
        for warning in caught:
            self.assertIs(warning.category, Warning)
            self.assertEqual(warning.filename, __file__)  # stacklevel 1: the caller, the module is C
        return answer, [str(w.message) for w in caught]

    def test_numpy_to_ptr(self):
        array = numpy.arange(6, dtype=numpy.int32)
        before = sys.getrefcount(array)
        at, messages = self.warned(acl.util.numpy_to_ptr, array)
        self.assertEqual(at, array.ctypes.data)
        self.assertEqual(sys.getrefcount(array), before)
        self.assertEqual(len(messages), 1)
        self.assertIn("bytes_to_ptr", messages[0])

    def test_every_call_warns(self):
        array = numpy.zeros(1)
        for _ in range(3):
            self.assertEqual(len(self.warned(acl.util.numpy_to_ptr, array)[1]), 1)

    def test_a_warning_that_is_an_error(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for call, arguments in ((acl.util.numpy_to_ptr, (numpy.zeros(1),)),
                                    (acl.util.numpy_contiguous_to_ptr, (numpy.zeros(1),)),
                                    (acl.util.ptr_to_numpy, (0, (1,), 1))):
                with self.assertRaises(Warning):
                    call(*arguments)

    def test_array_that_is_not_contiguous(self):
        array = numpy.arange(12).reshape(3, 4)[:, 1:3]
        at, messages = self.warned(acl.util.numpy_to_ptr, array)
        self.assertEqual(at, array.ctypes.data)
        self.assertEqual(len(messages), 2)
        self.assertIn("contiguous", messages[1])

    def test_contiguous(self):
        array = numpy.arange(6)
        (at, same), messages = self.warned(acl.util.numpy_contiguous_to_ptr, array)
        self.assertIs(same, array)
        self.assertEqual(at, array.ctypes.data)
        self.assertEqual(len(messages), 1)

    def test_contiguous_copy(self):
        array = numpy.arange(12).reshape(3, 4)[:, 1:3]
        (at, copy), _ = self.warned(acl.util.numpy_contiguous_to_ptr, array)
        self.assertTrue(copy.flags.c_contiguous)
        self.assertTrue((copy == array).all())
        self.assertEqual(at, copy.ctypes.data)
        self.assertNotEqual(at, array.ctypes.data)

    def test_only_arrays(self):
        for other in ([1, 2], b"abc", None, numpy.int32(1), memoryview(b"abc")):
            for call in (acl.util.numpy_to_ptr, acl.util.numpy_contiguous_to_ptr):
                with self.subTest(other=other), self.assertRaises(ValueError):
                    call(other)

    def test_ptr_to_numpy(self):
        source = numpy.arange(6, dtype=numpy.float32)
        view, messages = self.warned(acl.util.ptr_to_numpy, source.ctypes.data, (2, 3), source.dtype.num)
        self.assertEqual(len(messages), 1)
        self.assertIs(type(view), numpy.ndarray)
        self.assertEqual((view.shape, view.dtype), ((2, 3), source.dtype))
        self.assertTrue(view.flags.writeable)
        self.assertFalse(view.flags.owndata)
        view[1, 2] = 99
        self.assertEqual(source[5], 99)

    def test_ptr_to_numpy_types(self):
        at = numpy.zeros(64, numpy.uint8).ctypes.data
        for code in "?bBhHiIlLqQefdFD":
            dtype = numpy.dtype(code)
            view, _ = self.warned(acl.util.ptr_to_numpy, at, (2,), dtype.num)
            self.assertEqual(view.dtype.num, dtype.num)

    def test_ptr_to_numpy_errors(self):
        at = numpy.zeros(64, numpy.uint8).ctypes.data
        for shape, number, error in (([2], 1, ValueError), (2, 1, ValueError), (("2",), 1, TypeError),
                                     ((2.0,), 1, TypeError), ((-1,), 1, ValueError), ((1 << 62, 8), 1, ValueError),
                                     ((1 << 100,), 1, ValueError), ((2,), 12345, ValueError), ((2,), -1, ValueError),
                                     ((2,), numpy.dtype("S").num, ValueError), ((2,), numpy.dtype("O").num, ValueError),
                                     ((0,), numpy.dtype("O").num, ValueError)):
            with self.subTest(shape=shape, number=number), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                with self.assertRaises(error):
                    acl.util.ptr_to_numpy(at, shape, number)

    def test_ptr_to_numpy_of_nothing(self):
        at = numpy.zeros(64, numpy.uint8).ctypes.data
        self.assertEqual(self.warned(acl.util.ptr_to_numpy, at, (0, 5), 1)[0].shape, (0, 5))
        self.assertEqual(self.warned(acl.util.ptr_to_numpy, at, (), 2)[0].shape, ())
        self.assertEqual(self.warned(acl.util.ptr_to_numpy, 0, (0, 5), 1)[0].shape, (0, 5))
        for shape in ((4,), ()):
            with self.assertRaisesRegex(ValueError, "at address 0"):
                self.warned(acl.util.ptr_to_numpy, 0, shape, 1)

    def test_ptr_to_numpy_says_what_is_wrong_with_a_shape(self):
        for shape, said in (((1, numpy.int64(2)), r"item 2 must be int, not <class 'numpy.int64'>"),
                            ((-1,), "item 1 is negative or too large: -1")):
            with self.assertRaisesRegex((TypeError, ValueError), said):
                self.warned(acl.util.ptr_to_numpy, 4096, shape, 1)


class WithoutNumpy(unittest.TestCase):
    def test_nothing_is_an_array(self):
        python("import sys\n"
               "sys.modules['numpy'] = None\n"
               "import acl\n"
               "for call in acl.util.numpy_to_ptr, acl.util.numpy_contiguous_to_ptr:\n"
               "    try: call([1])\n"
               "    except ValueError: pass\n"
               "    else: raise AssertionError\n"
               "try: acl.util.ptr_to_numpy(0, (1,), 1)\n"
               "except ImportError: pass\n"
               "else: raise AssertionError\n")


if __name__ == "__main__":
    unittest.main()

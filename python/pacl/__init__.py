# SPDX-License-Identifier: Apache-2.0
"""What PACL offers beyond the interface, for tests of programs that use `acl`: how often functions were called.

The functions are those of pacl/pacl.h in the library that the module `acl` runs on.
"""
import ctypes

import acl  # noqa: F401 (loads the library, which the next line then finds by its name)

_library = ctypes.CDLL("libascendcl.so")
_library.pacl_call_count.argtypes = [ctypes.c_char_p]
_library.pacl_call_count.restype = ctypes.c_uint64
_library.pacl_call_count_reset.argtypes = []
_library.pacl_call_count_reset.restype = None


def call_count(function: str) -> int:
    """How often a function of the C interface was called, e.g. "aclrtMalloc" for acl.rt.malloc; 0 for unknown names.

    Counts from the last call_count_reset(), or with PACL_COUNT=1 from the start of the process; without either it is 0.
    """
    return _library.pacl_call_count(function.encode())


def call_count_reset() -> None:
    """Sets all counts to 0 and counts from here on."""
    _library.pacl_call_count_reset()

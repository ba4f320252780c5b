#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""python_call: what one acl.rt.memcpy2d_async costs, as a ratio.

usage: python_call [--json]

The yardstick is the C call plus a call of an empty C function from Python: less cannot be asked of a module. Pinned
memory, a copy of 8 rows of 8 bytes, all in one process; the median of several rounds, in which the three take turns.
Exit status 1: the ratio is above the limit.
"""
import ctypes
import json
import statistics
import sys
import time

import acl

LIMIT = 3.0
ROUNDS = 21
CALLS = 20000
ROWS, WIDTH, PITCH = 8, 8, 8


def ok(answer):
    *values, ret = answer if isinstance(answer, tuple) else (answer,)
    if ret != 0:
        sys.exit(f"python_call: {ret}: {acl.get_recent_err_msg()}")
    return values[0] if values else None


def nanoseconds(call, arguments):
    """Of one call, without the loop around it."""
    numbers = range(CALLS)
    begin = time.perf_counter_ns()
    for _ in numbers:
        pass
    empty = time.perf_counter_ns()
    for _ in numbers:
        call(*arguments)
    return (time.perf_counter_ns() - empty - (empty - begin)) / CALLS


def c_nanoseconds(library, arguments):
    library.copies_ns.restype = ctypes.c_double
    p, n = ctypes.c_void_p, ctypes.c_size_t
    library.copies_ns.argtypes = [p, n, p, n, n, n, ctypes.c_int, p, ctypes.c_uint]
    ns = library.copies_ns(*arguments, CALLS)
    if ns < 0:
        sys.exit(f"python_call: {acl.get_recent_err_msg()}")
    return ns


def main():
    library = ctypes.CDLL(sys.argv[1])
    as_json = sys.argv[2:] == ["--json"]
    ok(acl.rt.set_device(0))
    stream = ok(acl.rt.create_stream())
    device, host = ok(acl.rt.malloc(4096, 0)), ok(acl.rt.malloc_host(4096))
    copy = (device, PITCH, host, PITCH, WIDTH, ROWS, 1, stream)
    samples = {"python": [], "c": [], "empty": []}
    for _ in range(ROUNDS):
        samples["c"].append(c_nanoseconds(library, copy))
        # A function without arguments that answers a constant.
        samples["empty"].append(nanoseconds(sys.getswitchinterval, ()))
        samples["python"].append(nanoseconds(acl.rt.memcpy2d_async, copy))
        ok(acl.rt.synchronize_stream(stream))
    median = {name: statistics.median(values) for name, values in samples.items()}
    ratio = median["python"] / (median["c"] + median["empty"])
    result = {**{f"{name}_ns": round(value, 1) for name, value in median.items()}, "ratio": round(ratio, 2),
              "limit": LIMIT, "calls": CALLS, "rounds": ROUNDS, "copy": f"{WIDTH} x {ROWS}, pitch {PITCH}"}
    print(json.dumps(result) if as_json else
          "acl.rt.memcpy2d_async {python_ns} ns, aclrtMemcpy2dAsync {c_ns} ns, empty function {empty_ns} ns: "
          "ratio {ratio} (limit {limit}); {copy}".format(**result))
    return 1 if ratio > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())

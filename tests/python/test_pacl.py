# SPDX-License-Identifier: Apache-2.0
"""The module pacl: counts of calls; and faults as a Python program meets them."""
import unittest

import acl
import pacl
from support import python


class CallCounts(unittest.TestCase):
    def test_counts_from_a_reset_on(self):
        pacl.call_count_reset()
        acl.init()
        for _ in range(3):
            self.assertEqual(acl.rt.set_device(0), 0)
        self.assertEqual(pacl.call_count("aclrtSetDevice"), 3)
        self.assertEqual(pacl.call_count("aclrtMalloc"), 0)
        self.assertEqual(pacl.call_count("aclrtNothing"), 0)
        pacl.call_count_reset()
        self.assertEqual(pacl.call_count("aclrtSetDevice"), 0)

    def test_counts_from_the_start_and_prints_at_exit(self):
        done = python("import acl, pacl; acl.init(); acl.rt.set_device(0); acl.rt.set_device(0)\n"
                      "print(pacl.call_count('aclrtSetDevice'))", environment={"PACL_COUNT": "1"})
        self.assertEqual(done.stdout, "2\n")
        lines = [line for line in done.stderr.splitlines() if line.startswith("pacl-count: ")]
        self.assertIn("pacl-count: aclrtSetDevice 2", lines)
        self.assertEqual(lines, sorted(lines))


class Faults(unittest.TestCase):
    def test_a_call_fails(self):
        done = python("import acl\nacl.init(); acl.rt.set_device(0)\n"
                      "print([acl.rt.malloc(64, 0)[1] for _ in range(3)])\nprint(acl.get_recent_err_msg())",
                      environment={"PACL_FAULT": "aclrtMalloc:2"})
        self.assertTrue(done.stdout.startswith("[0, 207001, 0]\n"), done.stdout)
        self.assertIn("call 2 of aclrtMalloc", done.stdout)

    def test_a_task_fails(self):
        done = python("import acl\nacl.init(); acl.rt.set_device(0)\nstream, _ = acl.rt.create_stream()\n"
                      "device, _ = acl.rt.malloc(64, 0); host, _ = acl.rt.malloc_host(64)\n"
                      "print([acl.rt.memcpy_async(host, 64, device, 64, 2, stream) for _ in range(3)])\n"
                      "print(acl.rt.synchronize_stream(stream))",
                      environment={"PACL_FAULT": "aclrtMemcpyAsync:3:async:507015"})
        self.assertEqual(done.stdout, "[0, 0, 0]\n507015\n")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `pacl bench` on tiny shapes and looks at what it writes.

    PACL=path/of/pacl PACL_BENCH=path/of/pacl-bench WRONG_COPY=path/of/library bench_test.py [-v] [Group]
"""
import copy
import csv
import io
import json
import os
import pty
import re
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

PACL = os.environ["PACL"]
PACL_BENCH = os.environ["PACL_BENCH"]
TESTCASES = {"h2d": "host_to_device_memcpy2d", "d2h": "device_to_host_memcpy2d", "d2d": "device_to_device_memcpy2d",
             "bidir": "host_device_bidirectional_memcpy2d"}
SHAPES = ["kv-page", "kv-mla", "state", "image-1080p", "image-4k", "logits", "narrow", "wide", "limits"]
TINY = ["-i", "1", "--width", "100", "--height", "7"]
KEY = {"testcase": str, "shape": str, "width": int, "height": int, "dpitch": int, "spitch": int, "dst_offset": int,
       "src_offset": int, "host": str, "streams": int, "sweep": bool, "status": str, "reason": str}
MEASURED = {"gated": bool, "verified": bool, "cliff": bool, "payload_bytes": int, "samples": int,
            "copies_per_sample": int, "gb_s": float, "gb_s_min": float, "gb_s_max": float, "ns_per_row": float,
            "copy_ns_p50": float, "copy_ns_p95": float, "spread_percent": float, "submission_ns": float,
            "submission_ns_p95": float, "completion_ns": float, "completion_ns_p95": float, "line_gb_s": float,
            "efficiency": float}


def environment(**variables):
    clean = {name: value for name, value in os.environ.items()
             if not name.startswith(("PACL", "ASCEND")) and name != "LD_LIBRARY_PATH"}
    return {**clean, **variables}


class BenchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def bench(self, *arguments, status=0, **variables):
        """Runs the command, and returns what it wrote on both outputs."""
        done = subprocess.run([PACL, "bench", *arguments], env=environment(**variables), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, status, (arguments, done.stdout, done.stderr))
        return done.stdout, done.stderr

    def document(self, *arguments, status=0, **variables):
        return json.loads(self.bench(*arguments, "-j", status=status, **variables)[0])

    def points(self, *arguments, status=0, **variables):
        document = self.document(*arguments, status=status, **variables)
        return [point for testcase in document["pacl_bench"]["testcases"] for point in testcase["points"]]

    def refused(self, *arguments):
        """Wrong usage: returns the message."""
        out, error = self.bench(*arguments, status=2)
        self.assertEqual(out, "")
        return error

    def assert_measured(self, point):
        self.assertEqual(point["status"], "Passed", point)
        for name in ("gb_s", "ns_per_row", "copy_ns_p50", "completion_ns", "line_gb_s", "efficiency"):
            self.assertGreater(point[name], 0, (name, point))


class Measuring(BenchTest):
    def test_uses_the_public_interface_alone(self):
        symbols = subprocess.run(["nm", "-D", "-u", PACL_BENCH], stdout=subprocess.PIPE, check=True, text=True).stdout
        self.assertIn("aclrtMemcpy2dAsync", symbols)
        self.assertNotIn("pacl_", symbols)
        dynamic = subprocess.run(["readelf", "-d", PACL_BENCH], stdout=subprocess.PIPE, check=True, text=True).stdout
        self.assertIn("[libascendcl.so", dynamic)
        self.assertNotRegex(dynamic, "RPATH|RUNPATH")

    def test_runs_on_the_library_of_the_environment(self):
        home = os.path.dirname(os.path.dirname(os.path.realpath(PACL)))
        library = os.path.join(home, "lib64", "libascendcl.so")
        self.assertEqual(self.document(*TINY, "-t", "h2d")["pacl_bench"]["library"], library)
        done = subprocess.run([PACL_BENCH, *TINY, "-t", "h2d", "-j"], check=True, stdout=subprocess.PIPE,
                              env=environment(LD_LIBRARY_PATH=os.path.dirname(library)))
        self.assertEqual(json.loads(done.stdout)["pacl_bench"]["library"], library)

    def test_every_testcase(self):
        points = self.points(*TINY)
        self.assertEqual([point["testcase"] for point in points], list(TESTCASES.values()))
        for point in points:
            self.assert_measured(point)
            self.assertTrue(point["verified"])
            self.assertTrue(point["gated"])
            self.assertEqual(point["payload_bytes"], 1400 if "bidirectional" in point["testcase"] else 700)
            self.assertEqual(point["samples"], 1)

    def test_every_shape(self):
        points = self.points("-i", "1", "--quick", "-t", "d2h")
        self.assertEqual(list(dict.fromkeys(point["shape"] for point in points)), SHAPES)
        for point in points:
            self.assert_measured(point)
        page = points[0]
        self.assertEqual((page["width"], page["height"], page["spitch"]), (131072, 64, 1024 * 131072))
        self.assertEqual({point["width"] for point in points if point["shape"] == "kv-mla"}, {512, 576, 1152})
        self.assertEqual(points[-2]["width"], 5000000)

    def test_tallest_copy(self):
        point, = self.points("-i", "1", "--width", "1", "--height", "5242880", "-t", "h2d", "--dpitch", "2")
        self.assert_measured(point)
        self.assertEqual(point["payload_bytes"], 5242880)

    def test_host_memory(self):
        for host in ("pinned", "pageable", "registered"):
            for point in self.points(*TINY, "--host", host):
                self.assert_measured(point)
                self.assertEqual(point["host"], host)
                self.assertEqual(point["gated"], host != "pageable" or point["testcase"] == TESTCASES["d2d"])

    def test_streams(self):
        for point in self.points(*TINY, "--streams", "3"):
            self.assert_measured(point)
            self.assertEqual(point["streams"], 3)
            self.assertEqual(point["payload_bytes"], 4200 if "bidirectional" in point["testcase"] else 2100)

    def test_pitches_and_offsets(self):
        point, = self.points(*TINY, "-t", "h2d", "--dpitch", "1K", "--spitch", "+3", "--offset", "5,70")
        self.assert_measured(point)
        self.assertEqual((point["dpitch"], point["spitch"]), (1024, 103))
        self.assertEqual((point["dst_offset"], point["src_offset"]), (5, 70))

    def test_default_pitch_is_padded_on_the_device(self):
        for point in self.points(*TINY):
            host, device = ("spitch", "dpitch") if point["testcase"] in (TESTCASES["h2d"], TESTCASES["bidir"]) else (
                "dpitch", "spitch")
            self.assertEqual((point[host], point[device]), (100, 192), point)

    def test_no_verify(self):
        for option in ("--no-verify", "-s", "--skipVerification"):
            point, = self.points(*TINY, "-t", "h2d", option)
            self.assertIs(point["verified"], False)

    def test_mean(self):
        for option in ("-m", "--useMean", "--mean"):
            point, = self.points(*TINY, "-t", "h2d", option)
            self.assert_measured(point)

    def test_samples(self):
        for option in ("-i", "--testSamples", "--samples"):
            point, = self.points(option, "4", "--width", "8", "--height", "2", "-t", "d2d")
            self.assertEqual(point["samples"], 4)
        point, = self.points("--width", "8", "--height", "2", "-t", "d2d")
        self.assertGreaterEqual(point["samples"], 3)

    def test_verbose(self):
        error = self.bench("-i", "2", "--width", "8", "--height", "2", "-t", "d2d", "-v")[1]
        self.assertRegex(error, "sample 1: .*\n.*sample 2: .*\n$")

    def test_short_queue_opens_the_gate(self):
        point, = self.points("-i", "1", "--width", "16", "--height", "1", "-t", "d2d", PACL_QUEUE_DEPTH="2")
        self.assert_measured(point)
        self.assertIs(point["gated"], False)

    def test_progress_only_on_a_terminal(self):
        self.assertEqual(self.bench(*TINY)[1], "")
        master, slave = pty.openpty()
        subprocess.run([PACL, "bench", *TINY], env=environment(), check=True, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        shown = b""
        try:
            while part := os.read(master, 4096):
                shown += part
        except OSError:  # the other end is closed
            pass
        os.close(master)
        self.assertIn(b"[1/4] host_to_device_memcpy2d custom 100 x 7", shown)
        self.assertIn(b"[4/4] ", shown)


class Choice(BenchTest):
    def names(self, *arguments):
        return [point["testcase"] for point in self.points(*TINY, *arguments)]

    def test_testcase_by_alias_name_index_prefix(self):
        for index, (alias, name) in enumerate(TESTCASES.items()):
            for word in (alias, name, str(index)):
                self.assertEqual(self.names("-t", word), [name])
        self.assertEqual(self.names("-p", "host_"), [TESTCASES["h2d"], TESTCASES["bidir"]])
        self.assertEqual(self.names("--testcasePrefixes", "device_to_h"), [TESTCASES["d2h"]])

    def test_several_testcases(self):
        wanted = [TESTCASES["h2d"], TESTCASES["d2d"]]
        for arguments in (["-t", "h2d,d2d"], ["-t", "h2d", "-t", "d2d"], ["-t", "h2d", "d2d"],
                          ["--testcase=2", "--testcase=0"]):
            self.assertEqual(self.names(*arguments), wanted)

    def test_bidir(self):
        self.assertEqual(self.names("-t", "h2d", "--bidir"), [TESTCASES["bidir"]])
        self.assertEqual(self.names("-t", "d2d", "--bidir"), [TESTCASES["d2d"]])
        self.assertEqual(self.names("--bidir"), [TESTCASES["d2d"], TESTCASES["bidir"]])

    def test_list(self):
        for option in ("-l", "--list"):
            out = self.bench(option)[0]
            for index, (alias, name) in enumerate(TESTCASES.items()):
                self.assertIn(f"{index}, {name} ({alias}):\n\t", out)
            for shape in SHAPES:
                self.assertRegex(out, f"(?m)^{shape}:\n\t.")

    def test_lists_of_sizes(self):
        points = self.points("-i", "1", "-t", "d2d", "--width", "3,1:4,10:30:10", "--height", "2,5")
        self.assertEqual([(point["width"], point["height"]) for point in points],
                         [(width, height) for height in (2, 5) for width in (1, 2, 3, 4, 10, 20, 30)])

    def test_shapes(self):
        points = self.points("-i", "1", "-t", "h2d", "-b", "1", "--shape", "logits,image-1080p", "--shape", "logits")
        self.assertEqual([point["shape"] for point in points], ["image-1080p", "logits"])
        for point in points:
            self.assert_measured(point)
            self.assertLessEqual(point["payload_bytes"], 1 << 20)
        self.assertEqual([point["dpitch"] for point in points], [6144, 303872])

    def test_device(self):
        document = self.document(*TINY, "-t", "h2d", "--device", "1", PACL_DEVICES="2")
        self.assertEqual(document["pacl_bench"]["device_list"], ["1: Ascend910B1"])
        error = self.bench(*TINY, "--device", "2", status=2, PACL_DEVICES="2")[1]
        self.assertIn("there are 2 devices", error)

    def test_pitch_sweep(self):
        points = self.points(*TINY, "-t", "h2d,d2h", "--pitch-sweep=200,128:512")
        self.assertEqual([point["dpitch"] for point in points[:4]], [128, 200, 256, 512])
        self.assertEqual([point["spitch"] for point in points[4:]], [128, 200, 256, 512])
        self.assertTrue(all(point["sweep"] for point in points))

    def test_pitch_sweep_by_itself(self):
        points = self.points("-i", "1", "-t", "d2h", "--pitch-sweep", "--height", "3", "--width", "64")
        pitches = [point["spitch"] for point in points]
        self.assertEqual(pitches, sorted(set(pitches)))
        self.assertLessEqual({64, 128, 4032, 4096, 4160, 6144, 16384}, set(pitches))


class Refusal(BenchTest):
    def test_unknown_names_list_the_known_ones(self):
        for arguments in (["-t", "h2h"], ["-t", "4"], ["h2d,"], ["-p", "all_"]):
            error = self.refused(*arguments)
            for alias, name in TESTCASES.items():
                self.assertIn(f"{name} ({alias})", error)
        error = self.refused("--shape", "square")
        self.assertIn("'square'", error)
        for shape in SHAPES:
            self.assertIn(shape, error)

    def test_limits(self):
        self.assertRegex(self.refused("--width", "5000001"), "--width 5000001.*at most 5000000 bytes")
        self.assertRegex(self.refused("--height", "5242881"), "--height 5242881.*at most 5242880 rows")
        self.assertRegex(self.refused("--width", "64", "--dpitch", "63"), "dpitch 63 is smaller than the width 64")
        self.assertRegex(self.refused("--width", "64", "--spitch", "1"), "spitch 1 is smaller than the width 64")
        self.assertRegex(self.refused("--shape", "wide", "--dpitch", "4K"), "dpitch 4096 is smaller")
        self.assertRegex(self.refused("--pitch-sweep=32", "--width", "64"), "dpitch 32 is smaller")
        self.assertRegex(self.refused("--dpitch", "16777215T"), "do not fit into any memory")

    def test_values(self):
        for arguments in (["--width", "0"], ["--width", ""], ["--width", "8:4"], ["--width", "1:2:0"],
                          ["--width", "1:9:1:1"], ["--width", "1:2000:1"], ["--height", "-1"], ["--width", "x"],
                          ["--dpitch", "+"], ["--dpitch", "x"], ["--offset", "1,2,3"], ["--offset", "2M"],
                          ["--host", "device"], ["--streams", "0"], ["--streams", "1025"], ["--device", "-1"],
                          ["-i", "0"], ["-i", "x"], ["-b", "0"], ["--tolerance", "x"], ["--tolerance", "100%"],
                          ["--tolerance=-1"], ["--compare", "speed"], ["--unknown"],
                          ["--shape", "wide", "--width", "4"], ["-j", "--csv"], ["--load", "file", "-j"]):
            self.assertIn("pacl bench: ", self.refused(*arguments))

    def test_too_much_memory(self):
        out = self.bench("-i", "1", "-t", "h2d", "--width", "1K,1M", "--height", "16", PACL_DEVICE_MEMORY="1M")[0]
        self.assertRegex(out, r"1024 +16 .* [0-9.]+%\n")
        self.assertRegex(out, "1048576 +16 .* Waived: needs 16.0 MiB of device memory, 1.0 MiB are free")
        out = self.bench("-i", "1", "-t", "h2d", "--width", "1M", "--height", "16", PACL_DEVICE_MEMORY="1M",
                         status=1)[0]
        self.assertIn("Waived: needs", out)

    def test_more_than_the_machine_has(self):
        out = self.bench("-i", "1", "-t", "h2d", "--width", "1M", "--height", "512K", PACL_DEVICE_MEMORY="1T",
                         PACL_DEVICES="1", status=1)[0]
        self.assertRegex(out, "Waived: needs .* of the machine's memory, .* can be used")

    def test_output_that_cannot_be_written(self):
        for option in ("--json", "--csv", "--heatmap"):
            out, error = self.bench(*TINY, f"{option}={self.path('none/file')}", status=1)
            self.assertEqual((out, error), ("", f"pacl bench: {self.path('none/file')}: No such file or directory\n"))

    def test_a_refused_run_leaves_files_as_they_were(self):
        with open(self.path("old"), "w", encoding="utf-8") as file:
            file.write("old")
        self.bench(*TINY, f"--json={self.path('old')}", f"--csv={self.path('new')}", "--device", "99", status=2)
        with open(self.path("old"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        self.assertEqual(os.listdir(self.folder), ["old"])


class Product(BenchTest):
    WITHOUT_D2D = ["atlas-training", "atlas-inference", "atlas-200i-500-a2"]
    WITHOUT_2D = ["atlas-inference-module", "atlas-inference-ctrlcpu", "atlas-200i-500-a2-rc"]

    def products(self):
        done = subprocess.run([PACL, "info", "--products", "--json"], env=environment(), check=True,
                              stdout=subprocess.PIPE)
        return [product["name"] for product in json.loads(done.stdout)["products"]]

    def test_each(self):
        for product in self.products():
            without = (list(TESTCASES) if product in self.WITHOUT_2D else
                       ["d2d"] if product in self.WITHOUT_D2D else [])
            points = self.points(*TINY, PACL_PRODUCT=product)
            self.assertEqual(len(points), len(TESTCASES))
            for alias, point in zip(TESTCASES, points):
                with self.subTest(product=product, testcase=alias):
                    if alias in without:
                        self.assertEqual(point["status"], "Waived")
                        self.assertIn("not supported by this product", point["reason"])
                    else:
                        self.assert_measured(point)

    def test_registered_memory_where_there_is_none(self):
        points = self.points(*TINY, "-t", "h2d", "--host", "registered", PACL_PRODUCT="atlas-inference")
        self.assertEqual(points[0]["status"], "Waived")
        self.assertIn("aclrtHostRegister", points[0]["reason"])

    def test_fewer_pages_on_a_small_device(self):
        point, = self.points("-i", "1", "-t", "d2d", "--shape", "kv-page", PACL_DEVICE_MEMORY="1G")
        self.assert_measured(point)
        self.assertEqual(point["spitch"] % 131072, 0)
        self.assertLessEqual(point["spitch"], 16 << 20)

    def test_isolation(self):
        for access in ("mapping", "open"):
            for point in self.points(*TINY, PACL_DEVICE_ACCESS=access):
                self.assert_measured(point)


class Report(BenchTest):
    def test_json(self):
        document = self.document(*TINY, PACL_ENGINES="1")
        self.assertEqual(list(document), ["pacl_bench"])
        bench = document["pacl_bench"]
        self.assertEqual(bench["format"], 1)
        self.assertRegex(bench["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertIn("bench -i 1 --width 100 --height 7 -j", bench["command"])
        self.assertEqual(bench["device_list"], ["0: Ascend910B1"])
        self.assertEqual(bench["device_memory_bytes"], 64 << 30)
        self.assertEqual(bench["environment"]["PACL_ENGINES"], "1")
        for name in ("cpu", "library", "runtime_version", "version"):
            self.assertTrue(bench[name], name)
        self.assertGreater(bench["processors"], 0)
        self.assertEqual([testcase["name"] for testcase in bench["testcases"]], list(TESTCASES.values()))
        for testcase in bench["testcases"]:
            self.check_testcase(testcase)

    def check_testcase(self, testcase):
        point, = testcase["points"]
        speed = point["gb_s"]
        self.assertEqual(testcase["status"], "Passed")
        self.assertTrue(testcase["bandwidth_description"])
        self.assertEqual(testcase["bandwidth_columns"], ["custom 100x7"])
        self.assertEqual(testcase["bandwidth_matrix"], [[f"{speed:.2f}"]])
        self.assertEqual([testcase["min"], testcase["max"], testcase["average"]], [speed] * 3)
        self.assertEqual(list(point), list(KEY) + list(MEASURED))
        for name, kind in {**KEY, **MEASURED}.items():
            self.assertIsInstance(point[name], (int, float) if kind is float else kind, name)
        self.assertAlmostEqual(speed, point["payload_bytes"] / point["copy_ns_p50"], delta=speed * 1e-6)
        self.assertAlmostEqual(point["efficiency"], speed / point["line_gb_s"], delta=1e-6)
        self.assertLessEqual(point["gb_s_min"], point["gb_s_max"])

    def test_json_of_what_is_not_measured(self):
        bench = self.document(*TINY, "-t", "d2d", PACL_PRODUCT="atlas-training")["pacl_bench"]
        testcase, = bench["testcases"]
        self.assertEqual(testcase["status"], "Waived")
        self.assertEqual(testcase["bandwidth_matrix"], [["N/A"]])
        self.assertEqual({testcase["points"][0][name] for name in MEASURED}, {None})

    def test_files_beside_the_table(self):
        out = self.bench(*TINY, f"--json={self.path('json')}", f"--csv={self.path('csv')}")[0]
        self.assertIn("SHAPE", out)
        with open(self.path("json"), encoding="utf-8") as file:
            self.assertIn("pacl_bench", json.load(file))
        self.assertTrue(os.path.getsize(self.path("csv")))

    def test_table(self):
        out = self.bench(*TINY, "-t", "h2d,d2d", PACL_PRODUCT="atlas-training")[0]
        self.assertRegex(out, r"\n([02-9]|\d\d+) points; reserved are up to .* of device memory")
        self.assertRegex(out, r"SHAPE +WIDTH +HEIGHT +DPITCH +SPITCH +GB/S +NS/ROW +SUBMIT +COMPLETE +P50 +P95 +SPREAD "
                              r"+1D GB/S +2D EFF\ncustom +100 +7 +192 +100 +[0-9.]+ ")
        self.assertRegex(out, r"custom +100 +7 +100 +192 +Waived: not supported by this product")

    def test_csv(self):
        rows = list(csv.reader(io.StringIO(self.bench(*TINY, "-t", "h2d,d2d", "--csv", PACL_PRODUCT="atlas-training")
                                           [0])))
        self.assertEqual(rows[0], list(KEY) + list(MEASURED))
        self.assertEqual([len(row) for row in rows], [len(rows[0])] * 3)
        measured, waived = (dict(zip(rows[0], row)) for row in rows[1:])
        self.assertEqual((measured["width"], measured["verified"]), ("100", "true"))
        self.assertGreater(float(measured["gb_s"]), 0)
        self.assertEqual({waived[name] for name in MEASURED}, {""})

    def test_csv_quotes(self):
        points = self.document(*TINY, "-t", "h2d")
        points["pacl_bench"]["testcases"][0]["points"][0].update(status="Error", reason='one, "two"')
        with open(self.path("json"), "w", encoding="utf-8") as file:
            json.dump(points, file)
        out = self.bench("--load", self.path("json"), "--csv", status=1)[0]
        self.assertEqual(next(csv.DictReader(io.StringIO(out)))["reason"], 'one, "two"')

    def test_heatmap(self):
        self.bench("-i", "1", "-t", "h2d,d2h", "--width", "16,1K", "--height", "1,2,3",
                   "--heatmap", self.path("map.svg"))
        root = xml.etree.ElementTree.parse(self.path("map.svg")).getroot()
        svg = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.tag, svg + "svg")
        titles = [title.text for title in root.iter(svg + "title")]
        self.assertEqual(len(titles), 12)
        self.assertRegex(titles[0], r"^custom 16 x 1, dpitch 128, spitch 16: [0-9.]+ GB/s, .* ns per row$")
        texts = [text.text for text in root.findall(svg + "text")]
        for label in ("1K", "16", "host_to_device_memcpy2d: payload, GB/s"):
            self.assertIn(label, texts)
        for shape in root.iter(svg + "rect"):
            if "x" in shape.attrib:
                self.assertLessEqual(int(shape.get("x")) + int(shape.get("width")), int(root.get("width")))
                self.assertLessEqual(int(shape.get("y")) + int(shape.get("height")), int(root.get("height")))

    def test_heatmap_grid(self):
        points = self.points("-i", "1", "-t", "d2d", "--heatmap", self.path("map.svg"))
        self.assertEqual(len({point["width"] for point in points}), 9)
        self.assertEqual(len({point["height"] for point in points}), 7)

    def test_cliffs(self):
        document = self.document(*TINY, "-t", "h2d", "--pitch-sweep=128:640:128")
        points = document["pacl_bench"]["testcases"][0]["points"]
        for speeds, cliffs in (([10, 10, 21, 10, 10], [384]), ([21, 10, 10, 10, 21], [128, 640]),
                               ([10, 10, 20, 10, 10], []), ([10, 21, 21, 10, 10], []), ([1, 3, 7, 15, 31], [640])):
            for point, speed in zip(points, speeds):
                point["ns_per_row"] = speed
            with open(self.path("json"), "w", encoding="utf-8") as file:
                json.dump(document, file)
            out = self.bench("--load", self.path("json"))[0]
            found = [int(pitch) for pitch in re.findall(r"(?m)^cliff: .* dpitch (\d+),", out)]
            self.assertEqual(found, cliffs)
            self.assertEqual("no pitch is more than twice as slow" in out, not cliffs)
            rows = csv.DictReader(io.StringIO(self.bench("--load", self.path("json"), "--csv")[0]))
            self.assertEqual([int(row["dpitch"]) for row in rows if row["cliff"] == "true"], cliffs)


class Baseline(BenchTest):
    def setUp(self):
        super().setUp()
        self.now = self.document(*TINY, "-t", "h2d,d2d")
        self.write("now", self.now)

    def write(self, name, document):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(document, file)

    def compare(self, *arguments, status=0):
        return self.bench("--load", self.path("now"), "--baseline", self.path("before"), *arguments, status=status)[1]

    def doctored(self, place, **factors):
        """Makes the baseline from the present run, with members of one point changed."""
        before = copy.deepcopy(self.now)
        point = before["pacl_bench"]["testcases"][place]["points"][0]
        for name, factor in factors.items():
            point[name] = factor if isinstance(factor, str) else point[name] * factor
        self.write("before", before)

    def test_equal(self):
        self.write("before", self.now)
        for tolerance in ("10%", "0"):
            error = self.compare("--tolerance", tolerance, "--compare", "bandwidth,submission,completion")
            self.assertRegex(error, "2 compared, 0 regressed")
            self.assertNotIn("regression:", error)

    def test_regression_is_named(self):
        self.doctored(1, gb_s=2)
        error = self.compare("--tolerance", "10%", status=1)
        self.assertRegex(error, r"regression: device_to_device_memcpy2d custom 100 x 7: bandwidth .* GB/s, baseline .* "
                                r"\(-50\.0 %\)")
        self.assertNotIn("host_to_device", error)
        self.assertIn("2 compared, 1 regressed", error)

    def test_tolerance(self):
        self.doctored(0, gb_s=1.08)
        self.compare()
        self.compare("--tolerance", "7.5")
        self.compare("--tolerance", "7%", status=1)

    def test_better_is_no_regression(self):
        self.doctored(0, gb_s=0.01, submission_ns=100, completion_ns=100)
        self.compare("--compare", "bandwidth,submission,completion")

    def test_other_metrics_only_if_asked(self):
        self.doctored(0, completion_ns=0.1)
        self.compare()
        self.compare("--compare", "bandwidth,submission")
        self.assertRegex(self.compare("--compare", "completion", status=1), "regression: .*: completion ")

    def test_not_measured_any_more(self):
        self.write("before", self.now)
        self.now["pacl_bench"]["testcases"][0]["points"][0].update(status="Waived", reason="gone")
        self.write("now", self.now)
        self.assertRegex(self.compare(status=1), "regression: host_to_device_.*: not measured any more: gone")

    def test_nothing_in_common(self):
        self.doctored(0, shape="other")
        self.assertRegex(self.compare(), "1 compared, .* 1 only here, 1 only there")
        before = json.loads(json.dumps(self.now).replace('"pinned"', '"pageable"'))
        self.write("before", before)
        self.assertIn("nothing to compare", self.compare(status=1))

    def test_measured_run(self):
        self.doctored(0, gb_s=1e-6)
        self.bench(*TINY, "-t", "h2d", "--baseline", self.path("before"))
        self.doctored(0, gb_s=1e6)
        error = self.bench(*TINY, "-t", "h2d", "--baseline", self.path("before"), status=1)[1]
        self.assertIn("regression: host_to_device_memcpy2d custom 100 x 7", error)

    def test_files_that_are_no_baseline(self):
        for text in ("", "{", "[]", "{}", '{"pacl_bench": {"format": 2, "testcases": []}}',
                     '{"pacl_bench": {"format": 1, "testcases": [{"points": [{}]}]}}', '{"pacl_bench": 1}',
                     '{"pacl_bench": {"format": 1, "testcases": [3]}}'):
            with open(self.path("before"), "w", encoding="utf-8") as file:
                file.write(text)
            self.assertIn("before", self.compare(status=1), text)
        self.doctored(0, testcase="unknown")
        self.assertIn("not the JSON", self.compare(status=1))
        self.doctored(0, shape="x" * 100)
        self.assertIn("not the JSON", self.compare(status=1))
        self.assertIn("none", self.bench("--baseline", self.path("none"), status=1)[1])


class Fault(BenchTest):
    SHAPE = ["-i", "1", "--width", "40", "--height", "9", "--dpitch", "50", "--spitch", "60"]

    def faulty(self, fault, *arguments, status=1):
        return self.points(*self.SHAPE, *arguments, status=status, LD_PRELOAD=os.environ["WRONG_COPY"], FAULT=fault)

    def test_right_copy_through_the_same_library(self):
        for point in self.faulty("none", status=0):
            self.assert_measured(point)

    def test_wrong_bytes(self):
        for fault, message in (("skip-row", "row 4, byte 0 is 0xa5, not 0x"), ("shift", "row 0, byte 0 is 0x"),
                               ("no-copy", "row 0, byte 0 is 0xa5, not 0x"),
                               ("gap", "the gap behind row 0 was written, byte 0 behind its end")):
            points = self.faulty(fault)
            self.assertEqual(len(points), len(TESTCASES))
            for point in points:
                with self.subTest(fault=fault, testcase=point["testcase"]):
                    self.assertEqual(point["status"], "Error")
                    self.assertTrue(point["reason"].startswith("verification: " + message), point["reason"])
                    self.assertIsNone(point["gb_s"])

    def test_wrong_bytes_far_apart(self):
        for fault in ("skip-row", "gap"):
            point, = self.points("-i", "1", "-t", "d2h", "--width", "5000", "--height", "9", "--dpitch", "1M",
                                 status=1, LD_PRELOAD=os.environ["WRONG_COPY"], FAULT=fault)
            self.assertEqual(point["status"], "Error")

    def test_unverified(self):
        for point in self.faulty("skip-row", "--no-verify", status=0):
            self.assertEqual(point["status"], "Passed")
            self.assertIs(point["verified"], False)

    def test_error(self):
        for point in self.faulty("error"):
            self.assertEqual(point["status"], "Error")
            self.assertIn("aclrtMemcpy2dAsync: error 507899", point["reason"])


if __name__ == "__main__":
    unittest.main()

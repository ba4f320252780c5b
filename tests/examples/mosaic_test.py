#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the example `mosaic` on pictures of every kind and compares what it wrote with a mosaic made here.

    MOSAIC=path/of/the/program mosaic_test.py [-v] [Drawing|Refusal|Product]
"""
import csv
import os
import random
import struct
import subprocess
import tempfile
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
PICTURES = os.path.join(HERE, "..", "..", "examples", "pictures")
GREY, RGB, PALETTE, RGBA = 0, 2, 3, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, RGBA: 4}
GAP = 8
WHITE = (255, 255, 255, 255)


# PNG files. Pictures are lists of rows, rows are lists of tuples of samples. ------------------------------------------

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def packed_rows(rows, depth):
    form = ">%dH" if depth == 16 else ">%dB"
    return b"".join(b"\0" + struct.pack(form % (len(row) * len(row[0])), *(s for pixel in row for s in pixel))
                    for row in rows if row)


def adam7_passes(rows):
    for x, y, dx, dy in ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
                         (0, 1, 1, 2)):
        yield [row[x::dx] for row in rows[y::dy]]


def encode(rows, depth=8, colour=RGBA, interlaced=False, before_data=b""):
    passes = adam7_passes(rows) if interlaced else [rows]
    data = b"".join(packed_rows(part, depth) for part in passes)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), depth, colour, 0, 0, int(interlaced))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before_data + chunk(b"IDAT", zlib.compress(data)) +
            chunk(b"IEND", b""))


def chunks(data):
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def unfiltered(kind, row, above, step):
    row = bytearray(row)
    for i, value in enumerate(row):
        a = row[i - step] if i >= step else 0
        b = above[i]
        c = above[i - step] if i >= step else 0
        nearest = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
        row[i] = value + (0, a, b, (a + b) // 2, nearest)[kind] & 255
    return row


def decode(path):
    """The pixels of an 8-bit RGB or RGBA file, as RGBA."""
    with open(path, "rb") as file:
        parts = list(chunks(file.read()))
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    assert (depth, interlaced) == (8, 0) and colour in (RGB, RGBA)
    step = CHANNELS[colour]
    data = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    rows, above = [], bytes(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        above = unfiltered(data[start], data[start + 1:start + 1 + width * step], above, step)
        rows.append([(tuple(above[i:i + step]) + (255,))[:4] for i in range(0, width * step, step)])
    return rows


def random_picture(width, height, seed=7, channels=4, top=255):
    rng = random.Random(seed)
    return [[tuple(rng.randint(0, top) for _ in range(channels)) for _ in range(width)] for _ in range(height)]


# What the mosaic has to look like -------------------------------------------------------------------------------------

def parted(sequence):
    return sequence[0::2] + sequence[1::2]


def in_strips(row):
    size = (len(row) + 7) // 8
    strips = [row[i:i + size] for i in range(0, len(row), size)]
    return [pixel for strip in reversed(strips) for pixel in strip]


EFFECTS = (
    lambda p: p,
    lambda p: [row[::-1] for row in p],
    lambda p: [row[len(row) - len(row) // 2:] + row[:len(row) - len(row) // 2] for row in p],
    lambda p: p[::-1],
    lambda p: [row[::-1] for row in p[::-1]],
    parted,
    lambda p: parted([parted(row) for row in p]),
    lambda p: [in_strips(row) for row in p],
    lambda p: [p[::-1][y] if y % 2 else p[y] for y in range(len(p))],
)


def expected_mosaic(picture, tiles=9):
    width, height = len(picture[0]), len(picture)
    columns = next(n for n in range(1, tiles + 1) if n * n >= tiles)
    lines = -(-tiles // columns)
    mosaic = [[WHITE] * (columns * (width + GAP) + GAP) for _ in range(lines * (height + GAP) + GAP)]
    for tile in range(tiles):
        x, y = GAP + tile % columns * (width + GAP), GAP + tile // columns * (height + GAP)
        for offset, row in enumerate(EFFECTS[tile % 9](picture)):
            mosaic[y + offset][x:x + width] = row
    return mosaic


class MosaicCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.output = self.path("out.png")

    def path(self, name):
        return os.path.join(self.folder, name)

    def file(self, data, name="in.png"):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def run_mosaic(self, *arguments, product=None):
        environment = dict(os.environ)
        environment.pop("PACL_PRODUCT", None)
        if product:
            environment["PACL_PRODUCT"] = product
        return subprocess.run([os.environ["MOSAIC"], *arguments], cwd=self.folder, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=250)

    def draws(self, picture, *options, product=None):
        """The program draws, says that it is right, and leaves no complaint. Returns what it printed."""
        result = self.run_mosaic(picture, "-o", self.output, *options, product=product)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        self.assertIn("Verified: all ", result.stdout)
        return result.stdout

    def draws_exactly(self, data, picture, *options, tiles=9, product=None):
        """Also compares the written file with the mosaic of `picture`, RGBA, made here."""
        printed = self.draws(self.file(data), f"--tiles={tiles}", *options, product=product)
        self.assertTrue(decode(self.output) == expected_mosaic(picture, tiles), "the file has other pixels")
        return printed


class Drawing(MosaicCase):
    def test_shipped_pictures(self):
        names = sorted(name for name in os.listdir(PICTURES) if name.endswith(".png"))
        self.assertGreaterEqual(len(names), 2)
        for name in names:
            with self.subTest(name):
                self.draws(os.path.join(PICTURES, name))

    def test_default_output_is_in_the_current_directory(self):
        result = self.run_mosaic(self.file(encode(random_picture(3, 3))))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue(os.path.exists(self.path("mosaic.png")))

    def test_sizes(self):
        for width, height in ((1, 1), (1, 2), (2, 1), (1, 97), (101, 1), (2, 2), (3, 5), (16, 16), (17, 9), (61, 40)):
            with self.subTest(width=width, height=height):
                picture = random_picture(width, height)
                self.draws_exactly(encode(picture), picture)

    def test_tiles_and_streams(self):
        picture = random_picture(19, 13)
        for tiles, streams in ((1, 1), (2, 3), (9, 1), (9, 32), (20, 7), (100, 4)):
            with self.subTest(tiles=tiles, streams=streams):
                self.draws_exactly(encode(picture), picture, f"--streams={streams}", tiles=tiles)

    def test_region(self):
        picture = random_picture(40, 30)
        for text, x, y in (("7x5+11+3", 11, 3), ("7x5+33+25", 33, 25), ("7x5", 16, 12), ("40x30", 0, 0)):
            with self.subTest(text):
                width, height = (int(side) for side in text.partition("+")[0].split("x"))
                part = [row[x:x + width] for row in picture[y:y + height]]
                self.draws_exactly(encode(picture), part, f"--region={text}")

    def test_rgb_without_alpha(self):
        picture = random_picture(11, 7, channels=3)
        self.draws_exactly(encode(picture, colour=RGB), [[pixel + (255,) for pixel in row] for row in picture])

    def test_interlaced_16_bit_grey(self):
        # libpng 1.6.39-2+deb12u6 mixes the rows up if it is asked to do this by png_image_finish_read().
        # Samples of two equal bytes, so that what they become in 8 bits is beyond doubt.
        grey = [[(s * 257,) for (s,) in row] for row in random_picture(13, 11, channels=1)]
        data = encode(grey, depth=16, colour=GREY, interlaced=True)
        self.draws_exactly(data, [[(s // 257,) * 3 + (255,) for (s,) in row] for row in grey])

    def test_interlaced_with_alpha(self):
        picture = random_picture(13, 11)
        self.draws_exactly(encode(picture, interlaced=True), picture)

    def test_palette_with_transparency(self):
        entries = random_picture(5, 1)[0]
        indices = random_picture(9, 9, channels=1, top=4)
        extra = (chunk(b"PLTE", b"".join(bytes(entry[:3]) for entry in entries)) +
                 chunk(b"tRNS", bytes(entry[3] for entry in entries)))
        data = encode(indices, colour=PALETTE, before_data=extra)
        self.draws_exactly(data, [[entries[i] for (i,) in row] for row in indices])

    def test_longest_sides(self):
        # A row of 3,996,000 bytes, and as many rows as libpng takes together with the margin.
        for width, height in ((999000, 1), (1, 999000)):
            with self.subTest(width=width, height=height):
                row = [(x % 251,) for x in range(width)]
                picture = self.file(encode([row] * height, colour=GREY))
                self.draws(picture, f"--region={width}x{height}", "--tiles=1")

    def test_large_picture_is_cut_to_its_middle(self):
        picture = self.file(encode([[(y % 251,)] * 1300 for y in range(1000)], colour=GREY))
        self.assertIn("1200x900+50+50 of them", self.draws(picture, "--tiles=1"))


class Refusal(MosaicCase):
    def refuses(self, *arguments, saying):
        result = self.run_mosaic("-o", self.output, *arguments)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn(saying, result.stderr)
        self.assertFalse(os.path.exists(self.output))

    def test_truncated_file(self):
        whole = encode(random_picture(50, 50))
        for length in (7, 8, 20, 33, 60, len(whole) // 2, len(whole) - 8):
            with self.subTest(length):
                self.refuses(self.file(whole[:length], "cut.png"), saying="cut.png: the file ends too early")

    def test_changed_byte(self):
        whole = bytearray(encode(random_picture(50, 50)))
        whole[len(whole) // 2] ^= 0x55
        self.refuses(self.file(whole, "changed.png"), saying="changed.png: ")

    def test_what_is_no_png(self):
        for text in (b"This is a text.\n", b"Hi\n", b""):
            self.refuses(self.file(text, "notes.txt"), saying="notes.txt: not a PNG file")
        self.refuses(self.path("missing.png"), saying="missing.png: ")
        self.refuses(self.folder, saying=self.folder)

    def test_more_than_libpng_takes(self):
        header = struct.pack(">IIBBBBB", 1000001, 1, 8, GREY, 0, 0, 0)
        data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1000002)))
        self.refuses(self.file(data + chunk(b"IEND", b""), "wide.png"), saying="wide.png: ")

    def test_mosaic_that_no_file_holds(self):
        wide = self.file(encode([[(0,)] * 400000], colour=GREY))
        self.refuses(wide, "--region=400000x1", saying="1000000 along a side")

    def test_options(self):
        picture = self.file(encode(random_picture(20, 10)))
        for option in ("--region=21x1", "--region=20x10+1+0", "--region=0x5", "--region=5x5+-1+0", "--region=5x5+16+0",
                       "--region=5x5+18446744073709551615+0", "--region=5", "--region=5x5+1", "--region=5x5+1+1z",
                       "--region=", "--tiles=0", "--tiles=101", "--tiles=-1", "--tiles=9x", "--streams=0",
                       "--streams=33", "--device=x"):
            with self.subTest(option):
                self.refuses(picture, option, saying=option.partition("=")[0])
        self.refuses(saying="INPUT")
        self.refuses(picture, picture, saying="INPUT")

    def test_device_that_is_not_there(self):
        self.refuses(self.file(encode(random_picture(2, 2))), "--device=1000", saying="aclrtSetDevice")

    def test_output_that_cannot_be_written(self):
        picture = self.file(encode(random_picture(4, 4)))
        self.output = self.path("no/such/folder.png")
        self.refuses(picture, saying=self.output)

    def test_input_is_not_overwritten(self):
        data = encode(random_picture(4, 4))
        picture = self.file(data)
        result = self.run_mosaic(picture, "-o", "./in.png")
        self.assertEqual(result.returncode, 1)
        self.assertIn("is the input", result.stderr)
        with open(picture, "rb") as file:
            self.assertEqual(file.read(), data)


class Product(MosaicCase):
    WITH_ALL = ("atlas-350", "atlas-a3", "atlas-a2")
    WITHOUT_D2D = ("atlas-training", "atlas-inference", "atlas-200i-500-a2")
    WITHOUT_2D = ("atlas-inference-module", "atlas-inference-ctrlcpu", "atlas-200i-500-a2-rc")

    def each(self, products, saying):
        picture = random_picture(37, 23)
        for product in products:
            with self.subTest(product):
                printed = self.draws_exactly(encode(picture), picture, product=product)
                for text in ("no device-to-device 2D copies", "no 2D copies"):
                    self.assertEqual(text in printed, text == saying, printed)

    def test_with_all_2d_copies(self):
        self.each(self.WITH_ALL, None)

    def test_without_device_to_device(self):
        self.each(self.WITHOUT_D2D, "no device-to-device 2D copies")

    def test_without_2d_copies(self):
        self.each(self.WITHOUT_2D, "no 2D copies")

    def test_shipped_picture_without_2d_copies(self):
        self.draws(os.path.join(PICTURES, "chart.png"), product=self.WITHOUT_2D[0])

    def test_no_product_is_forgotten(self):
        path = os.path.join(os.environ.get("PACL_SHARED", ""), "spec", "products.tsv")
        if not os.path.exists(path):
            self.skipTest(f"{path} is not there")
        with open(path, newline="", encoding="utf-8") as file:
            names = {row["name"] for row in csv.DictReader(file, delimiter="\t")}
        self.assertEqual(names, set(self.WITH_ALL + self.WITHOUT_D2D + self.WITHOUT_2D))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of this directory, with nothing but Python's standard library.

    python3 make_pictures.py [DIRECTORY]

terrain.png     1001 x 667, 8-bit RGB: a chart of an island that nobody has visited
mandelbrot.png  901 x 601, palette: the valley of sea horses
chart.png       801 x 601, 16-bit grey: a test chart with text, ramps and fine lines

They differ in every property that a reader of PNG files can stumble over, and none of them is symmetrical, so that a
mirrored or turned copy is seen at a glance. The same script always makes the same pictures.
"""
import math
import os
import random
import struct
import sys
import zlib

GREY, RGB, PALETTE = 0, 2, 3


# PNG ---------------------------------------------------------------------------------------------------------------

def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def paeth(left, above, corner):
    estimate = left + above - corner
    by_left, by_above, by_corner = abs(estimate - left), abs(estimate - above), abs(estimate - corner)
    if by_left <= by_above and by_left <= by_corner:
        return left
    return above if by_above <= by_corner else corner


def filtered(row, above, step):
    """The row with the filter that leaves the smallest differences, its type first. `step`: bytes per pixel."""
    left = bytes(step) + row[:-step]
    corner = bytes(step) + above[:-step]
    candidates = [
        bytes(row),
        bytes((a - b) & 255 for a, b in zip(row, left)),
        bytes((a - b) & 255 for a, b in zip(row, above)),
        bytes((a - (b + c) // 2) & 255 for a, b, c in zip(row, left, above)),
        bytes((a - paeth(b, c, d)) & 255 for a, b, c, d in zip(row, left, above, corner)),
    ]
    costs = [sum(min(v, 256 - v) for v in candidate) for candidate in candidates]
    best = costs.index(min(costs))
    return bytes([best]) + candidates[best]


def write_png(path, width, rows, depth, colour, palette=None):
    """Writes rows of packed samples, big-endian where they have 16 bits."""
    step = len(rows[0]) // width
    data = bytearray()
    above = bytes(len(rows[0]))
    for row in rows:
        data += b"\0" + row if palette else filtered(row, above, step)
        above = row
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), depth, colour, 0, 0, 0)))
        file.write(chunk(b"sRGB", b"\0"))
        if palette:
            file.write(chunk(b"PLTE", bytes(sample for entry in palette for sample in entry)))
        file.write(chunk(b"IDAT", zlib.compress(bytes(data), 9)))
        file.write(chunk(b"IEND", b""))


# Letters -----------------------------------------------------------------------------------------------------------

# Seven rows of five dots; each row is a number whose bit 4 is the leftmost dot.
LETTERS = {
    " ": (0, 0, 0, 0, 0, 0, 0),
    "2": (14, 17, 1, 2, 4, 8, 31),
    "A": (14, 17, 17, 31, 17, 17, 17),
    "C": (14, 17, 16, 16, 16, 17, 14),
    "D": (30, 17, 17, 17, 17, 17, 30),
    "H": (17, 17, 17, 31, 17, 17, 17),
    "I": (14, 4, 4, 4, 4, 4, 14),
    "L": (16, 16, 16, 16, 16, 16, 31),
    "N": (17, 25, 21, 19, 17, 17, 17),
    "O": (14, 17, 17, 17, 17, 17, 14),
    "P": (30, 17, 17, 30, 16, 16, 16),
    "R": (30, 17, 17, 30, 20, 18, 17),
    "T": (31, 4, 4, 4, 4, 4, 4),
    "Y": (17, 17, 10, 4, 4, 4, 4),
}


def text_dots(text, x, y, size):
    """The pixels of a text whose dots are `size` pixels wide."""
    for index, letter in enumerate(text):
        for row, bits in enumerate(LETTERS[letter]):
            for column in range(5):
                if bits >> (4 - column) & 1:
                    for dot in range(size * size):
                        yield x + (index * 6 + column) * size + dot % size, y + row * size + dot // size


# Terrain -----------------------------------------------------------------------------------------------------------

def noise_octave(width, height, cell, rng):
    """Smooth noise from 0 to 1 on a grid of `cell` pixels."""
    columns, lines = width // cell + 2, height // cell + 2
    knots = [[rng.random() for _ in range(columns)] for _ in range(lines)]
    weights = []
    for x in range(width):
        t = x % cell / cell
        weights.append((x // cell, t * t * (3 - 2 * t)))
    rows = []
    for y in range(height):
        t = y % cell / cell
        t = t * t * (3 - 2 * t)
        knot_row = [a + (b - a) * t for a, b in zip(knots[y // cell], knots[y // cell + 1])]
        rows.append([knot_row[i] + (knot_row[i + 1] - knot_row[i]) * w for i, w in weights])
    return rows


def island_heights(width, height):
    """Heights of an island: below 0 is sea, about 1 the highest summit."""
    rng = random.Random(350)
    heights = [[0.0] * width for _ in range(height)]
    for cell, strength in ((233, 1.0), (127, 0.5), (61, 0.25)):
        for y, noise in enumerate(noise_octave(width, height, cell, rng)):
            # Folding the noise at its middle makes ridges.
            heights[y] = [a + strength * (1 - abs(2 * n - 1)) for a, n in zip(heights[y], noise)]
    for cell, strength in ((31, 0.16), (17, 0.09), (8, 0.05), (4, 0.025)):
        for y, noise in enumerate(noise_octave(width, height, cell, rng)):
            # Valleys are smoother than summits.
            heights[y] = [a + strength * a * (n - 0.5) for a, n in zip(heights[y], noise)]
    for y in range(height):
        row = heights[y]
        v = (y / height - 0.50) / 0.43
        for x in range(width):
            u = (x / width - 0.47) / 0.43
            row[x] = row[x] * 0.80 - 0.48 - 0.66 * (u * u + v * v)
    return heights


SEA = [(-0.50, (18, 56, 98)), (-0.22, (30, 88, 136)), (-0.07, (58, 130, 168)), (0.0, (128, 190, 200))]
LAND = [(0.0, (226, 210, 160)), (0.025, (160, 178, 96)), (0.14, (96, 140, 70)), (0.30, (72, 112, 62)),
        (0.44, (128, 112, 82)), (0.56, (150, 138, 124)), (0.62, (236, 238, 244)), (1.0, (255, 255, 255))]


def colour_at(scale, value):
    if value <= scale[0][0]:
        return scale[0][1]
    for (low, a), (high, b) in zip(scale, scale[1:]):
        if value <= high:
            t = (value - low) / (high - low)
            return tuple(p + (q - p) * t for p, q in zip(a, b))
    return scale[-1][1]


def terrain(path, width=1001, height=667):
    heights = island_heights(width, height)
    levels = 256
    sea = [colour_at(SEA, -0.5 + 0.5 * i / levels) for i in range(levels + 1)]
    land = [colour_at(LAND, i / levels) for i in range(levels + 1)]
    pixels = []
    for y in range(height):
        row = []
        for x in range(width):
            h = heights[y][x]
            if h < 0:
                colour, light = sea[max(0, round((h + 0.5) * 2 * levels))], 1.0
            else:
                west, north = heights[y][max(x - 1, 0)], heights[max(y - 1, 0)][x]
                light = min(1.35, max(0.45, 1.0 + 14 * (2 * h - west - north)))
                colour = land[min(levels, round(h * levels))]
            # Steps of four are not visible here and halve the file.
            row.append([min(255, int(sample * light) + 2 & ~3) for sample in colour])
        pixels.append(row)
    draw_map_furniture(pixels, width, height)
    write_png(path, width, [bytes(s for pixel in row for s in pixel) for row in pixels], 8, RGB)


def draw_map_furniture(pixels, width, height):
    """A frame, the name of the place and an arrow to the north."""
    ink, paper = [40, 36, 44], [244, 238, 220]
    for y in range(height):
        for x in range(width):
            edge = min(x, y, width - 1 - x, height - 1 - y)
            if edge < 10:
                pixels[y][x] = ink if edge in (0, 9) or (edge > 2 and (x // 40 + y // 40) % 2) else paper
    for dx, dy in ((2, 2), (0, 0)):
        for x, y in text_dots("PORT ACL", 36 + dx, 34 + dy, 5):
            pixels[y][x] = ink if dx else paper
    for y in range(90):
        for x in range(-y // 4, y // 4 + 1):
            if y < 70 or abs(x) > (y - 70):
                pixels[530 + y][930 + x] = ink if x > 0 else paper
    for x, y in text_dots("N", 921, 500, 4):
        pixels[y][x] = paper


# Mandelbrot --------------------------------------------------------------------------------------------------------

def escape_time(cx, cy, limit):
    """How many steps, with a fraction, until the orbit leaves the circle of radius 16; `limit` if it does not."""
    x = y = xx = yy = 0.0
    for step in range(limit):
        y = 2 * x * y + cy
        x = xx - yy + cx
        xx, yy = x * x, y * y
        if xx + yy > 256:
            return step + 1 - math.log2(math.log(xx + yy) / math.log(256))
    return limit


def mandelbrot_palette():
    palette = [(8, 6, 20)]
    for i in range(255):
        t = i / 255 * 2 * math.pi
        palette.append((int(132 - 122 * math.cos(t)), int(112 - 92 * math.cos(t - 0.5)),
                        int(132 - 96 * math.cos(t - 1.9))))
    return palette


def mandelbrot(path, width=901, height=601, limit=600):
    scale = 0.0125 / width
    rows = []
    for py in range(height):
        cy = 0.1045 + (py - height / 2) * scale
        row = bytearray()
        for px in range(width):
            n = escape_time(-0.7472 + (px - width / 2) * scale, cy, limit)
            row.append(0 if n == limit else 1 + int(math.sqrt(n) * 36) % 255)
        rows.append(bytes(row))
    write_png(path, width, rows, 8, PALETTE, mandelbrot_palette())


# Chart -------------------------------------------------------------------------------------------------------------

WHITE16, BLACK16, PAPER16 = 65535, 0, 57000


def chart(path, width=801, height=601):
    pixels = [[PAPER16] * width for _ in range(height)]

    def fill(x0, y0, w, h, grey):
        """`grey` is a number or a function of the column and the row inside the rectangle."""
        for y in range(h):
            for x in range(w):
                pixels[y0 + y][x0 + x] = grey(x, y) if callable(grey) else grey

    fill(0, 0, width, 4, BLACK16)
    fill(0, height - 4, width, 4, BLACK16)
    fill(0, 0, 4, height, BLACK16)
    fill(width - 4, 0, 4, height, BLACK16)
    for x, y in text_dots("2D COPY", 40, 40, 14):
        pixels[y][x] = 8000
    for x, y in text_dots("PITCH", 640, 160, 4):
        pixels[y][x] = 8000

    # A smooth ramp in all 16 bits, the same in 16 steps, and the two finest patterns that there are.
    fill(40, 220, 721, 60, lambda x, y: x * WHITE16 // 720)
    fill(40, 290, 721, 60, lambda x, y: x * 16 // 721 * WHITE16 // 15)
    fill(40, 370, 170, 90, lambda x, y: WHITE16 if x % 2 else BLACK16)
    fill(40, 470, 170, 90, lambda x, y: WHITE16 if y % 2 else BLACK16)
    # Lines that get thinner to the right.
    fill(230, 370, 251, 190, lambda x, y: BLACK16 if math.sin(x * x / 330 + y / 40) > 0 else WHITE16)
    # Rings round a centre that is not in the middle.
    fill(511, 370, 250, 190, lambda x, y: int(32767.5 * (1 + math.cos(math.hypot(x - 80, y - 70) / 5.5))) & 0xFF00)
    for size in range(1, 9):
        fill(78 * size - 38, 172, size * 5, size * 5, lambda x, y, s=size: (x // s + y // s) % 2 * WHITE16)

    write_png(path, width, [struct.pack(f">{width}H", *row) for row in pixels], 16, GREY)


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__))
    for make in (terrain, mandelbrot, chart):
        path = os.path.join(directory, make.__name__ + ".png")
        make(path)
        print(f"{path}: {os.path.getsize(path)} bytes")


if __name__ == "__main__":
    main()

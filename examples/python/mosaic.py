#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mosaic.py: the example mosaic/ in Python. A picture goes to the device by one 2D copy, is drawn six times over by
device-to-device 2D copies on several streams, comes back by one 2D copy, and is compared with what NumPy computes.

Needs NumPy and PIL (Debian: python3-numpy python3-pil), and a product with 2D copies between device memory.
"""
import argparse
import ctypes
import sys

import acl
import numpy as np
from PIL import Image

# The original's Python module has no constants: a program for both brings those that it uses.
HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 1, 2, 3
HUGE_FIRST = 0
PIXEL = 4         # bytes: red, green, blue, opacity
GAP = 8           # pixels between the tiles and around them
WHITE = 0xFF      # every byte of the background
PITCH_STEP = 64   # bytes: rows on the device begin on a cache line
COLUMNS, ROWS = 3, 2  # of tiles


def ok(answer):
    """The values of an answer without its return code, which must be 0."""
    *values, ret = answer if isinstance(answer, tuple) else (answer,)
    if ret != 0:
        sys.exit(f"mosaic: a call returned {ret}: {acl.get_recent_err_msg()}")
    return values[0] if len(values) == 1 else tuple(values)


class Plane:
    """Rows of pixels somewhere in device memory, `pitch` bytes from one to the next."""

    def __init__(self, at, pitch):
        self.at, self.pitch = at, pitch

    @classmethod
    def allocate(cls, width, height, stream):
        pitch = (width * PIXEL + PITCH_STEP - 1) // PITCH_STEP * PITCH_STEP
        at = ok(acl.rt.malloc(pitch * height, HUGE_FIRST))
        ok(acl.rt.memset_async(at, pitch * height, WHITE, pitch * height, stream))
        return cls(at, pitch)

    def pixel(self, x, y):
        return Plane(self.at + y * self.pitch + x * PIXEL, self.pitch)

    def every_second_row(self, first):
        return Plane(self.at + first * self.pitch, 2 * self.pitch)


def copy(dst, src, width, height, stream):
    """Copies width x height pixels within the device."""
    if width > 0 and height > 0:
        ok(acl.rt.memcpy2d_async(dst.at, dst.pitch, src.at, src.pitch, width * PIXEL, height, DEVICE_TO_DEVICE, stream))


# The tiles. Each is drawn by copies alone; the function beside it says with NumPy what must come out.

def draw_plain(tile, picture, w, h, stream):
    copy(tile, picture, w, h, stream)


def draw_mirror(tile, picture, w, h, stream):
    """Left and right exchanged: one copy for each column, a pixel wide."""
    for x in range(w):
        copy(tile.pixel(x, 0), picture.pixel(w - 1 - x, 0), 1, h, stream)


def draw_halves(tile, picture, w, h, stream):
    """The two halves change places."""
    half = w // 2
    copy(tile, picture.pixel(half, 0), w - half, h, stream)
    copy(tile.pixel(w - half, 0), picture, half, h, stream)


def draw_flip(tile, picture, w, h, stream):
    """Upside down: one copy for each row, because a pitch cannot be negative."""
    for y in range(h):
        copy(tile.pixel(0, y), picture.pixel(0, h - 1 - y), w, 1, stream)


def draw_fields(tile, picture, w, h, stream):
    """The even rows above, the odd rows below: the source pitch doubled."""
    evens = (h + 1) // 2
    copy(tile, picture.every_second_row(0), w, evens, stream)
    copy(tile.pixel(0, evens), picture.every_second_row(1), w, h - evens, stream)


def draw_weave(tile, picture, w, h, stream, flipped):
    """The even rows of the picture, the odd rows of the tile that stands on its head."""
    copy(tile.every_second_row(0), picture.every_second_row(0), w, (h + 1) // 2, stream)
    copy(tile.every_second_row(1), flipped.every_second_row(1), w, h // 2, stream)


def expected_weave(p):
    woven = p.copy()
    woven[1::2] = p[::-1][1::2]
    return woven


EXPECTED = [
    lambda p: p,
    lambda p: p[:, ::-1],
    lambda p: np.roll(p, -(p.shape[1] // 2), axis=1),
    lambda p: p[::-1],
    lambda p: np.concatenate([p[::2], p[1::2]]),
    expected_weave,
]


def corner(i, w, h):
    """The left upper corner of a tile in the mosaic."""
    return GAP + i % COLUMNS * (w + GAP), GAP + i // COLUMNS * (h + GAP)


def pinned_pixels(width, height):
    """An array over pinned memory, whose copies do not block, and its address."""
    size = width * height * PIXEL
    at = ok(acl.rt.malloc_host(size))
    return np.frombuffer((ctypes.c_ubyte * size).from_address(at), np.uint8).reshape(height, width, PIXEL), at


def draw(picture, canvas, w, h, streams, begin):
    """Queues all tiles, on one stream after the other. `begin` is reached when picture and canvas are there."""
    tiles = [canvas.pixel(*corner(i, w, h)) for i in range(len(EXPECTED))]
    for stream in streams:
        ok(acl.rt.stream_wait_event(stream, begin))
    for i, function in enumerate((draw_plain, draw_mirror, draw_halves, draw_flip, draw_fields)):
        function(tiles[i], picture, w, h, streams[i % len(streams)])
    flip_done = ok(acl.rt.create_event())
    ok(acl.rt.record_event(flip_done, streams[3 % len(streams)]))
    last = streams[5 % len(streams)]
    ok(acl.rt.stream_wait_event(last, flip_done))
    draw_weave(tiles[5], picture, w, h, last, tiles[3])
    return flip_done


def join(streams):
    """Makes the first stream wait for the others. Answers the events, to be destroyed at the end."""
    events = []
    for stream in streams[1:]:
        events.append(ok(acl.rt.create_event()))
        ok(acl.rt.record_event(events[-1], stream))
        ok(acl.rt.stream_wait_event(streams[0], events[-1]))
    return events


def make(pixels, stream_count):
    """The mosaic of an array of pixels: uploads, draws, downloads."""
    h, w, _ = pixels.shape
    width, height = COLUMNS * (w + GAP) + GAP, ROWS * (h + GAP) + GAP
    streams = [ok(acl.rt.create_stream()) for _ in range(stream_count)]
    picture, canvas = Plane.allocate(w, h, streams[0]), Plane.allocate(width, height, streams[0])

    # `pixels` is a view into the whole picture: its pitch steps over the rest of each row. It is not pinned, so this
    # call waits for the stream and returns when the pixels are on the device.
    ok(acl.rt.memcpy2d_async(picture.at, picture.pitch, pixels.ctypes.data, pixels.strides[0], w * PIXEL, h,
                             HOST_TO_DEVICE, streams[0]))
    begin = ok(acl.rt.create_event())
    ok(acl.rt.record_event(begin, streams[0]))
    events = [begin, draw(picture, canvas, w, h, streams, begin)] + join(streams)

    mosaic, mosaic_at = pinned_pixels(width, height)
    ok(acl.rt.memcpy2d_async(mosaic_at, width * PIXEL, canvas.at, canvas.pitch, width * PIXEL, height, DEVICE_TO_HOST,
                             streams[0]))
    ok(acl.rt.synchronize_stream(streams[0]))
    result = mosaic.copy()

    del mosaic  # lies in the memory that goes now
    ok(acl.rt.free_host(mosaic_at))
    for plane in (picture, canvas):
        ok(acl.rt.free(plane.at))
    for event in events:
        ok(acl.rt.destroy_event(event))
    for stream in streams:
        ok(acl.rt.destroy_stream(stream))
    return result


def check(mosaic, pixels):
    h, w, _ = pixels.shape
    expected = np.full_like(mosaic, WHITE)
    for i, function in enumerate(EXPECTED):
        x, y = corner(i, w, h)
        expected[y:y + h, x:x + w] = function(pixels)
    wrong = np.argwhere((mosaic != expected).any(axis=2))
    if len(wrong) > 0:
        y, x = wrong[0]
        sys.exit(f"mosaic: {len(wrong)} pixels are wrong, the first at {x},{y}: {mosaic[y, x]}, not {expected[y, x]}")


def main():
    parser = argparse.ArgumentParser(description="Draws a picture six times over, with 2D copies on the device.")
    parser.add_argument("input", help="a picture")
    parser.add_argument("-o", "--output", default="mosaic.png")
    parser.add_argument("--streams", type=int, default=4, choices=range(1, 33), metavar="N")
    options = parser.parse_args()

    whole = np.asarray(Image.open(options.input).convert("RGBA"))
    h, w = min(whole.shape[0], 600), min(whole.shape[1], 800)
    top, left = (whole.shape[0] - h) // 2, (whole.shape[1] - w) // 2
    pixels = whole[top:top + h, left:left + w]  # the middle of it; still a view

    ok(acl.init())
    ok(acl.rt.set_device(0))
    mosaic = make(pixels, options.streams)
    ok(acl.rt.reset_device(0))
    ok(acl.finalize())

    check(mosaic, pixels)
    Image.fromarray(mosaic).save(options.output)
    print(f"{options.output}: {mosaic.shape[1]}x{mosaic.shape[0]} pixels, {len(EXPECTED)} tiles of {w}x{h}, "
          "all as NumPy computes them")


if __name__ == "__main__":
    main()

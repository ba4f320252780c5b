# SPDX-License-Identifier: Apache-2.0
"""The example examples/python/mosaic.py, run as a user runs it."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from support import ROOT, needs_numpy

try:
    from PIL import Image
except ImportError:
    Image = None

PROGRAM = ROOT / "examples" / "python" / "mosaic.py"
PICTURE = ROOT / "examples" / "pictures" / "terrain.png"


@needs_numpy
@unittest.skipIf(Image is None, "needs PIL (Debian: python3-pil)")
class Mosaic(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_program(self, *arguments, product="atlas-a2"):
        return subprocess.run([sys.executable, PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True,
                              timeout=240, env={**os.environ, "PACL_PRODUCT": product})

    def test_real_picture(self):
        for streams in ("1", "4", "32"):
            done = self.run_program(PICTURE, "-o", "out.png", "--streams", streams)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assert_is_mosaic(self.folder / "out.png", PICTURE)

    def assert_is_mosaic(self, path, picture):
        """Looks at three tiles by itself: the plain one, the mirrored one, the one upside down."""
        import numpy
        whole = numpy.asarray(Image.open(picture).convert("RGBA"))
        h, w = min(whole.shape[0], 600), min(whole.shape[1], 800)
        top, left = (whole.shape[0] - h) // 2, (whole.shape[1] - w) // 2
        tile = whole[top:top + h, left:left + w]
        mosaic = numpy.asarray(Image.open(path))
        self.assertEqual(mosaic.shape, (2 * (h + 8) + 8, 3 * (w + 8) + 8, 4))
        for x, y, expected in ((0, 0, tile), (1, 0, tile[:, ::-1]), (0, 1, tile[::-1])):
            x, y = 8 + x * (w + 8), 8 + y * (h + 8)
            self.assertTrue((mosaic[y:y + h, x:x + w] == expected).all())

    def test_odd_sizes(self):
        import numpy
        for width, height in ((1, 1), (2, 3), (7, 5), (801, 601)):
            pixels = numpy.random.default_rng(width).integers(0, 256, (height, width, 3), numpy.uint8)
            Image.fromarray(pixels).save(self.folder / "in.png")
            done = self.run_program("in.png")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assert_is_mosaic(self.folder / "mosaic.png", self.folder / "in.png")

    def test_product_without_copies_on_the_device(self):
        done = self.run_program(PICTURE, product="atlas-inference")
        self.assertEqual(done.returncode, 1)
        self.assertIn("aclrtMemcpy2dAsync", done.stderr)
        self.assertFalse((self.folder / "mosaic.png").exists())


if __name__ == "__main__":
    unittest.main()

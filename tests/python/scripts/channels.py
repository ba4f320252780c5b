# SPDX-License-Identifier: Apache-2.0
# Written from docs/python.md alone. Takes a cut of an image apart into its colours on the device: each pixel is a row
# of three bytes, so a colour is a column, one byte wide.
import acl
import numpy as np

H2D, D2H, D2D = 1, 2, 3


def ok(answer):
    *values, ret = answer if isinstance(answer, tuple) else (answer,)
    assert ret == 0, (ret, acl.get_recent_err_msg())
    return values[0] if len(values) == 1 else tuple(values)


image = np.random.default_rng(1).integers(0, 256, (480, 640, 3), np.uint8)
cut = image[100:300, 50:350]                      # 200 rows of 300 pixels, a view
height, width, colours = cut.shape

acl.init()
ok(acl.rt.set_device(0))
stream = ok(acl.rt.create_stream())
pixels = ok(acl.rt.malloc(cut.size, 0))
planes = ok(acl.rt.malloc(cut.size, 0))

# The view has three axes; its rows are pitch strides[0], and the pixels within lie side by side.
assert cut.strides[1:] == (3, 1)
ok(acl.rt.memcpy2d_async(pixels, width * 3, cut.ctypes.data, cut.strides[0], width * 3, height, H2D, stream))
for colour in range(colours):
    ok(acl.rt.memcpy2d_async(planes + colour * height * width, 1, pixels + colour, 3, 1, height * width, D2D, stream))
result = np.empty((colours, height, width), np.uint8)
for colour in range(colours):
    ok(acl.rt.memcpy_async(result[colour].ctypes.data, height * width, planes + colour * height * width, height * width,
                           D2H, stream))
assert (result == np.moveaxis(cut, 2, 0)).all()

for at in (pixels, planes):
    ok(acl.rt.free(at))
ok(acl.rt.destroy_stream(stream))
ok(acl.rt.reset_device(0))
acl.finalize()
print("colours apart")

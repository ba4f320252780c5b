/* SPDX-License-Identifier: Apache-2.0 */
#include "png_file.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>

enum { PIXEL_BYTES = 4, SIGNATURE_BYTES = 8 };

static void report(const char *path, const char *message)
{
    fprintf(stderr, "mosaic: %s: %s\n", path, message);
}

/* libpng expects that this does not return: it goes on in the branch of setjmp(). */
static _Noreturn void stop_reading(png_structp png, png_const_charp message)
{
    const struct png_file *file = png_get_error_ptr(png);
    report(file->path, feof(file->stream) ? "the file ends too early, it is truncated" : message);
    png_longjmp(png, 1);
}

/* Warnings are about what does not change the pixels, such as odd colour profiles. */
static void ignore_warning(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

/* Leaves the stream behind the eight bytes that every PNG begins with. */
static bool has_signature(const struct png_file *file)
{
    uint8_t start[SIGNATURE_BYTES];
    size_t length = fread(start, 1, sizeof(start), file->stream);
    const char *problem = NULL;

    if (ferror(file->stream))
        problem = strerror(errno);
    else if (length == 0 || png_sig_cmp(start, 0, length) != 0)
        problem = "not a PNG file";
    else if (length < sizeof(start))
        problem = "the file ends too early, it is truncated";
    if (problem)
        report(file->path, problem);
    return !problem;
}

bool png_file_open(struct png_file *file, const char *path)
{
    *file = (struct png_file){ .path = path, .stream = fopen(path, "rb") };
    if (!file->stream) {
        report(path, strerror(errno));
        return false;
    }
    if (!has_signature(file)) {
        fclose(file->stream);
        return false;
    }
    file->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, file, stop_reading, ignore_warning);
    file->info = file->png ? png_create_info_struct(file->png) : NULL;
    if (!file->info) {
        report(path, "libpng cannot be used");
        png_file_close(file);
        return false;
    }
    if (setjmp(png_jmpbuf(file->png)) != 0) {
        png_file_close(file);
        return false;
    }
    png_init_io(file->png, file->stream);
    png_set_sig_bytes(file->png, SIGNATURE_BYTES);
    png_read_info(file->png, file->info);
    file->width = png_get_image_width(file->png, file->info);
    file->height = png_get_image_height(file->png, file->info);
    return true;
}

/* Asks libpng to turn every kind of pixel into 8-bit RGBA. */
static void convert_to_rgba(png_structp png)
{
    png_set_expand(png); /* palettes, 1 to 4 bits, a transparent colour */
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER); /* opaque, unless the picture has its own alpha */
}

bool png_file_read(struct png_file *file, uint8_t *pixels)
{
    if (setjmp(png_jmpbuf(file->png)) != 0)
        return false;
    convert_to_rgba(file->png);
    int passes = png_set_interlace_handling(file->png);
    png_read_update_info(file->png, file->info);
    for (int pass = 0; pass < passes; pass++) {
        for (size_t y = 0; y < file->height; y++)
            png_read_row(file->png, pixels + y * file->width * PIXEL_BYTES, NULL);
    }
    png_read_end(file->png, NULL); /* notices a file that ends too early */
    return true;
}

void png_file_close(struct png_file *file)
{
    png_destroy_read_struct(&file->png, &file->info, NULL);
    fclose(file->stream);
}

bool png_file_can_hold(size_t width, size_t height)
{
    return width <= PNG_FILE_SIDE_MAX && height <= PNG_FILE_SIDE_MAX && height <= UINT32_MAX / PIXEL_BYTES / width;
}

bool png_file_write(const char *path, const uint8_t *pixels, size_t width, size_t height)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION,
        .width = (png_uint_32)width,
        .height = (png_uint_32)height,
        .format = PNG_FORMAT_RGBA,
        .flags = PNG_IMAGE_FLAG_FAST, /* a larger file, written several times faster */
    };
    if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL)) {
        report(path, image.message);
        return false;
    }
    return true;
}

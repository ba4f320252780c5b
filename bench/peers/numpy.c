/* SPDX-License-Identifier: Apache-2.0 */
/*
 * numpy's assignment to a strided view, `dst[...] = src`, in an interpreter of this process. The views are made
 * beforehand: a column of elements where a dtype has the width and the offsets suit it, else a matrix of bytes.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "peer.h"

static const char code[] =
    "import numpy\n"
    "dtypes = {1: 'u1', 2: 'u2', 4: 'u4', 8: 'u8', 16: 'c16'}\n"
    "def views(dst, dst_at, dpitch, src, src_at, spitch, width, height):\n"
    "    column = width in dtypes and not any(n % width for n in (dst_at, dpitch, src_at, spitch))\n"
    "    dtype, shape = (dtypes[width], (height,)) if column else ('u1', (height, width))\n"
    "    strides = ((dpitch,), (spitch,)) if column else ((dpitch, 1), (spitch, 1))\n"
    "    return (numpy.ndarray(shape, dtype, dst, dst_at, strides[0]),\n"
    "            numpy.ndarray(shape, dtype, src, src_at, strides[1]))\n";

static PyObject *names, *dst_memory, *src_memory;
static PyObject *views[RECTS_MAX]; /* pairs: destination, source */

static bool start_interpreter(void)
{
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    config.install_signal_handlers = 0;
    /* The interpreter that belongs to the linked library: another one may come first in PATH, with other modules. */
    PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, BENCH_PYTHON);
    if (!PyStatus_Exception(status))
        status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status))
        fprintf(stderr, "numpy: the interpreter does not start: %s\n", status.err_msg);
    return !PyStatus_Exception(status);
}

static bool open_numpy(const struct memory *memory)
{
    if (!start_interpreter())
        return false;
    names = PyModule_GetDict(PyImport_AddModule("__main__")); /* borrowed, lives as long as the interpreter */
    PyObject *done = PyRun_String(code, Py_file_input, names, names);
    dst_memory = PyMemoryView_FromMemory((char *)memory->dst, (Py_ssize_t)memory->bytes, PyBUF_WRITE);
    src_memory = PyMemoryView_FromMemory((char *)(uintptr_t)memory->src, (Py_ssize_t)memory->bytes, PyBUF_READ);
    const bool ready = done != NULL && dst_memory != NULL && src_memory != NULL;
    Py_XDECREF(done);
    if (!ready)
        PyErr_Print();
    return ready;
}

static void drop_views(void)
{
    for (int i = 0; i < RECTS_MAX; i++)
        Py_CLEAR(views[i]);
}

static void close_numpy(void)
{
    drop_views();
    Py_CLEAR(dst_memory);
    Py_CLEAR(src_memory);
    (void)Py_FinalizeEx();
}

static PyObject *views_of(const struct bench_rect *r)
{
    return PyObject_CallFunction(PyDict_GetItemString(names, "views"), "OnnOnnnn", dst_memory, (Py_ssize_t)r->dst,
                                 (Py_ssize_t)r->dpitch, src_memory, (Py_ssize_t)r->src, (Py_ssize_t)r->spitch,
                                 (Py_ssize_t)r->width, (Py_ssize_t)r->height);
}

static bool prepare(const struct bench_rect *rects, int count)
{
    drop_views();
    for (int i = 0; i < count; i++) {
        views[i] = views_of(&rects[i]);
        if (views[i] == NULL) {
            PyErr_Print();
            return false;
        }
    }
    return true;
}

static void copy2d(const struct bench_rect *rects, int index)
{
    (void)rects;
    PyObject *dst = PyTuple_GET_ITEM(views[index], 0), *src = PyTuple_GET_ITEM(views[index], 1); /* borrowed */
    if (PyObject_SetItem(dst, Py_Ellipsis, src) != 0) {
        PyErr_Print();
        exit(1);
    }
}

const struct peer peer_numpy = {
    .name = "numpy",
    .call = "dst[...] = src on strided views",
    .open = open_numpy,
    .close = close_numpy,
    .prepare = prepare,
    .copy2d = copy2d,
};

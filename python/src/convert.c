/* SPDX-License-Identifier: Apache-2.0 */
/* acl.util: addresses of bytes and arrays, and back. NumPy is used through its Python objects, if it is there. */
#include "acl_module.h"

enum { MEMORY_WRITABLE = 0x200 }; /* PyBUF_WRITE, which the limited interface names from 3.11 on only */

PyObject *pyacl_bytes_to_ptr(const union pyacl_value *v)
{
    if (!PyBytes_Check(v[0].object))
        return PyErr_Format(PyExc_ValueError, "acl.util.bytes_to_ptr: argument 1 (bytes_data) must be bytes, not %R",
                            (PyObject *)Py_TYPE(v[0].object));
    return pyacl_from_pointer(PyBytes_AsString(v[0].object));
}

PyObject *pyacl_ptr_to_bytes(const union pyacl_value *v)
{
    if (v[1].size > PY_SSIZE_T_MAX || (v[0].pointer == NULL && v[1].size > 0))
        return PyErr_Format(PyExc_ValueError, "acl.util.ptr_to_bytes: there are no %zu bytes at address %zu", v[1].size,
                            (size_t)v[0].pointer);
    return PyBytes_FromStringAndSize(v[0].pointer != NULL ? v[0].pointer : "", (Py_ssize_t)v[1].size);
}

/* --- NumPy ------------------------------------------------------------------------------------------------------- */

static bool warn(const char *function, const char *text)
{
    return PyErr_WarnFormat(PyExc_Warning, 1, "acl.util.%s %s", function, text) == 0;
}

static bool warn_deprecated(const char *function, const char *instead)
{
    return PyErr_WarnFormat(PyExc_Warning, 1, "acl.util.%s is deprecated and will be removed, use acl.util.%s",
                            function, instead) == 0;
}

/* Without NumPy nothing is an array. */
static bool is_array(PyObject *object)
{
    PyObject *modules = PyImport_GetModuleDict();
    PyObject *numpy = PyDict_GetItemString(modules, "numpy");
    Py_XINCREF(numpy); /* looking into it may run code that replaces it */
    PyObject *type = numpy != NULL ? PyObject_GetAttrString(numpy, "ndarray") : NULL;
    const int is = type != NULL ? PyObject_IsInstance(object, type) : 0;
    Py_XDECREF(type);
    Py_XDECREF(numpy);
    PyErr_Clear();
    return is == 1;
}

static bool require_array(const char *function, PyObject *object)
{
    if (is_array(object))
        return true;
    PyErr_Format(PyExc_ValueError, "acl.util.%s: argument 1 (ndarray) must be numpy.ndarray, not %R", function,
                 (PyObject *)Py_TYPE(object));
    return false;
}

/* 1, 0, or -1 with an exception set. */
static int is_contiguous(PyObject *array)
{
    PyObject *flags = PyObject_GetAttrString(array, "flags");
    PyObject *flag = flags != NULL ? PyObject_GetAttrString(flags, "c_contiguous") : NULL;
    const int is = flag != NULL ? PyObject_IsTrue(flag) : -1;
    Py_XDECREF(flag);
    Py_XDECREF(flags);
    return is;
}

/* The address as an int object: array.__array_interface__["data"][0]. */
static PyObject *address_of(PyObject *array)
{
    PyObject *interface = PyObject_GetAttrString(array, "__array_interface__");
    PyObject *data = interface != NULL ? PyMapping_GetItemString(interface, "data") : NULL;
    PyObject *address = data != NULL ? PySequence_GetItem(data, 0) : NULL;
    Py_XDECREF(data);
    Py_XDECREF(interface);
    return address;
}

PyObject *pyacl_numpy_to_ptr(const union pyacl_value *v)
{
    PyObject *array = v[0].object;
    if (!require_array("numpy_to_ptr", array) || !warn_deprecated("numpy_to_ptr", "bytes_to_ptr"))
        return NULL;
    const int contiguous = is_contiguous(array);
    if (contiguous < 0 ||
        (contiguous == 0 && !warn("numpy_to_ptr", "was given an array that is not contiguous: its strides are lost")))
        return NULL;
    return address_of(array);
}

PyObject *pyacl_numpy_contiguous_to_ptr(const union pyacl_value *v)
{
    if (!require_array("numpy_contiguous_to_ptr", v[0].object) ||
        !warn_deprecated("numpy_contiguous_to_ptr", "bytes_to_ptr"))
        return NULL;
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *array = numpy != NULL ? PyObject_CallMethod(numpy, "require", "OOs", v[0].object, Py_None, "C") : NULL;
    PyObject *address = array != NULL ? address_of(array) : NULL;
    Py_XDECREF(numpy);
    return pyacl_tuple(2, (PyObject *[]){ address, array });
}

/* numpy.dtype(code), if its number is `number`. NULL without an exception: it is another one. */
static PyObject *dtype_if(PyObject *numpy, PyObject *code, int32_t number)
{
    PyObject *dtype = PyObject_CallMethod(numpy, "dtype", "O", code);
    PyObject *num = dtype != NULL ? PyObject_GetAttrString(dtype, "num") : NULL;
    const bool same = num != NULL && PyLong_AsLong(num) == number;
    Py_XDECREF(num);
    if (same)
        return dtype;
    Py_XDECREF(dtype);
    return NULL;
}

/* The dtype with a NumPy type number, which Python code cannot ask for directly: looked up among all of them. */
static PyObject *dtype_by_number(PyObject *numpy, int32_t number)
{
    PyObject *dtype = NULL;
    PyObject *codes = PyObject_GetAttrString(numpy, "typecodes");
    PyObject *all = codes != NULL ? PyMapping_GetItemString(codes, "All") : NULL;
    const Py_ssize_t count = all != NULL ? PySequence_Size(all) : 0;
    for (Py_ssize_t i = 0; i < count && dtype == NULL && PyErr_Occurred() == NULL; i++) {
        PyObject *code = PySequence_GetItem(all, i);
        dtype = code != NULL ? dtype_if(numpy, code, number) : NULL;
        Py_XDECREF(code);
    }
    Py_XDECREF(all);
    Py_XDECREF(codes);
    if (dtype == NULL && PyErr_Occurred() == NULL)
        PyErr_Format(PyExc_ValueError, "acl.util.ptr_to_numpy: argument 3 (dtype_num): NumPy has no type %d", number);
    return dtype;
}

/* Bytes of an item, or -1 with an exception set. Objects have a size, but foreign memory must not be taken for them. */
static Py_ssize_t item_size(PyObject *dtype)
{
    PyObject *item = PyObject_GetAttrString(dtype, "itemsize");
    PyObject *flag = PyObject_GetAttrString(dtype, "hasobject");
    const Py_ssize_t size = item != NULL ? PyLong_AsSsize_t(item) : -1;
    const int has_object = flag != NULL ? PyObject_IsTrue(flag) : -1;
    Py_XDECREF(flag);
    Py_XDECREF(item);
    if (PyErr_Occurred() != NULL || (size > 0 && has_object == 0))
        return PyErr_Occurred() != NULL ? -1 : size;
    PyErr_Format(PyExc_ValueError, "acl.util.ptr_to_numpy: argument 3 (dtype_num): items of type %R have no fixed size",
                 dtype);
    return -1;
}

static void refuse_dimension(Py_ssize_t i, PyObject *dimension)
{
    if (PyLong_Check(dimension))
        PyErr_Format(PyExc_ValueError,
                     "acl.util.ptr_to_numpy: argument 2 (shape): item %zd is negative or too large: %R", i + 1,
                     dimension);
    else
        PyErr_Format(PyExc_TypeError, "acl.util.ptr_to_numpy: argument 2 (shape): item %zd must be int, not %R", i + 1,
                     (PyObject *)Py_TYPE(dimension));
}

/* Bytes of an array, or -1 with an exception set. */
static Py_ssize_t size_of(PyObject *dtype, PyObject *shape)
{
    Py_ssize_t size = item_size(dtype);
    for (Py_ssize_t i = 0; i < PyTuple_Size(shape) && size > 0; i++) {
        PyObject *dimension = PyTuple_GetItem(shape, i);
        const Py_ssize_t n = PyLong_Check(dimension) ? PyLong_AsSsize_t(dimension) : -1;
        if (PyErr_Occurred() != NULL || n < 0 || __builtin_mul_overflow(size, n, &size)) {
            PyErr_Clear();
            refuse_dimension(i, dimension);
            return -1;
        }
    }
    return size > 0 || PyErr_Occurred() == NULL ? size : -1;
}

static PyObject *array_over(PyObject *numpy, void *at, PyObject *shape, PyObject *dtype)
{
    const Py_ssize_t size = size_of(dtype, shape);
    if (size < 0)
        return NULL;
    if (at == NULL && size > 0)
        return PyErr_Format(PyExc_ValueError, "acl.util.ptr_to_numpy: there are no %zd bytes at address 0", size);
    if (size == 0) /* nothing to look at: NumPy's own memory */
        return PyObject_CallMethod(numpy, "ndarray", "OO", shape, dtype);
    PyObject *memory = PyMemoryView_FromMemory(at, size, MEMORY_WRITABLE);
    PyObject *array = memory != NULL ? PyObject_CallMethod(numpy, "ndarray", "OOO", shape, dtype, memory) : NULL;
    Py_XDECREF(memory);
    return array;
}

PyObject *pyacl_ptr_to_numpy(const union pyacl_value *v)
{
    PyObject *shape = v[1].object;
    if (!PyTuple_Check(shape))
        return PyErr_Format(PyExc_ValueError, "acl.util.ptr_to_numpy: argument 2 (shape) must be a tuple, not %R",
                            (PyObject *)Py_TYPE(shape));
    if (!warn_deprecated("ptr_to_numpy", "ptr_to_bytes"))
        return NULL;
    PyObject *numpy = PyImport_ImportModule("numpy");
    PyObject *dtype = numpy != NULL ? dtype_by_number(numpy, v[2].i32) : NULL;
    PyObject *array = dtype != NULL ? array_over(numpy, v[0].pointer, shape, dtype) : NULL;
    Py_XDECREF(dtype);
    Py_XDECREF(numpy);
    return array;
}

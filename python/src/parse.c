/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments are read here and not by PyArg_ParseTuple: the module must refuse what the original refuses on every
 * version of CPython (which of its letters take objects with __index__ has changed), and name the argument.
 */
#include "acl_module.h"

#include <limits.h>

static bool fail(const struct pyacl_signature *s, Py_ssize_t i, const char *expected, PyObject *argument)
{
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s args parse failed: argument %zd (%s) must be %s, not %R", s->name, i + 1,
                 s->names[i], expected, (PyObject *)Py_TYPE(argument));
    return false;
}

static bool out_of_range(const struct pyacl_signature *s, Py_ssize_t i, const char *type, PyObject *argument)
{
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s args parse failed: argument %zd (%s) is out of range for %s: %R", s->name, i + 1,
                 s->names[i], type, argument);
    return false;
}

/* Addresses, sizes and handles: int objects and nothing else, so no NumPy integers; wraps like C. */
static bool read_word(const struct pyacl_signature *s, Py_ssize_t i, PyObject *argument, union pyacl_value *v)
{
    if (!PyLong_Check(argument))
        return fail(s, i, "int", argument);
    v->u64 = PyLong_AsUnsignedLongLongMask(argument);
    return true;
}

/* A new reference to the int that the argument is or stands for. NULL with TypeError set. */
static PyObject *as_int(const struct pyacl_signature *s, Py_ssize_t i, PyObject *argument)
{
    PyObject *number = PyNumber_Index(argument);
    if (number == NULL)
        (void)fail(s, i, "int", argument);
    return number;
}

static bool read_masked(const struct pyacl_signature *s, Py_ssize_t i, PyObject *argument, union pyacl_value *v)
{
    PyObject *number = as_int(s, i, argument);
    if (number == NULL)
        return false;
    const unsigned long long value = PyLong_AsUnsignedLongLongMask(number);
    Py_DECREF(number);
    if (s->letters[i] == 'I')
        v->u32 = (uint32_t)value;
    else
        v->u16 = (uint16_t)value;
    return true;
}

static bool read_ranged(const struct pyacl_signature *s, Py_ssize_t i, PyObject *argument, union pyacl_value *v)
{
    PyObject *number = as_int(s, i, argument);
    if (number == NULL)
        return false;
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
    Py_DECREF(number);
    switch (s->letters[i]) {
    case 'i':
        v->i32 = (int32_t)value;
        return overflow == 0 && value >= INT32_MIN && value <= INT32_MAX ? true : out_of_range(s, i, "int32", argument);
    case 'b':
        v->u8 = (uint8_t)value;
        return overflow == 0 && value >= 0 && value <= UINT8_MAX ? true : out_of_range(s, i, "uint8", argument);
    default:
        v->i64 = value;
        return overflow == 0 ? true : out_of_range(s, i, "int64", argument);
    }
}

static bool read_float(const struct pyacl_signature *s, Py_ssize_t i, PyObject *argument, union pyacl_value *v)
{
    const double value = PyFloat_AsDouble(argument);
    if (value == -1.0 && PyErr_Occurred() != NULL)
        return fail(s, i, "a number", argument);
    v->f32 = (float)value;
    return true;
}

static bool read_text(const struct pyacl_signature *s, Py_ssize_t i, PyObject *argument, union pyacl_value *v)
{
    char *at;
    if (!PyUnicode_Check(argument))
        return fail(s, i, "str", argument);
    PyObject *bytes = PyUnicode_AsUTF8String(argument);
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &at, NULL) != 0) { /* refuses a 0 in the text */
        Py_XDECREF(bytes);
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s args parse failed: argument %zd (%s) has a character that C text cannot hold",
                     s->name, i + 1, s->names[i]);
        return false;
    }
    v->text = (struct pyacl_text){ .at = at, .owner = bytes };
    return true;
}

static bool read_object(const struct pyacl_signature *s, Py_ssize_t i, PyObject *argument, union pyacl_value *v)
{
    v->object = argument;
    switch (s->letters[i]) {
    case 'C':
        if (i >= s->required && argument == Py_None)
            v->object = NULL;
        else if (!PyCallable_Check(argument))
            return fail(s, i, "callable", argument);
        return true;
    case 'D':
        return PyDict_Check(argument) ? true : fail(s, i, "dict", argument);
    case 'L':
        return PyList_Check(argument) ? true : fail(s, i, "list", argument);
    default:
        return true;
    }
}

static bool read_one(const struct pyacl_signature *s, Py_ssize_t i, PyObject *argument, union pyacl_value *v)
{
    switch (s->letters[i]) {
    case 'k':
        return read_word(s, i, argument, v);
    case 'I':
    case 'H':
        return read_masked(s, i, argument, v);
    case 'i':
    case 'l':
    case 'b':
        return read_ranged(s, i, argument, v);
    case 'f':
        return read_float(s, i, argument, v);
    case 's':
        return read_text(s, i, argument, v);
    default:
        return read_object(s, i, argument, v);
    }
}

static bool refuse_count(const struct pyacl_signature *s, Py_ssize_t given)
{
    if (given < s->required)
        PyErr_Format(PyExc_TypeError, "%s args parse failed: argument %zd (%s) is missing", s->name, given + 1,
                     s->names[given]);
    else
        PyErr_Format(PyExc_TypeError, "%s args parse failed: %zd arguments given, the last one is %zd (%s)", s->name,
                     given, s->count, s->names[s->count - 1]);
    return false;
}

static void release_first(const struct pyacl_signature *s, Py_ssize_t count, union pyacl_value *v)
{
    for (Py_ssize_t i = 0; i < count; i++)
        if (s->letters[i] == 's')
            Py_XDECREF(v[i].text.owner);
}

bool pyacl_parse(const struct pyacl_signature *s, PyObject *args, union pyacl_value *v)
{
    const Py_ssize_t given = PyTuple_Size(args);
    if (given < s->required || given > s->count)
        return refuse_count(s, given);
    memset(v + given, 0, (size_t)(s->count - given) * sizeof *v);
    for (Py_ssize_t i = 0; i < given; i++) {
        if (!read_one(s, i, PyTuple_GetItem(args, i), &v[i])) {
            release_first(s, i, v);
            return false;
        }
    }
    return true;
}

void pyacl_release(const struct pyacl_signature *s, union pyacl_value *v)
{
    release_first(s, s->count, v);
}

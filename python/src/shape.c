/* SPDX-License-Identifier: Apache-2.0 */
/* Results: Python objects from C values, and the messages of refused calls. */
#include "acl_module.h"

static _Thread_local const struct pyacl_signature *refused; /* not read yet; NULL: none */

PyObject *pyacl_tuple(Py_ssize_t count, PyObject **items)
{
    PyObject *tuple = PyTuple_New(count);
    bool complete = tuple != NULL;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (tuple == NULL)
            Py_XDECREF(items[i]);
        else if (items[i] == NULL || PyTuple_SetItem(tuple, i, items[i]) != 0) /* takes the item over in any case */
            complete = false;
    }
    if (complete)
        return tuple;
    Py_XDECREF(tuple);
    return NULL;
}

PyObject *pyacl_from_ret(aclError ret)
{
    return PyLong_FromLong(ret);
}

PyObject *pyacl_from_pointer(const void *pointer)
{
    return PyLong_FromUnsignedLongLong((uintptr_t)pointer);
}

PyObject *pyacl_from_text(const char *text)
{
    if (text == NULL)
        Py_RETURN_NONE;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

void pyacl_refuse(const struct pyacl_signature *signature)
{
    refused = signature;
}

PyObject *pyacl_get_recent_err_msg(const union pyacl_value *v)
{
    (void)v;
    const struct pyacl_signature *s = refused;
    const char *text = aclGetRecentErrMsg();
    refused = NULL;
    if (s == NULL)
        return pyacl_from_text(text);
    return PyUnicode_FromFormat("%s: ACL_ERROR_API_NOT_SUPPORT (%d): PACL does not have %s%s%s", s->name,
                                ACL_ERROR_API_NOT_SUPPORT, s->missing, text != NULL ? "\n" : "",
                                text != NULL ? text : "");
}

/* --- dicts -------------------------------------------------------------------------------------------------------- */

/* The look-ups run the program's code if a key has its own __eq__, and that may change the dicts and lists meanwhile:
 * what is found is held. */
PyObject *pyacl_dict_find(PyObject *dict, const char *key)
{
    PyObject *item = PyDict_GetItemString(dict, key);
    Py_XINCREF(item);
    return item;
}

uint64_t pyacl_dict_number(PyObject *dict, const char *key)
{
    PyObject *number = pyacl_dict_find(dict, key);
    const uint64_t value = number != NULL && PyLong_Check(number) ? PyLong_AsUnsignedLongLongMask(number) : 0;
    Py_XDECREF(number);
    return value;
}

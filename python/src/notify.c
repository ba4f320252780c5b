/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of numbers, and the notifies' functions that take more than plain arguments. */
#include "acl_module.h"

#include <stdlib.h>

/* One item as a number from 0 to 2^64 - 1; false with an exception set. */
static bool read_item(const char *function, const char *argument, PyObject *item, uint64_t *out)
{
    if (!PyLong_Check(item)) {
        PyErr_Format(PyExc_TypeError, "%s: %s must be a list of int, and has a %R", function, argument,
                     (PyObject *)Py_TYPE(item));
        return false;
    }
    *out = PyLong_AsUnsignedLongLong(item);
    if (*out != UINT64_MAX || PyErr_Occurred() == NULL)
        return true;
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s: %s has %R; it takes 0 to 2**64 - 1", function, argument, item);
    return false;
}

bool pyacl_read_list(const char *function, const char *argument, PyObject *list, uint64_t **items, size_t *count)
{
    const Py_ssize_t length = PyList_Size(list);
    *items = calloc(length > 0 ? (size_t)length : 1, sizeof **items);
    *count = (size_t)length;
    if (*items == NULL) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        if (!read_item(function, argument, PyList_GetItem(list, i), &(*items)[i])) {
            free(*items);
            return false;
        }
    }
    return true;
}

PyObject *pyacl_notify_batch_reset(const union pyacl_value *v)
{
    uint64_t *items;
    size_t count;
    if (!pyacl_read_list("acl.rt.notify_batch_reset", "argument 1 (notifies)", v[0].object, &items, &count))
        return NULL;
    aclrtNotify *notifies = calloc(count > 0 ? count : 1, sizeof *notifies);
    if (notifies == NULL) {
        free(items);
        return PyErr_NoMemory();
    }
    for (size_t i = 0; i < count; i++)
        notifies[i] = (void *)(uintptr_t)items[i];
    const aclError ret = aclrtNotifyBatchReset(notifies, count);
    free(notifies);
    free(items);
    return pyacl_from_ret(ret);
}

PyObject *pyacl_wait_and_reset_notify(const union pyacl_value *v)
{
    if (v[2].i64 < 0 || v[2].i64 > UINT32_MAX)
        return PyErr_Format(PyExc_TypeError,
                            "acl.rt.wait_and_reset_notify: argument 3 (timeout) is %lld; it takes 0 to 2**32 - 1",
                            (long long)v[2].i64);
    PyThreadState *thread = PyEval_SaveThread(); /* a full queue waits */
    const aclError ret = aclrtWaitAndResetNotify(v[0].pointer, v[1].pointer, (uint32_t)v[2].i64);
    PyEval_RestoreThread(thread);
    return pyacl_from_ret(ret);
}

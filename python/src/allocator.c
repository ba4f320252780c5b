/* SPDX-License-Identifier: Apache-2.0 */
/* Python functions as the functions of an allocator: one of each kind in the process, as on the original. */
#include "acl_module.h"

#include <acl/acl_rt_allocator.h>

static PyObject *allocate, *release, *advise, *address; /* guarded by the GIL */

/* Calls with up to three numbers; the function may be replaced meanwhile. The result is thrown away. */
static void call(PyObject *const *slot, Py_ssize_t count, const void *const *numbers)
{
    PyGILState_STATE state;
    if (!pyacl_python_enter(&state))
        return;
    PyObject *function = *slot, *arguments = PyTuple_New(count), *result = NULL;
    Py_XINCREF(function);
    for (Py_ssize_t i = 0; arguments != NULL && i < count; i++)
        PyTuple_SetItem(arguments, i, pyacl_from_pointer(numbers[i]));
    if (function != NULL && arguments != NULL && PyErr_Occurred() == NULL)
        result = PyObject_CallObject(function, arguments);
    if (result == NULL && PyErr_Occurred() != NULL)
        PyErr_WriteUnraisable(function);
    Py_XDECREF(result);
    Py_XDECREF(arguments);
    Py_XDECREF(function);
    pyacl_python_leave(state);
}

static void *call_allocate(aclrtAllocator object, size_t size)
{
    call(&allocate, 2, (const void *const[]){ object, (void *)size });
    return NULL;
}

static void call_release(aclrtAllocator object, aclrtAllocatorBlock block)
{
    call(&release, 2, (const void *const[]){ object, block });
}

static void *call_advise(aclrtAllocator object, size_t size, aclrtAllocatorAddr at)
{
    call(&advise, 3, (const void *const[]){ object, (void *)size, at });
    return NULL;
}

static void *call_address(aclrtAllocatorBlock block)
{
    call(&address, 1, (const void *const[]){ block });
    return NULL;
}

static PyObject *keep(PyObject **slot, PyObject *function, aclError ret)
{
    if (ret == ACL_SUCCESS) {
        PyObject *before = *slot;
        Py_INCREF(function);
        *slot = function;
        Py_XDECREF(before);
    }
    return pyacl_from_ret(ret);
}

PyObject *pyacl_allocator_set_alloc_func_to_desc(const union pyacl_value *v)
{
    return keep(&allocate, v[1].object, aclrtAllocatorSetAllocFuncToDesc(v[0].pointer, call_allocate));
}

PyObject *pyacl_allocator_set_free_func_to_desc(const union pyacl_value *v)
{
    return keep(&release, v[1].object, aclrtAllocatorSetFreeFuncToDesc(v[0].pointer, call_release));
}

PyObject *pyacl_allocator_set_alloc_advise_func_to_desc(const union pyacl_value *v)
{
    return keep(&advise, v[1].object, aclrtAllocatorSetAllocAdviseFuncToDesc(v[0].pointer, call_advise));
}

PyObject *pyacl_allocator_set_get_addr_from_block_func_to_desc(const union pyacl_value *v)
{
    return keep(&address, v[1].object, aclrtAllocatorSetGetAddrFromBlockFuncToDesc(v[0].pointer, call_address));
}

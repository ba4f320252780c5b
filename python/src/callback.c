/* SPDX-License-Identifier: Apache-2.0 */
/* Python functions that the library calls. */
#include "acl_module.h"

#include <stdlib.h>

/* One call to come. The library runs it once; a stream that is destroyed by force drops it, and the objects stay. */
struct host_call {
    PyObject *function;
    PyObject *argument;
};

static struct host_call *prepare(PyObject *function, PyObject *argument)
{
    struct host_call *call = malloc(sizeof *call);
    if (call == NULL)
        return NULL;
    Py_INCREF(function);
    Py_INCREF(argument);
    *call = (struct host_call){ function, argument };
    return call;
}

static void discard(struct host_call *call)
{
    Py_DECREF(call->function);
    Py_DECREF(call->argument);
    free(call);
}

static void run(void *data)
{
    struct host_call *call = data;
    PyGILState_STATE state;
    if (!pyacl_python_enter(&state))
        return; /* the objects go with the interpreter */
    PyObject *answer = PyObject_CallFunctionObjArgs(call->function, call->argument, NULL);
    if (answer == NULL)
        PyErr_WriteUnraisable(call->function); /* prints it with its traceback; the stream goes on */
    Py_XDECREF(answer);
    discard(call);
    pyacl_python_leave(state);
}

PyObject *pyacl_launch_host_func(const union pyacl_value *v)
{
    struct host_call *call = prepare(v[1].object, v[2].object);
    if (call == NULL)
        return PyErr_NoMemory();
    PyThreadState *thread = PyEval_SaveThread(); /* a full queue waits */
    const aclError ret = aclrtLaunchHostFunc(v[0].pointer, run, call);
    PyEval_RestoreThread(thread);
    if (ret != ACL_SUCCESS)
        discard(call);
    return pyacl_from_ret(ret);
}

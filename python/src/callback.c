/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Python functions that the library calls.
 *
 * The library calls a host function or callback at most once, and never tells that it will not: a stream that is destroyed by force
 * or stops on a failure drops what it has queued. So the calls to come are listed here, and a call is given up when a
 * later one of its stream runs, or when its stream is gone. The library holds the number of a call, not its address.
 *
 * Everything is guarded by the GIL. To release objects may run Python code that comes back here: a call leaves the list
 * before its objects are released.
 */
#include "acl_module.h"

#include <pacl/pacl.h>
#include <stdlib.h>

#pragma weak pacl_stream_exists

struct host_call {
    struct host_call *older, *newer;
    uint64_t number;    /* of the moment when its launch began */
    uint64_t queued;    /* of the moment when its launch had succeeded; 0 before */
    aclrtStream stream; /* NULL: the default stream of a launch that has not returned yet */
    bool dropped;
    PyObject *function;
    PyObject *argument;
};

/* In ascending order of numbers: pending.newer is the oldest call, pending.older the newest. */
static struct host_call pending = { .older = &pending, .newer = &pending };
static uint64_t moments;    /* counts launches and their returns */
static unsigned destroyers; /* threads in a call that destroys streams; it may still run what they have queued */
static bool contexts_went;  /* with streams that nobody has named; not looked for yet */

/* --- the list ---------------------------------------------------------------------------------------------------- */

static struct host_call *add(aclrtStream stream, PyObject *function, PyObject *argument)
{
    struct host_call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return NULL;
    Py_INCREF(function);
    Py_INCREF(argument);
    *call = (struct host_call){ .older = pending.older,
                                .newer = &pending,
                                .number = ++moments,
                                .stream = stream,
                                .function = function,
                                .argument = argument };
    pending.older->newer = call;
    pending.older = call;
    return call;
}

static void unlink_call(struct host_call *call)
{
    call->older->newer = call->newer;
    call->newer->older = call->older;
}

static void discard(struct host_call *call)
{
    Py_DECREF(call->function);
    Py_DECREF(call->argument);
    free(call);
}

/* From the oldest on: the one that runs is among these. */
static struct host_call *find_old(uint64_t number)
{
    struct host_call *call = pending.newer;
    while (call != &pending && call->number < number)
        call = call->newer;
    return call != &pending && call->number == number ? call : NULL;
}

/* From the newest on: the one that was just launched is among these. */
static struct host_call *find_new(uint64_t number)
{
    struct host_call *call = pending.older;
    while (call != &pending && call->number > number)
        call = call->older;
    return call != &pending && call->number == number ? call : NULL;
}

/* Marks the calls of the stream that were queued before the moment: they have not run and never will. */
static bool mark_skipped(aclrtStream stream, uint64_t before)
{
    bool any = false;
    for (struct host_call *call = pending.newer; call != &pending && call->number < before; call = call->newer) {
        if (call->stream == stream && call->queued != 0 && call->queued < before)
            call->dropped = any = true;
    }
    return any;
}

static void release_dropped(void)
{
    struct host_call *dropped = NULL, *newer;
    for (struct host_call *call = pending.newer; call != &pending; call = newer) {
        newer = call->newer;
        if (!call->dropped)
            continue;
        unlink_call(call);
        call->newer = dropped;
        dropped = call;
    }
    for (; dropped != NULL; dropped = newer) {
        newer = dropped->newer;
        discard(dropped);
    }
}

/* --- streams that are gone --------------------------------------------------------------------------------------- */

/* A call of the interface would leave a message. A library that cannot be asked leaves the objects where they are. */
static void release_gone(void)
{
    contexts_went = false;
    if (pacl_stream_exists == NULL)
        return;
    for (struct host_call *call = pending.newer; call != &pending; call = call->newer) {
        if (call->queued != 0 && call->stream != NULL)
            call->dropped = pacl_stream_exists(call->stream) == 0;
    }
    release_dropped();
}

void pyacl_destroy_begin(void)
{
    destroyers++;
}

void pyacl_destroy_end(aclrtStream stream, aclError ret)
{
    destroyers--;
    if (stream == NULL)
        contexts_went = true;
    else if (ret == ACL_SUCCESS && mark_skipped(stream, ++moments))
        release_dropped();
    if (contexts_went && destroyers == 0 && pending.newer != &pending)
        release_gone();
}

/* --- launching and running --------------------------------------------------------------------------------------- */

static void run(void *number)
{
    PyGILState_STATE state;
    if (!pyacl_python_enter(&state))
        return; /* the objects go with the interpreter */
    struct host_call *call = find_old((uintptr_t)number);
    if (call != NULL) {
        unlink_call(call);
        if (call->stream != NULL && mark_skipped(call->stream, call->number))
            release_dropped();
        PyObject *answer = PyObject_CallFunctionObjArgs(call->function, call->argument, NULL);
        if (answer == NULL)
            PyErr_WriteUnraisable(call->function); /* prints it with its traceback; the stream goes on */
        Py_XDECREF(answer);
        discard(call);
    }
    pyacl_python_leave(state);
}

/* After the launch. The call is not listed any more if it has run already. */
static void settle(uint64_t number, aclError ret)
{
    struct host_call *call = find_new(number);
    if (call == NULL)
        return;
    if (ret != ACL_SUCCESS) {
        unlink_call(call);
        discard(call);
        return;
    }
    call->queued = ++moments;
    if (call->stream == NULL)
        (void)aclrtCtxGetCurrentDefaultStream(&call->stream);
}

PyObject *pyacl_launch_host_func(const union pyacl_value *v)
{
    struct host_call *call = add(v[0].pointer, v[1].object, v[2].object);
    if (call == NULL)
        return PyErr_NoMemory();
    const uint64_t number = call->number;
    PyThreadState *thread = PyEval_SaveThread(); /* a full queue waits */
    const aclError ret = aclrtLaunchHostFunc(v[0].pointer, run, (void *)(uintptr_t)number);
    PyEval_RestoreThread(thread);
    settle(number, ret);
    return pyacl_from_ret(ret);
}

PyObject *pyacl_launch_callback(const union pyacl_value *v)
{
    struct host_call *call = add(v[3].pointer, v[0].object, v[1].object);
    if (call == NULL)
        return PyErr_NoMemory();
    const uint64_t number = call->number;
    PyThreadState *thread = PyEval_SaveThread(); /* a full queue waits */
    const aclError ret =
        aclrtLaunchCallback(run, (void *)(uintptr_t)number, (aclrtCallbackBlockType)v[2].i32, v[3].pointer);
    PyEval_RestoreThread(thread);
    settle(number, ret);
    return pyacl_from_ret(ret);
}

/* What pyacl names is the call that the interface advises against. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* --- exceptions -------------------------------------------------------------------------------------------------- */

static PyObject *exception_function; /* NULL: none */

/* In the library's thread, which may be telling of a failure while the program sets another function. */
static void tell_exception(aclrtExceptionInfo *info)
{
    PyGILState_STATE state;
    if (!pyacl_python_enter(&state))
        return;
    PyObject *function = exception_function;
    Py_XINCREF(function);
    PyObject *address = function != NULL ? pyacl_from_pointer(info) : NULL;
    PyObject *answer = address != NULL ? PyObject_CallFunctionObjArgs(function, address, NULL) : NULL;
    if (function != NULL && answer == NULL)
        PyErr_WriteUnraisable(function); /* prints it with its traceback; the function stays */
    Py_XDECREF(answer);
    Py_XDECREF(address);
    Py_XDECREF(function);
    pyacl_python_leave(state);
}

PyObject *pyacl_set_exception_info_callback(const union pyacl_value *v)
{
    const aclError ret = aclrtSetExceptionInfoCallback(v[0].object != NULL ? tell_exception : NULL);
    if (ret == ACL_SUCCESS) {
        PyObject *former = exception_function;
        Py_XINCREF(v[0].object);
        exception_function = v[0].object;
        Py_XDECREF(former);
    }
    return pyacl_from_ret(ret);
}

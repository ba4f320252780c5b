/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that are not Python's and the end of the interpreter.
 *
 * A thread that asks for the GIL of an interpreter that is gone crashes, and one that asks while it goes is ended by
 * CPython. So an exit handler closes a gate first; after that, functions that the library calls do nothing, and work
 * that waits for them goes on. Calls that have begun get a moment to end.
 */
#include "acl_module.h"

#include <pthread.h>
#include <time.h>

enum { GRACE_S = 1 }; /* seconds that the exit waits for calls of Python functions that have begun */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the rest; never held while asking for the GIL */
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static unsigned inside;
static bool closed;

static bool begin(void)
{
    pthread_mutex_lock(&lock);
    const bool open = !closed;
    inside += open;
    pthread_mutex_unlock(&lock);
    return open;
}

static void end(void)
{
    pthread_mutex_lock(&lock);
    inside--;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
}

bool pyacl_python_enter(PyGILState_STATE *state)
{
    if (!begin())
        return false;
    *state = PyGILState_Ensure();
    return true;
}

void pyacl_python_leave(PyGILState_STATE state)
{
    PyGILState_Release(state);
    end();
}

bool pyacl_python_settle(PyGILState_STATE *state)
{
    if (!pyacl_python_enter(state))
        return false;
    end();
    return true;
}

static void close_gate(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += GRACE_S;
    pthread_mutex_lock(&lock);
    closed = true;
    while (inside > 0 && pthread_cond_timedwait(&ended, &lock, &until) == 0)
        continue;
    pthread_mutex_unlock(&lock);
}

static PyObject *at_exit(PyObject *module, PyObject *args)
{
    (void)module;
    (void)args;
    PyThreadState *thread = PyEval_SaveThread();
    close_gate();
    PyEval_RestoreThread(thread);
    Py_RETURN_NONE;
}

/* A child has one thread, whatever the others were doing. */
static void after_fork(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&ended, NULL);
    inside = 0;
}

bool pyacl_python_watch_exit(void)
{
    static PyMethodDef method = { "acl_at_exit", at_exit, METH_NOARGS, NULL };
    static bool watching;
    if (watching)
        return true;
    PyObject *atexit = PyImport_ImportModule("atexit");
    PyObject *function = PyCFunction_New(&method, NULL);
    PyObject *answer =
        atexit != NULL && function != NULL ? PyObject_CallMethod(atexit, "register", "O", function) : NULL;
    watching = answer != NULL && pthread_atfork(NULL, NULL, after_fork) == 0;
    if (answer != NULL && !watching)
        PyErr_NoMemory();
    Py_XDECREF(answer);
    Py_XDECREF(function);
    Py_XDECREF(atexit);
    return watching;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* acl.util.start_thread and stop_thread: threads for programs that serve callbacks (acl.rt.process_report). */
#include "acl_module.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct thread {
    struct thread *next;
    pthread_t id;
    PyObject *function;
    PyObject *argument; /* None: the function is called without */
    bool raised;        /* the function ended with an exception; read after the join */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread *threads; /* started and not joined; guarded by lock */

static void discard(struct thread *t)
{
    Py_DECREF(t->function);
    Py_DECREF(t->argument);
    free(t);
}

static void *run(void *data)
{
    struct thread *t = data;
    PyGILState_STATE state;
    if (!pyacl_python_settle(&state))
        return NULL;
    PyObject *answer = t->argument == Py_None ? PyObject_CallObject(t->function, NULL)
                                              : PyObject_CallFunctionObjArgs(t->function, t->argument, NULL);
    t->raised = answer == NULL;
    if (t->raised)
        PyErr_WriteUnraisable(t->function);
    Py_XDECREF(answer);
    PyGILState_Release(state);
    return NULL;
}

static struct thread *prepare(PyObject *function, PyObject *argument)
{
    struct thread *t = calloc(1, sizeof *t);
    if (t == NULL)
        return NULL;
    Py_INCREF(function);
    Py_INCREF(argument);
    t->function = function;
    t->argument = argument;
    return t;
}

/* Starts and lists the thread in one step: nobody can ask for an id that is not listed yet. */
static int start(struct thread *t, uint64_t *id)
{
    pthread_mutex_lock(&lock);
    const int err = pthread_create(&t->id, NULL, run, t);
    if (err == 0) {
        t->next = threads;
        threads = t;
        *id = (uint64_t)t->id;
    }
    pthread_mutex_unlock(&lock);
    return err;
}

static struct thread *take(uint64_t id)
{
    pthread_mutex_lock(&lock);
    struct thread **at = &threads;
    while (*at != NULL && (uint64_t)(*at)->id != id)
        at = &(*at)->next;
    struct thread *t = *at;
    if (t != NULL)
        *at = t->next;
    pthread_mutex_unlock(&lock);
    return t;
}

PyObject *pyacl_start_thread(const union pyacl_value *v)
{
    struct thread *t = prepare(v[0].object, v[1].object);
    if (t == NULL)
        return PyErr_NoMemory();
    signal(SIGINT, SIG_DFL); /* as on the original: such threads run until told to stop, Ctrl-C must end the program */
    uint64_t id = 0;
    PyThreadState *thread = PyEval_SaveThread();
    const int err = start(t, &id);
    PyEval_RestoreThread(thread);
    if (err != 0)
        discard(t);
    return pyacl_tuple(2, (PyObject *[]){ PyLong_FromUnsignedLongLong(id), PyLong_FromLong(err) });
}

PyObject *pyacl_stop_thread(const union pyacl_value *v)
{
    if (v[0].u64 == (uint64_t)pthread_self())
        return PyLong_FromLong(EDEADLK);
    struct thread *t = take(v[0].u64);
    if (t == NULL)
        return PyLong_FromLong(ESRCH);
    PyThreadState *thread = PyEval_SaveThread();
    const int err = pthread_join(t->id, NULL);
    PyEval_RestoreThread(thread);
    const bool raised = t->raised;
    discard(t);
    if (raised)
        return PyErr_Format(PyExc_RuntimeError, "acl.util.stop_thread: the function of thread %llu raised an exception",
                            (unsigned long long)v[0].u64);
    return PyLong_FromLong(err);
}

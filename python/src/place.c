/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where in the Python program a call comes from, for the reports of checking mode: the stack of the machine shows the
 * interpreter only. Costs nothing when the process is not checked, and with a library that does not check.
 */
#include "acl_module.h"

#include <pacl/pacl.h>
#include <stdlib.h>

#pragma weak pacl_check_is_on
#pragma weak pacl_place_make
#pragma weak pacl_place_use
#pragma weak pacl_place_ask

enum { DEPTH = 8, BUCKETS = 4096 };

/* A stack of Python: which instruction of which code. The codes are kept alive, so that no other takes their address. */
struct position {
    Py_ssize_t count;
    PyObject *code[DEPTH];
    long instruction[DEPTH];
};

struct known {
    struct known *next;
    struct position position;
    const struct pacl_place *place;
};

bool pyacl_places_wanted;
static struct known *buckets[BUCKETS]; /* guarded by the GIL */

/* --- the stack --------------------------------------------------------------------------------------------------- */

static long number_of(PyObject *object, const char *attribute)
{
    PyObject *value = PyObject_GetAttrString(object, attribute);
    const long number = value != NULL && PyLong_Check(value) ? PyLong_AsLong(value) : -1;
    Py_XDECREF(value);
    return number;
}

/* The attribute, or NULL for None as well. */
static PyObject *object_of(PyObject *object, const char *attribute)
{
    PyObject *value = PyObject_GetAttrString(object, attribute);
    if (value == Py_None) {
        Py_DECREF(value);
        value = NULL;
    }
    return value;
}

static void release(struct position *position)
{
    for (Py_ssize_t i = 0; i < position->count; i++)
        Py_DECREF(position->code[i]);
    position->count = 0;
}

static void look(struct position *position)
{
    PyObject *frame = (PyObject *)PyEval_GetFrame();
    Py_XINCREF(frame);
    position->count = 0;
    while (frame != NULL && position->count < DEPTH) {
        PyObject *code = object_of(frame, "f_code"), *back = object_of(frame, "f_back");
        if (code != NULL) {
            position->code[position->count] = code;
            position->instruction[position->count++] = number_of(frame, "f_lasti");
        }
        Py_DECREF(frame);
        frame = back;
    }
    Py_XDECREF(frame);
}

/* --- places ------------------------------------------------------------------------------------------------------ */

static bool is_same(const struct position *a, const struct position *b)
{
    return a->count == b->count && memcmp(a->code, b->code, (size_t)a->count * sizeof(PyObject *)) == 0 &&
           memcmp(a->instruction, b->instruction, (size_t)a->count * sizeof a->instruction[0]) == 0;
}

static struct known **bucket_of(const struct position *position)
{
    uint64_t hash = 0;
    for (Py_ssize_t i = 0; i < position->count; i++)
        hash =
            (hash ^ (uint64_t)(uintptr_t)position->code[i] ^ (uint64_t)position->instruction[i]) * 0x9e3779b97f4a7c15;
    return &buckets[hash >> (64 - 12)];
}

/* A copy that the caller frees; NULL without. */
static char *text_of(PyObject *object, const char *attribute)
{
    PyObject *value = PyObject_GetAttrString(object, attribute);
    PyObject *bytes = value != NULL && PyUnicode_Check(value) ? PyUnicode_AsUTF8String(value) : NULL;
    char *text = bytes != NULL ? strdup(PyBytes_AsString(bytes)) : NULL;
    Py_XDECREF(bytes);
    Py_XDECREF(value);
    return text;
}

/* The instruction behind the one that calls, by the module `dis`, which knows every version's code. */
static bool is_dropped(PyObject *code, long instruction)
{
    PyObject *dis = PyImport_ImportModule("dis");
    PyObject *all = dis != NULL ? PyObject_CallMethod(dis, "get_instructions", "O", code) : NULL, *one;
    bool found = false, dropped = false;
    while (!found && all != NULL && (one = PyIter_Next(all)) != NULL) {
        char *name = text_of(one, "opname");
        found = number_of(one, "offset") > instruction;
        dropped = found && name != NULL && strcmp(name, "POP_TOP") == 0;
        free(name);
        Py_DECREF(one);
    }
    Py_XDECREF(all);
    Py_XDECREF(dis);
    return dropped;
}

/* Lines of all frames, innermost first. */
static Py_ssize_t fill(struct pacl_frame *frames)
{
    PyObject *frame = (PyObject *)PyEval_GetFrame();
    Py_ssize_t count = 0;
    Py_XINCREF(frame);
    while (frame != NULL && count < DEPTH) {
        PyObject *code = object_of(frame, "f_code"), *back = object_of(frame, "f_back");
        if (code != NULL)
            frames[count++] = (struct pacl_frame){ .function = text_of(code, "co_name"),
                                                   .file = text_of(code, "co_filename"),
                                                   .line = (int)number_of(frame, "f_lineno") };
        Py_XDECREF(code);
        Py_DECREF(frame);
        frame = back;
    }
    Py_XDECREF(frame);
    return count;
}

static const struct pacl_place *make(const struct position *position)
{
    struct pacl_frame frames[DEPTH];
    const bool dropped = position->count > 0 && is_dropped(position->code[0], position->instruction[0]);
    const Py_ssize_t count = fill(frames);
    const struct pacl_place *place = pacl_place_make(frames, (size_t)count, dropped);
    for (Py_ssize_t i = 0; i < count; i++) {
        free((void *)(uintptr_t)frames[i].function);
        free((void *)(uintptr_t)frames[i].file);
    }
    return place;
}

/* With the GIL. Takes over what the position holds. */
static const struct pacl_place *place_of(struct position *position)
{
    struct known **bucket = bucket_of(position), *known = *bucket;
    while (known != NULL && !is_same(&known->position, position))
        known = known->next;
    if (known != NULL) {
        release(position);
        return known->place;
    }
    known = calloc(1, sizeof *known);
    if (known == NULL) {
        release(position);
        return NULL;
    }
    known->position = *position;
    known->place = make(position);
    known->next = *bucket;
    *bucket = known;
    return known->place;
}

static const struct pacl_place *present(void)
{
    PyObject *type, *value, *traceback;
    struct position position;
    PyErr_Fetch(&type, &value, &traceback);
    look(&position);
    const struct pacl_place *place = position.count > 0 ? place_of(&position) : NULL;
    PyErr_Restore(type, value, traceback); /* what went wrong here is nobody's */
    return place;
}

void pyacl_place_begin(void)
{
    pacl_place_use(present());
}

void pyacl_place_end(const bool *used)
{
    if (*used)
        pacl_place_use(NULL);
}

/* --- faults ------------------------------------------------------------------------------------------------------ */

typedef int check_gil(void);
static check_gil *has_gil; /* not in the limited interface, but in every CPython */

/* In a handler: the thread is in the middle of something, and may be without the GIL. */
static const struct pacl_place *place_at_fault(void)
{
    return has_gil() == 1 ? present() : NULL;
}

void pyacl_places_init(void *find(const char *name))
{
    if (pacl_check_is_on == NULL || pacl_place_make == NULL || pacl_check_is_on() == 0)
        return;
    void *symbol = find("PyGILState_Check");
    memcpy(&has_gil, &symbol, sizeof has_gil);
    if (has_gil != NULL)
        pacl_place_ask(place_at_fault);
    pyacl_places_wanted = true;
}

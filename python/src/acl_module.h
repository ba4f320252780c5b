/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acl_module.h: what the parts of the Python module share.
 *
 * The module is written against CPython's limited interface of 3.8, and against ACL's public headers only. The wrappers
 * around single functions are generated from functions.tsv; they parse with pyacl_parse, call, and shape the result.
 */
#ifndef PYACL_ACL_MODULE_H
#define PYACL_ACL_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x03080000
#include <Python.h>

#include <acl/acl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* --- arguments --------------------------------------------------------------------------------------------------- */

/* The arguments of one function. Letters: k pointer, size or handle (int objects only, masked to 64 bits), I H masked
 * to 32 and 16 bits, i l b with a range check, f number, s text without a 0, O any object, C callable, D dict, L list.
 * An optional argument that is left out, or an optional callable that is None, reads as 0. */
struct pyacl_signature {
    const char *name; /* in Python, with its module */
    const char *letters;
    const char *const *names;
    Py_ssize_t count;
    Py_ssize_t required; /* the others, at the end, are optional */
    const char *missing; /* the C function if the library does not have it, else NULL */
};

struct pyacl_text {
    const char *at;
    PyObject *owner; /* bytes object that `at` points into */
};

union pyacl_value {
    void *pointer;
    size_t size;
    uint64_t u64;
    int64_t i64;
    uint32_t u32;
    int32_t i32;
    uint16_t u16;
    uint8_t u8;
    float f32;
    struct pyacl_text text;
    PyObject *object; /* borrowed */
};

/* Reads `args` into v[0..count-1]. On failure a TypeError names the function and the argument, and nothing is held; on
 * success a signature with texts needs pyacl_release afterwards. */
bool pyacl_parse(const struct pyacl_signature *signature, PyObject *args, union pyacl_value *v);
void pyacl_release(const struct pyacl_signature *signature, union pyacl_value *v);

/* Reads a list of ints from 0 to 2^64 - 1 into new memory, which the caller frees. False with an exception that names the
 * function and the argument. */
bool pyacl_read_list(const char *function, const char *argument, PyObject *list, uint64_t **items, size_t *count);

/* A new reference to dict[key]; NULL without an exception if it is not there. */
PyObject *pyacl_dict_find(PyObject *dict, const char *key);

/* dict[key] as a masked integer, 0 if it is not there or no int. */
uint64_t pyacl_dict_number(PyObject *dict, const char *key);

/* --- results ----------------------------------------------------------------------------------------------------- */

/* Makes a tuple of new references and takes them over. If an item is NULL, with an exception set, so is the answer. */
PyObject *pyacl_tuple(Py_ssize_t count, PyObject **items);
PyObject *pyacl_from_ret(aclError ret);
PyObject *pyacl_from_pointer(const void *pointer);
PyObject *pyacl_from_text(const char *text); /* NULL gives None */

/* --- messages ---------------------------------------------------------------------------------------------------- */

/* Keeps the refusal of a function that the library does not have for acl.get_recent_err_msg() of this thread. */
void pyacl_refuse(const struct pyacl_signature *signature);

/* --- the interpreter and other threads --------------------------------------------------------------------------- */

/* Takes the GIL in a thread that is not Python's. False: the interpreter is shutting down, nothing of Python may be
 * touched any more. pyacl_python_leave gives the GIL back. */
bool pyacl_python_enter(PyGILState_STATE *state);
void pyacl_python_leave(PyGILState_STATE state);

/* As the two above, for a thread that may stay for long: the shutdown does not wait for it. */
bool pyacl_python_settle(PyGILState_STATE *state);

/* Arranges that pyacl_python_enter answers false once the interpreter runs its exit handlers. */
bool pyacl_python_watch_exit(void);

/* --- Python functions that the library calls ---------------------------------------------------------------------- */

/* Around a call that destroys `stream`, or a context (NULL): afterwards the Python functions that it has dropped are
 * released. Both with the GIL, which the call itself does without. */
void pyacl_destroy_begin(void);
void pyacl_destroy_end(aclrtStream stream, aclError ret);

/* --- functions that functions.tsv calls written by hand ----------------------------------------------------------- */

PyObject *pyacl_app_log(const union pyacl_value *v);
PyObject *pyacl_allocator_set_alloc_advise_func_to_desc(const union pyacl_value *v);
PyObject *pyacl_allocator_set_alloc_func_to_desc(const union pyacl_value *v);
PyObject *pyacl_allocator_set_free_func_to_desc(const union pyacl_value *v);
PyObject *pyacl_allocator_set_get_addr_from_block_func_to_desc(const union pyacl_value *v);
PyObject *pyacl_bytes_to_ptr(const union pyacl_value *v);
PyObject *pyacl_device_get_uuid(const union pyacl_value *v);
PyObject *pyacl_get_cann_attribute_list(const union pyacl_value *v);
PyObject *pyacl_get_cann_version(const union pyacl_value *v);
PyObject *pyacl_get_device_utilization_rate(const union pyacl_value *v);
PyObject *pyacl_get_recent_err_msg(const union pyacl_value *v);
PyObject *pyacl_get_stream_attribute(const union pyacl_value *v);
PyObject *pyacl_get_version_str(const union pyacl_value *v);
PyObject *pyacl_ipc_mem_get_export_key(const union pyacl_value *v);
PyObject *pyacl_ipc_mem_set_import_pid(const union pyacl_value *v);
PyObject *pyacl_launch_callback(const union pyacl_value *v);
PyObject *pyacl_launch_host_func(const union pyacl_value *v);
PyObject *pyacl_malloc_for_task_scheduler(const union pyacl_value *v);
PyObject *pyacl_malloc_host_with_cfg(const union pyacl_value *v);
PyObject *pyacl_malloc_physical(const union pyacl_value *v);
PyObject *pyacl_malloc_with_cfg(const union pyacl_value *v);
PyObject *pyacl_notify_batch_reset(const union pyacl_value *v);
PyObject *pyacl_mem_get_allocation_granularity(const union pyacl_value *v);
PyObject *pyacl_mem_set_pid_to_shareable_handle(const union pyacl_value *v);
PyObject *pyacl_notify_get_export_key(const union pyacl_value *v);
PyObject *pyacl_notify_set_import_pid(const union pyacl_value *v);
PyObject *pyacl_numpy_contiguous_to_ptr(const union pyacl_value *v);
PyObject *pyacl_numpy_to_ptr(const union pyacl_value *v);
PyObject *pyacl_pointer_get_attributes(const union pyacl_value *v);
PyObject *pyacl_prof_create_config(const union pyacl_value *v);
PyObject *pyacl_ptr_to_bytes(const union pyacl_value *v);
PyObject *pyacl_ptr_to_numpy(const union pyacl_value *v);
PyObject *pyacl_set_exception_info_callback(const union pyacl_value *v);
PyObject *pyacl_set_stream_attribute(const union pyacl_value *v);
PyObject *pyacl_start_thread(const union pyacl_value *v);
PyObject *pyacl_stop_thread(const union pyacl_value *v);
PyObject *pyacl_wait_and_reset_notify(const union pyacl_value *v);

/* --- places in reports of checking mode (place.c) ----------------------------------------------------------------- */

extern bool pyacl_places_wanted;

/* When the module is made; `find` gives the address of a symbol of the process, or NULL. */
void pyacl_places_init(void *find(const char *name));

void pyacl_place_begin(void);
void pyacl_place_end(const bool *used);

/* The first line of a wrapper, with the GIL: until it returns, calls come from the present line of Python. */
#define PYACL_PLACE() \
    __attribute__((cleanup(pyacl_place_end))) const bool pyacl_place_used = pyacl_places_wanted; \
    if (__builtin_expect(pyacl_place_used, 0)) \
    pyacl_place_begin()

/* --- the tables -------------------------------------------------------------------------------------------------- */

struct pyacl_submodule {
    const char *name; /* "acl.rt" */
    PyMethodDef *methods;
};

extern PyMethodDef *const pyacl_methods;                /* of acl itself */
extern const struct pyacl_submodule pyacl_submodules[]; /* ends with a name of NULL */

#endif

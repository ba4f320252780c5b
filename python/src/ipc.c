/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of what several processes have, and lists of the processes that may have it. */
#include "acl_module.h"

#include <stdlib.h>

enum { KEY_MAX = 1024 };

/* --- keys -------------------------------------------------------------------------------------------------------- */

/* The C functions that make a key, with the object and its size first. */
typedef aclError export_fn(void *object, size_t size, char *key, size_t length, uint64_t flags);

static PyObject *make_key(const char *function, export_fn *make, void *object, size_t size, size_t length,
                          uint64_t flags)
{
    char key[KEY_MAX] = "";
    if (length >= KEY_MAX)
        return PyErr_Format(PyExc_ValueError, "%s: len is %zu; it must be below %d", function, length, KEY_MAX);
    PyThreadState *thread = PyEval_SaveThread();
    const aclError ret = make(object, size, key, length, flags);
    PyEval_RestoreThread(thread);
    return pyacl_tuple(2, (PyObject *[]){ pyacl_from_text(key), pyacl_from_ret(ret) });
}

PyObject *pyacl_ipc_mem_get_export_key(const union pyacl_value *v)
{
    return make_key("acl.rt.ipc_mem_get_export_key", aclrtIpcMemGetExportKey, v[0].pointer, v[1].size, v[2].size,
                    v[3].u64);
}

/* --- processes --------------------------------------------------------------------------------------------------- */

/* The caller frees *pids. */
static bool read_pids(const char *function, PyObject *list, int32_t **pids, size_t *count)
{
    uint64_t *items;
    if (!pyacl_read_list(function, "argument 2 (pids)", list, &items, count))
        return false;
    *pids = calloc(*count > 0 ? *count : 1, sizeof **pids);
    for (size_t i = 0; *pids != NULL && i < *count; i++)
        (*pids)[i] = (int32_t)items[i];
    free(items);
    if (*pids == NULL)
        PyErr_NoMemory();
    return *pids != NULL;
}

PyObject *pyacl_ipc_mem_set_import_pid(const union pyacl_value *v)
{
    int32_t *pids;
    size_t count;
    if (!read_pids("acl.rt.ipc_mem_set_import_pid", v[1].object, &pids, &count))
        return NULL;
    const aclError ret = aclrtIpcMemSetImportPid(v[0].text.at, pids, count);
    free(pids);
    return pyacl_from_ret(ret);
}

PyObject *pyacl_mem_set_pid_to_shareable_handle(const union pyacl_value *v)
{
    int32_t *pids;
    size_t count;
    if (!read_pids("acl.rt.mem_set_pid_to_shareable_handle", v[1].object, &pids, &count))
        return NULL;
    const aclError ret = aclrtMemSetPidToShareableHandle(v[0].u64, pids, count);
    free(pids);
    return pyacl_from_ret(ret);
}

/* --- notifies ---------------------------------------------------------------------------------------------------- */

static aclError export_notify(void *notify, size_t unused, char *key, size_t length, uint64_t flags)
{
    (void)unused;
    return aclrtNotifyGetExportKey(notify, key, length, flags);
}

PyObject *pyacl_notify_get_export_key(const union pyacl_value *v)
{
    return make_key("acl.rt.notify_get_export_key", export_notify, v[0].pointer, 0, v[1].size, v[2].u64);
}

PyObject *pyacl_notify_set_import_pid(const union pyacl_value *v)
{
    int32_t *pids;
    size_t count;
    if (!read_pids("acl.rt.notify_set_import_pid", v[1].object, &pids, &count))
        return NULL;
    const aclError ret = aclrtNotifySetImportPid(v[0].pointer, pids, count);
    free(pids);
    return pyacl_from_ret(ret);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose C structures are dicts and lists in Python. */
#include "acl_module.h"

#include <stdlib.h>

PyObject *pyacl_get_version_str(const union pyacl_value *v)
{
    char package[ACL_PKG_VERSION_MAX_SIZE] = "", version[ACL_PKG_VERSION_MAX_SIZE] = "";
    strncpy(package, v[0].text.at, sizeof package - 1); /* the C call takes it as not constant */
    const aclError ret = aclsysGetVersionStr(package, version);
    return pyacl_tuple(2, (PyObject *[]){ pyacl_from_text(version), pyacl_from_ret(ret) });
}

/* --- allocation attributes --------------------------------------------------------------------------------------- */

/* What pyacl_dict_number gives, if the key is there. */
static bool read_optional(PyObject *dict, const char *key, uint64_t *out)
{
    PyObject *number = pyacl_dict_find(dict, key);
    if (number == NULL)
        return false;
    *out = PyLong_Check(number) ? PyLong_AsUnsignedLongLongMask(number) : 0;
    Py_DECREF(number);
    return true;
}

/* Up to 8 bytes; the first item that is no int ends the reading. */
static bool read_reserved(PyObject *list, uint8_t *bytes, Py_ssize_t room)
{
    if (!PyList_Check(list))
        return true;
    if (PyList_Size(list) > room) {
        PyErr_Format(PyExc_ValueError, "cfg: rsv has %zd items, %zd is the most", PyList_Size(list), room);
        return false;
    }
    for (Py_ssize_t i = 0; i < PyList_Size(list) && PyLong_Check(PyList_GetItem(list, i)); i++)
        bytes[i] = (uint8_t)PyLong_AsUnsignedLongLongMask(PyList_GetItem(list, i));
    return true;
}

static bool read_attribute_value(PyObject *value, aclrtMallocAttrValue *out)
{
    uint64_t number;
    memset(out, 0, sizeof *out);
    if (read_optional(value, "moduleId", &number)) {
        out->moduleId = (uint16_t)number;
        return true;
    }
    if (read_optional(value, "deviceId", &number)) {
        out->deviceId = (uint32_t)number;
        return true;
    }
    PyObject *reserved = pyacl_dict_find(value, "rsv");
    if (reserved == NULL) {
        PyErr_SetString(PyExc_KeyError, "cfg: the value of an attribute needs one of moduleId, deviceId, rsv");
        return false;
    }
    const bool ok = read_reserved(reserved, out->rsv, sizeof out->rsv);
    Py_DECREF(reserved);
    return ok;
}

static bool read_attribute(PyObject *attribute, aclrtMallocAttribute *out)
{
    bool ok = false;
    if (!PyDict_Check(attribute)) {
        PyErr_SetString(PyExc_TypeError, "cfg: attrs must be a list of dicts");
        return false;
    }
    PyObject *value = pyacl_dict_find(attribute, "value");
    out->attr = (aclrtMallocAttrType)pyacl_dict_number(attribute, "attr");
    if (value != NULL && PyDict_Check(value))
        ok = read_attribute_value(value, &out->value);
    else
        PyErr_SetString(PyExc_KeyError, "cfg: an attribute needs a dict as its value");
    Py_XDECREF(value);
    return ok;
}

/* cfg["attrs"] as a tuple, which nobody else can change, of cfg["numAttrs"] items. NULL with an exception set. */
static PyObject *read_attributes(PyObject *cfg)
{
    PyObject *list = pyacl_dict_find(cfg, "attrs");
    const uint64_t count = pyacl_dict_number(cfg, "numAttrs");
    PyObject *items = NULL;
    if (list != NULL && PyList_Check(list) && (uint64_t)PyList_Size(list) == count)
        items = PyList_AsTuple(list);
    else
        PyErr_SetString(PyExc_KeyError, "cfg: attrs must be a list of numAttrs dicts");
    Py_XDECREF(list);
    return items;
}

/* Fills `out` from a dict {"attrs": [{"attr": int, "value": {...}}, ...], "numAttrs": int}. The caller frees
 * out->attrs. False with an exception set. */
static bool read_config(PyObject *cfg, aclrtMallocConfig *out)
{
    PyObject *items = read_attributes(cfg);
    if (items == NULL)
        return false;
    const Py_ssize_t count = PyTuple_Size(items);
    *out = (aclrtMallocConfig){ .attrs = calloc((size_t)count + 1, sizeof *out->attrs), .numAttrs = (size_t)count };
    bool ok = out->attrs != NULL;
    if (!ok)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count && ok; i++)
        ok = read_attribute(PyTuple_GetItem(items, i), &out->attrs[i]);
    Py_DECREF(items);
    return ok;
}

enum where { ON_DEVICE, FOR_SCHEDULER, ON_HOST };

static PyObject *allocate(enum where where, size_t size, int32_t policy, PyObject *dict)
{
    aclrtMallocConfig config = { 0 }, *cfg = PyDict_Size(dict) > 0 ? &config : NULL; /* an empty dict: no config */
    void *at = NULL;
    if (cfg != NULL && !read_config(dict, cfg)) {
        free(config.attrs);
        return NULL;
    }
    PyThreadState *thread = PyEval_SaveThread();
    aclError ret;
    if (where == ON_HOST)
        ret = aclrtMallocHostWithCfg(&at, size, cfg);
    else if (where == FOR_SCHEDULER)
        ret = aclrtMallocForTaskScheduler(&at, size, (aclrtMemMallocPolicy)policy, cfg);
    else
        ret = aclrtMallocWithCfg(&at, size, (aclrtMemMallocPolicy)policy, cfg);
    PyEval_RestoreThread(thread);
    free(config.attrs);
    return pyacl_tuple(2, (PyObject *[]){ pyacl_from_pointer(at), pyacl_from_ret(ret) });
}

PyObject *pyacl_malloc_with_cfg(const union pyacl_value *v)
{
    return allocate(ON_DEVICE, v[0].size, v[1].i32, v[2].object);
}

PyObject *pyacl_malloc_for_task_scheduler(const union pyacl_value *v)
{
    return allocate(FOR_SCHEDULER, v[0].size, v[1].i32, v[2].object);
}

PyObject *pyacl_malloc_host_with_cfg(const union pyacl_value *v)
{
    return allocate(ON_HOST, v[0].size, 0, v[1].object);
}

/* --- pointer attributes ------------------------------------------------------------------------------------------ */

static PyObject *from_attributes(const aclrtPtrAttributes *a)
{
    return Py_BuildValue("{s:{s:I,s:i},s:I,s:[IIII]}", "location", "id", a->location.id, "type", (int)a->location.type,
                         "page_size", a->pageSize, "rsv", a->rsv[0], a->rsv[1], a->rsv[2], a->rsv[3]);
}

PyObject *pyacl_pointer_get_attributes(const union pyacl_value *v)
{
    aclrtPtrAttributes attributes = { 0 };
    const aclError ret = aclrtPointerGetAttributes(v[0].pointer, &attributes);
    return pyacl_tuple(2, (PyObject *[]){ from_attributes(&attributes), pyacl_from_ret(ret) });
}

/* --- attributes of streams --------------------------------------------------------------------------------------- */

/* The dict's key of an attribute that has one of its own; the others are a list of numbers. */
static const char *attribute_key(int32_t attribute)
{
    switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
        return "failureMode";
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
        return "overflowSwitch";
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
        return "userCustomTag";
    default:
        return NULL;
    }
}

/* Up to 4 numbers; the first item that is no int ends the reading. */
static bool read_numbers(PyObject *list, uint32_t numbers[4])
{
    if (!PyList_Check(list))
        return true;
    if (PyList_Size(list) > 4) {
        PyErr_Format(PyExc_ValueError, "acl.rt.set_stream_attribute: reserved has %zd items, 4 is the most",
                     PyList_Size(list));
        return false;
    }
    for (Py_ssize_t i = 0; i < PyList_Size(list) && PyLong_Check(PyList_GetItem(list, i)); i++)
        numbers[i] = (uint32_t)PyLong_AsUnsignedLongLongMask(PyList_GetItem(list, i));
    return true;
}

PyObject *pyacl_set_stream_attribute(const union pyacl_value *v)
{
    aclrtStreamAttrValue value = { .reserve = { 0 } };
    const char *const key = attribute_key(v[1].i32);
    if (key != NULL) {
        value.failureMode = pyacl_dict_number(v[2].object, key); /* the others are its lower half */
    } else {
        PyObject *list = pyacl_dict_find(v[2].object, "reserved");
        const bool ok = list == NULL || read_numbers(list, value.reserve);
        Py_XDECREF(list);
        if (!ok)
            return NULL;
    }
    return pyacl_from_ret(aclrtSetStreamAttribute(v[0].pointer, (aclrtStreamAttr)v[1].i32, &value));
}

static PyObject *list_of(const uint32_t numbers[4])
{
    PyObject *list = PyList_New(4);
    for (Py_ssize_t i = 0; list != NULL && i < 4; i++) {
        PyObject *number = PyLong_FromUnsignedLong(numbers[i]);
        if (number == NULL)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, number);
    }
    return list;
}

PyObject *pyacl_get_stream_attribute(const union pyacl_value *v)
{
    aclrtStreamAttrValue value = { .reserve = { 0 } };
    const char *const key = attribute_key(v[1].i32);
    const aclError ret = aclrtGetStreamAttribute(v[0].pointer, (aclrtStreamAttr)v[1].i32, &value);
    const uint64_t number = v[1].i32 == ACL_STREAM_ATTR_FAILURE_MODE ? value.failureMode : value.overflowSwitch;
    PyObject *content = key != NULL ? PyLong_FromUnsignedLongLong(number) : list_of(value.reserve);
    PyObject *dict = PyDict_New();
    if (content == NULL || dict == NULL || PyDict_SetItemString(dict, key != NULL ? key : "reserved", content) != 0)
        Py_CLEAR(dict);
    Py_XDECREF(content);
    return pyacl_tuple(2, (PyObject *[]){ dict, pyacl_from_ret(ret) });
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Answers in dicts and lists: versions, attributes, devices. And the program's own log lines. */
#include <acl/acl_prof.h>
#include <stdlib.h>

#include "acl_module.h"

PyObject *pyacl_get_cann_version(const union pyacl_value *v)
{
    aclCANNPackageVersion version = { 0 };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* the module wraps old functions, too */
    const aclError ret = aclsysGetCANNVersion((aclCANNPackageName)v[0].u32, &version);
#pragma GCC diagnostic pop
    PyObject *dict =
        Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:s}", "version", version.version, "major_version", version.majorVersion,
                      "minor_version", version.minorVersion, "release_version", version.releaseVersion, "patch_version",
                      version.patchVersion, "reserved", version.reserved);
    return pyacl_tuple(2, (PyObject *[]){ dict, pyacl_from_ret(ret) });
}

PyObject *pyacl_get_cann_attribute_list(const union pyacl_value *v)
{
    (void)v;
    const aclCannAttr *attributes = NULL;
    size_t count = 0;
    const aclError ret = aclGetCannAttributeList(&attributes, &count);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < count; i++) {
        PyObject *number = PyLong_FromLong(attributes[i]);
        if (number == NULL || PyList_Append(list, number) != 0)
            Py_CLEAR(list);
        Py_XDECREF(number);
    }
    return pyacl_tuple(3, (PyObject *[]){ list, PyLong_FromSize_t(count), pyacl_from_ret(ret) });
}

/* The message is data, not a format. */
PyObject *pyacl_app_log(const union pyacl_value *v)
{
    aclAppLog((aclLogLevel)v[0].i32, __func__, __FILE__, __LINE__, "%s", v[1].text.at);
    Py_RETURN_NONE;
}

PyObject *pyacl_get_device_utilization_rate(const union pyacl_value *v)
{
    aclrtUtilizationInfo info = { 0 };
    const aclError ret = aclrtGetDeviceUtilizationRate(v[0].i32, &info);
    PyObject *dict =
        Py_BuildValue("{s:i,s:i,s:i,s:i,s:i}", "cube_utilization", info.cubeUtilization, "vector_utilization",
                      info.vectorUtilization, "aicpu_utilization", info.aicpuUtilization, "memory_utilization",
                      info.memoryUtilization, "utilization_extend", 0);
    return pyacl_tuple(2, (PyObject *[]){ dict, pyacl_from_ret(ret) });
}

PyObject *pyacl_device_get_uuid(const union pyacl_value *v)
{
    aclrtUuid uuid = { { 0 } };
    const aclError ret = aclrtDeviceGetUuid(v[0].i32, &uuid);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list != NULL && i < sizeof uuid.bytes; i++) {
        PyObject *number = PyLong_FromLong((signed char)uuid.bytes[i]);
        if (number == NULL || PyList_Append(list, number) != 0)
            Py_CLEAR(list);
        Py_XDECREF(number);
    }
    PyObject *dict = list != NULL ? Py_BuildValue("{s:N}", "bytes", list) : NULL;
    return pyacl_tuple(2, (PyObject *[]){ dict, pyacl_from_ret(ret) });
}

PyObject *pyacl_prof_create_config(const union pyacl_value *v)
{
    PyObject *list = v[0].object;
    const Py_ssize_t count = PyList_Size(list);
    uint32_t *devices = calloc((size_t)count + 1, sizeof *devices);
    if (devices == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *number = PyList_GetItem(list, i); /* borrowed */
        if (number == NULL || !PyLong_Check(number)) {
            free(devices);
            PyErr_Clear();
            PyErr_SetString(PyExc_TypeError, "acl.prof.create_config: device_id_list holds something that is no int");
            return NULL;
        }
        devices[i] = (uint32_t)PyLong_AsUnsignedLongMask(number);
    }
    aclprofConfig *config = aclprofCreateConfig(devices, (uint32_t)count, (aclprofAicoreMetrics)v[1].i32,
                                                (const aclprofAicoreEvents *)v[2].pointer, v[3].u64);
    free(devices);
    return pyacl_from_pointer(config);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Physical memory, whose properties are a dict in Python. */
#include "acl_module.h"

/* Keys that are missing, and values of another type, leave 0. */
static void read_prop(PyObject *dict, aclrtPhysicalMemProp *prop)
{
    *prop = (aclrtPhysicalMemProp){
        .handleType = (aclrtMemHandleType)pyacl_dict_number(dict, "handleType"),
        .allocationType = (aclrtMemAllocationType)pyacl_dict_number(dict, "allocationType"),
        .memAttr = (aclrtMemAttr)pyacl_dict_number(dict, "memAttr"),
        .reserve = pyacl_dict_number(dict, "reserve"),
    };
    PyObject *location = pyacl_dict_find(dict, "location");
    if (location != NULL && PyDict_Check(location)) {
        prop->location.id = (uint32_t)pyacl_dict_number(location, "id");
        prop->location.type = (aclrtMemLocationType)pyacl_dict_number(location, "type");
    }
    Py_XDECREF(location);
}

PyObject *pyacl_malloc_physical(const union pyacl_value *v)
{
    aclrtPhysicalMemProp prop;
    aclrtDrvMemHandle handle = NULL;
    read_prop(v[1].object, &prop);
    const aclError ret = aclrtMallocPhysical(&handle, v[0].size, &prop, v[2].u64);
    return pyacl_tuple(2, (PyObject *[]){ pyacl_from_pointer(handle), pyacl_from_ret(ret) });
}

PyObject *pyacl_mem_get_allocation_granularity(const union pyacl_value *v)
{
    aclrtPhysicalMemProp prop;
    size_t granularity = 0;
    read_prop(v[0].object, &prop);
    const aclError ret = aclrtMemGetAllocationGranularity(&prop, (aclrtMemGranularityOptions)v[1].i32, &granularity);
    return pyacl_tuple(2, (PyObject *[]){ PyLong_FromSize_t(granularity), pyacl_from_ret(ret) });
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The module `acl` with its submodules. All state is the process's: only the main interpreter may import it. */
#include "acl_module.h"

#include <dlfcn.h>

typedef PyInterpreterState *get_interpreter(void);

/* The limited interface names the function from 3.9 on; 3.8 has it under a private name. */
static get_interpreter *find_get_interpreter(void)
{
    void *symbol = dlsym(RTLD_DEFAULT, "PyInterpreterState_Get");
    get_interpreter *function;
    if (symbol == NULL)
        symbol = dlsym(RTLD_DEFAULT, "_PyInterpreterState_Get");
    memcpy(&function, &symbol, sizeof function); /* ISO C has no cast from data to function pointers */
    return function;
}

static bool require_main_interpreter(void)
{
    get_interpreter *get = find_get_interpreter();
    if (get == NULL || PyInterpreterState_GetID(get()) == 0)
        return true;
    PyErr_SetString(PyExc_ImportError, "acl works in the main interpreter only, not in a sub-interpreter");
    return false;
}

static bool add_submodule(PyObject *module, const struct pyacl_submodule *submodule)
{
    PyObject *child = PyImport_AddModule(submodule->name); /* borrowed; registered in sys.modules */
    if (child == NULL || PyModule_AddFunctions(child, submodule->methods) != 0)
        return false;
    Py_INCREF(child);
    if (PyModule_AddObject(module, strchr(submodule->name, '.') + 1, child) == 0)
        return true;
    Py_DECREF(child);
    return false;
}

static void *find_symbol(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static int execute(PyObject *module)
{
    pyacl_places_init(find_symbol);
    if (!require_main_interpreter() || !pyacl_python_watch_exit())
        return -1;
    for (const struct pyacl_submodule *s = pyacl_submodules; s->name != NULL; s++)
        if (!add_submodule(module, s))
            return -1;
    return PyModule_AddFunctions(module, pyacl_methods);
}

PyMODINIT_FUNC PyInit_acl(void);

PyMODINIT_FUNC PyInit_acl(void)
{
    static PyModuleDef_Slot slots[] = { { Py_mod_exec, (void *)(uintptr_t)execute }, { 0, NULL } };
    static PyModuleDef definition = {
        PyModuleDef_HEAD_INIT,
        .m_name = "acl",
        .m_doc =
            "The Ascend ACL runtime in software. Functions answer a return code (0: success), alone or as the last "
            "item of a tuple; acl.get_recent_err_msg() explains a failure. Arguments are positional; pointers, "
            "sizes and handles are ints, 0 is null.",
        .m_slots = slots,
    };
    return PyModuleDef_Init(&definition);
}

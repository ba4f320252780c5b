/* SPDX-License-Identifier: Apache-2.0 */
/* sdk.h: where this installation (or build tree) lies, and the environment that makes programs use it. */
#ifndef PACL_TOOLS_SDK_H
#define PACL_TOOLS_SDK_H

/* Absolute paths without links. */
struct sdk {
    char *home;    /* the installation's prefix, for ASCEND_HOME_PATH */
    char *bin;     /* directory of this command */
    char *library; /* the library file that this command itself runs on */
    char *library_dir;
    char *probe; /* the program that `pacl doctor` starts */
    char *bench; /* the program that `pacl bench` becomes */
    char *pkgconfig_dir;
    char *python_dir; /* where the module `acl` is installed, if it is */
};

/* Found once, kept for the life of the process. Ends the process with a message if it cannot be found. */
const struct sdk *sdk_get(void);

/* Calls `visit` for each variable that set_env.sh sets, with its new value (which is gone after the call). */
typedef void sdk_visit_fn(const char *name, const char *value, void *data);
void sdk_environment(sdk_visit_fn *visit, void *data);

/* Puts these variables into this process's environment, for the programs that it starts. */
void sdk_environment_apply(void);

#endif

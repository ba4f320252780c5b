/* SPDX-License-Identifier: Apache-2.0 */
/* `pacl info`: asks the library what a program would get. */
#include "info.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"
#include "command.h"
#include "settings.h"

struct options {
    bool json;
    bool products;
};

enum { KEY_JSON = 0x100, KEY_PRODUCTS };

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case KEY_JSON:
        options->json = true;
        return 0;
    case KEY_PRODUCTS:
        options->products = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Says which call failed and what the library left as its reason. */
static aclError complain(const char *call, aclError error)
{
    const char *reason = aclGetRecentErrMsg();

    fprintf(stderr, "pacl info: %s: error %d%s%s\n", call, error, reason != NULL ? ": " : "",
            reason != NULL ? reason : "");
    return error;
}

static aclError ask_device(int32_t id, const struct pacl_product *product, struct device_info *device)
{
    aclrtMemAttr memory = strcmp(product->memory_type, "HBM") == 0 ? ACL_HBM_MEM : ACL_DDR_MEM;
    aclError error = aclrtSetDevice(id);

    if (error != ACL_SUCCESS)
        return complain("aclrtSetDevice", error);
    device->id = id;
    error = aclrtGetMemInfo(memory, &device->memory_free, &device->memory_total);
    if (error != ACL_SUCCESS)
        complain("aclrtGetMemInfo", error);
    aclrtResetDevice(id);
    return error;
}

static aclError ask_devices(struct info *info)
{
    info->devices = calloc(info->device_count, sizeof(*info->devices));
    if (info->devices == NULL && info->device_count > 0)
        return complain("calloc", ACL_ERROR_BAD_ALLOC);
    for (uint32_t i = 0; i < info->device_count; i++) {
        aclError error = ask_device((int32_t)i, info->product, &info->devices[i]);
        if (error != ACL_SUCCESS)
            return error;
    }
    return ACL_SUCCESS;
}

static aclError ask(struct info *info)
{
    info->product = pacl_product_current();
    if (info->product == NULL)
        return complain("product", ACL_ERROR_INVALID_PARAM);
    info->soc_name = aclrtGetSocName();
    aclError error = aclrtGetDeviceCount(&info->device_count);
    if (error != ACL_SUCCESS)
        return complain("aclrtGetDeviceCount", error);
    return ask_devices(info);
}

void info_environment(info_visit_fn *visit, void *data)
{
    for (size_t i = 0; i < settings_count; i++) {
        const char *value = getenv(settings[i].variable);
        if (value != NULL)
            visit(settings[i].variable, value, data);
    }
}

static int show_runtime(bool json)
{
    struct info info = { 0 };
    aclError error = aclInit(NULL);

    if (error != ACL_SUCCESS) {
        complain("aclInit", error);
        return STATUS_FAILED;
    }
    error = ask(&info);
    if (error == ACL_SUCCESS)
        (json ? info_print_json : info_print_text)(&info);
    free(info.devices);
    aclFinalize();
    return error == ACL_SUCCESS ? STATUS_OK : STATUS_FAILED;
}

int command_info(int argc, char **argv)
{
    static const struct argp_option options[] = { { "json", KEY_JSON, NULL, 0, "Print JSON, sizes in bytes", 0 },
                                                  { "products", KEY_PRODUCTS, NULL, 0,
                                                    "List the products that PACL can stand for, and nothing else", 0 },
                                                  { 0 } };
    const struct argp_child children[] = { { .argp = settings_argp(SETTINGS_OF_MACHINE) }, { 0 } };
    const struct argp argp = {
        .options = options,
        .children = children,
        .parser = parse,
        .doc = "Shows what a program that is started now gets: product, devices, engines, limits. With the options of "
               "'pacl run': what a program gets that is started with them."
    };
    struct options chosen = { 0 };

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    if (!chosen.products)
        return show_runtime(chosen.json);
    (chosen.json ? products_print_json : products_print_text)();
    return STATUS_OK;
}

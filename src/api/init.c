/* SPDX-License-Identifier: Apache-2.0 */
/* aclInit and its counterparts. Nothing else in this library needs them. */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/api.h"

enum { NESTING_MAX = 10, CONFIG_MAX_BYTES = 10 * 1024 * 1024 };

static struct {
    pthread_mutex_t lock; /* guards the rest */
    uint64_t references;
    bool finalized; /* there was a finalize since the last init */
    char *content;  /* of the first successful init; "" for none; NULL before */
} state = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* --- the configuration file -------------------------------------------------------------------------------------- */

/* Not a pipe or a device, on which reading may wait for ever. NULL with errno set. */
static FILE *open_regular(const char *path)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(fd);
        errno = EINVAL;
        return NULL;
    }
    FILE *file = fdopen(fd, "r");
    if (file == NULL)
        close(fd);
    return file;
}

/* The whole file as a string that the caller frees; an empty one for no path. */
static aclError read_config(const char *path, char **content)
{
    *content = NULL;
    if (path == NULL || path[0] == '\0') {
        *content = strdup("");
        return *content != NULL ? ACL_SUCCESS : PACL_FAIL(ACL_ERROR_BAD_ALLOC, "no memory");
    }
    FILE *file = open_regular(path);
    if (file == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_FILE, "configPath \"%s\" cannot be read: %s", path, strerror(errno));
    size_t length = 0;
    char *buffer = malloc(CONFIG_MAX_BYTES + 1);
    if (buffer != NULL)
        length = fread(buffer, 1, CONFIG_MAX_BYTES + 1, file);
    const bool bad = buffer != NULL && ferror(file) != 0;
    fclose(file);
    if (buffer == NULL)
        return PACL_FAIL(ACL_ERROR_BAD_ALLOC, "no memory for the configuration");
    if (bad || length > CONFIG_MAX_BYTES) {
        free(buffer);
        return PACL_FAIL(ACL_ERROR_INVALID_FILE, "configPath \"%s\" is no file, or larger than %d bytes", path,
                         CONFIG_MAX_BYTES);
    }
    buffer[length] = '\0';
    *content = buffer;
    return ACL_SUCCESS;
}

static aclError parse(const char *content, json_object **root)
{
    json_tokener *tokener = json_tokener_new_ex(NESTING_MAX);
    if (tokener == NULL)
        return PACL_FAIL(ACL_ERROR_BAD_ALLOC, "no memory");
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    *root = json_tokener_parse_ex(tokener, content, (int)strlen(content) + 1);
    const enum json_tokener_error error = json_tokener_get_error(tokener);
    json_tokener_free(tokener);
    const bool is_object = json_object_is_type(*root, json_type_object);
    if (error == json_tokener_success && is_object)
        return ACL_SUCCESS;
    json_object_put(*root);
    *root = NULL;
    return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "the configuration is not a JSON object nested at most %d deep: %s",
                     NESTING_MAX,
                     error == json_tokener_success ? "it is another value" : json_tokener_error_desc(error));
}

/* What the file says, before any of it takes effect. */
struct config {
    bool process_wide;      /* err_msg_mode */
    int32_t default_device; /* -1: none */
};

/* err_msg_mode: "0" per thread, "1" per process. */
static aclError get_message_mode(json_object *root, struct config *config)
{
    json_object *mode;
    if (!json_object_object_get_ex(root, "err_msg_mode", &mode))
        return ACL_SUCCESS;
    const char *text = json_object_get_string(mode);
    if (text == NULL || (strcmp(text, "0") != 0 && strcmp(text, "1") != 0))
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "err_msg_mode is %s; it takes \"0\" or \"1\"",
                         text != NULL ? text : "null");
    config->process_wide = text[0] == '1';
    return ACL_SUCCESS;
}

/* {"defaultDevice": {"default_device": "0"}}; a bare number or string is taken as well. */
static aclError get_default_device(json_object *root, struct config *config)
{
    json_object *device, *inner;
    if (!json_object_object_get_ex(root, "defaultDevice", &device))
        return ACL_SUCCESS;
    if (json_object_is_type(device, json_type_object)) {
        if (!json_object_object_get_ex(device, "default_device", &inner))
            return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "defaultDevice is %s, which has no member default_device",
                             json_object_to_json_string(device));
        device = inner;
    }
    char *end = NULL;
    const char *text = json_object_get_string(device);
    errno = 0;
    const long id = text != NULL ? strtol(text, &end, 10) : -1;
    if (text == NULL || end == text || *end != '\0' || errno != 0 || id < 0 || id >= (long)pacl_runtime()->device_count)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "default_device is %s; this process sees %u device(s), from 0",
                         json_object_to_json_string(device), pacl_runtime()->device_count);
    config->default_device = (int32_t)id;
    return ACL_SUCCESS;
}

/* Keys of the original that mean nothing here (dump, profiling, graph options) are accepted and ignored. */
static aclError apply(const char *content)
{
    json_object *root;
    struct config config = { .default_device = -1 };
    if (content[0] == '\0')
        return ACL_SUCCESS;
    aclError err = parse(content, &root);
    if (err != ACL_SUCCESS)
        return err;
    err = get_message_mode(root, &config);
    if (err == ACL_SUCCESS)
        err = get_default_device(root, &config);
    json_object_put(root);
    if (err == ACL_SUCCESS) {
        pacl_error_share_texts(config.process_wide);
        pacl_context_set_default_device(config.default_device);
    }
    return err;
}

/* --- the calls --------------------------------------------------------------------------------------------------- */

/* Under the lock. Takes over `content` on success. */
static aclError init(char *content)
{
    if (state.references > 0) {
        state.references++;
        return PACL_FAIL(ACL_ERROR_REPEAT_INITIALIZE, "already initialised; the reference count is now %llu",
                         (unsigned long long)state.references);
    }
    if (state.content != NULL && strcmp(state.content, content) != 0)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                         "the configuration differs from the one this process was initialised with first");
    const aclError err = apply(content);
    if (err != ACL_SUCCESS)
        return err;
    free(state.content);
    state.content = content;
    state.references = 1;
    state.finalized = false;
    return ACL_SUCCESS;
}

aclError aclInit(const char *configPath)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    char *content;
    aclError err = pacl_runtime_require(ACL_ERROR_INTERNAL_ERROR);
    if (err == ACL_SUCCESS)
        err = read_config(configPath, &content);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&state.lock);
    err = init(content);
    pthread_mutex_unlock(&state.lock);
    if (err != ACL_SUCCESS)
        free(content);
    return err;
}

static aclError refuse_again(void)
{
    return PACL_FAIL(ACL_ERROR_REPEAT_FINALIZE, "not initialised, or finalized already");
}

/* The very first call succeeds even without aclInit [C]. */
aclError aclFinalize(void)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    pthread_mutex_lock(&state.lock);
    const bool again = state.references == 0 && state.finalized;
    state.references = 0;
    state.finalized = true;
    pthread_mutex_unlock(&state.lock);
    if (again)
        return refuse_again();
    PACL_OBSERVE(finalized, );
    return ACL_SUCCESS;
}

aclError aclFinalizeReference(uint64_t *refCount)
{
    PACL_ENTER_WHOLE_OR_RETURN();
    pthread_mutex_lock(&state.lock);
    const bool again = state.references == 0;
    if (!again)
        state.references--;
    const bool last = !again && state.references == 0;
    if (last)
        state.finalized = true;
    if (!again && refCount != NULL)
        *refCount = state.references;
    pthread_mutex_unlock(&state.lock);
    if (last)
        PACL_OBSERVE(finalized, );
    return again ? refuse_again() : ACL_SUCCESS;
}

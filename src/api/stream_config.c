/* SPDX-License-Identifier: Apache-2.0 */
/* What a stream is made with, and what can be changed later: configuration handles and attributes. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/stream.h"
#include "base/list.h"
#include "core/device.h"

/* --- configuration handles --------------------------------------------------------------------------------------- */

/* The living ones are listed: an address that is none is refused without being followed. */
struct config {
    aclrtStreamConfigHandle content; /* what the program's handle points to */
    struct pacl_list link;           /* guarded by config_lock */
};

static pthread_mutex_t config_lock = PTHREAD_MUTEX_INITIALIZER;
static struct pacl_list configs = { &configs, &configs };

/* Under the lock. */
static struct config *find(const aclrtStreamConfigHandle *handle)
{
    PACL_LIST_EACH(node, &configs)
    {
        struct config *c = PACL_CONTAINER(node, struct config, link);
        if (&c->content == handle)
            return c;
    }
    return NULL;
}

static aclError refuse(const void *handle)
{
    return PACL_FAIL(ACL_ERROR_INVALID_PARAM,
                     "handle %p is none that aclrtCreateStreamConfigHandle gave, or is destroyed", handle);
}

aclrtStreamConfigHandle *aclrtCreateStreamConfigHandle(void)
{
    PACL_ENTER();
    if (pacl_runtime_is_forked()) {
        (void)pacl_runtime_refuse_child();
        return NULL;
    }
    struct config *c = calloc(1, sizeof *c);
    if (c == NULL) {
        (void)PACL_FAIL(ACL_ERROR_BAD_ALLOC, "no memory for a stream's configuration");
        return NULL;
    }
    pthread_mutex_lock(&config_lock);
    pacl_list_append(&configs, &c->link);
    pthread_mutex_unlock(&config_lock);
    return &c->content;
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle *handle)
{
    PACL_ENTER_OR_RETURN();
    const aclError err = PACL_REFUSE_NULL(handle);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&config_lock);
    struct config *c = find(handle);
    if (c != NULL)
        pacl_list_remove(&c->link);
    pthread_mutex_unlock(&config_lock);
    free(c);
    return c != NULL ? ACL_SUCCESS : refuse(handle);
}

/* Where an option lies in a configuration, and its size; NULL for an unknown one. */
static void *option(aclrtStreamConfigHandle *content, aclrtStreamConfigAttr attr, size_t *size)
{
    switch (attr) {
    case ACL_RT_STREAM_WORK_ADDR_PTR:
        *size = sizeof content->workptr;
        return &content->workptr;
    case ACL_RT_STREAM_WORK_SIZE:
        *size = sizeof content->workSize;
        return &content->workSize;
    case ACL_RT_STREAM_FLAG:
        *size = sizeof content->flag;
        return &content->flag;
    case ACL_RT_STREAM_PRIORITY:
        *size = sizeof content->priority;
        return &content->priority;
    default:
        return NULL;
    }
}

/* Flags are 32 bits in every other call, so that a program may well give those. Under the lock. */
static aclError set_option(struct config *c, aclrtStreamConfigAttr attr, const void *value, size_t size)
{
    size_t expected;
    void *const place = option(&c->content, attr, &expected);
    if (place == NULL)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "attr %d; it takes 0 to 3", (int)attr);
    if (attr == ACL_RT_STREAM_FLAG && size == sizeof(uint32_t))
        c->content.flag = 0;
    else if (size != expected)
        return PACL_FAIL(ACL_ERROR_INVALID_PARAM, "valueSize %zu; attr %d takes %zu bytes", size, (int)attr, expected);
    memcpy(place, value, size);
    return ACL_SUCCESS;
}

aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle *handle, aclrtStreamConfigAttr attr, const void *attrValue,
                                 size_t valueSize)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(handle);
    if (err == ACL_SUCCESS)
        err = PACL_REFUSE_NULL(attrValue);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&config_lock);
    struct config *c = find(handle);
    err = c != NULL ? set_option(c, attr, attrValue, valueSize) : refuse(handle);
    pthread_mutex_unlock(&config_lock);
    return err;
}

aclError aclrtCreateStreamV2(aclrtStream *stream, const aclrtStreamConfigHandle *handle)
{
    PACL_ENTER_OR_RETURN();
    aclError err = PACL_REFUSE_NULL(stream);
    if (err == ACL_SUCCESS)
        err = PACL_REFUSE_NULL(handle);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&config_lock);
    const struct config *c = find(handle);
    const aclrtStreamConfigHandle content = c != NULL ? c->content : (aclrtStreamConfigHandle){ 0 };
    pthread_mutex_unlock(&config_lock);
    return c != NULL ? pacl_create_stream_with(stream, content.priority, (uint32_t)content.flag) : refuse(handle);
}

/* --- attributes -------------------------------------------------------------------------------------------------- */

static aclError set_priority(struct pacl_stream *s, uint32_t priority)
{
    if (priority > PACL_LOWEST_PRIORITY)
        return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "streamPriority %u; it takes 0 (highest) to %d (lowest)", priority,
                         PACL_LOWEST_PRIORITY);
    s->priority = priority;
    return ACL_SUCCESS;
}

static aclError unknown_attribute(aclrtStreamAttr type)
{
    return PACL_FAIL(ACL_ERROR_RT_PARAM_INVALID, "stmAttrType %d; it takes 1 to 5", (int)type);
}

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, NULL);
    if (err != ACL_SUCCESS)
        return err;
    switch (stmAttrType) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
        return pacl_set_failure_mode(s, value->failureMode);
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
        return pacl_set_overflow_switch(s, value->overflowSwitch, "overflowSwitch");
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
        s->user_tag = value->userCustomTag;
        return ACL_SUCCESS;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
        s->cache_op_info = value->cacheOpInfoSwitch;
        return ACL_SUCCESS;
    case ACL_STREAM_ATTR_PRIORITY:
        return set_priority(s, value->streamPriority);
    default:
        return unknown_attribute(stmAttrType);
    }
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType, aclrtStreamAttrValue *value)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_stream *s = NULL;
    aclrtStreamAttrValue answer = { .reserve = { 0 } };
    aclError err = PACL_REFUSE_NULL(value);
    if (err == ACL_SUCCESS)
        err = pacl_find_stream(stream, &s, NULL);
    if (err != ACL_SUCCESS)
        return err;
    switch (stmAttrType) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
        answer.failureMode = pacl_load_relaxed(&s->stops) ? ACL_STOP_ON_FAILURE : ACL_CONTINUE_ON_FAILURE;
        break;
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
        answer.overflowSwitch = s->overflow_switch;
        break;
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
        answer.userCustomTag = s->user_tag;
        break;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
        answer.cacheOpInfoSwitch = s->cache_op_info;
        break;
    case ACL_STREAM_ATTR_PRIORITY:
        answer.streamPriority = s->priority;
        break;
    default:
        return unknown_attribute(stmAttrType);
    }
    *value = answer;
    return ACL_SUCCESS;
}

aclError aclrtGetStreamAvailableNum(uint32_t *streamCount)
{
    PACL_ENTER_OR_RETURN();
    struct pacl_context *context;
    aclError err = PACL_REFUSE_NULL(streamCount);
    if (err == ACL_SUCCESS)
        err = pacl_context_current(&context);
    if (err == ACL_SUCCESS)
        *streamCount = pacl_runtime()->product.streams - pacl_load_relaxed(&context->device->streams);
    return err;
}

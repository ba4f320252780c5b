/* SPDX-License-Identifier: Apache-2.0 */
#include "core/context.h"

#include "base/error.h"
#include "base/log.h"
#include "core/device.h"
#include "core/event.h"
#include "core/host_queue.h"
#include "core/notify.h"
#include "core/observer.h"
#include "core/stream.h"
#include "os/os.h"

static _Atomic int32_t default_device = -1; /* aclInit's defaultDevice */

void pacl_context_set_default_device(int32_t device)
{
    pacl_store_seq_cst(&default_device, device);
}

/* --- the thread's current context -------------------------------------------------------------------------------- */

/* With a default device, a thread without a context gets that device's primary one, as if it had set the device. */
static struct pacl_context *implicit(void)
{
    const int32_t id = pacl_load_relaxed(&default_device);
    return id >= 0 && pacl_context_set_device(id) == ACL_SUCCESS ? pacl_self.ctx : NULL;
}

/* The context may have been destroyed by another thread; its slot tells by its handle. */
static bool is_current_open(void)
{
    return pacl_self.ctx != NULL && pacl_object_handle(&pacl_self.ctx->object) == pacl_self.ctx_handle;
}

struct pacl_context *pacl_context_peek(void)
{
    if (__builtin_expect(is_current_open(), 1))
        return pacl_self.ctx;
    return implicit();
}

aclError pacl_context_current(struct pacl_context **out)
{
    struct pacl_context *c = pacl_context_peek();
    if (c == NULL)
        return PACL_FAIL(
            ACL_ERROR_RT_CONTEXT_NULL,
            "this thread has no current context; call aclrtSetDevice or aclrtSetCurrentContext in it first");
    *out = c;
    return ACL_SUCCESS;
}

void pacl_context_make_current(struct pacl_context *context)
{
    pacl_self.ctx = context;
    pacl_self.ctx_handle = context != NULL ? pacl_object_handle(&context->object) : NULL;
}

struct pacl_context *pacl_context_find(aclrtContext handle)
{
    return pacl_pool_find(&pacl_contexts, handle);
}

/* --- life -------------------------------------------------------------------------------------------------------- */

/* For the slot's whole life: calls may still name a destroyed context. */
static void prepare_slot(struct pacl_context *c)
{
    pthread_mutex_init(&c->lock, NULL);
    pacl_parking_prepare(&c->host_functions);
}

aclError pacl_context_create(struct pacl_device *device, bool primary, struct pacl_context **out)
{
    struct pacl_context *c = pacl_pool_take(&pacl_contexts);
    if (c == NULL)
        return PACL_FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "no memory for a context");
    if (!c->prepared)
        prepare_slot(c);
    c->prepared = true;
    pthread_mutex_lock(&c->lock);
    pacl_list_init(&c->streams);
    pacl_list_init(&c->events);
    pacl_list_init(&c->notifies);
    c->device = device;
    c->primary = primary;
    c->host_queue = NULL;
    pacl_store_relaxed(&c->sys_params.set, 0);
    c->closing = false;
    pthread_mutex_unlock(&c->lock);
    struct pacl_stream *s = NULL;
    const aclError err = pacl_stream_create_default(c, &s);
    if (err != ACL_SUCCESS) {
        pacl_pool_give(&pacl_contexts, &c->object);
        return err;
    }
    c->default_stream = s;
    PACL_OBSERVE(context_created, c);
    pacl_object_open(&pacl_contexts, &c->object);
    *out = c;
    return ACL_SUCCESS;
}

aclError pacl_context_adopt(struct pacl_context *c, struct pacl_list *list, struct pacl_list *node)
{
    pthread_mutex_lock(&c->lock);
    const bool open = !c->closing;
    if (open)
        pacl_list_append(list, node);
    pthread_mutex_unlock(&c->lock);
    return open ? ACL_SUCCESS
                : PACL_FAIL(ACL_ERROR_RT_CONTEXT_NULL, "the current context was destroyed by another thread");
}

/* The first stream or event of a list with its handle, or NULL. Whoever destroys it takes it off the list; the handle is
 * null while another thread does so. */
static struct pacl_list *first_of(struct pacl_context *c, struct pacl_list *list, size_t link, void **handle)
{
    pthread_mutex_lock(&c->lock);
    struct pacl_list *first = pacl_list_empty(list) ? NULL : list->next;
    if (first != NULL)
        *handle = pacl_object_handle((struct pacl_object *)(void *)((char *)first - link));
    pthread_mutex_unlock(&c->lock);
    return first;
}

/* Another thread destroys the stream already: waits for it. Under the context's lock the stream is not gone, and can
 * still be told to drop its work. */
static void await_other(struct pacl_context *c, struct pacl_list *node, bool drop)
{
    struct pacl_stream *s = PACL_CONTAINER(node, struct pacl_stream, in_context);
    pthread_mutex_lock(&c->lock);
    if (drop && c->streams.next == node)
        pacl_stream_drop_upto(s, UINT64_MAX);
    pthread_mutex_unlock(&c->lock);
    (void)pacl_stream_wait(s, pacl_stream_queued(s), OS_NEVER);
    os_yield();
}

/* At process exit the streams stay as they are: their work is dropped, and the rest is the system's. */
static void destroy_streams(struct pacl_context *c, bool drop)
{
    struct pacl_list *node;
    void *handle;
    while (!pacl_runtime_is_exiting() &&
           (node = first_of(c, &c->streams, offsetof(struct pacl_stream, in_context), &handle)) != NULL) {
        if (!pacl_stream_destroy(PACL_CONTAINER(node, struct pacl_stream, in_context), handle, drop))
            await_other(c, node, drop);
    }
}

static void destroy_events(struct pacl_context *c)
{
    struct pacl_list *node;
    void *handle;
    while ((node = first_of(c, &c->events, offsetof(struct pacl_event, in_context), &handle)) != NULL) {
        if (!pacl_event_destroy(PACL_CONTAINER(node, struct pacl_event, in_context), handle))
            os_yield();
    }
}

static void destroy_notifies(struct pacl_context *c)
{
    struct pacl_list *node;
    void *handle;
    while ((node = first_of(c, &c->notifies, offsetof(struct pacl_notify, in_context), &handle)) != NULL) {
        if (!pacl_notify_destroy(PACL_CONTAINER(node, struct pacl_notify, in_context), handle))
            os_yield();
    }
}

bool pacl_context_destroy(struct pacl_context *c, aclrtContext handle, bool drop)
{
    if (!pacl_object_close(&c->object, handle))
        return false;
    pthread_mutex_lock(&c->lock);
    c->closing = true;
    pthread_mutex_unlock(&c->lock);
    destroy_streams(c, drop);
    if (pacl_runtime_is_exiting())
        return true; /* its streams may still name it */
    destroy_events(c);
    destroy_notifies(c);
    pacl_host_queue_stop(c);
    PACL_OBSERVE(context_destroyed, c);
    pacl_pool_give(&pacl_contexts, &c->object);
    return true;
}

/* --- primary contexts -------------------------------------------------------------------------------------------- */

aclError pacl_context_set_device(int32_t id)
{
    struct pacl_device *device;
    aclError err = pacl_device_get(id, &device);
    if (err != ACL_SUCCESS)
        return err;
    pthread_mutex_lock(&device->lock);
    if (device->primary == NULL)
        err = pacl_context_create(device, true, &device->primary);
    if (err == ACL_SUCCESS) {
        device->set_count++;
        pacl_context_make_current(device->primary);
    }
    pthread_mutex_unlock(&device->lock);
    return err;
}

aclError pacl_context_reset_device(int32_t id, bool force)
{
    struct pacl_device *device;
    const aclError err = pacl_device_get(id, &device);
    if (err != ACL_SUCCESS)
        return err;
    struct pacl_context *gone = NULL;
    pthread_mutex_lock(&device->lock);
    const bool set = device->set_count > 0;
    if (set)
        device->set_count = force ? 0 : device->set_count - 1;
    if (set && device->set_count == 0) {
        gone = device->primary;
        device->primary = NULL;
    }
    pthread_mutex_unlock(&device->lock);
    if (gone != NULL)
        (void)pacl_context_destroy(gone, pacl_object_handle(&gone->object), force);
    return set || force ? ACL_SUCCESS
                        : PACL_FAIL(ACL_ERROR_RT_CONTEXT_RELEASE_ERROR,
                                    "device %d was not set, or was reset as often as it was set", id);
}

/* --- streams of contexts ----------------------------------------------------------------------------------------- */

aclError pacl_stream_from_handle(aclrtStream handle, aclError no_context, struct pacl_stream **out, void **own_handle)
{
    struct pacl_stream *s;
    if (handle != NULL) {
        s = pacl_pool_find(&pacl_streams, handle);
        if (s == NULL)
            return PACL_FAIL_UNKNOWN(ACL_ERROR_RT_INVALID_HANDLE, "stream %p is %s, not a stream", handle,
                                     pacl_handle_names(handle));
        *own_handle = handle;
    } else {
        struct pacl_context *c = pacl_context_peek();
        if (c == NULL)
            return PACL_FAIL(
                no_context,
                "stream is null, the default stream, and this thread has no current context; call aclrtSetDevice or aclrtSetCurrentContext in it first");
        s = c->default_stream;
        *own_handle = pacl_object_handle(&s->object);
    }
    *out = s;
    return ACL_SUCCESS;
}

aclError pacl_context_owns(const struct pacl_stream *s)
{
    struct pacl_context *c = NULL;
    const aclError err = pacl_context_current(&c);
    if (err != ACL_SUCCESS)
        return err;
    if (s->context != c) {
        PACL_OBSERVE(handle_refused, pacl_object_handle(&s->object), true);
        return PACL_FAIL(
            ACL_ERROR_RT_STREAM_CONTEXT,
            "stream %u belongs to another context (on device %d) than this thread's current one (on device %d)", s->id,
            s->device->id, c->device->id);
    }
    return ACL_SUCCESS;
}

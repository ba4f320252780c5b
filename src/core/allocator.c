/* SPDX-License-Identifier: Apache-2.0 */
#include "core/allocator.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "core/handle.h"
#include "core/token.h"

/* A stream's allocator. A copy: the description may change or go. Guarded by lock, as the descriptions are. */
struct registered {
    struct pacl_list link;
    const void *stream;
    aclrtAllocatorDesc desc;
    struct pacl_allocator allocator;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pacl_list all = { &all, &all };

aclrtAllocatorDesc pacl_allocator_create(void)
{
    struct pacl_allocator *a = calloc(1, sizeof *a);
    if (a == NULL) {
        (void)PACL_FAIL(ACL_ERROR_BAD_ALLOC, "no memory for the description of an allocator");
        return NULL;
    }
    aclrtAllocatorDesc desc = pacl_token_create(PACL_TOKEN_ALLOCATOR, a, sizeof *a);
    if (desc == NULL)
        free(a);
    return desc;
}

/* Under the lock. */
static aclError find(aclrtAllocatorDesc desc, struct pacl_allocator **out)
{
    struct pacl_token *token;
    const aclError err = pacl_token_find(desc, PACL_TOKEN_ALLOCATOR, "allocatorDesc", &token);
    if (err == ACL_SUCCESS)
        *out = token->data;
    return err;
}

aclError pacl_allocator_destroy(aclrtAllocatorDesc desc)
{
    struct pacl_allocator *a;
    pthread_mutex_lock(&lock);
    aclError err = find(desc, &a);
    if (err == ACL_SUCCESS)
        err = pacl_token_destroy(desc, PACL_TOKEN_ALLOCATOR, "allocatorDesc");
    pthread_mutex_unlock(&lock);
    if (err == ACL_SUCCESS)
        free(a);
    return err;
}

aclError pacl_allocator_read(aclrtAllocatorDesc desc, struct pacl_allocator *out)
{
    struct pacl_allocator *a;
    pthread_mutex_lock(&lock);
    const aclError err = find(desc, &a);
    if (err == ACL_SUCCESS)
        *out = *a;
    pthread_mutex_unlock(&lock);
    return err;
}

aclError pacl_allocator_write(aclrtAllocatorDesc desc, const struct pacl_allocator *value)
{
    struct pacl_allocator *a;
    pthread_mutex_lock(&lock);
    const aclError err = find(desc, &a);
    if (err == ACL_SUCCESS)
        *a = *value;
    pthread_mutex_unlock(&lock);
    return err;
}

/* Under the lock; streams that are gone take their entries with them. */
static struct registered *look_up(const void *stream)
{
    struct registered *found = NULL;
    PACL_LIST_EACH(node, &all)
    {
        struct registered *r = PACL_CONTAINER(node, struct registered, link);
        if (pacl_pool_find(&pacl_streams, r->stream) == NULL) {
            pacl_list_remove(&r->link);
            free(r);
        } else if (r->stream == stream) {
            found = r;
        }
    }
    return found;
}

aclError pacl_allocator_register(const void *stream, aclrtAllocatorDesc desc)
{
    struct pacl_allocator *a;
    pthread_mutex_lock(&lock);
    aclError err = find(desc, &a);
    struct registered *r = look_up(stream);
    if (err == ACL_SUCCESS && r == NULL) {
        r = calloc(1, sizeof *r);
        if (r != NULL)
            pacl_list_append(&all, &r->link);
        else
            err = PACL_FAIL(ACL_ERROR_BAD_ALLOC, "no memory to note a stream's allocator");
    }
    if (err == ACL_SUCCESS) {
        r->stream = stream;
        r->desc = desc;
        r->allocator = *a;
    }
    pthread_mutex_unlock(&lock);
    return err;
}

bool pacl_allocator_of(const void *stream, aclrtAllocatorDesc *desc, struct pacl_allocator *out)
{
    pthread_mutex_lock(&lock);
    const struct registered *r = look_up(stream);
    if (r != NULL) {
        *desc = r->desc;
        *out = r->allocator;
    }
    pthread_mutex_unlock(&lock);
    return r != NULL;
}

void pacl_allocator_unregister(const void *stream)
{
    pthread_mutex_lock(&lock);
    struct registered *r = look_up(stream);
    if (r != NULL) {
        pacl_list_remove(&r->link);
        free(r);
    }
    pthread_mutex_unlock(&lock);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "check/checker.h"

#include <pthread.h>
#include <stdlib.h>

/* A finding made under the lock. Writing takes long and calls what may take locks of the system. */
struct made {
    struct made *next;
    struct pacl_check_finding finding;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct made *first, **last = &first; /* guarded by lock; oldest first */

void pacl_checker_lock(void)
{
    pthread_mutex_lock(&lock);
}

void pacl_checker_unlock(void)
{
    struct made *made = first;
    first = NULL;
    last = &first;
    pthread_mutex_unlock(&lock);
    while (made != NULL) {
        struct made *next = made->next;
        (void)pacl_check_report(&made->finding);
        free((char *)(uintptr_t)made->finding.details);
        free(made);
        made = next;
    }
}

struct pacl_check_finding *pacl_checker_find(enum pacl_check_class kind)
{
    struct made *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->finding.kind = kind;
    *last = made;
    last = &made->next;
    return &made->finding;
}

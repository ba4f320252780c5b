/* SPDX-License-Identifier: Apache-2.0 */
/* Doubly linked lists whose links lie inside their members. Not synchronised: the owner's lock guards them. */
#ifndef PACL_BASE_LIST_H
#define PACL_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct pacl_list {
    struct pacl_list *next, *prev;
};

#define PACL_CONTAINER(node, type, member) ((type *)(void *)((char *)(node)-offsetof(type, member)))

/* `node` stays valid while the body removes and reuses the member it stands for. */
#define PACL_LIST_EACH(node, list) \
    for (struct pacl_list *node = (list)->next, *node##_next = node->next; node != (list); \
         node = node##_next, node##_next = node->next)

static inline void pacl_list_init(struct pacl_list *list)
{
    list->next = list->prev = list;
}

static inline bool pacl_list_empty(const struct pacl_list *list)
{
    return list->next == list;
}

static inline void pacl_list_append(struct pacl_list *list, struct pacl_list *node)
{
    node->prev = list->prev;
    node->next = list;
    list->prev->next = node;
    list->prev = node;
}

static inline void pacl_list_remove(struct pacl_list *node)
{
    node->prev->next = node->next;
    node->next->prev = node->prev;
    pacl_list_init(node);
}

#endif

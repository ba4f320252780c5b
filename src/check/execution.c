/* SPDX-License-Identifier: Apache-2.0 */
#include "check/execution.h"

#include <stdlib.h>
#include <string.h>

#include "check/order.h"
#include "core/graph.h"

/* The clocks of a graph's lanes, for one execution after the other. */
struct strand {
    struct strand *next;
    bool busy;            /* an execution that is not settled has them */
    struct pacl_tick end; /* of the last one; tick 0: none */
    uint32_t slots[];     /* by lane */
};

/* A graph that was executed, from then on until it is destroyed. */
struct graph_order {
    const struct pacl_graph *graph;
    struct strand *strands;
    struct pacl_list executions; /* those of which something is to come, oldest first */
    uint32_t lane_count;
    uint32_t inner[]; /* slots of the graph's streams, by lane */
};

/* Until it is settled and has no host function to come. If it was not settled at once it stays until GRAPH has finished:
 * what settles it may have begun at one of its lanes. */
struct pacl_execution_order {
    struct pacl_list link;
    const struct pacl_execution *of;
    struct graph_order *graph;
    struct pacl_run *run;
    struct pacl_order_stream *on;
    struct pacl_list functions;  /* of all lanes */
    bool is_settled, is_awaited; /* the stream waits for that */
    struct strand *strand;       /* until it is settled */
    struct pacl_moment *records; /* by task: those between lanes that are settled */
    uint32_t task_count;
    struct pacl_order_stream *lanes; /* NULL if it was settled at once */
};

struct inner {
    struct graph_order *graph;
    uint32_t lane;
};

static struct graph_order **graphs; /* by slot */
static uint32_t graph_room;
static struct inner *inners; /* by slot of the streams' pool */
static uint32_t inner_room;

/* --- runs -------------------------------------------------------------------------------------------------------- */

struct pacl_run *pacl_run_share(struct pacl_run *run)
{
    if (run != NULL)
        run->references++;
    return run;
}

void pacl_run_drop(struct pacl_run *run)
{
    if (run != NULL && --run->references == 0)
        free(run);
}

static struct pacl_run *new_run(uint32_t graph, const char *call, const struct pacl_site *site)
{
    struct pacl_run *run = malloc(sizeof *run);
    if (run != NULL)
        *run = (struct pacl_run){ .references = 1, .graph = graph, .call = call, .site = site };
    return run;
}

/* --- graphs ------------------------------------------------------------------------------------------------------ */

/* Room for element `index` of a table; new ones are zero. NULL when memory is short. */
static void *with_room(void *table, uint32_t *room, uint32_t index, size_t size)
{
    if (index < *room)
        return table;
    uint32_t larger = *room == 0 ? 64 : *room;
    while (larger <= index)
        larger *= 2;
    char *grown = realloc(table, larger * size);
    if (grown == NULL)
        return NULL;
    memset(grown + *room * size, 0, (larger - *room) * size);
    *room = larger;
    return grown;
}

static bool note_inner(struct graph_order *g, uint32_t lane)
{
    struct inner *grown = with_room(inners, &inner_room, g->inner[lane], sizeof *inners);
    if (grown == NULL)
        return false;
    inners = grown;
    inners[g->inner[lane]] = (struct inner){ .graph = g, .lane = lane };
    return true;
}

static void forget_graph(struct graph_order *g)
{
    for (uint32_t i = 0; i < g->lane_count; i++) {
        if (g->inner[i] < inner_room && inners[g->inner[i]].graph == g)
            inners[g->inner[i]].graph = NULL;
    }
    free(g);
}

static struct graph_order *new_graph(const struct pacl_graph *graph)
{
    struct graph_order *g = calloc(1, sizeof *g + graph->lane_count * sizeof g->inner[0]);
    if (g == NULL)
        return NULL;
    g->graph = graph;
    g->lane_count = graph->lane_count;
    pacl_list_init(&g->executions);
    for (uint32_t i = 0; i < g->lane_count; i++)
        g->inner[i] = graph->lanes[i].stream->object.index;
    for (uint32_t i = 0; i < g->lane_count; i++) {
        if (!note_inner(g, i)) {
            forget_graph(g);
            return NULL;
        }
    }
    return g;
}

static struct graph_order *graph_of(const struct pacl_graph *graph)
{
    struct graph_order **grown =
        with_room((void *)graphs, &graph_room, graph->object.index, sizeof(struct graph_order *));
    if (grown == NULL)
        return NULL;
    graphs = grown;
    if (graphs[graph->object.index] == NULL)
        graphs[graph->object.index] = new_graph(graph);
    return graphs[graph->object.index];
}

/* --- clocks ------------------------------------------------------------------------------------------------------ */

static bool knows_end(const struct pacl_order_stream *s, const struct strand *strand)
{
    return strand->end.tick == 0 || pacl_host_knows(strand->end) ||
           pacl_knows(pacl_clock_of(s->slot)->known, strand->end);
}

static struct strand *new_strand(struct graph_order *g)
{
    struct strand *strand = calloc(1, sizeof *strand + g->lane_count * sizeof strand->slots[0]);
    if (strand == NULL)
        return NULL;
    for (uint32_t i = 0; i < g->lane_count; i++) {
        strand->slots[i] = pacl_clock_open();
        if (strand->slots[i] != PACL_CLOCK_NONE)
            continue;
        while (i-- > 0)
            pacl_clock_close(strand->slots[i]);
        free(strand);
        return NULL;
    }
    strand->next = g->strands;
    g->strands = strand;
    return strand;
}

/* Clocks whose last execution is over for what the stream does next. So there are at most as many as streams that have
 * executed the graph without order between them. */
static struct strand *take_strand(struct graph_order *g, const struct pacl_order_stream *s)
{
    struct strand *strand = g->strands;
    while (strand != NULL && (strand->busy || !knows_end(s, strand)))
        strand = strand->next;
    return strand != NULL ? strand : new_strand(g);
}

/* All lanes begin with what the stream knows, and its own tasks. */
static void begin_clocks(const struct strand *strand, uint32_t lanes, uint32_t stream_slot)
{
    struct pacl_knowledge *known = NULL;
    struct pacl_moment moment = pacl_clock_mark(stream_slot);
    pacl_knowledge_add(&known, &moment);
    pacl_moment_drop(&moment);
    for (uint32_t i = 0; i < lanes; i++)
        pacl_clock_begin(strand->slots[i], known);
    pacl_knowledge_drop(known);
}

/* --- executions -------------------------------------------------------------------------------------------------- */

static void prepare_lane(struct pacl_execution_order *x, uint32_t lane)
{
    struct pacl_order_stream *s = &x->lanes[lane];
    s->stream = x->on->stream;
    s->id = x->on->id;
    s->is_default = x->on->is_default;
    s->slot = x->strand->slots[lane];
    s->execution = x;
    s->run = x->run;
    s->lane = lane;
    pacl_list_init(&s->steps);
    pacl_list_init(&s->in_waiting);
}

static void free_execution(struct pacl_execution_order *x)
{
    if (x == NULL)
        return;
    pacl_run_drop(x->run);
    free(x->records);
    free(x->lanes);
    free(x);
}

static struct pacl_execution_order *new_execution(struct pacl_order_stream *s, const struct pacl_work *work,
                                                  const struct pacl_site *site)
{
    const struct pacl_graph *graph = pacl_graph_of(work);
    struct graph_order *g = graph_of(graph);
    struct pacl_execution_order *x = g != NULL ? calloc(1, sizeof *x) : NULL;
    if (x == NULL)
        return NULL;
    x->of = work->graph.execution;
    x->graph = g;
    x->on = s;
    x->task_count = graph->node_count;
    pacl_list_init(&x->functions);
    x->run = new_run(graph->id, work->call, site);
    x->records = calloc(x->task_count + 1, sizeof x->records[0]);
    x->lanes = calloc(g->lane_count, sizeof x->lanes[0]);
    x->strand = take_strand(g, s);
    if (x->run == NULL || x->records == NULL || x->lanes == NULL || x->strand == NULL) {
        free_execution(x);
        return NULL;
    }
    for (uint32_t i = 0; i < g->lane_count; i++)
        prepare_lane(x, i);
    x->strand->busy = true;
    begin_clocks(x->strand, g->lane_count, s->slot);
    pacl_list_append(&g->executions, &x->link);
    return x;
}

/* It was settled at once: what is left are its host functions. */
static void shrink(struct pacl_execution_order *x)
{
    free(x->records);
    free(x->lanes);
    x->records = NULL;
    x->lanes = NULL;
    if (!pacl_list_empty(&x->functions))
        return;
    pacl_list_remove(&x->link);
    free_execution(x);
}

/* NOLINTBEGIN(misc-no-recursion): as in order.c */
/* When memory is short the stream does it all itself: an order too many overlooks a mistake, one too few would make one
 * up. */
struct giver {
    struct pacl_execution_order *execution; /* NULL: none */
    struct pacl_order_stream *stream;
};

static void give(void *context, uint32_t lane, const struct pacl_work *task, const void *place)
{
    const struct giver *giver = context;
    pacl_order_give(giver->execution != NULL ? &giver->execution->lanes[lane] : giver->stream, task, place);
}

void pacl_execution_begin(struct pacl_order_stream *s, const struct pacl_work *work, const struct pacl_site *site)
{
    struct giver giver = { .execution = new_execution(s, work, site), .stream = s };
    pacl_graph_each_task(work, give, &giver);
    struct pacl_execution_order *x = giver.execution;
    if (x == NULL)
        return;
    const struct pacl_work end = { .call = work->call, .op = PACL_OP_GRAPH_END };
    pacl_order_give(&x->lanes[0], &end, site);
    if (x->is_settled) {
        shrink(x);
    } else {
        x->is_awaited = true;
        pacl_order_begin_wait(s, work, site);
    }
}

void pacl_execution_record(struct pacl_order_stream *lane, const struct pacl_work *work)
{
    struct pacl_execution_order *x = lane->execution;
    if (x == NULL)
        return;
    struct pacl_moment *record = &x->records[work->event.number];
    *record = pacl_clock_mark(lane->slot);
    for (uint32_t i = 0; i < x->graph->lane_count; i++) {
        struct pacl_order_stream *other = &x->lanes[i];
        if (!other->waits || other->wait.op != PACL_OP_GRAPH_JOIN || other->wait.event.number != work->event.number)
            continue;
        pacl_clock_learn(other->slot, record);
        pacl_order_end_wait(other);
    }
}

void pacl_execution_join(struct pacl_order_stream *lane, const struct pacl_work *work, const struct pacl_site *site)
{
    const struct pacl_execution_order *x = lane->execution;
    if (x == NULL)
        return;
    const struct pacl_moment *record = &x->records[work->event.number];
    if (record->at.tick != 0)
        pacl_clock_learn(lane->slot, record);
    else
        pacl_order_begin_wait(lane, work, site);
}

void pacl_execution_over(const struct pacl_order_stream *lane)
{
    struct pacl_execution_order *x = lane->execution;
    if (x == NULL)
        return;
    struct pacl_moment end = pacl_clock_mark(lane->slot);
    pacl_clock_learn(x->on->slot, &end);
    x->strand->end = end.at;
    x->strand->busy = false;
    pacl_moment_drop(&end);
    for (uint32_t i = 0; i < x->task_count; i++)
        pacl_moment_drop(&x->records[i]);
    x->is_settled = true;
    if (x->is_awaited)
        pacl_order_end_wait(x->on);
}

/* A lane that waits, for something outside of the graph if one does. */
static struct pacl_order_stream *waiting_lane(const struct pacl_execution_order *x)
{
    struct pacl_order_stream *found = NULL;
    for (uint32_t i = 0; x->lanes != NULL && i < x->graph->lane_count; i++) {
        if (x->lanes[i].waits && (found == NULL || found->wait.op == PACL_OP_GRAPH_JOIN))
            found = &x->lanes[i];
    }
    return found;
}

/* Waits that have not ended by now were dropped with their tasks. */
static void end(struct pacl_execution_order *x)
{
    struct pacl_order_stream *lane;
    while ((lane = waiting_lane(x)) != NULL)
        pacl_order_end_wait(lane);
    pacl_order_drop_functions(&x->functions);
    pacl_list_remove(&x->link);
    free_execution(x);
}
/* NOLINTEND(misc-no-recursion) */

static struct pacl_execution_order *find(const struct graph_order *g, const struct pacl_execution *execution)
{
    PACL_LIST_EACH(node, &g->executions)
    {
        struct pacl_execution_order *x = PACL_CONTAINER(node, struct pacl_execution_order, link);
        if (x->of == execution)
            return x;
    }
    return NULL;
}

static struct graph_order *known_graph(const struct pacl_graph *graph)
{
    return graph->object.index < graph_room ? graphs[graph->object.index] : NULL;
}

void pacl_execution_end(const struct pacl_work *work)
{
    const struct graph_order *g = known_graph(pacl_graph_of(work));
    struct pacl_execution_order *x = g != NULL ? find(g, work->graph.execution) : NULL;
    if (x != NULL)
        end(x);
}

/* Its destruction succeeds only when all executions are over. */
void pacl_execution_graph_ends(const struct pacl_graph *graph)
{
    struct graph_order *g = known_graph(graph);
    if (g == NULL)
        return;
    graphs[graph->object.index] = NULL;
    while (!pacl_list_empty(&g->executions))
        end(PACL_CONTAINER(g->executions.next, struct pacl_execution_order, link));
    while (g->strands != NULL) {
        struct strand *gone = g->strands;
        g->strands = gone->next;
        for (uint32_t i = 0; i < g->lane_count; i++) {
            struct pacl_moment moment = pacl_clock_mark(gone->slots[i]);
            pacl_host_learn(&moment);
            pacl_moment_drop(&moment);
            pacl_clock_close(gone->slots[i]);
        }
        free(gone);
    }
    forget_graph(g);
}

/* --- questions --------------------------------------------------------------------------------------------------- */

struct pacl_list *pacl_execution_functions(const struct pacl_order_stream *lane)
{
    return &lane->execution->functions;
}

static struct pacl_execution_order *find_running(const struct pacl_stream *inner, uint32_t *lane)
{
    const uint32_t slot = inner->object.index;
    const struct graph_order *g = slot < inner_room ? inners[slot].graph : NULL;
    if (g == NULL)
        return NULL;
    *lane = inners[slot].lane;
    return find(g, pacl_graph_running(g->graph));
}

struct pacl_list *pacl_execution_running_functions(const struct pacl_stream *inner, uint32_t *lane)
{
    struct pacl_execution_order *x = find_running(inner, lane);
    return x != NULL ? &x->functions : NULL;
}

struct pacl_order_stream *pacl_execution_running_lane(const struct pacl_stream *inner)
{
    uint32_t lane;
    const struct pacl_execution_order *x = find_running(inner, &lane);
    return x != NULL && x->lanes != NULL ? &x->lanes[lane] : NULL;
}

struct pacl_order_stream *pacl_execution_holder(const struct pacl_order_stream *s)
{
    if (s->run != NULL)
        return s->wait.op == PACL_OP_GRAPH_JOIN ? waiting_lane(s->execution) : NULL;
    if (s->wait.op != PACL_OP_GRAPH)
        return NULL;
    const struct graph_order *g = known_graph(pacl_graph_of(&s->wait));
    const struct pacl_execution_order *x = g != NULL ? find(g, s->wait.graph.execution) : NULL;
    return x != NULL ? waiting_lane(x) : NULL;
}

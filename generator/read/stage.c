// Finds the stage of each system: where in its node it runs, before the node's children, between two or after all.
//
// A stage is a node and the last node that runs before it: the node itself, or the last one inside a child. `first`,
// `last` and the nodes in `before` and `after` limit the stage of a system from both sides. A system is in the earliest
// stage that its limits and its predecessors in the same node allow.
//
// Invariant: earliest and latest of a draft are numbers of its node, or of nodes inside it. Cost: proportional to the
// number of orders; while systems follow systems of a later stage, once for each link of the longest chain.
#include "generator/read/internal.h"

static const char no_limit[] = "";

static void limit_by_phase(system_draft *draft)
{
    const schedule_node *node = draft->system.node;
    draft->earliest = draft->phase == PHASE_LAST ? node->last : node->number;
    draft->latest = draft->phase == PHASE_FIRST ? node->number : node->last;
    draft->earliest_by = (stage_limit){no_limit, draft->phase_span};
    draft->latest_by = (stage_limit){no_limit, draft->phase_span};
}

// ---- nodes in `before` and `after`

static const char *verb_of(const node_order *order)
{
    return order->is_after ? "after" : "before";
}

static void report_containing(reader *reader, const system_draft *draft, const node_order *order)
{
    bool is_own = order->node == draft->system.node;
    diagnostic_error(reader->diagnostics, CODE_ORDER_AGAINST_SCHEDULE, order->span,
                     "%s cannot run %s node '%s', which contains it", draft->what, verb_of(order), order->node->name);
    if (is_own)
        diagnostic_hint(reader->diagnostics, "use '%s: true'", order->is_after ? "last" : "first");
    diagnostic_note(reader->diagnostics, draft->node_span, "'%s' is in node '%s' here", draft->system.name,
                    draft->system.node->name);
}

bool stage_report_manual(reader *reader, const schedule_node *earlier, const schedule_node *later, span span)
{
    const schedule_node *root = schema_node_root(earlier);
    const schedule_node *other = schema_node_root(later);
    const schedule_node *manual = root->is_manual ? root : other;
    if (root == other || !manual->is_manual)
        return false;
    diagnostic_error(reader->diagnostics, CODE_ORDER_AGAINST_SCHEDULE, span,
                     "nothing orders node '%s' and node '%s': the program runs '%s', which is manual", root->name,
                     other->name, manual->name);
    diagnostic_hint(reader->diagnostics, "remove the order, and call the functions of the world in that order");
    return true;
}

// Returns whether the schedule has the order of a node that is not inside the system's node. Reports an error if not.
static bool check_outside(reader *reader, const system_draft *draft, const node_order *order)
{
    const schedule_node *own = draft->system.node;
    const schedule_node *earlier = order->is_after ? order->node : own;
    const schedule_node *later = order->is_after ? own : order->node;
    if (schema_node_is_within(own, order->node))
        report_containing(reader, draft, order);
    else if (stage_report_manual(reader, earlier, later, order->span))
        return false;
    else if (earlier->number < later->number)
        return true;
    else
        diagnostic_error(reader->diagnostics, CODE_ORDER_AGAINST_SCHEDULE, order->span,
                         "%s cannot run %s node '%s': node '%s' runs after node '%s'", draft->what, verb_of(order),
                         order->node->name, earlier->name, later->name);
    return false;
}

// Returns the child of the outer node that is the inner node, or contains it.
static const schedule_node *child_with(const schedule_node *outer, const schedule_node *inner)
{
    while (inner->parent != outer)
        inner = inner->parent;
    return inner;
}

// Returns whether the order can hold.
static bool limit_by_node(reader *reader, system_draft *draft, const node_order *order)
{
    const schedule_node *own = draft->system.node;
    if (order->node == own || !schema_node_is_within(order->node, own))
        return check_outside(reader, draft, order);
    const schedule_node *child = child_with(own, order->node);
    stage_limit limit = {order->node->name, order->span};
    if (order->is_after && child->last > draft->earliest) {
        draft->earliest = child->last;
        draft->earliest_by = limit;
    } else if (!order->is_after && child->number - 1 < draft->latest) {
        draft->latest = child->number - 1;
        draft->latest_by = limit;
    }
    return true;
}

// ---- systems in `before` and `after`

// Moves the later system of an order to the stage of the earlier one. Returns whether that moved it.
static bool limit_by_order(const system_order *order)
{
    const system_draft *earlier = order->earlier;
    system_draft *later = order->later;
    bool is_of_node = earlier->system.node != NULL && earlier->system.node == later->system.node;
    if (!is_of_node || earlier->phase > later->phase || earlier->earliest <= later->earliest)
        return false;
    later->earliest = earlier->earliest;
    later->earliest_by = (stage_limit){earlier->system.name, order->span};
    return true;
}

// Repeats until no system moves. Stages only become later, so that also a cycle of orders comes to an end.
static void limit_by_orders(system_draft *const *systems, size_t count)
{
    bool is_moved = true;
    while (is_moved) {
        is_moved = false;
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < systems[i]->order_count; k++)
                is_moved = limit_by_order(&systems[i]->orders[k]) || is_moved;
    }
}

// ---- limits that exclude each other

static const char *limit_text(reader *reader, const stage_limit *limit, const char *verb, const char *phase)
{
    return limit->name == no_limit ? arena_format(reader->arena, "be '%s'", phase)
                                   : arena_format(reader->arena, "run %s '%s'", verb, limit->name);
}

static void report_limits(reader *reader, const system_draft *draft)
{
    const char *after = limit_text(reader, &draft->earliest_by, "after", "last");
    const char *before = limit_text(reader, &draft->latest_by, "before", "first");
    diagnostic_error(reader->diagnostics, CODE_ORDER_AGAINST_SCHEDULE, draft->earliest_by.span,
                     "%s cannot both %s and %s in node '%s'", draft->what, after, before, draft->system.node->name);
    diagnostic_note(reader->diagnostics, draft->latest_by.span, "it must %s here", before);
}

bool stage_systems(reader *reader, system_draft *const *systems, size_t count)
{
    bool is_consistent = true;
    for (size_t i = 0; i < count; i++) {
        limit_by_phase(systems[i]);
        for (size_t k = 0; k < systems[i]->node_order_count; k++)
            is_consistent = limit_by_node(reader, systems[i], &systems[i]->node_orders[k]) && is_consistent;
    }
    limit_by_orders(systems, count);
    for (size_t i = 0; i < count; i++) {
        system_draft *draft = systems[i];
        if (draft->earliest > draft->latest)
            report_limits(reader, draft);
        is_consistent = is_consistent && draft->earliest <= draft->latest;
        draft->system.after = reader->package->nodes[draft->earliest];
    }
    return is_consistent;
}

int stage_compare(const declared_system *a, const declared_system *b)
{
    if (a->after != b->after)
        return a->after->number < b->after->number ? -1 : 1;
    // After one node, the systems of inner nodes run before those of outer ones.
    return (b->node->number > a->node->number) - (b->node->number < a->node->number);
}

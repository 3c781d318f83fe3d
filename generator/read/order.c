// Sorts systems by stage, then by phase, then by `before` and `after`, then by position in the files.
//
// Of the systems whose predecessors are all sorted, the first by stage, phase and position comes next, so a schema
// already in a valid order keeps it. If no system is ready, the orders form a cycle: it is reported, one of its orders
// is dropped, and sorting continues. A heap holds the ready systems: n systems with m orders cost O(n log n + m).
//
// Invariants, asserted:
//   1. Each system is popped from the heap at most once, so sorted_count is at most count.
//   2. A ready system has no unsorted predecessor; a system's waiting count never falls below 0.
//   3. While the sort is stuck, each unsorted system waits for an unsorted predecessor.
#include "generator/read/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <stdlib.h>

typedef struct order {
    reader *reader;
    system_draft **systems; // sorted by stage, phase and position
    size_t count;
    system_draft **ready; // min-heap by place
    size_t ready_count;
    system_draft **sorted;
    size_t sorted_count;
    size_t first_unsorted; // all systems before this index are sorted
    size_t walk;           // number of the latest cycle search, which marks systems with it
    bool is_consistent;
} order;

static int compare(const void *a, const void *b)
{
    const system_draft *left = *(system_draft *const *)a;
    const system_draft *right = *(system_draft *const *)b;
    int stages = stage_compare(&left->system, &right->system);
    if (stages != 0)
        return stages;
    if (left->phase != right->phase)
        return left->phase < right->phase ? -1 : 1;
    return span_compare(left->system.span, right->system.span);
}

// ---- orders that contradict stages or phases

static void report_stages(reader *reader, const system_order *order)
{
    const system_draft *earlier = order->earlier;
    const system_draft *later = order->later;
    if (schema_node_is_within(later->system.node, earlier->system.node))
        diagnostic_error(reader->diagnostics, CODE_ORDER_AGAINST_SCHEDULE, order->span,
                         "%s cannot run before '%s': it runs after a child of its node that contains '%s'",
                         earlier->what, later->system.name, later->system.name);
    else
        diagnostic_error(reader->diagnostics, CODE_ORDER_AGAINST_SCHEDULE, order->span,
                         "%s cannot run before '%s': node '%s' runs after node '%s'", earlier->what, later->system.name,
                         earlier->system.node->name, later->system.node->name);
    diagnostic_note(reader->diagnostics, earlier->node_span, "'%s' is in node '%s' here", earlier->system.name,
                    earlier->system.node->name);
    diagnostic_note(reader->diagnostics, later->node_span, "'%s' is in node '%s' here", later->system.name,
                    later->system.node->name);
}

static void report_phases(reader *reader, const system_order *order)
{
    bool is_last = order->earlier->phase == PHASE_LAST;
    const system_draft *reason = is_last ? order->earlier : order->later;
    const char *phase = is_last ? "last" : "first";
    diagnostic_error(reader->diagnostics, CODE_ORDER_AGAINST_SCHEDULE, order->span,
                     "%s cannot run before '%s': '%s' is %s in node '%s'", order->earlier->what,
                     order->later->system.name, reason->system.name, phase, reason->system.node->name);
    diagnostic_note(reader->diagnostics, reason->phase_span, "'%s' is %s here", reason->system.name, phase);
}

// Returns whether nodes, stages and phases allow the order; reports an error if not.
static bool check_order(reader *reader, const system_order *order)
{
    const system_draft *earlier = order->earlier;
    const system_draft *later = order->later;
    bool is_of_node = earlier->system.node == later->system.node;
    if (stage_report_manual(reader, earlier->system.node, later->system.node, order->span))
        return false;
    if (is_of_node && earlier->phase > later->phase)
        report_phases(reader, order);
    else if (!is_of_node && stage_compare(&earlier->system, &later->system) > 0)
        report_stages(reader, order);
    else
        return true;
    return false;
}

// ---- predecessors and successors

static void count_orders(order *order, system_draft *draft)
{
    for (size_t i = 0; i < draft->order_count; i++) {
        system_order *each = &draft->orders[i];
        each->is_dropped = each->earlier->system.node == NULL || each->later->system.node == NULL;
        if (each->is_dropped)
            continue;
        each->is_dropped = !check_order(order->reader, each);
        order->is_consistent = order->is_consistent && !each->is_dropped;
        each->earlier->successors.count += !each->is_dropped;
        each->later->predecessors.count += !each->is_dropped;
    }
}

static void make_room(order *order, system_orders *orders)
{
    orders->items = arena_allocate(order->reader->arena, (orders->count + 1) * sizeof(system_order *));
    orders->count = 0;
}

static void link_orders(system_draft *draft)
{
    for (size_t i = 0; i < draft->order_count; i++) {
        system_order *each = &draft->orders[i];
        if (each->is_dropped)
            continue;
        each->earlier->successors.items[each->earlier->successors.count++] = each;
        each->later->predecessors.items[each->later->predecessors.count++] = each;
        each->later->waiting++;
    }
}

static void link_systems(order *order)
{
    for (size_t i = 0; i < order->count; i++)
        count_orders(order, order->systems[i]);
    for (size_t i = 0; i < order->count; i++) {
        make_room(order, &order->systems[i]->successors);
        make_room(order, &order->systems[i]->predecessors);
    }
    for (size_t i = 0; i < order->count; i++)
        link_orders(order->systems[i]);
}

// ---- the heap of ready systems

static void swap(system_draft **ready, size_t a, size_t b)
{
    system_draft *kept = ready[a];
    ready[a] = ready[b];
    ready[b] = kept;
}

static void push(order *order, system_draft *draft)
{
    assert(order->ready_count < order->count);
    size_t child = order->ready_count++;
    order->ready[child] = draft;
    for (; child > 0 && order->ready[(child - 1) / 2]->place > order->ready[child]->place; child = (child - 1) / 2)
        swap(order->ready, child, (child - 1) / 2);
}

static system_draft *pop(order *order)
{
    system_draft **ready = order->ready;
    system_draft *least = ready[0];
    assert(order->ready_count > 0);
    size_t count = --order->ready_count;
    ready[0] = ready[count];
    for (size_t parent = 0, child = 1; child < count; parent = child, child = 2 * child + 1) {
        if (child + 1 < count && ready[child + 1]->place < ready[child]->place)
            child++;
        if (ready[parent]->place < ready[child]->place)
            break;
        swap(ready, parent, child);
    }
    return least;
}

static void release(order *order, system_draft *draft)
{
    assert(draft->waiting > 0); // 2
    if (--draft->waiting == 0)
        push(order, draft);
}

static void place_ready(order *order)
{
    while (order->ready_count > 0) {
        system_draft *next = pop(order);
        assert(next->seen != SIZE_MAX && order->sorted_count < order->count); // 1
        order->sorted[order->sorted_count++] = next;
        next->seen = SIZE_MAX;
        for (size_t i = 0; i < next->successors.count; i++)
            if (!next->successors.items[i]->is_dropped)
                release(order, next->successors.items[i]->later);
    }
}

// ---- cycles

// Returns an order by which the draft waits for an unsorted system. Each unsorted system has one while the sort is
// stuck.
static system_order *find_waiting(const system_draft *draft)
{
    size_t i = 0;
    while (draft->predecessors.items[i]->is_dropped || draft->predecessors.items[i]->earlier->seen == SIZE_MAX)
        i++;
    assert(i < draft->predecessors.count); // 3
    return draft->predecessors.items[i];
}

// Returns the first system, by place, of a cycle. Following find_waiting from any unsorted system leads into a cycle.
static system_draft *find_cycle(order *order)
{
    while (order->systems[order->first_unsorted]->seen == SIZE_MAX)
        order->first_unsorted++;
    system_draft *draft = order->systems[order->first_unsorted];
    for (order->walk++; draft->seen != order->walk; draft = find_waiting(draft)->earlier)
        draft->seen = order->walk;
    system_draft *first = draft;
    for (system_draft *each = find_waiting(draft)->earlier; each != draft; each = find_waiting(each)->earlier)
        if (each->place < first->place)
            first = each;
    return first;
}

// Drops all orders between the two systems: `before` and `after` may declare the same order twice.
static void drop(order *order, const system_draft *earlier, system_draft *later)
{
    for (size_t i = 0; i < earlier->successors.count; i++) {
        system_order *each = earlier->successors.items[i];
        if (each->later != later || each->is_dropped)
            continue;
        each->is_dropped = true;
        release(order, later);
    }
}

// Returns the orders of the cycle that contains `first`, starting with the order whose `earlier` is `first`.
static system_orders cycle_from(order *order, const system_draft *first)
{
    system_orders cycle = {.count = 0};
    const system_draft *each = first;
    do {
        each = find_waiting(each)->earlier;
        cycle.count++;
    } while (each != first);
    cycle.items = arena_allocate(order->reader->arena, cycle.count * sizeof(system_order *));
    for (size_t i = cycle.count; i-- > 0; each = cycle.items[i]->earlier)
        cycle.items[i] = find_waiting(each);
    return cycle;
}

static void break_cycle(order *order)
{
    diagnostics *diagnostics = order->reader->diagnostics;
    system_draft *first = find_cycle(order);
    system_orders cycle = cycle_from(order, first);
    text names = text_create(order->reader->arena);
    for (size_t i = 0; i < cycle.count; i++)
        text_append_format(&names, "%s -> ", cycle.items[i]->earlier->system.name);
    diagnostic_error(diagnostics, CODE_ORDER_CYCLE, cycle.items[0]->span, "%s cannot run before itself: %s%s",
                     first->what, names.bytes, first->system.name);
    for (size_t i = 1; i < cycle.count; i++)
        diagnostic_note(diagnostics, cycle.items[i]->span, "'%s' is ordered before '%s' here",
                        cycle.items[i]->earlier->system.name, cycle.items[i]->later->system.name);
    order->is_consistent = false;
    drop(order, first, cycle.items[0]->later);
}

// ---- sorting

static int compare_places(const void *a, const void *b)
{
    size_t left = (*(system_order *const *)a)->earlier->place;
    size_t right = (*(system_order *const *)b)->earlier->place;
    return (left > right) - (left < right);
}

static void publish(order *order)
{
    for (size_t i = 0; i < order->count; i++) {
        order->systems[i] = order->sorted[i];
        order->systems[i]->place = i;
        order->systems[i]->seen = 0;
    }
    for (size_t i = 0; i < order->count; i++) {
        system_draft *draft = order->systems[i];
        qsort(draft->predecessors.items, draft->predecessors.count, sizeof *draft->predecessors.items, compare_places);
        const declared_system **list =
            arena_allocate(order->reader->arena, (draft->predecessors.count + 1) * sizeof *list);
        draft->system.predecessors = list;
        for (size_t k = 0; k < draft->predecessors.count; k++)
            if (k == 0 || draft->predecessors.items[k]->earlier != draft->predecessors.items[k - 1]->earlier)
                list[draft->system.predecessor_count++] = &draft->predecessors.items[k]->earlier->system;
    }
}

bool order_systems(reader *reader, system_draft **systems, size_t count)
{
    order order = {.reader = reader, .systems = systems, .count = count};
    order.ready = arena_allocate(reader->arena, (count + 1) * sizeof *order.ready);
    order.sorted = arena_allocate(reader->arena, (count + 1) * sizeof *order.sorted);
    order.is_consistent = stage_systems(reader, systems, count);
    qsort(systems, count, sizeof *systems, compare);
    for (size_t i = 0; i < count; i++)
        systems[i]->place = i;
    link_systems(&order);
    for (size_t i = 0; i < count; i++)
        if (systems[i]->waiting == 0)
            push(&order, systems[i]);
    for (place_ready(&order); order.sorted_count < count && reader_is_hinting(reader); place_ready(&order))
        break_cycle(&order);
    bool is_consistent = order.is_consistent && order.sorted_count == count;
    if (is_consistent)
        publish(&order);
    return is_consistent;
}

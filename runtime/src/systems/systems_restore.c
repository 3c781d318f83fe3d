#include "systems/systems_restore.h"

#include "base/base.h"

// ---- nodes

static const char *name_of(const kin__node *node)
{
    return node->nested != NULL ? node->nested->name : node->name;
}

static uint32_t name_size(const kin__node *node)
{
    return name_of(node) == NULL ? 0 : (uint32_t)strlen(name_of(node)) + 1;
}

kin_collector *kin__node_collector(const kin__node *node, uint32_t number)
{
    uint32_t own = node->reactive.collector != NULL;
    if (number < own)
        return node->reactive.collector;
    return node->type == NULL || node->type->collector == NULL ? NULL
                                                               : node->type->collector(node->object, number - own);
}

bool kin__nodes_visit(kin_systems *systems, kin__state *state, bool (*function)(kin__node *node, kin__state *state))
{
    KIN_ASSERT(!systems->removing);
    for (kin__node *node = systems->first; node != NULL; node = node->next) {
        if (!function(node, state))
            return false;
        state->depth++;
        if (node->nested != NULL && !kin__nodes_visit(node->nested, state, function))
            return false;
        state->depth--;
    }
    return true;
}

static bool set_scope(kin__node *node, kin__state *state)
{
    kin_collector *collector = NULL;
    for (uint32_t i = 0; (collector = kin__node_collector(node, i)) != NULL; i++)
        kin__collector_set_scope(collector, state->node_count > 0);
    return true;
}

void kin__systems_set_scope(kin_systems *systems, bool is_in_scope)
{
    kin__nodes_visit(systems, &(kin__state){.node_count = is_in_scope}, set_scope);
}

// ---- clocks

void kin__clock_save(const kin_systems *systems, kin__saved_clock *saved)
{
    const kin__fixed_step *step = systems->fixed_step;
    *saved = (kin__saved_clock){.time = systems->time, .frame = systems->frame, .tick = systems->tick};
    if (step == NULL)
        return;
    KIN_ASSERT(step->due == 0); // only during a run
    saved->accumulated = step->accumulated;
    saved->origin = step->origin;
    saved->dropped = step->dropped;
    saved->steps = step->steps;
    saved->step_frame = step->frame;
}

void kin__clock_restore(kin_systems *systems, const kin__saved_clock *saved)
{
    kin__fixed_step *step = systems->fixed_step;
    systems->time = saved->time;
    systems->frame = saved->frame;
    systems->tick = saved->tick;
    if (step == NULL)
        return;
    step->accumulated = saved->accumulated;
    step->origin = saved->origin;
    step->dropped = saved->dropped;
    step->steps = saved->steps;
    step->frame = saved->step_frame;
    step->due = 0;
}

// ---- saving

// Returns the number of the part of a context; KIN__NOT_SAVED: the snapshot has none.
static uint64_t part_of(const kin__state *state, const kin_context *context)
{
    for (uint32_t i = 0; i < state->part_count; i++)
        if (state->parts[i]->context == context)
            return i;
    return KIN__NOT_SAVED;
}

// Writes which source collects in which context.
static uint64_t *save_sources(const kin_collector *collector, kin__state *state)
{
    kin__state_put_count(state, collector->source_count);
    uint64_t *parts = kin__state_take(state, collector->source_count * sizeof *parts);
    for (uint32_t i = 0; parts != NULL && i < collector->source_count; i++)
        parts[i] = part_of(state, collector->sources[i].context);
    return parts;
}

// Writes what is collected in contexts of the snapshot.
static void save_collector(kin_collector *collector, kin__state *state)
{
    uint32_t count = kin_collector_count(collector), kept = 0;
    const uint64_t *parts = save_sources(collector, state);
    uint64_t *saved = kin__state_take(state, sizeof *saved);
    kin__saved_entry *entries = kin__state_take(state, count * sizeof *entries);
    if (saved == NULL)
        return;
    if (count > 0)
        kin__collector_save(collector, entries);
    for (uint32_t i = 0; i < count; i++)
        if (parts[entries[i].source] != KIN__NOT_SAVED)
            entries[kept++] = entries[i];
    state->size -= (count - kept) * sizeof *entries;
    *saved = kept;
}

static uint32_t flags_of(const kin__node *node)
{
    uint32_t flags = node->enabled ? KIN__SAVED_ENABLED : 0;
    flags |= node->reactive.deactivated ? KIN__SAVED_DEACTIVATED : 0;
    flags |= node->nested != NULL ? KIN__SAVED_COLLECTION : 0;
    return flags | (node->nested != NULL && node->nested->fixed_step != NULL ? KIN__SAVED_FIXED_STEP : 0);
}

static bool save_node(kin__node *node, kin__state *state)
{
    size_t begin = state->size;
    kin__saved_node saved = {.depth = state->depth, .flags = flags_of(node), .kind = kin__node_kind(node)};
    kin_collector *collector = NULL;
    unsigned char *place = kin__state_take(state, sizeof saved);
    saved.name_size = name_size(node);
    kin__state_put(state, name_of(node), saved.name_size);
    if (node->nested != NULL) {
        kin__saved_clock clock;
        kin__clock_save(node->nested, &clock);
        kin__state_put(state, &clock, sizeof clock);
    }
    for (; (collector = kin__node_collector(node, saved.collector_count)) != NULL; saved.collector_count++)
        save_collector(collector, state);
    saved.added = state->size - begin;
    if (node->type != NULL && node->type->save != NULL)
        node->type->save(node->object, &saved, state);
    saved.size = state->size - begin;
    if (place != NULL)
        memcpy(place, &saved, sizeof saved);
    state->node_count++;
    return true;
}

void kin__systems_save(kin_systems *systems, kin__state *state)
{
    kin__nodes_visit(systems, state, save_node);
}

// ---- restoring

static const kin__saved_node *saved_at(const kin__state *state)
{
    return (const kin__saved_node *)(const void *)(state->bytes + state->size);
}

static bool match_node(kin__node *node, kin__state *state)
{
    static const uint32_t shape = KIN__SAVED_COLLECTION | KIN__SAVED_FIXED_STEP;
    if (state->node_count == 0)
        return false;
    const kin__saved_node *saved = saved_at(state);
    state->node_count--;
    state->size += (size_t)saved->size;
    return saved->depth == state->depth && saved->kind == (uint32_t)kin__node_kind(node) &&
           (saved->flags & shape) == (flags_of(node) & shape) && saved->name_size == name_size(node) &&
           (saved->name_size == 0 || memcmp(saved + 1, name_of(node), saved->name_size) == 0);
}

bool kin__systems_match(kin_systems *systems, kin__state *state)
{
    return kin__nodes_visit(systems, state, match_node) && state->node_count == 0;
}

static bool reserve_node(kin__node *node, kin__state *state)
{
    const kin__saved_node *saved = saved_at(state);
    kin__state added = *state;
    added.size += (size_t)saved->added;
    state->size += (size_t)saved->size;
    return node->type == NULL || node->type->reserve == NULL || node->type->reserve(node->object, saved, &added);
}

bool kin__systems_reserve(kin_systems *systems, kin__state *state)
{
    return kin__nodes_visit(systems, state, reserve_node);
}

static void restore_collectors(kin__node *node, kin__state *state)
{
    kin_collector *collector = NULL;
    for (uint32_t i = 0; (collector = kin__node_collector(node, i)) != NULL; i++) {
        kin__saved_collected saved = kin__state_take_collected(state);
        kin__collector_restore(collector, saved.entries, saved.count);
    }
}

static bool restore_node(kin__node *node, kin__state *state)
{
    const kin__saved_node *saved = saved_at(state);
    size_t end = state->size + (size_t)saved->size;
    kin__state_take(state, sizeof *saved);
    kin__state_take(state, saved->name_size);
    node->enabled = (saved->flags & KIN__SAVED_ENABLED) != 0;
    node->reactive.deactivated = (saved->flags & KIN__SAVED_DEACTIVATED) != 0;
    if (node->nested != NULL)
        kin__clock_restore(node->nested, kin__state_take(state, sizeof(kin__saved_clock)));
    restore_collectors(node, state);
    if (node->type != NULL && node->type->restore != NULL)
        node->type->restore(node->object, saved, state);
    KIN_ASSERT(state->size == end);
    state->size = end;
    return true;
}

void kin__systems_restore(kin_systems *systems, kin__state *state)
{
    kin__nodes_visit(systems, state, restore_node);
}

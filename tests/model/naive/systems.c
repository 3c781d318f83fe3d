// One collection of systems: the cleanup systems in a collection of their own, and reactive systems that are added and
// removed.

#include "naive.h"

#include <check.h>

enum { NAME_DOOMED = MODEL_SYSTEMS, NAME_FADING, NAME_CLEANUP, NAME_UNUSED };

static void append(naive *naive, naive_node node)
{
    if (naive->node_count == NAIVE_NODES)
        ck_abort_msg("the model has too many systems");
    naive->nodes[naive->node_count++] = node;
}

// CLN-01: one for each component with cleanup, in order of name.
void naive_systems_begin(naive *naive)
{
    naive->cleanup_enabled = true;
    for (int32_t part = 0; part < MODEL_PARTS; part++)
        if (model_traits[part].cleanup != CLEANUP_NONE && (naive->package->parts & model_bit(part)) != 0)
            append(naive, (naive_node){.name = part == PART_DOOMED ? NAME_DOOMED : NAME_FADING,
                                       .enabled = true,
                                       .collector = -1,
                                       .part = part});
}

// SYS-05: the first one in order of adding.
static naive_node *find(naive *naive, int32_t name)
{
    for (uint32_t i = 0; i < naive->node_count; i++)
        if (naive->nodes[i].name == name && !naive->nodes[i].removed)
            return &naive->nodes[i];
    return NULL;
}

// SYS-08. Goes through all systems, as others may have collected meanwhile.
static void refresh(naive *naive)
{
    for (uint32_t i = 0; i < naive->node_count; i++) {
        const naive_node *node = &naive->nodes[i];
        if (node->collector >= 0)
            naive_set_active(naive, node->collector, node->enabled && !node->removed && !node->deactivated);
    }
}

// Outside of changes and runs no walk is on a node.
static void forget_removed(naive *naive)
{
    uint32_t kept = 0;
    if (naive->depth > 0 || naive->running > 0)
        return;
    for (uint32_t i = 0; i < naive->node_count; i++)
        if (naive->nodes[i].removed)
            naive->collectors[naive->nodes[i].collector].made = false;
        else
            naive->nodes[kept++] = naive->nodes[i];
    naive->node_count = kept;
}

static int32_t find_unused_collector(const naive *naive)
{
    int32_t number = MODEL_COLLECTORS;
    while (number < MODEL_COLLECTORS + NAIVE_NODES && naive->collectors[number].made)
        number++;
    if (number == MODEL_COLLECTORS + NAIVE_NODES)
        ck_abort_msg("the model has too many systems");
    return number;
}

static kin_status add(naive *naive, const model_operation *operation)
{
    int32_t matchers[] = {operation->value, operation->other}, events[] = {operation->event, KIN_ADDED};
    if (!naive_make_group(naive, matchers[0]) || !naive_make_group(naive, matchers[1]))
        return KIN_ERROR_LIMIT;
    forget_removed(naive);
    int32_t collector = find_unused_collector(naive);
    append(naive,
           (naive_node){
               .name = operation->number, .enabled = true, .filtered = operation->owner != 0, .collector = collector});
    naive_begin_collector(naive, collector, matchers, events);
    return KIN_OK;
}

// SYS-06.
static kin_status remove_system(naive *naive, int32_t name)
{
    naive_node *node = find(naive, name);
    if (node == NULL)
        return naive_refuse(naive, KIN_ERROR_INVALID, 0, MODEL_NO_PART);
    node->removed = true;
    refresh(naive);
    return KIN_OK;
}

static kin_status enable(naive *naive, int32_t name, bool enabled)
{
    naive_node *node = name == NAME_CLEANUP ? NULL : find(naive, name);
    if (node != NULL)
        node->enabled = enabled;
    else if (name == NAME_CLEANUP)
        naive->cleanup_enabled = enabled;
    else
        return naive_refuse(naive, KIN_ERROR_INVALID, 0, MODEL_NO_PART);
    if (node == NULL || node->collector >= 0)
        refresh(naive);
    return KIN_OK;
}

// ---- running

static bool passes(naive *naive, const naive_node *node, kin_entity entity)
{
    if (!node->filtered)
        return naive_find(naive, entity) != NULL; // RSY-05
    return model_ask(naive->side, (model_record){.kind = MODEL_ASKED, .number = node->name, .entity = entity});
}

// RSY-02 to RSY-04.
static void run_reactive(naive *naive, uint32_t number)
{
    naive_node *node = &naive->nodes[number];
    naive_entries *collected = &naive->collectors[node->collector].collected, taken = *collected;
    bool passed[NAIVE_ENTRIES];
    uint32_t left = 0;
    if (node->running > 0 || collected->count == 0) // RSY-10
        return;
    node->running++;
    collected->count = 0;
    for (uint32_t i = 0; i < taken.count; i++) {
        passed[i] = passes(naive, node, taken.entries[i]);
        left += passed[i];
    }
    for (uint32_t i = 0; i < taken.count; i++)
        if (!passed[i])
            naive_end_hold(naive, taken.entries[i]);
    for (uint32_t i = 0; i < taken.count; i++)
        if (passed[i])
            model_log(naive->side,
                      (model_record){.kind = MODEL_EXECUTED, .number = node->name, .entity = taken.entries[i]});
    if (left > 0)
        model_call(naive->side, (model_record){.kind = MODEL_EXECUTED, .number = node->name, .value = (int32_t)left});
    for (uint32_t i = 0; i < taken.count; i++)
        if (passed[i])
            naive_end_hold(naive, taken.entries[i]);
    node->running--;
}

// CLN-02; FND-20.
static bool needs_cleanup(const naive *naive, const naive_slot *slot, int32_t part)
{
    return (slot->parts & model_bit(part)) != 0 && !naive_is_off(naive, slot);
}

// CLN-03.
static void clean(naive *naive, int32_t part)
{
    kin_entity list[MODEL_SLOTS];
    uint32_t count = 0;
    uint64_t life = naive->life;
    for (uint32_t i = 0; i < naive->touched; i++)
        if (naive->slots[i].alive && needs_cleanup(naive, &naive->slots[i], part))
            list[count++] = naive->slots[i].entity;
    for (uint32_t i = 0; i < count && naive->life == life; i++) {
        const naive_slot *slot = naive_find(naive, list[i]);
        if (slot == NULL || !needs_cleanup(naive, slot, part))
            continue;
        if (model_traits[part].cleanup == CLEANUP_REMOVES)
            naive_remove(naive, list[i], part);
        else if (!slot->leaving)
            naive_destroy(naive, list[i]);
    }
}

// SYS-01, SYS-04, SYS-07: in order of adding; a system added meanwhile waits.
static void run(naive *naive, bool cleanup)
{
    uint32_t count = naive->node_count;
    naive->running++;
    for (uint32_t i = 0; i < count; i++) {
        const naive_node *node = &naive->nodes[i];
        if (node->removed || !node->enabled)
            continue;
        if (node->collector >= 0 && !cleanup)
            run_reactive(naive, i);
        if (node->collector < 0 && cleanup && naive->cleanup_enabled)
            clean(naive, node->part);
    }
    naive->running--;
}

// SYS-06, SYS-08: a removed system whose collector is still releasing is cleared like the others; any other is empty.
static void clear_all(naive *naive)
{
    for (uint32_t i = 0; i < naive->node_count; i++)
        if (naive->nodes[i].collector >= 0)
            naive_clear(naive, naive->nodes[i].collector);
}

kin_status naive_systems(naive *naive, const model_operation *operation)
{
    switch (operation->code) {
    case MODEL_ADD_SYSTEM:
        return add(naive, operation);
    case MODEL_REMOVE_SYSTEM:
        return remove_system(naive, operation->number);
    case MODEL_ENABLE_SYSTEM:
        return enable(naive, operation->number, operation->owner != 0);
    case MODEL_EXECUTE:
    case MODEL_CLEANUP:
        run(naive, operation->code == MODEL_CLEANUP);
        return KIN_OK;
    case MODEL_CLEAR_ALL:
        clear_all(naive);
        return KIN_OK;
    default:
        for (uint32_t i = 0; i < naive->node_count; i++)
            naive->nodes[i].deactivated = operation->code == MODEL_DEACTIVATE_ALL;
        refresh(naive);
        return KIN_OK;
    }
}

// What a frame does not say of systems stays as it is: their state, in the form of blocks that were read.
#include "play/made.h"
#include "snapshot/snapshot.h"
#include "world/world.h"

#include <string.h>

// Returns the number in the file of the context in which a source of a collector collects.
static uint32_t number_of(const kin__made_moment *made, const kin_collector *collector, uint64_t source)
{
    for (uint32_t i = 0; i < made->count; i++)
        if (made->contexts[i].context == collector->sources[source].context)
            return made->contexts[i].number;
    return UINT32_MAX;
}

static bool keep_collected(kin__made_moment *made, const kin_collector *collector, kin__state *state,
                           kin__read_collected *to)
{
    kin__saved_collected saved = kin__state_take_collected(state);
    to->count = saved.count;
    to->contexts = kin__heap_take(&made->systems.heap, saved.count, sizeof *to->contexts);
    to->entities = kin__heap_take(&made->systems.heap, saved.count, sizeof *to->entities);
    if (to->contexts == NULL || to->entities == NULL)
        return false;
    for (uint32_t i = 0; i < saved.count; i++) {
        to->contexts[i] = number_of(made, collector, saved.entries[i].source);
        to->entities[i] = saved.entries[i].entity;
    }
    return true;
}

static bool keep_inbox(kin__made_moment *made, kin__state *state, kin__read_inbox *to)
{
    const kin__saved_inbox *saved = kin__state_take(state, sizeof *saved);
    const unsigned char *records = kin__state_take(state, (size_t)saved->count * saved->stride);
    to->shape = &made->systems.messages[saved->message];
    to->count = saved->count;
    to->is_warned = saved->is_warned != 0;
    size_t size = to->shape->info->size;
    to->serials = kin__heap_take(&made->systems.heap, saved->count, sizeof *to->serials);
    to->values = kin__heap_take(&made->systems.heap, saved->count, size + 1);
    if (to->serials == NULL || to->values == NULL)
        return false;
    for (uint32_t i = 0; i < saved->count; i++) {
        const unsigned char *record = records + (size_t)i * saved->stride;
        memcpy(&to->serials[i], record, sizeof *to->serials);
        if (size > 0)
            memcpy(to->values + i * size, record + sizeof *to->serials, size);
    }
    return true;
}

// What the type of a node adds.
static bool keep_added(kin__made_moment *made, kin__read_node *node, kin__state *state)
{
    if ((node->saved->flags & KIN__SAVED_MEMBERS) != 0) {
        node->member_count = (uint32_t)kin__state_take_count(state);
        node->members = kin__state_take(state, node->member_count * sizeof *node->members);
    }
    node->inbox_count = node->saved->inbox_count;
    node->inboxes = kin__heap_take(&made->systems.heap, node->inbox_count, sizeof *node->inboxes);
    for (uint32_t i = 0; node->inboxes != NULL && i < node->inbox_count; i++)
        if (!keep_inbox(made, state, &node->inboxes[i]))
            return false;
    if ((node->saved->flags & KIN__SAVED_ORDER) != 0) {
        node->word_count = (uint32_t)kin__state_take_count(state) / (uint32_t)sizeof *node->words;
        node->words = kin__state_take(state, node->word_count * sizeof *node->words);
    }
    return node->inboxes != NULL;
}

static bool keep_node(kin__made_moment *made, kin__read_node *node)
{
    const kin__saved_node *saved = node->saved;
    kin__state state = {.bytes = (unsigned char *)(uintptr_t)saved, .size = sizeof *saved};
    kin__state_take(&state, saved->name_size);
    if ((saved->flags & KIN__SAVED_COLLECTION) != 0)
        memcpy(&node->clock, kin__state_take(&state, sizeof node->clock), sizeof node->clock);
    node->is_read = true;
    node->flags = saved->flags & KIN__SAVED_HASHED;
    node->has_step = (saved->flags & KIN__SAVED_FIXED_STEP) != 0;
    node->collector_count = saved->collector_count;
    node->collected = kin__heap_take(&made->systems.heap, saved->collector_count, sizeof *node->collected);
    for (uint32_t i = 0; node->collected != NULL && i < saved->collector_count; i++)
        if (!keep_collected(made, kin__node_collector(node->node, i), &state, &node->collected[i]))
            return false;
    return node->collected != NULL && keep_added(made, node, &state);
}

bool kin__made_keep_systems(kin__made_moment *made)
{
    kin__systems_reading *systems = &made->systems;
    if (!systems->has_root)
        systems->root = *(const kin__saved_world *)made->snapshot->systems;
    systems->has_root = true;
    for (uint32_t i = 0; i < systems->node_count; i++)
        if (!systems->nodes[i].is_read && !keep_node(made, &systems->nodes[i]))
            return false;
    return true;
}

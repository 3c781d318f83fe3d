// The state of the systems as snapshots have it (snapshot/snapshot.h): the pieces that the world has now, with
// what the file says; as in a new world where it says nothing.

#include "read/systems.h"
#include "snapshot/snapshot.h"
#include "world/world.h"

#include <string.h>

enum { OF_NOW = KIN__SAVED_COLLECTION | KIN__SAVED_FIXED_STEP | KIN__SAVED_MEMBERS | KIN__SAVED_ORDER };

// ---- collectors

// Returns the number of the part of a context; KIN__NOT_SAVED: it is not saved.
static uint64_t part_of(const kin__systems_reading *systems, const kin_context *context)
{
    for (uint32_t i = 0; i < systems->context_count; i++)
        if (systems->contexts[i].context == context)
            return i;
    return KIN__NOT_SAVED;
}

static void put_collector(const kin__systems_reading *systems, const kin_collector *collector,
                          const kin__read_collected *collected, kin__state *state)
{
    uint32_t count = collected == NULL ? 0 : collected->entry_count;
    kin__state_put_count(state, collector->source_count);
    uint64_t *parts = kin__state_take(state, collector->source_count * sizeof *parts);
    for (uint32_t i = 0; parts != NULL && i < collector->source_count; i++)
        parts[i] = part_of(systems, collector->sources[i].context);
    kin__state_put_count(state, count);
    kin__state_put(state, collected == NULL ? NULL : collected->entries, count * sizeof(kin__saved_entry));
}

// ---- inboxes

static const kin__read_inbox *inbox_of(const kin__read_node *node, uint32_t message)
{
    for (uint32_t i = 0; i < node->inbox_count; i++)
        if (node->inboxes[i].shape != NULL && node->inboxes[i].shape->id == message)
            return &node->inboxes[i];
    return NULL;
}

// Writes the messages that the inbox has room for now; as when it was full, the schema says which are lost.
static void put_inbox(const kin__inbox *inbox, const kin__read_inbox *from, kin__state *state)
{
    uint32_t count = from == NULL ? 0 : from->count, first = 0, most = inbox->info->capacity;
    if (most > 0 && count > most) {
        first = inbox->info->full == KIN__FULL_OLDEST ? count - most : 0;
        count = most;
    }
    kin__saved_inbox saved = {inbox->info->message, count, (uint32_t)inbox->stride, from != NULL && from->is_warned};
    kin__state_put(state, &saved, sizeof saved);
    char *record = kin__state_take(state, count * inbox->stride);
    for (uint32_t i = first; record != NULL && i < first + count; i++, record += inbox->stride) {
        memset(record, 0, inbox->stride);
        memcpy(record, &from->serials[i], sizeof from->serials[i]);
        if (inbox->size > 0)
            memcpy(record + sizeof from->serials[i], from->values + i * inbox->size, inbox->size);
    }
}

// ---- nodes

// Without marks in the file, all entities count as changed.
static void put_order(const kin__read_node *node, const kin__schema_system *system, kin__state *state)
{
    static const uint64_t all = 1;
    bool is_saved = kin__tree_order_saved_size(system->order) > 0;
    uint32_t count = !is_saved ? 0 : node->word_count == 0 ? 1 : node->word_count;
    kin__state_put_count(state, count * sizeof(uint64_t));
    kin__state_put(state, node->word_count == 0 ? &all : node->words, count * sizeof(uint64_t));
}

// Writes what a system of the schema adds.
static void put_added(const kin__read_node *node, kin__state *state)
{
    const kin__schema_system *system = node->node->object;
    if ((node->saved->flags & KIN__SAVED_MEMBERS) != 0) {
        kin__state_put_count(state, node->member_count);
        kin__state_put(state, node->members, node->member_count * sizeof(kin_entity));
    }
    for (uint32_t i = 0; i < node->saved->inbox_count; i++)
        put_inbox(&system->inboxes[i], inbox_of(node, system->inboxes[i].info->message), state);
    if ((node->saved->flags & KIN__SAVED_ORDER) != 0)
        put_order(node, system, state);
}

static uint32_t flags_of(const kin__read_node *node)
{
    uint32_t now = node->saved->flags & OF_NOW;
    uint32_t flags = node->is_read ? node->flags & KIN__SAVED_HASHED : KIN__SAVED_ENABLED;
    if ((now & KIN__SAVED_MEMBERS) == 0)
        flags &= ~(uint32_t)KIN__SAVED_CURRENT;
    return now | flags;
}

// A step that the file lacks, and what it has of one that is no more, is 0.
static void put_clock(const kin__read_node *node, kin__state *state)
{
    kin__saved_clock clock = node->clock;
    bool has_step = node->has_step && (node->saved->flags & KIN__SAVED_FIXED_STEP) != 0;
    if (!has_step)
        clock = (kin__saved_clock){.time = clock.time, .frame = clock.frame, .tick = clock.tick};
    kin__state_put(state, &clock, sizeof clock);
}

static void put_node(const kin__systems_reading *systems, const kin__read_node *node, kin__state *state)
{
    kin__saved_node saved = *node->saved;
    size_t begin = state->size;
    unsigned char *place = kin__state_take(state, sizeof saved);
    kin__state_put(state, node->saved + 1, saved.name_size);
    if (node->node->nested != NULL)
        put_clock(node, state);
    for (uint32_t i = 0; i < saved.collector_count; i++)
        put_collector(systems, kin__node_collector(node->node, i),
                      i < node->collector_count ? &node->collected[i] : NULL, state);
    saved.added = state->size - begin;
    saved.flags = flags_of(node);
    if (node->node->type != NULL && node->node->type->save != NULL)
        put_added(node, state);
    saved.size = state->size - begin;
    if (place != NULL)
        memcpy(place, &saved, sizeof saved);
}

size_t kin__systems_write_state(const kin__systems_reading *systems, kin_snapshot *snapshot)
{
    kin__state state = {.bytes = snapshot == NULL ? NULL : snapshot->systems};
    kin__saved_world root = systems->root;
    root.node_count = systems->node_count;
    kin__state_put(&state, &root, sizeof root);
    for (uint32_t i = 0; i < systems->node_count; i++)
        put_node(systems, &systems->nodes[i], &state);
    return state.size;
}

#include "recording/recording.h"

#include "reading/reading.h"
#include "world/world.h"

#include <string.h>

static uint32_t place_of(const kin_snapshot *snapshot, const kin_context *context)
{
    uint32_t place = 0;
    while (snapshot->parts[place] == NULL || snapshot->parts[place]->context != context) {
        place++;
        KIN_ASSERT(place < snapshot->part_count);
    }
    return place;
}

const kin__context_snapshot *kin__made_present(const kin__made_moment *made, const kin__reading *reading)
{
    return made->snapshot->parts[place_of(made->snapshot, reading->context)];
}

// ---- beginning

// The messages of the file were matched with those of the reading before.
static void forget_messages(kin__file_schema *schema)
{
    for (uint32_t i = 0; i < schema->message_count; i++) {
        kin__file_component *message = &schema->messages[i];
        message->now = NULL;
        message->is_converted = message->is_defaulted = message->is_dropped = false;
        for (uint32_t k = 0; k < message->leaf_count; k++)
            message->leaves[k].now = NULL;
    }
}

static bool begin_contexts(kin__made_moment *made)
{
    const kin__file_reading *file = &made->recording->file;
    made->contexts = kin__heap_take(&made->heap, file->context_count, sizeof *made->contexts);
    if (made->contexts == NULL)
        return false;
    for (; made->count < file->context_count; made->count++) {
        kin__reading *reading = &made->contexts[made->count];
        *reading = file->contexts[made->count];
        reading->heap = reading->value_heap =
            (kin__heap){.memory = &reading->context->core->snapshot_memory, .fault = &made->recording->fault};
    }
    for (uint32_t i = 0; i < made->count; i++)
        if (!kin__reading_take_values(&made->contexts[i]))
            return false;
    return true;
}

// Makes the nodes those of the snapshot, which may be older than the world's. They are copied, as the snapshot is
// written at the end.
static bool begin_systems(kin__made_moment *made)
{
    const kin_snapshot *snapshot = made->snapshot;
    kin__systems_reading *systems = &made->systems;
    size_t at = sizeof(kin__saved_world);
    if (!kin__systems_begin(systems))
        return false;
    if (systems->node_count != ((const kin__saved_world *)snapshot->systems)->node_count)
        return kin__fault_note(&made->recording->fault, KIN_ERROR_INVALID,
                               "systems were added or removed meanwhile; disable systems instead of removing them");
    unsigned char *now = kin__heap_take(&made->heap, snapshot->systems_size, 1);
    if (now == NULL)
        return false;
    memcpy(now, snapshot->systems, snapshot->systems_size);
    for (uint32_t i = 0; i < systems->node_count; i++) {
        const kin__saved_node *saved = (const void *)(now + at);
        systems->nodes[i].saved = saved;
        at += (size_t)saved->size;
    }
    return kin__systems_match_schema(systems, &made->recording->file.schema);
}

bool kin__made_begin(kin__made_moment *made, kin__recording *recording, kin_snapshot *snapshot)
{
    kin__heap heap = {.memory = &recording->world->memory, .fault = &recording->fault};
    *made = (kin__made_moment){.recording = recording, .snapshot = snapshot, .heap = heap};
    made->systems = (kin__systems_reading){
        .world = recording->world, .blocks = &recording->file.blocks, .fault = &recording->fault, .heap = heap};
    if (!begin_contexts(made))
        return false;
    made->systems.contexts = made->contexts;
    made->systems.context_count = made->count;
    forget_messages(&recording->file.schema);
    return begin_systems(made);
}

void kin__made_end(kin__made_moment *made)
{
    for (uint32_t i = 0; i < made->count; i++) {
        kin__migrating_end(&made->contexts[i]);
        kin__kept_end(&made->contexts[i]);
        kin__part_release(made->contexts[i].part);
        kin__heap_release(&made->contexts[i].value_heap);
        kin__heap_release(&made->contexts[i].heap);
    }
    kin__systems_end(&made->systems);
    kin__heap_release(&made->heap);
}

// ---- putting

static bool reserve_systems(const kin__made_moment *made, size_t size)
{
    kin_snapshot *snapshot = made->snapshot;
    if (size <= snapshot->systems_capacity)
        return true;
    void *systems = kin__allocate(&snapshot->memory, size);
    if (systems == NULL)
        return kin__fault_note(&made->recording->fault, KIN_ERROR_NO_MEMORY,
                               "no memory for its systems; free some and try again");
    memcpy(systems, snapshot->systems, snapshot->systems_size);
    kin__release(&snapshot->memory, snapshot->systems, snapshot->systems_capacity);
    snapshot->systems = systems;
    snapshot->systems_capacity = size;
    return true;
}

static bool keep_owners(kin__made_moment *made)
{
    for (uint32_t i = 0; i < made->count; i++)
        if (!kin__share_owners(&made->contexts[i], kin__made_present(made, &made->contexts[i])))
            return false;
    return true;
}

bool kin__made_put(kin__made_moment *made)
{
    size_t size = kin__systems_write_state(&made->systems, NULL);
    if (!keep_owners(made) || !reserve_systems(made, size))
        return false;
    for (uint32_t i = 0; i < made->count; i++) {
        kin__reading *reading = &made->contexts[i];
        kin__context_snapshot **place = &made->snapshot->parts[place_of(made->snapshot, reading->context)];
        kin__context_snapshot *former = *place;
        *place = reading->part;
        (*place)->home = place;
        (*place)->shell = former->shell;
        reading->part = NULL;
        kin__part_release(former);
    }
    made->snapshot->systems_size = kin__systems_write_state(&made->systems, made->snapshot);
    return true;
}

// ---- moments

bool kin__moment_read(kin__recording *recording, kin_snapshot *snapshot)
{
    kin__made_moment made;
    kin__file_reading *file = &recording->file;
    kin__reading *contexts = file->contexts;
    bool is_read = kin__made_begin(&made, recording, snapshot);
    if (is_read) {
        recording->input.limit = recording->input.offset + KIN__MOMENT_LIMIT;
        file->contexts = made.contexts;
        file->systems = &made.systems;
        is_read = kin__file_read_moment(file) && kin__made_put(&made);
        file->contexts = contexts;
        file->systems = NULL;
    }
    kin__made_end(&made);
    return is_read;
}

// ---- what stays of the systems

// What a frame does not say of systems stays as it is: their state, in the form of blocks that were read.

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
    KIN_ASSERT(saved->message < made->recording->world->info->message_count);
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
    KIN_ASSERT(!node->is_read);
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

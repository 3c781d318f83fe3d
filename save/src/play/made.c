#include "play/made.h"

#include "play/share.h"
#include "reading/reading.h"
#include "snapshot/snapshot.h"

#include <string.h>

static uint32_t place_of(const kin_snapshot *snapshot, const kin_context *context)
{
    uint32_t place = 0;
    while (snapshot->parts[place] == NULL || snapshot->parts[place]->context != context)
        place++;
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

static void put_context(const kin__made_moment *made, kin__reading *reading)
{
    kin__context_snapshot **place = &made->snapshot->parts[place_of(made->snapshot, reading->context)];
    kin__context_snapshot *former = *place;
    *place = reading->part;
    (*place)->home = place;
    (*place)->shell = former->shell;
    reading->part = NULL;
    kin__part_release(former);
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
    for (uint32_t i = 0; i < made->count; i++)
        put_context(made, &made->contexts[i]);
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

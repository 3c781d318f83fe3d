#include "play/made.h"

#include "play/share.h"
#include "read/kept.h"
#include "read/keys.h"
#include "read/links.h"
#include "read/shared.h"
#include "read/slots.h"

#include <string.h>

static uint32_t place_of(const kin_snapshot *snapshot, const kin_context_info *info)
{
    uint32_t place = 0;
    while (snapshot->parts[place] == NULL || snapshot->parts[place]->info != info)
        place++;
    return place;
}

const kin__context_snapshot *kin__made_present(const kin__made_moment *made, const kin__reading *reading)
{
    return made->snapshot->parts[place_of(made->snapshot, reading->context->info)];
}

bool kin__made_begin(kin__made_moment *made, const kin__frame_parts *parts)
{
    made->nodes = (kin__made_nodes){
        .recording = made->recording, .before = made->snapshot, .parts = parts, .heap = &made->heap};
    made->made = kin__heap_take(&made->heap, made->recording->schema.context_count, sizeof *made->made);
    return made->made != NULL && kin__nodes_make(&made->nodes);
}

bool kin__made_add(kin__made_moment *made, kin__reading *reading)
{
    uint32_t place = place_of(made->snapshot, reading->context->info);
    if (!kin__nodes_list_held(&made->nodes, place, reading) || !kin__slots_finish(reading) ||
        !kin__links_finish(reading) || !kin__kept_finish(reading) || !kin__shared_values_finish(reading) ||
        !kin__keys_check(reading) || !kin__share_owners(reading, made->snapshot->parts[place]))
        return false;
    made->made[made->count++] = reading->part;
    reading->part = NULL;
    return true;
}

// ---- putting

static bool reserve_systems(const kin__made_moment *made)
{
    kin_snapshot *snapshot = made->snapshot;
    size_t size = made->nodes.size;
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

// Puts a part in place of that of the same context.
static void put(kin_snapshot *snapshot, kin__context_snapshot *part)
{
    uint32_t place = place_of(snapshot, part->info);
    kin__context_snapshot *former = snapshot->parts[place];
    snapshot->parts[place] = part;
    part->home = &snapshot->parts[place];
    part->shell = former->shell;
    kin__part_release(former);
}

bool kin__made_put(kin__made_moment *made)
{
    if (!reserve_systems(made))
        return false;
    for (; made->count > 0; made->count--)
        put(made->snapshot, made->made[made->count - 1]);
    memcpy(made->snapshot->systems, made->nodes.bytes, made->nodes.size);
    made->snapshot->systems_size = made->nodes.size;
    return true;
}

void kin__made_release(kin__made_moment *made)
{
    for (; made->count > 0; made->count--)
        kin__part_release(made->made[made->count - 1]);
    kin__heap_release(&made->heap);
}

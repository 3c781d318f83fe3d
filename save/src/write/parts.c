#include "file/file.h"

#include "shape/identity.h"

#include <stdlib.h>
#include <string.h>

// Insertion sort: files have few contexts.
static bool insert(kin__written_parts *parts, const kin__context_snapshot *part)
{
    const char *identity = kin__context_identity(part->info);
    kin__shape *shape = kin__shape_make(&parts->memory, part->info);
    uint32_t to = parts->count;
    if (shape == NULL)
        return kin__fault_note(parts->fault, KIN_ERROR_NO_MEMORY, "no memory for its shape; free some and try again");
    for (; to > 0 && strcmp(kin__context_identity(parts->parts[to - 1].part->info), identity) > 0; to--)
        parts->parts[to] = parts->parts[to - 1];
    parts->parts[to] = (kin__written_part){part, shape};
    parts->count++;
    return true;
}

static bool make_messages(kin__written_parts *parts, const kin_snapshot *snapshot)
{
    if (snapshot->systems_size == 0)
        return true;
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        if (snapshot->parts[i] == NULL)
            return kin__fault_note(parts->fault, KIN_ERROR_INVALID,
                                   "a context of its world has ended; write it while all exist");
    parts->world = snapshot->world_info;
    return kin__message_leaves_make(&parts->messages, parts->world, (kin_allocator){NULL, NULL, NULL}) ||
           kin__fault_note(parts->fault, KIN_ERROR_NO_MEMORY, "no memory for its messages; free some and try again");
}

bool kin__written_parts_make(kin__written_parts *parts, const kin_snapshot *snapshot, kin__fault *fault)
{
    *parts = (kin__written_parts){.memory = kin__memory_of((kin_allocator){NULL, NULL, NULL}), .fault = fault};
    parts->parts = malloc((snapshot->part_count + 1) * sizeof *parts->parts);
    if (parts->parts == NULL)
        return kin__fault_note(fault, KIN_ERROR_NO_MEMORY, "no memory for its contexts; free some and try again");
    for (uint32_t i = 0; i < snapshot->part_count; i++)
        if (snapshot->parts[i] != NULL && !snapshot->parts[i]->info->is_unsaved && !insert(parts, snapshot->parts[i]))
            return false;
    if (parts->count == 0)
        return kin__fault_note(fault, KIN_ERROR_INVALID,
                               "it is empty, as its contexts have ended; write it while they exist");
    return make_messages(parts, snapshot);
}

void kin__written_parts_release(kin__written_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++)
        kin__shape_release(&parts->memory, parts->parts[i].shape);
    free(parts->parts);
    kin__message_leaves_release(&parts->messages);
}

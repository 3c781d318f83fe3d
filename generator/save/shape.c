// What saves of a schema have.
#include "generator/save/save.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare_shapes(const void *a, const void *b)
{
    const kin__shape *one = *(kin__shape *const *)a;
    const kin__shape *other = *(kin__shape *const *)b;
    return strcmp(one->info->identity, other->info->identity);
}

kin__shape **save_shapes_make(arena *arena, const package *package)
{
    const kin_context_info *const *tables = schema_context_tables(arena, package);
    kin__memory memory = kin__memory_of(schema_arena_allocator(arena));
    kin__shape **shapes = arena_allocate(arena, (package->context_count + 1) * sizeof(kin__shape *));
    for (size_t i = 0; i < package->context_count; i++)
        shapes[i] = kin__shape_make(&memory, tables[i]);
    qsort(shapes, package->context_count, sizeof(kin__shape *), compare_shapes);
    return shapes;
}

const kin_world_info *save_messages_make(arena *arena, const package *package, kin__message_leaves *leaves)
{
    const kin_message_info *messages = schema_message_tables(arena, package);
    kin_world_info *info = arena_allocate(arena, sizeof *info);
    *info = (kin_world_info){.messages = messages, .message_count = (uint32_t)package->message_count};
    kin__message_leaves_make(leaves, info, schema_arena_allocator(arena));
    return info;
}

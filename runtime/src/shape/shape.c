#include "shape/shape.h"

#include "base/base.h"
#include "shape/identity.h"

#include <string.h>

// ---- identities

static uint64_t hash_context(const kin_context_info *info)
{
    const char *identity = kin__context_identity(info);
    return kin__xxh64_of(identity, strlen(identity), 0);
}

static uint64_t hash_component(const kin_context_info *context, const char *identity)
{
    const char *of_context = kin__context_identity(context);
    kin__xxh64 hash = kin__xxh64_begin(0);
    kin__xxh64_add(&hash, of_context, strlen(of_context));
    kin__xxh64_add(&hash, ".", 1);
    kin__xxh64_add(&hash, identity, strlen(identity));
    return kin__xxh64_end(&hash);
}

// ---- components

static uint32_t count_components(const kin_context_info *info, kin__leaf_room *room)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < info->component_count; id++)
        if (kin__component_is_saved(&info->components[id])) {
            kin__leaves_measure(room, info->components[id].fields, info->components[id].field_count);
            count++;
        }
    return count;
}

// Insertion sort: ids are in order of names, and most identities are names.
static void insert(kin__shape *shape, const kin__component_shape *component)
{
    uint32_t to = shape->count++;
    for (; to > 0 && strcmp(shape->components[to - 1].identity, component->identity) > 0; to--)
        shape->components[to] = shape->components[to - 1];
    shape->components[to] = *component;
}

static void fill(kin__shape *shape, kin__leaf_memory *memory)
{
    for (uint32_t id = 0; id < shape->info->component_count; id++) {
        const kin_component_info *info = &shape->info->components[id];
        if (!kin__component_is_saved(info))
            continue;
        kin__component_shape component = {
            .identity = kin__component_identity(info), .info = info, .id = (kin_component_id)id};
        component.leaves = kin__leaves_make(memory, info->fields, info->field_count);
        component.hash = hash_component(shape->info, component.identity);
        insert(shape, &component);
    }
}

// ---- the block

kin__shape *kin__shape_make(kin__memory *memory, const kin_context_info *info)
{
    kin__leaf_room room = {0};
    size_t components = kin__round_up(count_components(info, &room) * sizeof(kin__component_shape));
    size_t leaves = kin__round_up(room.leaves * sizeof(kin__value_leaf));
    size_t dimensions = kin__round_up(room.dimensions * sizeof(kin__dimension));
    size_t head = kin__round_up(sizeof(kin__shape)), size = head + components + leaves + dimensions + room.letters;
    kin__shape *shape = kin__allocate(memory, size);
    if (shape == NULL)
        return NULL;
    *shape = (kin__shape){.size = size, .info = info, .hash = hash_context(info)};
    char *at = (char *)shape + head + components;
    kin__leaf_memory parts = {.leaves = (kin__value_leaf *)(void *)at,
                              .dimensions = (kin__dimension *)(void *)(at + leaves),
                              .letters = at + leaves + dimensions};
    fill(shape, &parts);
    KIN_ASSERT(parts.letters == (char *)shape + size);
    return shape;
}

void kin__shape_release(kin__memory *memory, kin__shape *shape)
{
    if (shape != NULL)
        kin__release(memory, shape, shape->size);
}

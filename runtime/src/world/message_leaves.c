#include "world/world.h"

#include <string.h>

bool kin__message_leaves_make(kin__message_leaves *leaves, const kin_world_info *info, kin_allocator allocator)
{
    uint32_t count = info == NULL ? 0 : info->message_count;
    kin__leaf_room room = {0};
    for (uint32_t i = 0; i < count; i++)
        kin__leaves_measure(&room, info->messages[i].fields, info->messages[i].field_count);
    size_t table = kin__round_up(count * sizeof(kin__leaves) + 1);
    size_t values = kin__round_up(room.leaves * sizeof(kin__value_leaf));
    size_t dimensions = kin__round_up(room.dimensions * sizeof(kin__dimension));
    *leaves =
        (kin__message_leaves){.memory = kin__memory_of(allocator), .size = table + values + dimensions + room.letters};
    leaves->of = leaves->block = kin__allocate(&leaves->memory, leaves->size);
    if (leaves->block == NULL)
        return false;
    char *at = leaves->block;
    kin__leaf_memory memory = {.leaves = (kin__value_leaf *)(void *)(at + table),
                               .dimensions = (kin__dimension *)(void *)(at + table + values),
                               .letters = at + table + values + dimensions};
    for (uint32_t i = 0; i < count; i++)
        leaves->of[i] = kin__leaves_make(&memory, info->messages[i].fields, info->messages[i].field_count);
    return true;
}

void kin__message_leaves_release(kin__message_leaves *leaves)
{
    if (leaves->block != NULL)
        kin__release(&leaves->memory, leaves->block, leaves->size);
}

uint32_t kin__message_number(const kin_world_info *info, uint32_t message)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < info->message_count; i++)
        number +=
            strcmp(kin__message_identity(&info->messages[i]), kin__message_identity(&info->messages[message])) < 0;
    return number;
}

#include "core/ending.h"

#include "base/base.h"

enum { BLOCK_SIZE = KIN__CHUNK_SLOTS * sizeof(uint32_t) };

bool kin__endings_reserve(kin_context *context, uint32_t slot)
{
    kin__memory *memory = &context->core->index_memory;
    kin__array *endings = &context->core->slots.endings;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    if (!kin__array_reserve_pointers(memory, endings, number + 1))
        return false;
    void **block = (void **)endings->elements + number;
    if (*block == NULL)
        *block = kin__allocate_zero(memory, BLOCK_SIZE);
    return *block != NULL;
}

void kin__endings_trim(kin_context *context, uint32_t number)
{
    void **blocks = context->core->slots.endings.elements;
    if (number >= context->core->slots.endings.capacity)
        return;
    kin__release(&context->core->index_memory, blocks[number], BLOCK_SIZE);
    blocks[number] = NULL;
}

void kin__endings_release(kin_context *context)
{
    kin__memory *memory = &context->core->index_memory;
    kin__array *endings = &context->core->slots.endings;
    for (uint32_t i = 0; i < endings->capacity; i++)
        kin__release(memory, ((void **)endings->elements)[i], BLOCK_SIZE);
    kin__array_release(memory, endings, sizeof(void *));
}

size_t kin__endings_used(const kin_context *context)
{
    const kin__array *endings = &context->core->slots.endings;
    size_t used = 0;
    for (uint32_t i = 0; i < endings->capacity; i++)
        used += ((void **)endings->elements)[i] == NULL ? 0 : BLOCK_SIZE;
    return used;
}

uint32_t kin__endings_count(const kin_context *context)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < context->core->slots.endings.capacity * KIN__CHUNK_SLOTS; slot++)
        count += kin__is_ending(context, slot);
    return count;
}

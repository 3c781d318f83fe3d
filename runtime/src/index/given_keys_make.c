// Makes given keys, reserves and trims their memory, and releases it.
#include "index/given_keys.h"

#include "base/base.h"

#include <string.h>

static size_t copies_size_of(const kin_context *context, const kin_index_info *info)
{
    size_t size = 0;
    for (uint32_t i = 0; i < info->of_count; i++)
        if (context->info->components[info->of[i]].is_soa)
            size += kin__round_up(kin__value_size(context, info->of[i]));
    return size;
}

static size_t values_size_of(const kin__index *index)
{
    return KIN_INDEX_KEYS * index->info->key_type->size;
}

static size_t arguments_size_of(const kin__index *index)
{
    return index->info->of_count * sizeof(void *);
}

static size_t keys_size_of(const kin__index *index)
{
    return KIN_INDEX_KEYS * index->key_size;
}

bool kin__given_keys_make(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__given_keys *given = kin__allocate_zero(memory, sizeof *given);
    if (given == NULL)
        return false;
    index->given = given;
    given->copies_size = copies_size_of(context, index->info);
    given->arguments = kin__allocate_zero(memory, arguments_size_of(index));
    given->values = kin__allocate_zero(memory, values_size_of(index));
    given->keys = kin__allocate_zero(memory, keys_size_of(index));
    if (given->copies_size > 0)
        given->copies = kin__allocate_zero(memory, given->copies_size);
    return given->arguments != NULL && given->values != NULL && given->keys != NULL &&
           (given->copies != NULL || given->copies_size == 0);
}

void kin__given_keys_release(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__given_keys *given = index->given;
    if (given == NULL)
        return;
    kin__release(memory, (void *)(uintptr_t)given->arguments, arguments_size_of(index));
    kin__release(memory, given->values, values_size_of(index));
    kin__release(memory, given->keys, keys_size_of(index));
    kin__release(memory, given->copies, given->copies_size);
    kin__array_release(memory, &given->first_kept, sizeof(uint32_t));
    kin__release(memory, given, sizeof *given);
}

// ---- room

// Reserves the number of the first kept key of every slot.
static bool reserve_slots(kin_context *context, kin__array *first)
{
    uint32_t least = context->chunk_count * KIN__CHUNK_SLOTS, old = first->capacity;
    if (!kin__array_reserve(&context->core->index_memory, first, least, sizeof(uint32_t)))
        return false;
    if (first->capacity > old)
        memset((uint32_t *)first->elements + old, 0, (first->capacity - old) * sizeof(uint32_t));
    return true;
}

static bool reserve_kept(kin_context *context, kin__index *index, uint32_t least)
{
    kin__memory *memory = &context->core->index_memory;
    uint32_t block_count = (least + KIN__CHUNK_SLOTS - 1) / KIN__CHUNK_SLOTS;
    if (!kin__array_reserve(memory, &index->blocks, block_count, sizeof(void *)))
        return false;
    void **blocks = index->blocks.elements;
    while (index->block_count < block_count) {
        void *block = kin__allocate_zero(memory, KIN__CHUNK_SLOTS * index->slot_size);
        if (block == NULL)
            return false;
        blocks[index->block_count++] = block;
    }
    return true;
}

bool kin__given_keys_reserve(kin_context *context, kin__index *index, uint32_t count)
{
    uint32_t least = index->potential + count + KIN_INDEX_KEYS;
    return reserve_slots(context, &index->given->first_kept) && reserve_kept(context, index, least) &&
           kin__list_reserve(context, index, least + index->pinned_count);
}

// ---- spare memory

// Free kept keys between others stay.
void kin__given_keys_trim(kin_context *context, kin__index *index)
{
    kin__memory *memory = &context->core->index_memory;
    kin__given_keys *given = index->given;
    void **blocks = index->blocks.elements;
    if (index->potential == 0) {
        given->kept_count = given->free_kept = 0;
        kin__array_release(memory, &given->first_kept, sizeof(uint32_t));
    }
    while (index->block_count > 0 && (index->block_count - 1) * KIN__CHUNK_SLOTS >= given->kept_count)
        kin__release(memory, blocks[--index->block_count], KIN__CHUNK_SLOTS * index->slot_size);
}

size_t kin__given_keys_used(const kin__index *index)
{
    size_t first = index->potential == 0 ? 0 : index->given->first_kept.capacity * sizeof(uint32_t);
    return sizeof *index->given + arguments_size_of(index) + values_size_of(index) + keys_size_of(index) +
           index->given->copies_size + first + index->potential * index->slot_size;
}

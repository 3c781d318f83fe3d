#include "storage/list.h"

#include "base/base.h"
#include "storage/private/owned_block.h"

#include <string.h>

_Static_assert(offsetof(kin__owned_block, value) >= offsetof(kin__owned_block, images) + sizeof(uint32_t),
               "the capacity is between the other members and the elements");

kin__list_field kin__list_field_read(const void *value, const kin_field_info *field)
{
    kin__list_field list = {NULL, 0};
    const char *place = (const char *)value + field->offset;
    memcpy(&list.at, place, sizeof list.at);
    memcpy(&list.count, place + offsetof(kin__list_field, count), sizeof list.count);
    return list;
}

// Writes no padding: tests compare values by their bytes.
void kin__list_field_write(void *value, const kin_field_info *field, kin__list_field list)
{
    char *place = (char *)value + field->offset;
    memcpy(place, &list.at, sizeof list.at);
    memcpy(place + offsetof(kin__list_field, count), &list.count, sizeof list.count);
}

// ---- blocks

void *kin__list_block_make(kin_context *context, kin_component_id id, uint32_t capacity, size_t element_size)
{
    size_t elements = kin__bytes_of(capacity, element_size), header = offsetof(kin__owned_block, value);
    size_t size = elements > SIZE_MAX - header ? SIZE_MAX : header + elements;
    KIN_ASSERT(capacity > 0);
    kin__owned_block *made = kin__allocate(&context->core->string_memory, size);
    if (made == NULL)
        return NULL;
    *made = (kin__owned_block){.id = id, .size = size};
    ((uint32_t *)(void *)made->value)[-1] = capacity;
    return made->value;
}

static void release_block(kin_context *context, kin__owned_block *block)
{
    kin__release(&context->core->string_memory, block, block->size);
}

// Frees the block of a list, and its outgrown blocks.
static void release_blocks(kin_context *context, void *at)
{
    kin__owned_block *next = at == NULL ? NULL : kin__list_block_of(at);
    while (next != NULL) {
        kin__owned_block *block = next;
        next = block->next;
        release_block(context, block);
    }
}

// ---- the lists of a value

kin_status kin__lists_check(const kin_component_info *info, const void *value)
{
    kin_status status = KIN_OK;
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        if (list.count > KIN__LIST_LIMIT)
            status = KIN_ERROR_LIMIT;
        else if (list.count > 0 && list.at == NULL && status == KIN_OK)
            status = KIN_ERROR_INVALID;
    }
    return status;
}

// Leaves the list empty when out of memory.
static bool copy_list(kin_context *context, kin__owned_block *owned_block, const kin_field_info *field)
{
    kin__list_field list = kin__list_field_read(owned_block->value, field), copy = {NULL, list.count};
    if (list.count > 0) {
        copy.at = kin__list_block_make(context, owned_block->id, list.count, field->element_size);
        if (copy.at == NULL)
            copy.count = 0;
        else
            memcpy(copy.at, list.at, list.count * field->element_size);
    }
    kin__list_field_write(owned_block->value, field, copy);
    return copy.count == list.count;
}

bool kin__lists_copy(kin_context *context, kin__owned_block *owned_block)
{
    bool copied = true;
    KIN__EACH_LIST(field, &context->info->components[owned_block->id])
    {
        if (copied)
            copied = copy_list(context, owned_block, field);
        else
            kin__list_field_write(owned_block->value, field, (kin__list_field){NULL, 0});
    }
    if (!copied)
        kin__lists_release(context, owned_block);
    return copied;
}

void kin__lists_release(kin_context *context, kin__owned_block *owned_block)
{
    KIN__EACH_LIST(field, &context->info->components[owned_block->id])
    {
        release_blocks(context, kin__list_field_read(owned_block->value, field).at);
        kin__list_field_write(owned_block->value, field, (kin__list_field){NULL, 0});
    }
}

kin__owned_block *kin__lists_take_outgrown(const kin_context *context, kin__owned_block *owned_block)
{
    kin__owned_block *taken = NULL;
    KIN__EACH_LIST(field, &context->info->components[owned_block->id])
    {
        void *at = kin__list_field_read(owned_block->value, field).at;
        kin__owned_block **next = at == NULL ? NULL : &kin__list_block_of(at)->next;
        while (next != NULL && *next != NULL) {
            kin__owned_block *outgrown = *next;
            *next = outgrown->next;
            outgrown->next = taken;
            taken = outgrown;
        }
    }
    return taken;
}

// ---- validation

bool kin__lists_are_valid(const kin_component_info *info, const kin__owned_block *owned_block, const void *value)
{
    KIN__EACH_LIST(field, info)
    {
        kin__list_field list = kin__list_field_read(value, field);
        if (list.at != kin__list_field_read(owned_block->value, field).at ||
            list.count > kin__list_field_capacity(list.at) ||
            (list.at != NULL && owned_block->pins == 0 && kin__list_block_of(list.at)->next != NULL))
            return false;
    }
    return true;
}

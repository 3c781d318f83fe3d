#include "image/image.h"

#include "store/store.h"

#include <string.h>

// Returns the size in bytes of a value in the image of a column.
static size_t place_size(const kin_component_info *info)
{
    if (info->is_soa)
        return kin__fields_size(info);
    return info->is_shared ? sizeof(void *) : info->size;
}

static bool owns(const kin_component_info *info)
{
    return !info->is_shared && (info->has_strings || info->has_drops || info->has_lists);
}

static size_t column_size(const kin_component_info *info)
{
    size_t place = place_size(info) + (owns(info) ? sizeof(kin__owned_block *) : 0);
    return sizeof(kin__column) + KIN__CHUNK_SLOTS * place;
}

static size_t head_size(const kin_context_info *info)
{
    size_t row_words = info->component_count == 0 ? 1 : (info->component_count + 63) / 64;
    return offsetof(kin__chunk, alive) + sizeof(uint64_t[KIN__CHUNK_WORDS]) +
           KIN__CHUNK_SLOTS * row_words * sizeof(uint64_t);
}

size_t kin__image_size(const kin_context_info *info, uint32_t number)
{
    if (number < info->component_count)
        return column_size(&info->components[number]);
    if (number == kin__head_number(info))
        return head_size(info);
    return sizeof(kin__relation_block);
}

const void *kin__image_field(const kin_context_info *info, const kin__image *image, uint32_t field)
{
    const kin_field_info *fields = info->components[image->number].fields;
    const unsigned char *at = image->bytes + sizeof(kin__column);
    for (uint32_t i = 0; i < field; i++)
        at += KIN__CHUNK_SLOTS * fields[i].size;
    return at;
}

const void *kin__image_value(const kin_context_info *info, const kin__image *image, uint32_t place, void *scratch)
{
    const kin_component_info *component = &info->components[image->number];
    const unsigned char *at = image->bytes + sizeof(kin__column);
    if (component->is_shared)
        return ((void *const *)(const void *)at)[place];
    if (!component->is_soa || component->field_count == 0)
        return at + place * component->size;
    for (uint32_t i = 0; i < component->field_count; i++) {
        const kin_field_info *field = &component->fields[i];
        memcpy((char *)scratch + field->offset, at + place * field->size, field->size);
        at += KIN__CHUNK_SLOTS * field->size;
    }
    return scratch;
}

kin__owned_block **kin__image_owned_blocks(const kin_context_info *info, const kin__image *image)
{
    size_t all = kin__image_size(info, image->number);
    return (kin__owned_block **)(void *)(image->bytes + all - KIN__CHUNK_SLOTS * sizeof(kin__owned_block *));
}

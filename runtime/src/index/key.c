#include "index/key.h"

#include "base/base.h"
#include "index/index.h"

#include <string.h>

// Recursion is at most 32 deep: the generator limits how structs nest.
static uint32_t count_leaves(const kin_field_info *field)
{
    uint32_t count = field->type != KIN_TYPE_STRUCT;
    for (uint32_t i = 0; field->type == KIN_TYPE_STRUCT && i < field->of->field_count; i++)
        count += count_leaves(&field->of->fields[i]);
    return count;
}

uint32_t kin__key_count_leaves(const kin_index_info *info)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < info->key_count; i++)
        count += count_leaves(info->key[i].field);
    return info->function == NULL ? count : count_leaves(info->key_type);
}

static kin__leaf_kind kind_of(kin_type type)
{
    switch (type) {
    case KIN_TYPE_FLOAT:
        return KIN__LEAF_FLOAT;
    case KIN_TYPE_DOUBLE:
        return KIN__LEAF_DOUBLE;
    case KIN_TYPE_INLINE_STRING:
        return KIN__LEAF_TEXT;
    case KIN_TYPE_STRING:
        return KIN__LEAF_STRING;
    default:
        return KIN__LEAF_BYTES;
    }
}

static kin__leaf *list_leaves(const kin_field_info *field, kin__leaf from, kin__leaf *leaves)
{
    from.offset += field->offset;
    if (field->type == KIN_TYPE_STRUCT) {
        for (uint32_t i = 0; i < field->of->field_count; i++)
            leaves = list_leaves(&field->of->fields[i], from, leaves);
        return leaves;
    }
    size_t size = field->type == KIN_TYPE_STRING ? KIN__WORD_SIZE : field->size;
    *leaves = (kin__leaf){from.component, kind_of(field->type), from.offset, size};
    return leaves + 1;
}

void kin__key_list_leaves(const kin_index_info *info, kin__leaf *leaves)
{
    const kin__leaf *first = leaves;
    for (uint32_t i = 0; i < info->key_count; i++)
        leaves = list_leaves(info->key[i].field, (kin__leaf){.component = info->key[i].component}, leaves);
    if (info->function != NULL)
        leaves = list_leaves(info->key_type, (kin__leaf){0}, leaves);
    KIN_ASSERT(leaves == first + kin__key_count_leaves(info));
    (void)first; // unused in a release build
}

static void append(kin__key *key, const kin__leaf *leaf, const void *value)
{
    float float_value;
    double double_value;
    const char *string;
    switch (leaf->kind) {
    case KIN__LEAF_BYTES:
        kin__key_append(key, value, leaf->size);
        break;
    case KIN__LEAF_FLOAT:
        memcpy(&float_value, value, sizeof float_value);
        kin__key_append_float(key, float_value);
        break;
    case KIN__LEAF_DOUBLE:
        memcpy(&double_value, value, sizeof double_value);
        kin__key_append_double(key, double_value);
        break;
    case KIN__LEAF_TEXT:
        kin__key_append_array(key, value, leaf->size);
        break;
    case KIN__LEAF_STRING:
        memcpy(&string, value, sizeof string);
        kin__key_append_string(key, string);
        break;
    }
}

const void *kin__key_part(const kin_context *context, uint32_t slot, const kin__leaf *leaf, kin__new_values new_values)
{
    KIN_ASSERT(leaf->offset < kin__value_size(context, leaf->component));
    for (uint32_t i = 0; i < new_values.item_count; i++)
        if (new_values.items[i].id == leaf->component)
            return (const char *)new_values.items[i].value + leaf->offset;
    if (new_values.value != NULL && new_values.id == leaf->component)
        return (const char *)new_values.value + leaf->offset;
    KIN_ASSERT(slot / KIN__CHUNK_SLOTS < context->chunk_count);
    return kin__value_part(context, slot, leaf->component, leaf->offset);
}

kin__key kin__key_read(const kin_context *context, uint32_t slot, const kin__index *index, kin__new_values new_values,
                       unsigned char *bytes)
{
    kin__key key = kin__key_begin(bytes);
    for (uint32_t i = 0; i < index->leaf_count; i++) {
        const kin__leaf *leaf = &index->leaves[i];
        append(&key, leaf, kin__key_part(context, slot, leaf, new_values));
    }
    KIN_ASSERT(key.size == index->key_size); // invariant 1
    return key;
}

void kin__key_of_value(const kin__index *index, const void *value, unsigned char *bytes)
{
    kin__key key = kin__key_begin(bytes);
    for (uint32_t i = 0; i < index->leaf_count; i++)
        append(&key, &index->leaves[i], (const char *)value + index->leaves[i].offset);
    KIN_ASSERT(key.size == index->key_size && !key.is_none);
}

void kin__key_to_value(const kin__index *index, const unsigned char *bytes, void *value)
{
    for (uint32_t i = 0; i < index->leaf_count; bytes += index->leaves[i++].size)
        memcpy((char *)value + index->leaves[i].offset, bytes, index->leaves[i].size);
}

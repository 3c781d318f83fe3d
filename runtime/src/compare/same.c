#include "compare/same.h"

#include <kin/generated/list.h>

#include <string.h>

static bool is_same_string(const void *one, const void *other)
{
    const char *first, *second;
    memcpy(&first, one, sizeof first);
    memcpy(&second, other, sizeof second);
    if (first == NULL || second == NULL)
        return first == second;
    return first == second || strcmp(first, second) == 0;
}

bool kin__element_is_same(const kin_field_info *field, size_t size, const void *one, const void *other)
{
    switch (field->type) {
    case KIN_TYPE_STRING:
        return is_same_string(one, other);
    case KIN_TYPE_INLINE_STRING:
        return strncmp(one, other, size) == 0;
    case KIN_TYPE_STRUCT:
        return kin__fields_are_same(field->of->fields, field->of->field_count, one, other);
    default:
        return memcmp(one, other, size) == 0;
    }
}

static bool are_same_elements(const kin_field_info *field, uint32_t count, const char *one, const char *other)
{
    size_t size = kin__element_size(field);
    for (uint32_t i = 0; i < count; i++)
        if (!kin__element_is_same(field, size, one + i * size, other + i * size))
            return false;
    return true;
}

static kin__list_field read_list(const void *place)
{
    kin__list_field list;
    memcpy(&list.at, place, sizeof list.at);
    memcpy(&list.count, (const char *)place + offsetof(kin__list_field, count), sizeof list.count);
    return list;
}

bool kin__field_is_same(const kin_field_info *field, const void *one, const void *other)
{
    if (field->is_unsaved)
        return true;
    if (!field->is_list)
        return are_same_elements(field, field->count == 0 ? 1 : field->count, one, other);
    kin__list_field first = read_list(one), second = read_list(other);
    return first.count == second.count && are_same_elements(field, first.count, first.at, second.at);
}

// Recursive over structs in structs, of which the schema allows 32 levels.
bool kin__fields_are_same(const kin_field_info *fields, uint32_t count, const void *one, const void *other)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t offset = fields[i].offset;
        if (!kin__field_is_same(&fields[i], (const char *)one + offset, (const char *)other + offset))
            return false;
    }
    return true;
}

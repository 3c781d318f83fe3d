#include "site/hidden.h"

#include <string.h>

// Structs do not contain themselves.
static bool is_hidden(const kin_field_info *field)
{
    bool is_found = field->inspect == KIN_INSPECT_HIDDEN;
    for (uint32_t i = 0; field->type == KIN_TYPE_STRUCT && i < field->of->field_count; i++)
        is_found = is_found || is_hidden(&field->of->fields[i]);
    return is_found;
}

static bool is_hidden_component(const kin_component_info *component)
{
    bool is_found = component->inspect == KIN_INSPECT_HIDDEN;
    for (uint32_t i = 0; i < component->field_count; i++)
        is_found = is_found || is_hidden(&component->fields[i]);
    return is_found;
}

// Of an index whose keys a function computes from whole components.
static bool has_hidden_source(const kin_context_info *info, const kin_index_info *index, const char *component)
{
    bool is_of = false, has_hidden = false;
    for (uint32_t i = 0; index->function != NULL && i < index->of_count; i++) {
        const kin_component_info *part = &info->components[index->of[i]];
        is_of = is_of || strcmp(part->name, component) == 0;
        has_hidden = has_hidden || is_hidden_component(part);
    }
    return is_of && has_hidden;
}

static bool has_hidden_part(const kin_context_info *info, const kin_index_info *index, const char *component)
{
    bool is_of = false, has_hidden = false;
    for (uint32_t i = 0; index->key != NULL && i < index->key_count; i++) {
        const kin_component_info *part = &info->components[index->key[i].component];
        is_of = is_of || strcmp(part->name, component) == 0;
        has_hidden = has_hidden || part->inspect == KIN_INSPECT_HIDDEN || is_hidden(index->key[i].field);
    }
    return is_of && has_hidden;
}

bool kin__has_hidden_key(const kin_context_info *info, const char *component)
{
    for (uint32_t i = 0; component != NULL && i < info->index_count; i++)
        if (has_hidden_part(info, &info->indices[i], component) ||
            has_hidden_source(info, &info->indices[i], component))
            return true;
    return false;
}

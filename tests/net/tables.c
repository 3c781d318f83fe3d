#include "net/tables.h"

#include <check.h>
#include <string.h>

static uint32_t add_leaves(tables *tables, const kin_field_info *fields, uint32_t count, size_t offset,
                           const tables_options *options, kin__net_leaf *to, bool *has_opaque);

static uint32_t add_inner(tables *tables, const kin_field_info *field, const tables_options *options,
                          kin__net_leaf *leaf, bool *has_opaque)
{
    kin__net_leaf inner[64];
    leaf->inner_count = add_leaves(tables, field->of->fields, field->of->field_count, 0, options, inner, has_opaque);
    leaf->inner = &tables->leaves[tables->leaf_count];
    memcpy(&tables->leaves[tables->leaf_count], inner, leaf->inner_count * sizeof *inner);
    tables->leaf_count += leaf->inner_count;
    ck_assert_uint_lt(tables->leaf_count, 2048);
    return leaf->inner_count;
}

static uint32_t add_leaves(tables *tables, const kin_field_info *fields, uint32_t count, size_t offset,
                           const tables_options *options, kin__net_leaf *to, bool *has_opaque)
{
    uint32_t added = 0;
    for (uint32_t i = 0; i < count; i++) {
        const kin_field_info *field = &fields[i];
        if (field->type == KIN_TYPE_OPAQUE) {
            *has_opaque = true;
            continue;
        }
        if (field->type == KIN_TYPE_STRUCT && field->count == 0 && !field->is_list) {
            added += add_leaves(tables, field->of->fields, field->of->field_count, offset + field->offset, options,
                                to + added, has_opaque);
            continue;
        }
        size_t size = field->is_list     ? field->element_size
                      : field->count > 0 ? field->size / field->count
                                         : field->size;
        kin__net_leaf *leaf = &to[added++];
        *leaf = (kin__net_leaf){.path = field->name,
                                .offset = (uint32_t)(offset + field->offset),
                                .size = (uint32_t)size,
                                .count = field->count,
                                .field = (uint16_t)i,
                                .type = (uint8_t)field->type,
                                .is_list = field->is_list};
        if (field->type == KIN_TYPE_FLOAT || field->type == KIN_TYPE_DOUBLE)
            leaf->precision = options->precision;
        if (field->type == KIN_TYPE_STRUCT)
            add_inner(tables, field, options, leaf, has_opaque);
    }
    return added;
}

static bool has_opaque_fields(const kin_field_info *fields, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (fields[i].type == KIN_TYPE_OPAQUE)
            return true;
        if (fields[i].type == KIN_TYPE_STRUCT && has_opaque_fields(fields[i].of->fields, fields[i].of->field_count))
            return true;
    }
    return false;
}

static void find_zone(tables *tables, const kin_context_info *info)
{
    for (uint32_t id = 0; id < info->component_count; id++)
        for (uint32_t i = 0; i < info->components[id].field_count; i++) {
            const kin_field_info *field = &info->components[id].fields[i];
            bool is_number = field->type == KIN_TYPE_INT32 || field->type == KIN_TYPE_ENUM;
            if (!is_number || field->count > 0 || field->is_list)
                continue;
            if (has_opaque_fields(info->components[id].fields, info->components[id].field_count))
                continue;
            tables->context.zone = (kin__net_place){(kin_component_id)id, (uint16_t)i, (uint32_t)field->offset};
            return;
        }
}

// Whether a primary key has an entity of the component. Where that is of a zone that is not followed, two keys would be
// equal.
static bool is_key_of_entities(const kin_context_info *info, uint32_t id)
{
    for (uint32_t i = 0; i < info->index_count; i++)
        for (uint32_t k = 0; info->indices[i].is_primary && k < info->indices[i].key_count; k++)
            if (info->indices[i].key[k].component == id && info->indices[i].key[k].field->type == KIN_TYPE_ENTITY)
                return true;
    return false;
}

void tables_make(tables *tables, const kin_context_info *info, const tables_options *options)
{
    memset(tables, 0, sizeof *tables);
    kin__net_place none = {KIN__NET_NO_COMPONENT, 0, 0};
    tables->context = (kin__net_context){.info = info, .components = tables->components, .zone = none, .peer = none};
    if (options->has_zones)
        find_zone(tables, info);
    for (uint32_t id = 0; id < info->component_count; id++) {
        kin__net_leaf leaves[64];
        bool has_opaque = false;
        uint32_t count = add_leaves(tables, info->components[id].fields, info->components[id].field_count, 0, options,
                                    leaves, &has_opaque);
        bool is_zone = id == tables->context.zone.component;
        if (options->has_zones && is_key_of_entities(info, id))
            continue;
        if (has_opaque || (options->local > 0 && id % options->local == 1 && !is_zone))
            continue;
        kin__net_component *component = &tables->components[tables->context.component_count++];
        *component = (kin__net_component){.id = (kin_component_id)id, .leaf_count = count};
        component->leaves = &tables->leaves[tables->leaf_count];
        memcpy(&tables->leaves[tables->leaf_count], leaves, count * sizeof *leaves);
        tables->leaf_count += count;
    }
    tables->info = (kin__net_info){.package = info->name, .contexts = &tables->context, .context_count = 1};
}

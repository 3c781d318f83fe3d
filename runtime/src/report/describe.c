#include "report/describe.h"

#include "base/base.h"
#include "report/describe_value.h"
#include "storage/value.h"

#include <kin/generated/relation.h>
#include <kin/reflect.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *kind_of(const kin_rule *rule)
{
    switch ((kin_rule_kind)rule->kind) {
    case KIN_RULE_ALL:
        return "all(";
    case KIN_RULE_ANY:
        return "any(";
    case KIN_RULE_NONE:
        return "none(";
    case KIN_RULE_ONLY:
        return "only(";
    }
    return "(";
}

static void append_matcher(kin__writer *writer, const kin_context_info *info, const kin_matcher *normal)
{
    for (uint32_t i = 0; i < normal->count; i++) {
        kin__writer_append(writer, i == 0 ? "" : ", ");
        kin__writer_append(writer, kind_of(&normal->rules[i]));
        for (uint32_t k = 0; k < normal->rules[i].count; k++) {
            KIN_ASSERT(normal->rules[i].ids[k] < info->component_count);
            kin__writer_append(writer, k == 0 ? "" : ", ");
            kin__writer_append(writer, info->components[normal->rules[i].ids[k]].name);
        }
        kin__writer_append(writer, ")");
    }
}

void kin__matcher_describe(const kin_context_info *info, const kin_matcher *normal, char *text, size_t size)
{
    static const char ellipsis[] = "...";
    KIN_ASSERT(size >= 8);
    kin__writer writer = kin__writer_begin(text, size);
    append_matcher(&writer, info, normal);
    if (writer.length >= size)
        memcpy(text + size - sizeof ellipsis, ellipsis, sizeof ellipsis);
}

size_t kin_describe_matcher(const kin_context *context, kin_matcher matcher, char *text, size_t size)
{
    const char *reason = NULL;
    kin__writer writer = kin__writer_begin(text, size);
    if (kin__matcher_check(&matcher, context->info, &reason) != KIN_OK) {
        kin__writer_append(&writer, "invalid: ");
        kin__writer_append(&writer, reason);
        return writer.length;
    }
    kin_matcher normal = kin__matcher_normalise(&matcher);
    append_matcher(&writer, context->info, &normal);
    return writer.length;
}

// ---- entities and values

// Appends the name of a component, and the fields of its value.
static void append_component(kin__writer *writer, const kin_component_info *info, const char *value)
{
    kin__writer_append(writer, info->name);
    for (uint32_t i = 0; value != NULL && i < info->field_count; i++) {
        kin__writer_append(writer, i == 0 ? " {" : ", ");
        kin__field_describe(writer, &info->fields[i], value + info->fields[i].offset);
    }
    kin__writer_append(writer, value != NULL && info->field_count > 0 ? "}" : "");
}

size_t kin_component_describe(const kin_context *context, kin_component_id id, const void *value, char *text,
                              size_t size)
{
    kin__writer writer = kin__writer_begin(text, size);
    if (id >= context->info->component_count)
        kin__writer_append(&writer, "no component");
    else
        append_component(&writer, &context->info->components[id], value);
    return writer.length;
}

// The fields are read one by one, so that no room is needed for a component with one column for each field.
static void append_stored(kin__writer *writer, const kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin_component_info *info = &context->info->components[id];
    kin__writer_append(writer, info->name);
    for (uint32_t i = 0; i < info->field_count; i++) {
        kin__writer_append(writer, i == 0 ? " {" : ", ");
        kin__field_describe(writer, &info->fields[i], kin__value_part(context, slot, id, info->fields[i].offset));
    }
    kin__writer_append(writer, info->field_count > 0 ? "}" : "");
}

// Appends how many entities name this one, for each reverse that has some.
static void append_reverses(kin__writer *writer, const kin_context *context, uint32_t slot, const char *separator)
{
    for (uint32_t i = 0; i < context->info->relation_count; i++) {
        const char *name = context->info->relations[i].name;
        const kin__relation_block *block = kin__relation_block_of(&context->relations[i], slot);
        uint32_t count = block == NULL ? 0 : block->counts[slot % KIN__CHUNK_SLOTS];
        char text[16];
        if (name == NULL || count == 0)
            continue;
        snprintf(text, sizeof text, ": %" PRIu32, count);
        kin__writer_append(writer, separator);
        kin__writer_append(writer, name);
        kin__writer_append(writer, text);
        separator = ", ";
    }
}

// Returns whether the entity has any.
static bool append_components(kin__writer *writer, const kin_context *context, kin_entity entity)
{
    const char *separator = "";
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        if (!kin_has(context, entity, (kin_component_id)id))
            continue;
        kin__writer_append(writer, separator);
        append_stored(writer, context, kin_entity_slot(entity), (kin_component_id)id);
        separator = ", ";
    }
    return separator[0] != '\0';
}

size_t kin_describe_entity(const kin_context *context, kin_entity entity, char *text, size_t size)
{
    char name[80] = "no entity";
    kin__writer writer = kin__writer_begin(text, size);
    if (entity != 0)
        snprintf(name, sizeof name, "entity %" PRIu64 " in slot %" PRIu32, kin_entity_creation_index(entity),
                 kin_entity_slot(entity));
    kin__writer_append(&writer, name);
    if (kin__chunk_of(context, entity) == NULL) {
        kin__writer_append(&writer, entity == 0 ? "" : ", not alive");
        return writer.length;
    }
    kin__writer_append(&writer, " (");
    bool has_any = append_components(&writer, context, entity);
    append_reverses(&writer, context, kin_entity_slot(entity), has_any ? "; " : "");
    kin__writer_append(&writer, ")");
    return writer.length;
}

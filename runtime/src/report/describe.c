#include "report/describe.h"

#include "base/assertion.h"
#include "base/matcher.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// A string that is being written into `size` bytes; `length` counts also what did not fit.
typedef struct writer {
    char *text;
    size_t size, length;
} writer;

static void append(writer *writer, const char *text)
{
    size_t length = strlen(text);
    if (writer->length + 1 < writer->size) {
        size_t free = writer->size - writer->length - 1, fits = length < free ? length : free;
        memcpy(writer->text + writer->length, text, fits);
        writer->text[writer->length + fits] = '\0';
    }
    writer->length += length;
}

static writer writer_of(char *text, size_t size)
{
    KIN_ASSERT(text != NULL || size == 0);
    if (size > 0)
        text[0] = '\0';
    return (writer){.text = text, .size = size};
}

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

static void append_matcher(writer *writer, const kin_context_info *info, const kin_matcher *normal)
{
    for (uint32_t i = 0; i < normal->count; i++) {
        append(writer, i == 0 ? "" : ", ");
        append(writer, kind_of(&normal->rules[i]));
        for (uint32_t k = 0; k < normal->rules[i].count; k++) {
            KIN_ASSERT(normal->rules[i].ids[k] < info->component_count);
            append(writer, k == 0 ? "" : ", ");
            append(writer, info->components[normal->rules[i].ids[k]].name);
        }
        append(writer, ")");
    }
}

void kin__matcher_describe(const kin_context_info *info, const kin_matcher *normal, char *text, size_t size)
{
    static const char ellipsis[] = "...";
    KIN_ASSERT(size >= 8);
    writer writer = writer_of(text, size);
    append_matcher(&writer, info, normal);
    if (writer.length >= size)
        memcpy(text + size - sizeof ellipsis, ellipsis, sizeof ellipsis);
}

size_t kin_describe_matcher(const kin_context *context, kin_matcher matcher, char *text, size_t size)
{
    const char *reason = NULL;
    writer writer = writer_of(text, size);
    if (kin__matcher_check(&matcher, context->info->component_count, &reason) != KIN_OK) {
        append(&writer, "invalid: ");
        append(&writer, reason);
        return writer.length;
    }
    kin_matcher normal = kin__matcher_normalise(&matcher);
    append_matcher(&writer, context->info, &normal);
    return writer.length;
}

size_t kin_describe_entity(const kin_context *context, kin_entity entity, char *text, size_t size)
{
    char name[80] = "no entity";
    writer writer = writer_of(text, size);
    if (entity != 0)
        snprintf(name, sizeof name, "entity %" PRIu64 " in slot %" PRIu32, kin_entity_creation_index(entity),
                 kin_entity_slot(entity));
    append(&writer, name);
    if (kin__chunk_of(context, entity) == NULL) {
        append(&writer, entity == 0 ? "" : ", not alive");
        return writer.length;
    }
    append(&writer, " (");
    const char *separator = "";
    for (uint32_t id = 0; id < context->info->component_count; id++) {
        if (!kin_has(context, entity, (kin_component_id)id))
            continue;
        append(&writer, separator);
        append(&writer, context->info->components[id].name);
        separator = ", ";
    }
    append(&writer, ")");
    return writer.length;
}

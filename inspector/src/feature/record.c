// Records of the journal and of watches as JSON, and the rows of differences between two moments.
#include "feature/internal.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"created", "destroyed", "added", "removed", "replaced", "touched", "written"};

bool kin__find_record_kind(const char *name, uint8_t *kind)
{
    for (uint8_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], name) == 0) {
            *kind = i;
            return true;
        }
    return false;
}

const char *kin__record_system(const kin__site *site, const kin_record *record)
{
    return kin__calls_name(site->host, record->system);
}

bool kin__field_is_flat(const kin_field_info *field)
{
    bool is_pointer = field->type == KIN_TYPE_STRING || field->type == KIN_TYPE_OPAQUE;
    if (field->is_list || is_pointer)
        return false;
    for (uint32_t i = 0; field->type == KIN_TYPE_STRUCT && i < field->of->field_count; i++)
        if (!kin__field_is_flat(&field->of->fields[i]))
            return false;
    return true;
}

bool kin__field_is_known(const kin_field_info *field, size_t size)
{
    bool is_shown = field->inspect != KIN_INSPECT_HIDDEN && field->offset + field->size <= size;
    return is_shown && kin__field_is_flat(field);
}

void kin__show_known(kin__json *json, const char *key, const kin_component_info *info, const void *value, size_t size)
{
    if (value == NULL || info->inspect == KIN_INSPECT_HIDDEN)
        return;
    kin__json_begin_member(json, key, '{');
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (!kin__field_is_known(field, size))
            continue;
        kin__json_key(json, field->name);
        kin__show_field(json, field, (const char *)value + field->offset);
    }
    kin__json_end(json, '}');
}

void kin__show_moment(kin__json *json, const kin__host *host, const kin__moment *moment, const char *system_key)
{
    kin__json_put_natural(json, "frame", moment->frame);
    kin__json_put_natural(json, "step", moment->step);
    kin__json_put_string(json, system_key, kin__calls_name(host, moment->system));
    kin__json_put_string(json, "role", kin__role_name(moment->role));
}

bool kin__parameter_after(kin__task *task, uint64_t *after, bool *has_after)
{
    const char *text = kin__parameter_text(task, "after");
    *has_after = text != NULL;
    if (text == NULL)
        return true;
    char *end = NULL;
    *after = strtoull(text, &end, 10);
    bool is_number = kin__is_digit(*text) && *end == '\0';
    return is_number || kin__task_fail(task, KIN__CODE_PARAMETERS, "'after' must be the 'next' of an answer");
}

void kin__show_next(kin__json *json, uint64_t lost, uint64_t next)
{
    kin__json_put_natural(json, "lost", lost);
    kin__json_put_digits(json, "next", next);
}

void kin__show_record(kin__json *json, const kin__site *site, const kin_record *record)
{
    KIN_ASSERT(record->kind < sizeof kinds / sizeof *kinds);
    kin__json_put_digits(json, "n", record->number);
    kin__json_put_natural(json, "frame", record->frame);
    kin__json_put_natural(json, "step", record->step);
    kin__json_put_string(json, "system", kin__record_system(site, record));
    kin__json_put_string(json, "role", kin__role_name(record->role));
    kin__json_put_string(json, "kind", kinds[record->kind]);
    kin__json_put_entity(json, "e", record->entity);
    if (record->component < site->info->component_count)
        kin__json_put_string(json, "component", site->info->components[record->component].name);
}

// ---- rows of differences

void kin__show_row(kin__json *json, kin__row_kind kind, kin_entity entity, const kin_component_info *component)
{
    static const char *const kinds[KIN__ROW_KINDS] = {"appeared", "gone", "got", "lost", "changed"};
    KIN_ASSERT(kind < KIN__ROW_KINDS && (component != NULL) == (kind >= KIN__ROW_GOT));
    kin__json_put_entity(json, "e", entity);
    kin__json_put_string(json, "kind", kinds[kind]);
    if (component != NULL)
        kin__json_put_string(json, "component", component->name);
}

void kin__show_row_counts(const kin__task *task, kin__json *json, const uint32_t counts[KIN__ROW_KINDS])
{
    kin__task_show_frame(task, json);
    kin__json_put_natural(json, "appeared", counts[KIN__ROW_APPEARED]);
    kin__json_put_natural(json, "gone", counts[KIN__ROW_GONE]);
    kin__json_put_natural(json, "changed", counts[KIN__ROW_GOT] + counts[KIN__ROW_LOST] + counts[KIN__ROW_CHANGED]);
}

#include "edit/refuse.h"

#include "query/query.h"
#include "text/text.h"

#include <inttypes.h>
#include <stdio.h>

enum { NUMBER = 48 };

// Writes a number of a field. False if it has none.
static bool show_number(char text[NUMBER], const kin_field_info *field, kin_number number)
{
    kin__scalar_kind kind = kin__scalar_kind_of(field->type);
    text[0] = '\0';
    if (kind == KIN__SCALAR_INTEGER)
        snprintf(text, NUMBER, "%" PRId64, number.integer);
    else if (kind == KIN__SCALAR_NATURAL)
        snprintf(text, NUMBER, "%" PRIu64, number.natural);
    else if (kind == KIN__SCALAR_REAL)
        kin__format_number(text, NUMBER, number.number, field->type == KIN_TYPE_FLOAT);
    return text[0] != '\0';
}

bool kin__refuse_range(kin__task *task, const kin_field_info *field)
{
    char min[NUMBER], max[NUMBER];
    const kin_field_range *range = field->range;
    show_number(min, field, range->min);
    show_number(max, field, range->max);
    const char *from = range->has_min && !range->has_max ? "at least " : range->has_min ? "" : "at most ";
    return kin__task_fail(task, KIN__CODE_RANGE,
                          "'%s' is outside of its range, %s%s%s%s; give \"force\": true (--force) to set it",
                          field->name, from, range->has_min ? min : "", range->has_min && range->has_max ? " to " : "",
                          range->has_max ? max : "");
}

bool kin__refuse_expected(kin__task *task, const kin__path *path, const void *base)
{
    char text[NUMBER];
    const void *at = kin__path_is_single(path) ? kin__path_address(path, base) : NULL;
    kin_number number = {.natural = 0};
    if (at != NULL) {
        kin__scalar scalar = kin__scalar_read(path->field, at);
        number.natural = scalar.as.natural;
        if (scalar.kind == KIN__SCALAR_REAL)
            number.number = scalar.as.real;
    }
    if (at != NULL && show_number(text, path->field, number))
        return kin__task_fail(task, KIN__CODE_CHANGED, "'%s' is %s, which is not what was expected", path->field->name,
                              text);
    return kin__task_fail(task, KIN__CODE_CHANGED, "'%s' is not what was expected", path->field->name);
}

bool kin__refuse_unknown(kin__task *task, const kin_field_info *fields, uint32_t count, const json_t *value)
{
    const char *name = "";
    void *item = json_object_iter((json_t *)(uintptr_t)value);
    for (; item != NULL; item = json_object_iter_next((json_t *)(uintptr_t)value, item)) {
        name = json_object_iter_key(item);
        if (kin__find_field(fields, count, name) == NULL)
            break;
    }
    kin__task_fail(task, KIN__CODE_PARAMETERS, "the schema has no field '%.60s' here", name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].inspect != KIN_INSPECT_HIDDEN)
            kin__suggest_offer(&suggest, fields[i].name);
    return false;
}

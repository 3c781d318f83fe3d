#include "edit/refuse.h"

#include "capture/number.h"
#include "query/suggest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 32 };

// Writes a number; "a value" if it is none.
static void show_number(char text[NUMBER], kin__scalar_kind kind, kin_number number)
{
    if (kind == KIN__SCALAR_INTEGER)
        snprintf(text, NUMBER, "%" PRId64, number.integer);
    else if (kind == KIN__SCALAR_NATURAL)
        snprintf(text, NUMBER, "%" PRIu64, number.natural);
    else if (kind == KIN__SCALAR_REAL)
        snprintf(text, NUMBER, "%g", number.number);
    else
        snprintf(text, NUMBER, "another value");
}

bool kin__refuse_range(kin__task *task, const kin_field_info *field)
{
    char min[NUMBER], max[NUMBER];
    const kin_field_range *range = field->range;
    show_number(min, kin__scalar_kind_of(field->type), range->min);
    show_number(max, kin__scalar_kind_of(field->type), range->max);
    const char *from = range->has_min && !range->has_max ? "at least " : range->has_min ? "" : "at most ";
    return kin__task_fail(
        task, KIN__CODE_RANGE, "'%s' is outside of its range, %s%s%s%s; give \"force\": true to set it", field->name,
        from, range->has_min ? min : "", range->has_min && range->has_max ? " to " : "", range->has_max ? max : "");
}

bool kin__refuse_expected(kin__task *task, const kin__path *path, const void *base)
{
    char text[NUMBER] = "another value";
    const void *at = kin__path_is_single(path) ? kin__path_address(path, base) : NULL;
    if (at != NULL) {
        kin__scalar scalar = kin__scalar_read(path->field, at);
        kin_number number = {.natural = scalar.as.natural};
        if (scalar.kind == KIN__SCALAR_REAL)
            number.number = scalar.as.real;
        show_number(text, scalar.kind, number);
    }
    return kin__task_fail(task, KIN__CODE_CHANGED, "'%s' is %s, which is not what was expected", path->field->name,
                          text);
}

static bool is_field(const kin_field_info *fields, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return true;
    return false;
}

bool kin__refuse_unknown(kin__task *task, const kin_field_info *fields, uint32_t count, const json_t *value)
{
    const char *name = "";
    void *item = json_object_iter((json_t *)(uintptr_t)value);
    for (; item != NULL; item = json_object_iter_next((json_t *)(uintptr_t)value, item)) {
        name = json_object_iter_key(item);
        if (!is_field(fields, count, name))
            break;
    }
    kin__task_fail(task, KIN__CODE_PARAMETERS, "the schema has no field '%.60s' here", name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].inspect != KIN_INSPECT_HIDDEN)
            kin__suggest_offer(&suggest, fields[i].name);
    return false;
}

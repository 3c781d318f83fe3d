#include "query/query.h"

#include <kin/kin.h>

#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 128, HIDDEN = -33107 };

static bool fail_hidden(kin__scan *scan, const char *name)
{
    if (scan->mistake->code == 0) {
        kin__scan_fail(scan, "'%s' is hidden by its schema", name);
        scan->mistake->code = HIDDEN;
    }
    return false;
}

bool kin__path_component(kin__scan *scan, const kin_context_info *info, kin_component_id *id)
{
    char name[NAME_SIZE];
    kin__scan_copy(scan, name, sizeof name);
    *id = kin_component_find(info, name);
    if (*id == KIN_NO_COMPONENT) {
        kin__suggest suggest = kin__suggest_begin(name, scan->mistake);
        for (uint32_t i = 0; i < info->component_count; i++)
            kin__suggest_offer(&suggest, info->components[i].name);
        return kin__scan_fail(scan, "%s has no component '%s'", info->name, name);
    }
    kin__scan_next(scan);
    return true;
}

const kin_field_info *kin__find_field(const kin_field_info *fields, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

// Whether the field is no array or list.
static bool has_one_value(const kin_field_info *field)
{
    return field->count == 0 && !field->is_list;
}

static bool append_step(kin__scan *scan, kin__path *path, kin__path_step step)
{
    if (path->step_count == KIN__PATH_STEPS)
        return kin__scan_fail(scan, "a path has at most %d parts", KIN__PATH_STEPS);
    KIN_ASSERT(!step.is_list || step.stride > 0);
    path->steps[path->step_count++] = step;
    return true;
}

// Parses `[n]` behind a field, if it is there.
static bool parse_element(kin__scan *scan, kin__path *path)
{
    char digits[NAME_SIZE];
    unsigned long index;
    if (path->is_element || !kin__scan_accept(scan, "["))
        return true;
    kin__scan_copy(scan, digits, sizeof digits);
    const kin_field_info *field = path->field;
    bool is_natural = scan->token.kind == KIN__TOKEN_INTEGER && digits[0] != '-';
    if (!is_natural || sscanf(digits, "%9lu", &index) != 1)
        return kin__scan_fail(scan, "expected the number of an element");
    if (!field->is_list && index >= field->count)
        return kin__scan_fail(scan, "'%s' has %u elements", field->name, (unsigned)field->count);
    kin__path_step step = {.index = (uint32_t)index, .is_list = field->is_list, .stride = kin__element_size(field)};
    if (!field->is_list)
        step.offset = index * step.stride;
    path->is_element = true;
    kin__scan_next(scan);
    return append_step(scan, path, step) && kin__scan_expect(scan, "]");
}

static bool parse_field(kin__scan *scan, kin__path *path, const kin_field_info *fields, uint32_t count)
{
    char name[NAME_SIZE];
    kin__scan_copy(scan, name, sizeof name);
    const kin_field_info *field = NULL;
    if (scan->token.kind == KIN__TOKEN_NAME)
        field = kin__find_field(fields, count, name);
    if (field == NULL) {
        kin__suggest suggest = kin__suggest_begin(name, scan->mistake);
        for (uint32_t i = 0; i < count; i++)
            kin__suggest_offer(&suggest, fields[i].name);
        return kin__scan_fail(scan, "there is no field '%s' here", name);
    }
    if (field->inspect == KIN_INSPECT_HIDDEN)
        return fail_hidden(scan, name);
    KIN_ASSERT(field->size > 0);
    path->is_read_only = path->is_read_only || field->inspect == KIN_INSPECT_READ_ONLY;
    path->field = field;
    path->is_element = false;
    kin__scan_next(scan);
    if (!append_step(scan, path, (kin__path_step){.offset = field->offset}))
        return false;
    return has_one_value(field) || parse_element(scan, path);
}

static bool is_followed_by_point(const kin__scan *scan)
{
    kin__scan ahead = *scan;
    kin__mistake ignored = {0};
    ahead.mistake = &ignored;
    kin__scan_next(&ahead);
    return kin__scan_is(&ahead, ".");
}

// Finds the component that has the field, of which there must be one.
static bool find_owner(kin__scan *scan, const kin__path_scope *scope, const char *name, kin_component_id *id)
{
    char owners[400] = "";
    uint32_t found = 0;
    kin__suggest suggest = kin__suggest_begin(name, scan->mistake);
    for (uint32_t i = 0; i < scope->named_count; i++) {
        const kin_component_info *info = &scope->info->components[scope->named[i]];
        for (uint32_t k = 0; k < info->field_count; k++)
            kin__suggest_offer(&suggest, info->fields[k].name);
        if (kin__find_field(info->fields, info->field_count, name) == NULL)
            continue;
        *id = scope->named[i];
        const char *comma = found++ == 0 ? "" : ", ";
        size_t used = strlen(owners);
        snprintf(owners + used, sizeof owners - used, "%s%.50s.%.50s", comma, info->name, name);
    }
    if (found > 0)
        kin__suggest_begin(name, scan->mistake);
    if (found == 1)
        return true;
    if (found == 0 && is_followed_by_point(scan)) {
        for (uint32_t i = 0; i < scope->info->component_count; i++)
            kin__suggest_offer(&suggest, scope->info->components[i].name);
        return kin__scan_fail(scan, "there is no component or field '%s'", name);
    }
    if (found == 0 && scope->may_be_text)
        return kin__scan_fail(scan, "no component of the query has a field '%s'; texts need double quotes", name);
    if (found == 0)
        return kin__scan_fail(scan,
                              "no component of the query has a field '%s'; write a component and a field, "
                              "such as Health.points",
                              name);
    return kin__scan_fail(scan, "several components have a field '%s': write one of %s", name, owners);
}

bool kin__path_parse(kin__scan *scan, const kin__path_scope *scope, kin__path *path)
{
    char name[NAME_SIZE];
    KIN_ASSERT(scope->component == KIN_NO_COMPONENT || scope->component < scope->info->component_count);
    *path = (kin__path){.component = scope->component};
    if (scan->token.kind != KIN__TOKEN_NAME)
        return kin__scan_fail(scan, "expected the name of a field");
    kin__scan_copy(scan, name, sizeof name);
    if (is_followed_by_point(scan) && kin_component_find(scope->info, name) != KIN_NO_COMPONENT) {
        if (!kin__path_component(scan, scope->info, &path->component) || !kin__scan_expect(scan, "."))
            return false;
    } else if (path->component == KIN_NO_COMPONENT && !find_owner(scan, scope, name, &path->component)) {
        return false;
    }
    // Parses what follows the component.
    const kin_component_info *info = &scope->info->components[path->component];
    if (info->inspect == KIN_INSPECT_HIDDEN)
        return fail_hidden(scan, info->name);
    path->is_read_only = info->inspect == KIN_INSPECT_READ_ONLY;
    if (!parse_field(scan, path, info->fields, info->field_count))
        return false;
    while (kin__scan_accept(scan, ".")) {
        bool is_one = path->is_element || has_one_value(path->field);
        if (path->field->type != KIN_TYPE_STRUCT || !is_one)
            return kin__scan_fail(scan, "'%s' has no fields", path->field->name);
        if (!parse_field(scan, path, path->field->of->fields, path->field->of->field_count))
            return false;
    }
    return true;
}

// Returns the only relation of the component; NULL after reporting that it has none or several.
static const kin_field_info *find_relation(kin__scan *scan, const kin_context_info *info, kin_component_id id)
{
    const char *name = info->components[id].name;
    const kin_field_info *found = NULL;
    for (uint32_t i = 0; i < info->relation_count; i++) {
        const kin_relation_info *relation = &info->relations[i];
        if (relation->component != id)
            continue;
        if (found != NULL) {
            kin__scan_fail(scan, "'%s' has several relations; write one, such as %s.%s.(...)", name, name, found->name);
            return NULL;
        }
        found = relation->field;
    }
    if (found == NULL)
        kin__scan_fail(scan, "'%s' has no relation, a field that names an entity of %s", name, info->name);
    return found;
}

static bool is_relation(const kin_context_info *info, const kin__path *path)
{
    for (uint32_t i = 0; i < info->relation_count; i++)
        if (info->relations[i].component == path->component && info->relations[i].field == path->field)
            return true;
    return false;
}

bool kin__path_relation(kin__scan *scan, const kin_context_info *info, kin_component_id id, kin__path *path)
{
    const kin_component_info *component = &info->components[id];
    *path = (kin__path){.component = id};
    if (component->inspect == KIN_INSPECT_HIDDEN)
        return fail_hidden(scan, component->name);
    if (kin__scan_is(scan, "(")) {
        path->field = find_relation(scan, info, id);
        if (path->field == NULL)
            return false;
        if (path->field->inspect == KIN_INSPECT_HIDDEN)
            return fail_hidden(scan, path->field->name);
        return append_step(scan, path, (kin__path_step){.offset = path->field->offset});
    }
    kin__token token = scan->token;
    if (!parse_field(scan, path, component->fields, component->field_count))
        return false;
    if (!is_relation(info, path))
        return kin__scan_fail_at(scan, token, "'%s' is no relation", path->field->name);
    return kin__scan_expect(scan, ".");
}

bool kin__path_is_single(const kin__path *path)
{
    if (path->field == NULL || kin__scalar_kind_of(path->field->type) == KIN__SCALAR_NONE)
        return false;
    return path->is_element || has_one_value(path->field);
}

const void *kin__path_address(const kin__path *path, const void *value)
{
    const char *at = value;
    KIN_ASSERT(value != NULL && path->step_count <= KIN__PATH_STEPS);
    for (uint32_t i = 0; i < path->step_count; i++) {
        const kin__path_step *step = &path->steps[i];
        struct {
            const char *at;
            uint32_t count;
        } list;
        at += step->offset;
        if (!step->is_list)
            continue;
        memcpy(&list, at, sizeof list);
        if (step->index >= list.count)
            return NULL;
        at = list.at + step->index * step->stride;
    }
    return at;
}

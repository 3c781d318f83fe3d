#include "method/column.h"

#include "query/query.h"

#include <string.h>

// Parses a whole component or a path.
static bool parse_column(kin__task *task, const char *text, kin__view_column *column)
{
    const kin_context_info *info = task->site->info;
    kin__path_scope scope = {info, KIN_NO_COMPONENT, NULL, 0, false};
    column->name = text;
    column->path.component = kin_component_find(info, text);
    column->path.field = NULL;
    if (column->path.component != KIN_NO_COMPONENT) {
        kin_component_id id;
        return kin__find_component(task, text, &id);
    }
    kin__scan scan = kin__scan_begin(text, &task->mistake);
    if (task->mistake.code == 0 && kin__path_parse(&scan, &scope, &column->path) && scan.token.kind != KIN__TOKEN_END)
        kin__scan_fail(&scan, "expected the end of '%.60s'", text);
    return task->mistake.code == 0;
}

bool kin__columns_parse(kin__task *task, const char *parameter, kin__view_columns *columns)
{
    const json_t *texts = kin__parameter_any(task, parameter);
    size_t count = json_array_size(texts);
    if (count > KIN__MAX_COLUMNS)
        return kin__task_fail(task, KIN__CODE_LIMIT, "'%s' has at most %d elements", parameter, KIN__MAX_COLUMNS);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(texts, i));
        if (text == NULL)
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' must be an array of strings", parameter);
        if (!parse_column(task, text, &columns->columns[i]))
            return false;
        columns->count++;
    }
    return true;
}

void kin__columns_add(kin__view_columns *columns, const kin_context_info *info, const kin_component_id *ids,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count && columns->count < KIN__MAX_COLUMNS; i++)
        if (info->components[ids[i]].inspect != KIN_INSPECT_HIDDEN)
            columns->columns[columns->count++] =
                (kin__view_column){.name = info->components[ids[i]].name, .path.component = ids[i]};
}

bool kin__columns_capture(kin__task *task, const kin__view_columns *columns, kin_entity entity, const void **values)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        kin_component_id id = columns->columns[i].path.component;
        values[i] = NULL;
        for (uint32_t k = 0; k < i && values[i] == NULL; k++)
            if (columns->columns[k].path.component == id)
                values[i] = values[k];
        if (values[i] == NULL && kin_has(task->site->context, entity, id))
            values[i] = kin__capture_component(&task->capture, task->site->context, entity, id);
    }
    return !task->capture.is_full;
}

static void show_column(const kin__task *task, kin__json *json, const kin__view_column *column, const void *value)
{
    const kin__path *path = &column->path;
    if (path->field == NULL) {
        kin__json_key(json, column->name);
        kin__show_component(json, &task->site->info->components[path->component], value);
        return;
    }
    const void *at = kin__path_address(path, value);
    if (at == NULL)
        return;
    kin__json_key(json, column->name);
    if (path->is_element)
        kin__show_element(json, path->field, at);
    else
        kin__show_field(json, path->field, at);
}

void kin__columns_show(const kin__task *task, kin__json *json, const kin__view_columns *columns,
                       const void *const *values)
{
    kin__json_begin(json, '{');
    for (uint32_t i = 0; i < columns->count; i++)
        if (values[i] != NULL)
            show_column(task, json, &columns->columns[i], values[i]);
    kin__json_end(json, '}');
}

#include "method/column.h"

#include "capture/show.h"

#include <string.h>

// Parses a whole component or a path.
static bool parse_column(kin__job *job, const char *text, kin__view_column *column)
{
    const kin_context_info *info = job->site->info;
    kin__path_scope scope = {info, KIN_NO_COMPONENT, NULL, 0};
    column->name = text;
    column->path.component = kin_component_find(info, text);
    column->path.field = NULL;
    if (column->path.component != KIN_NO_COMPONENT) {
        kin_component_id id;
        return kin__find_component(job, text, &id);
    }
    kin__scan scan = kin__scan_begin(text, &job->mistake);
    if (job->mistake.code == 0 && kin__path_parse(&scan, &scope, &column->path) && scan.token.kind != KIN__TOKEN_END)
        kin__scan_fail(&scan, "expected the end of '%.60s'", text);
    return job->mistake.code == 0;
}

bool kin__columns_parse(kin__job *job, const char *parameter, kin__view_columns *columns)
{
    const json_t *texts = kin__parameter_any(job, parameter);
    size_t count = json_array_size(texts);
    if (count > KIN__MAX_COLUMNS)
        return kin__job_fail(job, KIN__CODE_LIMIT, "'%s' has at most %d elements", parameter, KIN__MAX_COLUMNS);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(texts, i));
        if (text == NULL)
            return kin__job_fail(job, KIN__CODE_PARAMETERS, "'%s' must be an array of strings", parameter);
        if (!parse_column(job, text, &columns->columns[i]))
            return false;
        columns->count++;
    }
    return true;
}

bool kin__columns_capture(kin__job *job, const kin__view_columns *columns, kin_entity entity, const void **values)
{
    for (uint32_t i = 0; i < columns->count; i++) {
        kin_component_id id = columns->columns[i].path.component;
        values[i] = NULL;
        for (uint32_t k = 0; k < i && values[i] == NULL; k++)
            if (columns->columns[k].path.component == id)
                values[i] = values[k];
        if (values[i] == NULL && kin_has(job->site->context, entity, id))
            values[i] = kin__capture_component(&job->capture, job->site->context, entity, id);
    }
    return !job->capture.is_full;
}

static void show_column(const kin__job *job, kin__json *json, const kin__view_column *column, const void *value)
{
    const kin__path *path = &column->path;
    if (path->field == NULL) {
        kin__json_key(json, column->name);
        kin__show_component(json, &job->site->info->components[path->component], value);
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

void kin__columns_show(const kin__job *job, kin__json *json, const kin__view_columns *columns,
                       const void *const *values)
{
    kin__json_begin(json, '{');
    for (uint32_t i = 0; i < columns->count; i++)
        if (values[i] != NULL)
            show_column(job, json, &columns->columns[i], values[i]);
    kin__json_end(json, '}');
}

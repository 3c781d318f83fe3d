// plots.add, .remove and .read: numbers over time.

#include "site/plots.h"
#include "method/methods.h"
#include "host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"value", "count", "sum", "average", "minimum", "maximum"};

typedef struct plot_row {
    uint32_t number, count;
    kin__plot_kind kind;
    kin_entity entity;
    char text[128];
    kin__sample *samples; // in the capture
} plot_row;

typedef struct plots_task {
    kin__plots *made;
    kin__plot *plot; // that is added
    uint32_t added;
    json_int_t wanted, after, limit;
    bool has_after;
    plot_row rows[KIN__MAX_PLOTS];
    uint32_t row_count;
} plots_task;

// ---- adding

static bool is_number(const kin__path *path)
{
    if (path->field == NULL || !kin__path_is_single(path))
        return false;
    kin__scalar_kind kind = kin__scalar_kind_of(path->field->type);
    return kind != KIN__SCALAR_NONE && kind != KIN__SCALAR_TEXT && kind != KIN__SCALAR_ENTITY;
}

static bool parse_path(kin__task *task, kin__plot *plot)
{
    const char *text = kin__parameter_text(task, "path");
    if (text == NULL)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "'path' is missing: a field such as Position.x");
    kin__path_scope scope = {task->site->info, KIN_NO_COMPONENT, NULL, 0, false};
    kin__scan scan = kin__scan_begin(text, &task->mistake);
    if (task->mistake.code == 0 && kin__path_parse(&scan, &scope, &plot->path) && scan.token.kind != KIN__TOKEN_END)
        kin__scan_fail(&scan, "expected the end of the path");
    task->has_place = task->mistake.code != 0;
    if (task->mistake.code == 0 && !is_number(&plot->path))
        kin__task_fail(task, KIN__CODE_PARAMETERS, "a plot shows numbers; name a field that is one");
    return task->mistake.code == 0;
}

static bool parse_kind(kin__task *task, kin__plot *plot)
{
    const char *kind = kin__parameter_text(task, "of");
    plot->kind = KIN__PLOT_COUNT;
    for (uint32_t i = KIN__PLOT_COUNT; kind != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], kind) == 0) {
            plot->kind = (kin__plot_kind)i;
            return true;
        }
    return kind == NULL ||
           kin__task_fail(task, KIN__CODE_PARAMETERS, "'of' must be count, sum, average, minimum or maximum");
}

static bool parse_source(kin__task *task, kin__plot *plot)
{
    const char *query = kin__parameter_text(task, "query"), *path = kin__parameter_text(task, "path");
    plot->is_pinned = kin__parameter_bool(task, "pinned");
    if (kin__parameter_text(task, "entity") != NULL) {
        snprintf(plot->text, sizeof plot->text, "%s", path == NULL ? "" : path);
        return kin__parameter_entity(task, "entity", &plot->entity) && parse_path(task, plot);
    }
    snprintf(plot->text, sizeof plot->text, "%s%s%s", path == NULL ? "" : path, path == NULL ? "" : " of ",
             query == NULL ? "*" : query);
    if (!parse_kind(task, plot) || (plot->kind != KIN__PLOT_COUNT && !parse_path(task, plot)))
        return false;
    task->has_place = !kin__query_parse(&plot->query, task->site->info, query == NULL ? "" : query, &task->mistake);
    return !task->has_place;
}

static bool parse_add(kin__task *task)
{
    if (!kin__parameter_context(task) || !kin__task_make_data(task, sizeof(plots_task)))
        return false;
    plots_task *data = task->data;
    data->made = kin__bounded_zeros(&task->service->heap, sizeof *data->made);
    data->plot = kin__plot_make(&task->service->heap, task->site->info);
    if (data->made == NULL || data->plot == NULL)
        return kin__task_fail(task, KIN__CODE_LIMIT, "the inspector has no memory left");
    data->made->heap = &task->service->heap;
    return parse_source(task, data->plot);
}

static void release(kin__task *task)
{
    plots_task *data = task->data;
    if (data == NULL)
        return;
    kin__plot_release(&task->service->heap, data->plot);
    kin__bounded_release(&task->service->heap, data->made, sizeof *data->made);
}

static bool step_add(kin__task *task, const kin__slice *slice)
{
    plots_task *data = task->data;
    kin__site *site = (kin__site *)(uintptr_t)task->site; // only the thread of the host has its plots
    (void)slice;
    if (site->plots == NULL) {
        site->plots = data->made;
        data->made = NULL;
    }
    if (!kin__plots_add(site, data->plot)) {
        kin__task_fail(task, KIN__CODE_LIMIT, "a context has at most %d plots; remove one", KIN__MAX_PLOTS);
        return true;
    }
    data->added = data->plot->number;
    data->plot = NULL;
    return true;
}

static void show_number(const kin__task *task, kin__json *json)
{
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "plot", ((const plots_task *)task->data)->added);
    kin__json_end(json, '}');
}

// ---- removing

static bool parse_remove(kin__task *task)
{
    return kin__parameter_context(task) && kin__task_make_data(task, sizeof(plots_task)) &&
           kin__parameter_integer(task, "plot", 1, UINT32_MAX, &((plots_task *)task->data)->wanted);
}

static bool step_remove(kin__task *task, const kin__slice *slice)
{
    plots_task *data = task->data;
    (void)slice;
    data->added = (uint32_t)data->wanted;
    if (!kin__plots_remove(task->site, data->added))
        kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such plot; plots.read has them");
    return true;
}

// ---- reading

static bool parse_read(kin__task *task)
{
    if (!kin__parameter_context(task) || !kin__task_make_data(task, sizeof(plots_task)))
        return false;
    plots_task *data = task->data;
    data->limit = KIN__SAMPLES;
    data->has_after = kin__parameter_any(task, "after") != NULL;
    return kin__parameter_integer(task, "plot", 1, UINT32_MAX, &data->wanted) &&
           kin__parameter_integer(task, "after", 0, INT64_MAX, &data->after) &&
           kin__parameter_integer(task, "limit", 1, KIN__SAMPLES, &data->limit) &&
           kin__task_make_capture(task, KIN__CAPTURE_SIZE, 0);
}

// Copies the newest samples after the frame.
static void capture_plot(kin__task *task, const kin__plot *plot)
{
    plots_task *data = task->data;
    uint64_t kept = plot->sample_count < (uint64_t)data->limit ? plot->sample_count : (uint64_t)data->limit;
    plot_row *row = &data->rows[data->row_count++];
    row->number = plot->number;
    row->kind = plot->kind;
    row->entity = plot->entity;
    memcpy(row->text, plot->text, sizeof row->text);
    row->samples = kin__capture_reserve(&task->capture, ((size_t)kept + 1) * sizeof *row->samples);
    for (uint64_t n = plot->sample_count - kept; row->samples != NULL && n < plot->sample_count; n++) {
        const kin__sample *sample = &plot->samples[n % KIN__SAMPLES];
        if (!data->has_after || sample->frame > (uint64_t)data->after)
            row->samples[row->count++] = *sample;
    }
}

static bool step_read(kin__task *task, const kin__slice *slice)
{
    const plots_task *data = task->data;
    (void)slice;
    for (uint32_t i = 0; task->site->plots != NULL && i < KIN__MAX_PLOTS; i++) {
        const kin__plot *plot = task->site->plots->places[i];
        if (plot != NULL && (data->wanted == 0 || plot->number == data->wanted))
            capture_plot(task, plot);
    }
    return true;
}

static void show_plot(kin__json *json, const plot_row *row)
{
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "plot", row->number);
    kin__json_put_string(json, "of", kinds[row->kind]);
    kin__json_put_string(json, "text", row->text);
    if (row->entity != 0) {
        kin__json_key(json, "e");
        kin__json_entity(json, row->entity);
    }
    kin__json_key(json, "samples");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < row->count; i++) {
        kin__json_begin(json, '[');
        kin__json_natural(json, row->samples[i].frame);
        kin__json_number(json, row->samples[i].value, false);
        kin__json_end(json, ']');
    }
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

static void show_read(const kin__task *task, kin__json *json)
{
    const plots_task *data = task->data;
    kin__json_begin(json, '{');
    kin__task_show_frame(task, json);
    kin__json_key(json, "plots");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; i < data->row_count; i++)
        show_plot(json, &data->rows[i]);
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

const kin__method kin__method_plot_add = {
    .name = "plots.add",
    .doc = "Samples a number before each update: the field of an entity, or what the entities of a query count or sum "
           "up. Plots end when nobody has asked for anything for ten seconds, unless one is pinned.",
    .is_once = true,
    .result = "frame, plot",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"entity", "string", false, "the handle, creation:slot"},
                   {"path", "string", false, "a field such as Position.x; not for a count"},
                   {"query", "string", false, "instead of an entity; without both, all"},
                   {"of", "string", false, "of a query: count, sum, average, minimum or maximum; count without it"},
                   {"pinned", "boolean", false, "goes on when nobody asks"}},
    .parse = parse_add,
    .step = step_add,
    .show = show_number,
    .release = release,
};

const kin__method kin__method_plot_remove = {
    .name = "plots.remove",
    .doc = "Removes a plot.",
    .is_once = true,
    .result = "frame, plot",
    .parameters = {KIN__CONTEXT_PARAMETER, {"plot", "integer", true, "the number that plots.add gave"}},
    .parse = parse_remove,
    .step = step_remove,
    .show = show_number,
};

const kin__method kin__method_plot_read = {
    .name = "plots.read",
    .doc = "The samples of plots, each with the frame before which it was taken; NaN where there was no value.",
    .result = "frame, plots of plot, of, text, e and samples of frame and value",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"plot", "integer", false, "of this one alone"},
                   {"after", "integer", false, "of later frames alone"},
                   {"limit", "integer", false, "the newest samples of each, 1 to 3600; 3600 without it"}},
    .parse = parse_read,
    .step = step_read,
    .show = show_read,
};

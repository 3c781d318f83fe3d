// Plots: numbers of a context, sampled once an update: a value of an entity, or what a query counts or sums up.
//
//   plot   query, path   →  samples [ frame, value | frame, value | … ]     the newest KIN__SAMPLES stay
//
// A query that takes long is asked over several updates, a part of each, and gives a sample when it is through. Plots
// end when nobody has asked for anything for ten seconds, unless one is pinned. For the thread of the host.
//
// Invariant: attention of the host is one more while a site of it has plots.
#include "feature/internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KIN__MAX_PLOTS = 16, KIN__SAMPLES = 3600 };

typedef enum plot_kind {
    KIN__PLOT_VALUE, // of an entity
    KIN__PLOT_COUNT,
    KIN__PLOT_SUM,
    KIN__PLOT_AVERAGE,
    KIN__PLOT_MINIMUM,
    KIN__PLOT_MAXIMUM
} plot_kind;

typedef struct kin__sample {
    uint64_t frame;
    double value; // NaN if there is none
} kin__sample;

typedef struct kin__plot {
    plot_kind kind;
    uint32_t number;
    bool is_pinned;
    kin_entity entity;
    kin__path path; // not of a count
    kin__query query;
    char text[128]; // the path or query as it was given
    // a query under way
    uint32_t word;
    uint64_t count;
    double sum, least, most;
    uint64_t sample_count; // sample n is in n % KIN__SAMPLES
    size_t size;           // bytes of the plot with its scratch
    kin__sample samples[KIN__SAMPLES];
    max_align_t scratch[]; // of kin__query_scratch bytes
} kin__plot;

typedef struct kin__plots {
    kin__bounded_heap *heap;
    uint32_t count, last_number;
    kin__plot *places[KIN__MAX_PLOTS]; // NULL where unused
} kin__plots;

// ---- sampling

static bool read_number(const kin_context *context, kin__plot *plot, kin_entity entity, double *number)
{
    KIN_ASSERT(kin__path_is_single(&plot->path));
    const void *value = kin__query_value(context, entity, plot->path.component, plot->scratch);
    if (value == NULL)
        return false;
    const void *at = kin__path_address(&plot->path, value);
    if (at == NULL)
        return false;
    kin__scalar scalar = kin__scalar_read(plot->path.field, at);
    switch (scalar.kind) {
    case KIN__SCALAR_REAL:
        *number = scalar.as.real;
        break;
    case KIN__SCALAR_NATURAL:
        *number = (double)scalar.as.natural;
        break;
    case KIN__SCALAR_BOOL:
        *number = scalar.as.boolean;
        break;
    default:
        *number = (double)scalar.as.integer;
    }
    return true;
}

static void add_sample(kin__plot *plot, uint64_t frame, double value)
{
    plot->samples[plot->sample_count++ % KIN__SAMPLES] = (kin__sample){frame, value};
}

static void add_entity(const kin_context *context, kin__plot *plot, kin_entity entity)
{
    double number = 0;
    KIN_ASSERT(plot->kind != KIN__PLOT_VALUE);
    if (plot->kind != KIN__PLOT_COUNT && !read_number(context, plot, entity, &number))
        return;
    if (plot->count == 0 || number < plot->least)
        plot->least = number;
    if (plot->count == 0 || number > plot->most)
        plot->most = number;
    plot->sum += number;
    plot->count++;
}

static double result_of(const kin__plot *plot)
{
    KIN_ASSERT(plot->kind != KIN__PLOT_VALUE);
    if (plot->kind == KIN__PLOT_COUNT)
        return (double)plot->count;
    if (plot->kind == KIN__PLOT_SUM)
        return plot->sum;
    if (plot->count == 0)
        return (double)NAN;
    if (plot->kind == KIN__PLOT_AVERAGE)
        return plot->sum / (double)plot->count;
    if (plot->kind == KIN__PLOT_MINIMUM)
        return plot->least;
    return plot->most;
}

static void sample_query(const kin_context *context, kin__plot *plot, uint64_t frame, uint64_t deadline)
{
    uint32_t words = kin_look_words(context);
    KIN_ASSERT(plot->kind != KIN__PLOT_VALUE);
    for (uint32_t done = 1; plot->word < words; done++) {
        uint64_t match = kin__query_word(&plot->query, context, plot->word, plot->scratch);
        for (; match != 0; match &= match - 1)
            add_entity(context, plot, kin_look_entity(context, 64 * plot->word + kin__lowest_bit(match)));
        plot->word++;
        bool is_asked = done % KIN__SLICE_WORDS == 0 && plot->word < words;
        if (is_asked && kin__inspect_now() >= deadline)
            return;
    }
    add_sample(plot, frame, result_of(plot));
    plot->word = 0;
    plot->count = 0;
    plot->sum = 0;
}

static void sample(const kin__site *site, uint64_t frame, uint64_t deadline)
{
    for (uint32_t i = 0; i < KIN__MAX_PLOTS; i++) {
        kin__plot *plot = site->plots->places[i];
        double number = (double)NAN;
        if (plot == NULL)
            continue;
        if (plot->kind != KIN__PLOT_VALUE) {
            sample_query(site->context, plot, frame, deadline);
            continue;
        }
        read_number(site->context, plot, plot->entity, &number);
        add_sample(plot, frame, number);
    }
}

// ---- adding and removing

static kin__plot *plot_make(kin__bounded_heap *heap, const kin_context_info *info)
{
    size_t size = sizeof(kin__plot) + kin__query_scratch(info);
    kin__plot *plot = kin__bounded_zeros(heap, size);
    if (plot != NULL)
        plot->size = size;
    return plot;
}

static void plot_release(kin__bounded_heap *heap, kin__plot *plot)
{
    if (plot != NULL)
        kin__bounded_release(heap, plot, plot->size);
}

// Adds a plot, which the plots then own. Returns false when there are as many as can be.
static bool plots_add(const kin__site *site, kin__plot *plot)
{
    kin__plots *plots = site->plots;
    KIN_ASSERT(plots->count <= KIN__MAX_PLOTS);
    if (plots->count == KIN__MAX_PLOTS)
        return false;
    uint32_t place = 0;
    while (plots->places[place] != NULL)
        place++;
    KIN_ASSERT(place < KIN__MAX_PLOTS && plot->number == 0);
    plots->places[place] = plot;
    plot->number = ++plots->last_number;
    if (plots->count++ == 0)
        atomic_fetch_add(&site->host->attention, 1);
    return true;
}

static void remove_at(const kin__site *site, uint32_t place)
{
    kin__plots *plots = site->plots;
    KIN_ASSERT(place < KIN__MAX_PLOTS && plots->places[place] != NULL);
    plot_release(plots->heap, plots->places[place]);
    KIN_ASSERT(plots->count > 0 && atomic_load(&site->host->attention) > 0);
    plots->places[place] = NULL;
    if (--plots->count == 0)
        atomic_fetch_sub(&site->host->attention, 1);
}

static bool plots_remove(const kin__site *site, uint32_t number)
{
    for (uint32_t i = 0; site->plots != NULL && i < KIN__MAX_PLOTS; i++)
        if (site->plots->places[i] != NULL && site->plots->places[i]->number == number) {
            remove_at(site, i);
            return true;
        }
    return false;
}

// ---- all sites

static bool is_pinned(const kin__plots *plots)
{
    for (uint32_t i = 0; i < KIN__MAX_PLOTS; i++)
        if (plots->places[i] != NULL && plots->places[i]->is_pinned)
            return true;
    return false;
}

static void end(const kin__site *site)
{
    for (uint32_t i = 0; i < KIN__MAX_PLOTS; i++)
        if (site->plots->places[i] != NULL)
            remove_at(site, i);
}

void kin__plots_end(const kin__sites *sites, const kin__host *host)
{
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++)
        if (sites->sites[i].host == host && sites->sites[i].plots != NULL)
            end(&sites->sites[i]);
}

void kin__plots_sample(const kin__sites *sites, const kin__host *host, uint64_t now, uint64_t deadline)
{
    bool is_silent = kin__host_is_silent(host, now);
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++) {
        const kin__site *site = &sites->sites[i];
        if (site->host != host || site->plots == NULL)
            continue;
        if (is_silent && !is_pinned(site->plots))
            end(site);
        else
            sample(site, kin__host_frame(host), deadline);
    }
}

void kin__plots_release(kin__plots *plots)
{
    if (plots == NULL)
        return;
    for (uint32_t i = 0; i < KIN__MAX_PLOTS; i++)
        plot_release(plots->heap, plots->places[i]);
    kin__bounded_release(plots->heap, plots, sizeof *plots);
}

// ---- methods

// plots.add, .remove and .read: numbers over time.

static const char *const kinds[] = {"value", "count", "sum", "average", "minimum", "maximum"};

typedef struct plot_row {
    uint32_t number, count;
    plot_kind kind;
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
    switch (kin__scalar_kind_of(path->field->type)) {
    case KIN__SCALAR_NONE:
    case KIN__SCALAR_TEXT:
    case KIN__SCALAR_ENTITY:
        return false;
    default:
        return true;
    }
}

static bool parse_path(kin__task *task, kin__plot *plot)
{
    if (kin__parameter_text(task, "path") == NULL)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "'path' is missing: a field such as Position.x");
    if (!kin__parameter_path(task, &plot->path))
        return false;
    return is_number(&plot->path) ||
           kin__task_fail(task, KIN__CODE_PARAMETERS, "a plot shows numbers; name a field that is one");
}

static bool parse_kind(kin__task *task, kin__plot *plot)
{
    const char *kind = kin__parameter_text(task, "of");
    plot->kind = KIN__PLOT_COUNT;
    for (uint32_t i = KIN__PLOT_COUNT; kind != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], kind) == 0) {
            plot->kind = (plot_kind)i;
            return true;
        }
    return kind == NULL ||
           kin__task_fail(task, KIN__CODE_PARAMETERS, "'of' must be count, sum, average, minimum or maximum");
}

static bool parse_source(kin__task *task, kin__plot *plot)
{
    const char *path = kin__parameter_text_or_empty(task, "path");
    plot->is_pinned = kin__parameter_bool(task, "pinned");
    if (kin__parameter_text(task, "entity") != NULL) {
        snprintf(plot->text, sizeof plot->text, "%s", path);
        return kin__parameter_entity(task, "entity", &plot->entity) && parse_path(task, plot);
    }
    const char *query = kin__parameter_text(task, "query");
    if (query == NULL)
        query = "*";
    if (kin__parameter_text(task, "path") == NULL)
        snprintf(plot->text, sizeof plot->text, "%s", query);
    else
        snprintf(plot->text, sizeof plot->text, "%s of %s", path, query);
    if (!parse_kind(task, plot))
        return false;
    if (plot->kind != KIN__PLOT_COUNT && !parse_path(task, plot))
        return false;
    return kin__parameter_query(task, &plot->query);
}

static bool parse_add(kin__task *task)
{
    plots_task *data = task->data;
    data->made = kin__bounded_zeros(&task->service->heap, sizeof *data->made);
    data->plot = plot_make(&task->service->heap, task->site->info);
    if (data->made == NULL || data->plot == NULL)
        return kin__task_fail_memory(task);
    data->made->heap = &task->service->heap;
    return parse_source(task, data->plot);
}

static void release(kin__task *task)
{
    plots_task *data = task->data;
    plot_release(&task->service->heap, data->plot);
    kin__bounded_release(&task->service->heap, data->made, sizeof *data->made);
}

static bool step_add(kin__task *task)
{
    plots_task *data = task->data;
    kin__site *site = (kin__site *)(uintptr_t)task->site; // only the thread of the host has its plots
    if (site->plots == NULL) {
        site->plots = data->made;
        data->made = NULL;
    }
    if (!plots_add(site, data->plot))
        return kin__task_fail(task, KIN__CODE_LIMIT, "a context has at most %d plots; remove one", KIN__MAX_PLOTS);
    data->added = data->plot->number;
    data->plot = NULL;
    return true;
}

static void show_number(const kin__task *task, kin__json *json)
{
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_natural(json, "plot", ((const plots_task *)task->data)->added);
}

// ---- removing

static bool parse_remove(kin__task *task)
{
    return kin__parameter_integer(task, "plot", &((plots_task *)task->data)->wanted);
}

static bool step_remove(kin__task *task)
{
    plots_task *data = task->data;
    data->added = (uint32_t)data->wanted;
    if (!plots_remove(task->site, data->added))
        kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such plot; plots.read has them");
    return true;
}

// ---- reading

static bool parse_read(kin__task *task)
{
    plots_task *data = task->data;
    data->limit = KIN__SAMPLES;
    data->has_after = kin__parameter_any(task, "after") != NULL;
    return kin__parameter_integer(task, "plot", &data->wanted) && kin__parameter_integer(task, "after", &data->after) &&
           kin__parameter_integer(task, "limit", &data->limit) && kin__task_make_capture(task, KIN__CAPTURE_SIZE, 0);
}

// Copies the newest samples after the frame.
static void capture_plot(kin__task *task, const kin__plot *plot)
{
    plots_task *data = task->data;
    uint64_t first = kin__oldest_kept(plot->sample_count, (uint64_t)data->limit);
    plot_row *row = &data->rows[data->row_count++];
    row->number = plot->number;
    row->kind = plot->kind;
    row->entity = plot->entity;
    memcpy(row->text, plot->text, sizeof row->text);
    row->samples =
        kin__capture_reserve(&task->capture, ((size_t)(plot->sample_count - first) + 1) * sizeof *row->samples);
    for (uint64_t n = first; row->samples != NULL && n < plot->sample_count; n++) {
        const kin__sample *sample = &plot->samples[n % KIN__SAMPLES];
        if (!data->has_after || sample->frame > (uint64_t)data->after)
            row->samples[row->count++] = *sample;
    }
}

static bool step_read(kin__task *task)
{
    const plots_task *data = task->data;
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
        kin__json_put_entity(json, "e", row->entity);
    }
    kin__json_begin_member(json, "samples", '[');
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
    kin__task_show_frame(task, json);
    kin__json_begin_member(json, "plots", '[');
    for (uint32_t i = 0; i < data->row_count; i++)
        show_plot(json, &data->rows[i]);
    kin__json_end(json, ']');
}

const kin__method kin__method_plot_add = {
    .name = "plots.add",
    .doc = "Samples a number before each update: the field of an entity, or what the entities of a query count or sum "
           "up. Plots end when nobody has asked for anything for ten seconds, unless one is pinned.",
    .is_once = true,
    .result = "frame, plot",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"entity", "string", false, "the handle, creation:slot", 0, 0},
                   {"path", "string", false, "a field such as Position.x; not for a count", 0, 0},
                   {"query", "string", false, "instead of an entity; without both, all", 0, 0},
                   {"of", "string", false, "of a query: count, sum, average, minimum or maximum; count without it", 0,
                    0},
                   {"pinned", "boolean", false, "goes on when nobody asks", 0, 0}},
    .data_size = sizeof(plots_task),
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
    .parameters = {KIN__CONTEXT_PARAMETER, {"plot", "integer", true, "the number that plots.add gave", 1, UINT32_MAX}},
    .data_size = sizeof(plots_task),
    .parse = parse_remove,
    .step = step_remove,
    .show = show_number,
};

const kin__method kin__method_plot_read = {
    .name = "plots.read",
    .doc = "The samples of plots, each with the frame before which it was taken; NaN where there was no value.",
    .result = "frame, plots of plot, of, text, e and samples of frame and value",
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"plot", "integer", false, "of this one alone", 1, UINT32_MAX},
                   {"after", "integer", false, "of later frames alone", 0, INT64_MAX},
                   {"limit", "integer", false, "the newest samples of each, 1 to 3600; 3600 without it", 1,
                    KIN__SAMPLES}},
    .data_size = sizeof(plots_task),
    .parse = parse_read,
    .step = step_read,
    .show = show_read,
};

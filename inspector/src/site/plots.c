#include "site/plots.h"

#include "host/host.h"

#include <math.h>

static const uint64_t kept_for = 10 * (uint64_t)1000000000;

// ---- sampling

static bool read_number(const kin_context *context, kin__plot *plot, kin_entity entity, double *number)
{
    const void *value = kin__query_value(context, entity, plot->path.component, plot->scratch);
    const void *at = value == NULL ? NULL : kin__path_address(&plot->path, value);
    if (at == NULL)
        return false;
    kin__scalar scalar = kin__scalar_read(plot->path.field, at);
    switch (scalar.kind) {
    case KIN__SCALAR_REAL:
        *number = scalar.as.real;
        return true;
    case KIN__SCALAR_NATURAL:
        *number = (double)scalar.as.natural;
        return true;
    case KIN__SCALAR_BOOL:
        *number = scalar.as.boolean;
        return true;
    default:
        *number = (double)scalar.as.integer;
        return true;
    }
}

static void add_sample(kin__plot *plot, uint64_t frame, double value)
{
    plot->samples[plot->sample_count++ % KIN__SAMPLES] = (kin__sample){frame, value};
}

static void add_entity(const kin_context *context, kin__plot *plot, kin_entity entity)
{
    double number = 0;
    if (plot->kind != KIN__PLOT_COUNT && !read_number(context, plot, entity, &number))
        return;
    plot->least = plot->count == 0 || number < plot->least ? number : plot->least;
    plot->most = plot->count == 0 || number > plot->most ? number : plot->most;
    plot->sum += number;
    plot->count++;
}

static void add_word(const kin_context *context, kin__plot *plot)
{
    uint64_t match = kin__query_word(&plot->query, context, plot->word, plot->scratch);
    for (; match != 0; match &= match - 1)
        add_entity(context, plot, kin_look_entity(context, 64 * plot->word + kin__lowest_bit(match)));
    plot->word++;
}

static double result_of(const kin__plot *plot)
{
    if (plot->kind == KIN__PLOT_COUNT)
        return (double)plot->count;
    if (plot->kind == KIN__PLOT_SUM)
        return plot->sum;
    if (plot->count == 0)
        return (double)NAN;
    return plot->kind == KIN__PLOT_AVERAGE   ? plot->sum / (double)plot->count
           : plot->kind == KIN__PLOT_MINIMUM ? plot->least
                                             : plot->most;
}

static void sample_query(const kin_context *context, kin__plot *plot, uint64_t frame, uint64_t deadline)
{
    uint32_t words = kin_look_words(context);
    for (uint32_t done = 1; plot->word < words; done++) {
        add_word(context, plot);
        if (done % 8 == 0 && plot->word < words && kin__inspect_now() >= deadline)
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

kin__plot *kin__plot_make(kin__bounded_heap *heap, const kin_context_info *info)
{
    size_t size = sizeof(kin__plot) + kin__query_scratch(info);
    kin__plot *plot = kin__bounded_zeros(heap, size);
    if (plot != NULL)
        plot->size = size;
    return plot;
}

void kin__plot_release(kin__bounded_heap *heap, kin__plot *plot)
{
    if (plot != NULL)
        kin__bounded_release(heap, plot, plot->size);
}

bool kin__plots_add(const kin__site *site, kin__plot *plot)
{
    kin__plots *plots = site->plots;
    if (plots->count == KIN__MAX_PLOTS)
        return false;
    uint32_t place = 0;
    while (plots->places[place] != NULL)
        place++;
    plots->places[place] = plot;
    plot->number = ++plots->last_number;
    if (plots->count++ == 0)
        atomic_fetch_add(&site->host->attention, 1);
    return true;
}

static void remove_at(const kin__site *site, uint32_t place)
{
    kin__plots *plots = site->plots;
    kin__plot_release(plots->heap, plots->places[place]);
    plots->places[place] = NULL;
    if (--plots->count == 0)
        atomic_fetch_sub(&site->host->attention, 1);
}

bool kin__plots_remove(const kin__site *site, uint32_t number)
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
    bool is_silent = now > atomic_load_explicit(&host->last_request, memory_order_relaxed) + kept_for;
    uint32_t count = atomic_load(&sites->site_count);
    for (uint32_t i = 0; i < count; i++) {
        const kin__site *site = &sites->sites[i];
        if (site->host != host || site->plots == NULL || site->plots->count == 0)
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
        kin__plot_release(plots->heap, plots->places[i]);
    kin__bounded_release(plots->heap, plots, sizeof *plots);
}

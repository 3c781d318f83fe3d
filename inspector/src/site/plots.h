// Plots: numbers of a context, sampled once an update: a value of an entity, or what a query counts or sums up.
//
//   plot   query, path   →  samples [ frame, value | frame, value | … ]     the newest KIN__SAMPLES stay
//
// A query that takes long is asked over several updates, a part of each, and gives a sample when it is through. Plots
// end when nobody has asked for anything for ten seconds, unless one is pinned. For the thread of the host.
//
// Invariant: attention of the host is one more while a site of it has plots.
#ifndef KIN_INSPECT_PLOTS_H
#define KIN_INSPECT_PLOTS_H

#include "query/query.h"
#include "host/host.h"
#include "text/text.h"

enum { KIN__MAX_PLOTS = 16, KIN__SAMPLES = 3600 };

typedef enum kin__plot_kind {
    KIN__PLOT_VALUE, // of an entity
    KIN__PLOT_COUNT,
    KIN__PLOT_SUM,
    KIN__PLOT_AVERAGE,
    KIN__PLOT_MINIMUM,
    KIN__PLOT_MAXIMUM
} kin__plot_kind;

typedef struct kin__sample {
    uint64_t frame;
    double value; // NaN: there is none
} kin__sample;

typedef struct kin__plot {
    kin__plot_kind kind;
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
    kin__plot *places[KIN__MAX_PLOTS]; // NULL: unused
} kin__plots;

// Allocates a plot for contexts with these tables. NULL when out of memory. This one may be called by any thread.
kin__plot *kin__plot_make(kin__bounded_heap *heap, const kin_context_info *info);
void kin__plot_release(kin__bounded_heap *heap, kin__plot *plot);

// Adds a plot, which the plots then own. Returns false when there are as many as can be.
bool kin__plots_add(const kin__site *site, kin__plot *plot);
bool kin__plots_remove(const kin__site *site, uint32_t number);

// Samples the plots of all sites of the host until the deadline, or ends those that nobody looks at.
void kin__plots_sample(const kin__sites *sites, const kin__host *host, uint64_t now, uint64_t deadline);

// Ends all plots of a host; frees those of a site.
void kin__plots_end(const kin__sites *sites, const kin__host *host);
void kin__plots_release(kin__plots *plots);

#endif

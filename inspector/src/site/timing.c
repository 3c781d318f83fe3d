#include "site/timing.h"

#include "host/host.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 512, PLACES = 2 * ROWS, MOST_OPEN = 64 };

static const uint64_t kept = 10 * (uint64_t)1000000000;

// A call that has not ended.
typedef struct open_call {
    uint32_t row;
    uint64_t began;
    kin_counts counts; // of the contexts when it began
} open_call;

struct kin__timing {
    kin__bounded_heap *heap;
    kin__host *host;
    kin__hook hook;
    uint64_t until;      // it ends then unless a viewer asks before
    uint32_t generation; // of the calls
    uint32_t row_count, open_count;
    uint16_t table[PLACES]; // 0: none
    open_call open[MOST_OPEN];
    kin__timed rows[ROWS];
};

kin__timing *kin__timing_create(kin__bounded_heap *heap)
{
    kin__timing *timing = kin__bounded_zeros(heap, sizeof *timing);
    if (timing != NULL)
        timing->heap = heap;
    return timing;
}

void kin__timing_destroy(kin__timing *timing)
{
    if (timing != NULL)
        kin__bounded_release(timing->heap, timing, sizeof *timing);
}

// ---- rows

// Returns where the number of the row is in the table, or is to be.
static uint16_t *find_place(kin__timing *timing, uint32_t systems, uint32_t place, kin_role role)
{
    uint32_t key = (systems * 65536 + place) * KIN_ROLE_COUNT + (uint32_t)role;
    uint32_t at = key * 2654435761u >> 16;
    for (;; at++) {
        uint16_t *number = &timing->table[at % PLACES];
        const kin__timed *row = &timing->rows[*number - (*number > 0)];
        if (*number == 0 || (row->systems == systems && row->place == place && row->role == role))
            return number;
    }
}

const kin__timed *kin__timing_find(const kin__host *host, uint32_t systems, uint32_t place, kin_role role)
{
    if (host->timing == NULL)
        return NULL;
    uint16_t number = *find_place(host->timing, systems, place, role);
    return number == 0 ? NULL : &host->timing->rows[number - 1];
}

// Returns the number of the row from 1; 0: there is none left.
static uint32_t find_or_add(kin__timing *timing, const kin__system_call *call)
{
    uint16_t *number = find_place(timing, call->systems, call->place, call->role);
    if (*number > 0 || timing->row_count == ROWS)
        return *number;
    timing->rows[timing->row_count++] =
        (kin__timed){.place = call->place, .systems = call->systems, .role = (uint8_t)call->role};
    return *number = (uint16_t)timing->row_count;
}

static void clear(kin__timing *timing)
{
    timing->row_count = timing->open_count = 0;
    memset(timing->table, 0, sizeof timing->table);
}

// ---- calls

static void enter(void *user, const kin__system_call *call)
{
    kin__timing *timing = user;
    if (call->is_collection || timing->open_count == MOST_OPEN)
        return;
    uint32_t row = find_or_add(timing, call);
    if (row == 0)
        return;
    open_call *open = &timing->open[timing->open_count++];
    open->row = row - 1;
    open->counts = kin__host_counts(timing->host);
    open->began = kin__host_time(timing->host);
}

static bool is_open(const kin__timing *timing, uint32_t row)
{
    for (uint32_t i = 0; i < timing->open_count; i++)
        if (timing->open[i].row == row)
            return true;
    return false;
}

static void append(kin__timing *timing, const open_call *call, uint64_t now, double share)
{
    kin__timed *row = &timing->rows[call->row];
    uint64_t took = now - call->began;
    if (share < 1)
        took = (uint64_t)((double)took * share);
    row->last = took < UINT32_MAX ? (uint32_t)took : UINT32_MAX;
    row->nanoseconds[row->next] = row->last;
    row->next = (row->next + 1) % KIN__TIMED_CALLS;
    row->count += row->count < KIN__TIMED_CALLS;
    if (is_open(timing, call->row)) // a call inside of a call of the same system: the outer one counts all
        return;
    kin_counts counts = kin__host_counts(timing->host);
    row->counts.created += counts.created - call->counts.created;
    row->counts.destroyed += counts.destroyed - call->counts.destroyed;
    row->counts.changed += counts.changed - call->counts.changed;
}

// Parallel systems are not left in the opposite order.
static void leave(void *user, const kin__system_call *call)
{
    kin__timing *timing = user;
    uint64_t now = kin__host_time(timing->host);
    for (uint32_t i = timing->open_count; i > 0; i--) {
        open_call open = timing->open[i - 1];
        const kin__timed *row = &timing->rows[open.row];
        if (row->place != call->place || row->systems != call->systems || row->role != call->role)
            continue;
        memmove(&timing->open[i - 1], &timing->open[i], (timing->open_count - i) * sizeof open);
        timing->open_count--;
        append(timing, &open, now, call->share);
        return;
    }
}

// ---- its life

static bool start(kin__host *host, kin__timing *timing)
{
    timing->host = host;
    timing->hook = (kin__hook){enter, leave, timing, false};
    if (!kin__calls_follow(host, timing->heap, &timing->hook))
        return false;
    timing->generation = kin__calls_generation(host);
    host->timing = timing;
    atomic_store(&host->is_timing, true);
    return true;
}

void kin__timing_want(kin__host *host, kin__timing **timing)
{
    if (host->timing == NULL && *timing != NULL && start(host, *timing))
        *timing = NULL;
    if (host->timing != NULL)
        host->timing->until = kin__inspect_now() + kept;
}

void kin__timing_stop(kin__host *host)
{
    kin__timing *timing = host->timing;
    if (timing == NULL)
        return;
    kin__calls_unfollow(host, &timing->hook);
    atomic_store(&host->is_timing, false);
    host->timing = NULL;
    kin__timing_destroy(timing);
}

void kin__timing_expire(kin__host *host, uint64_t now)
{
    kin__timing *timing = host->timing;
    if (timing == NULL)
        return;
    if (now > timing->until) {
        kin__timing_stop(host);
        return;
    }
    if (timing->generation != kin__calls_generation(host))
        clear(timing);
    timing->generation = kin__calls_generation(host);
}

// ---- evaluating

static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

kin_timing kin__timed_evaluate(kin__timed *timed)
{
    uint32_t count = timed->count, *sorted = timed->nanoseconds;
    uint64_t sum = 0;
    if (count == 0)
        return (kin_timing){0};
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        sum += sorted[i];
    return (kin_timing){.last = timed->last,
                        .average = sum / count,
                        .minimum = sorted[0],
                        .maximum = sorted[count - 1],
                        .p99 = sorted[((uint64_t)count * 99 + 99) / 100 - 1],
                        .count = count};
}

// Systems: their times, which are taken while a viewer reads them (internal.h), and their list.
#include "feature/internal.h"

#include <stdlib.h>
#include <string.h>

// ---- times

enum { ROWS = 512, PLACES = 2 * ROWS, MOST_OPEN = 64 };

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
    uint16_t table[PLACES]; // 0 where no row is
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

static bool is_of(const kin__timed *row, uint32_t systems, uint32_t place, kin_role role)
{
    return row->systems == systems && row->place == place && row->role == role;
}

// Returns where the number of the row is in the table, or is to be.
static uint16_t *find_place(kin__timing *timing, uint32_t systems, uint32_t place, kin_role role)
{
    uint32_t key = (systems * 65536 + place) * KIN_ROLE_COUNT + (uint32_t)role;
    uint32_t at = key * 2654435761u >> 16;
    for (;; at++) {
        uint16_t *number = &timing->table[at % PLACES];
        if (*number == 0 || is_of(&timing->rows[*number - 1], systems, place, role))
            return number;
    }
}

const kin__timed *kin__timing_find(const kin__host *host, uint32_t systems, uint32_t place, kin_role role)
{
    if (host->timing == NULL)
        return NULL;
    uint16_t number = *find_place(host->timing, systems, place, role);
    if (number == 0)
        return NULL;
    return &host->timing->rows[number - 1];
}

// Returns the number of the row from 1, or 0 if there is no row left.
static uint32_t find_or_add(kin__timing *timing, const kin__system_call *call)
{
    KIN_ASSERT(timing->row_count <= ROWS && call->role < KIN_ROLE_COUNT);
    uint16_t *number = find_place(timing, call->systems, call->place, call->role);
    if (*number > 0 || timing->row_count == ROWS)
        return *number;
    timing->rows[timing->row_count++] =
        (kin__timed){.place = call->place, .systems = call->systems, .role = (uint8_t)call->role};
    KIN_ASSERT(timing->row_count <= ROWS);
    return *number = (uint16_t)timing->row_count;
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

static void append(kin__timing *timing, const open_call *call, uint64_t now, double share)
{
    kin__timed *row = &timing->rows[call->row];
    uint64_t took = now - call->began;
    if (share < 1)
        took = (uint64_t)((double)took * share);
    row->last = (uint32_t)kin__min_64(took, UINT32_MAX);
    row->nanoseconds[row->next] = row->last;
    row->next = (row->next + 1) % KIN__TIMED_CALLS;
    row->count += row->count < KIN__TIMED_CALLS;
    KIN_ASSERT(row->next < KIN__TIMED_CALLS && row->count <= KIN__TIMED_CALLS);
    for (uint32_t i = 0; i < timing->open_count; i++)
        if (timing->open[i].row == call->row) // a call inside of a call of the same system: the outer one counts all
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
        if (!is_of(&timing->rows[open.row], call->systems, call->place, call->role))
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
    KIN_ASSERT(host->timing == NULL);
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
    bool is_new = host->timing == NULL && *timing != NULL;
    if (is_new && start(host, *timing))
        *timing = NULL;
    if (host->timing != NULL)
        host->timing->until = kin__inspect_now() + kin__silence;
}

void kin__timing_stop(kin__host *host)
{
    kin__timing *timing = host->timing;
    if (timing == NULL)
        return;
    KIN_ASSERT(timing->host == host && atomic_load(&host->is_timing));
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
    if (timing->generation != kin__calls_generation(host)) {
        timing->row_count = 0;
        timing->open_count = 0;
        memset(timing->table, 0, sizeof timing->table);
    }
    timing->generation = kin__calls_generation(host);
}

// ---- evaluating

static int compare_numbers(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

kin_timing kin__timed_evaluate(kin__timed *timed)
{
    KIN_ASSERT(timed->count <= KIN__TIMED_CALLS);
    uint32_t count = timed->count;
    uint32_t *sorted = timed->nanoseconds;
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

void kin__timing_prepare(const kin__task *task, kin__timing **timing)
{
    if (atomic_load(&task->host->system_count) > 0 && !atomic_load(&task->host->is_timing))
        *timing = kin__timing_create(&task->service->heap);
}

// ---- methods

// systems.list and systems.enable.

enum { STRING = 256 };

typedef struct system_row {
    struct system_row *next;
    uint32_t number, place, depth; // number of the collection that was added
    kin_system_kind kind;
    const char *name; // captured, or NULL
    bool enabled, runs;
    uint32_t waiting;
    bool has_collector;
    uint32_t timed_count;
    kin__timed timed[]; // of each role that was called
} system_row;

typedef struct systems_task {
    system_row *first, **end;
    uint32_t number, place, visited; // the next system
    uint64_t deadline;
    bool is_cut;
    json_int_t wanted, wanted_number; // of systems.enable
    uint64_t update_last;
    kin__timing *timing; // of systems.list, until the host takes it
} systems_task;

static bool parse_list(kin__task *task)
{
    systems_task *data = task->data;
    data->end = &data->first;
    kin__timing_prepare(task, &data->timing);
    return kin__task_make_capture(task, KIN__CAPTURE_SIZE, STRING);
}

// ---- capturing

static uint32_t find_timed(const kin__task *task, uint32_t place, const kin__timed **timed)
{
    const systems_task *data = task->data;
    uint32_t count = 0;
    for (int role = 0; role < KIN_ROLE_COUNT; role++) {
        timed[count] = kin__timing_find(task->host, data->number, place, (kin_role)role);
        count += timed[count] != NULL;
    }
    return count;
}

static void capture_system(const kin_system_entry *entry, void *user)
{
    kin__task *task = user;
    systems_task *data = task->data;
    const kin__timed *timed[KIN_ROLE_COUNT];
    if (data->visited++ < data->place || data->is_cut)
        return;
    if (data->place % 16 == 15 && kin__inspect_now() >= data->deadline)
        data->is_cut = true;
    data->place++;
    uint32_t count = find_timed(task, entry->place, timed);
    system_row *row = kin__capture_reserve(&task->capture, sizeof *row + count * sizeof **timed);
    if (row == NULL)
        return;
    *row = (system_row){.number = data->number, .place = entry->place, .depth = entry->depth, .kind = entry->kind};
    row->name = kin__capture_string(&task->capture, entry->name);
    row->enabled = entry->enabled;
    row->runs = entry->runs;
    row->has_collector = entry->collector != NULL;
    if (row->has_collector)
        row->waiting = kin_collector_count(entry->collector);
    for (row->timed_count = 0; row->timed_count < count; row->timed_count++)
        row->timed[row->timed_count] = *timed[row->timed_count];
    *data->end = row;
    data->end = &row->next;
}

static bool step_list(kin__task *task)
{
    systems_task *data = task->data;
    kin__host *host = task->host;
    uint32_t count = atomic_load(&host->system_count);
    data->deadline = task->deadline;
    data->update_last = host->update_last;
    kin__timing_want(host, &data->timing);
    for (; data->number < count; data->number++) {
        data->visited = 0;
        data->is_cut = false;
        kin_systems_walk(host->systems[data->number], capture_system, task);
        if (data->is_cut)
            return false;
        data->place = 0;
    }
    return true;
}

// ---- the answer

static const char *const kind_names[] = {"collection", "plain", "reactive", "group", "event", "cleanup"};

static void show_texts(kin__json *json, const char *key, const char *const *texts, uint32_t count)
{
    kin__json_begin_member(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        kin__json_string(json, texts[i]);
    kin__json_end(json, ']');
}

// Texts are left out where there are none.
static void put_texts(kin__json *json, const char *key, const char *const *texts, uint32_t count)
{
    if (count > 0)
        show_texts(json, key, texts, count);
}

// The groups whose events a reactive system collects.
static void show_triggers(kin__json *json, const kin_world_info *info, const kin_system_info *system)
{
    kin__json_begin_member(json, "triggers", '[');
    for (uint32_t i = 0; i < system->trigger_count; i++) {
        const kin_trigger_info *trigger = &system->triggers[i];
        kin__json_begin(json, '{');
        kin__json_put_string(json, "context", info->contexts[trigger->context]->name);
        kin__json_put_string(json, "group", info->contexts[trigger->context]->groups[trigger->group].name);
        kin__json_put_string(json, "event", kin__event_name(trigger->event));
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

static void show_inbox(kin__json *json, const kin_world_info *info, const kin_system_info *system)
{
    kin__json_begin_member(json, "inbox", '[');
    for (uint32_t i = 0; i < system->inbox_count; i++)
        kin__json_string(json, info->messages[system->inboxes[i].message].name);
    kin__json_end(json, ']');
}

// Returns the context of the group of a system, or of what it reacts to.
static const kin_context_info *context_of(const kin_world_info *info, const kin_system_info *system)
{
    return info->contexts[system->trigger_count > 0 ? system->triggers[0].context : system->context];
}

// What the schema says of the system; nothing for one that it does not have.
static void show_info(kin__json *json, const kin_world_info *info, const system_row *row)
{
    if (info == NULL || row->name == NULL)
        return;
    for (uint32_t i = 0; i < info->system_count; i++) {
        const kin_system_info *system = &info->systems[i];
        if (strcmp(system->name, row->name) != 0 || row->kind == KIN_SYSTEM_COLLECTION)
            continue;
        kin__json_put_string(json, "doc", system->doc);
        show_texts(json, "reads", system->reads, system->read_count);
        show_texts(json, "writes", system->writes, system->write_count);
        if (system->kind == KIN_SYSTEM_GROUP) {
            kin__json_put_string(json, "context", info->contexts[system->context]->name);
            kin__json_put_string(json, "group", info->contexts[system->context]->groups[system->group].name);
        }
        if (system->kind == KIN_SYSTEM_REACTIVE)
            show_triggers(json, info, system);
        if (system->order != 0)
            kin__json_put_string(json, "order", context_of(info, system)->indices[system->order - 1].name);
        if (system->inbox_count > 0)
            show_inbox(json, info, system);
        if (system->job != NULL) {
            // What a parallel system does besides reading and writing columns.
            const kin_job_info *job = system->job;
            kin__json_put_bool(json, "parallel", true);
            kin__json_put_natural(json, "batch", job->batch);
            put_texts(json, "looks_up", job->looks_up, job->look_up_count);
            put_texts(json, "changes", job->changes, job->change_count);
            put_texts(json, "spawns", job->spawns, job->spawn_count);
            put_texts(json, "publishes", job->publishes, job->publish_count);
            if (job->destroys)
                kin__json_put_bool(json, "destroys", true);
        }
        return;
    }
}

static void show_timing(kin__json *json, const char *role, const kin_timing *timing)
{
    kin__json_begin_member(json, role, '{');
    kin__json_put_natural(json, "last", timing->last);
    kin__json_put_natural(json, "average", timing->average);
    kin__json_put_natural(json, "minimum", timing->minimum);
    kin__json_put_natural(json, "maximum", timing->maximum);
    kin__json_put_natural(json, "p99", timing->p99);
    kin__json_put_natural(json, "count", timing->count);
    kin__json_end(json, '}');
}

static void show_system(const kin__task *task, kin__json *json, const system_row *row)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "name", row->name);
    kin__json_put_natural(json, "systems", row->number);
    kin__json_put_natural(json, "place", row->place);
    kin__json_put_natural(json, "depth", row->depth);
    kin__json_put_string(json, "kind", kind_names[row->kind]);
    kin__json_put_bool(json, "enabled", row->enabled);
    kin__json_put_bool(json, "runs", row->runs);
    if (row->has_collector)
        kin__json_put_natural(json, "waiting", row->waiting);
    kin_counts sum = {0};
    for (uint32_t i = 0; i < row->timed_count; i++) {
        sum.created += row->timed[i].counts.created;
        sum.destroyed += row->timed[i].counts.destroyed;
        sum.changed += row->timed[i].counts.changed;
    }
    kin__json_put_natural(json, "created", sum.created);
    kin__json_put_natural(json, "destroyed", sum.destroyed);
    kin__json_put_natural(json, "changed", sum.changed);
    show_info(json, task->host->info, row);
    kin__json_begin_member(json, "nanoseconds", '{');
    for (uint32_t i = 0; i < row->timed_count; i++) {
        kin__timed timed = row->timed[i];
        kin_timing timing = kin__timed_evaluate(&timed);
        if (timing.count > 0)
            show_timing(json, kin__role_name(timed.role), &timing);
    }
    kin__json_end(json, '}');
    kin__json_end(json, '}');
}

static void show_list(const kin__task *task, kin__json *json)
{
    const systems_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_string(json, "world", task->host->name);
    kin__json_put_natural(json, "update_nanoseconds", data->update_last);
    kin__json_begin_member(json, "systems", '[');
    for (const system_row *row = data->first; row != NULL; row = row->next)
        show_system(task, json, row);
    kin__json_end(json, ']');
}

static void release_list(kin__task *task)
{
    const systems_task *data = task->data;
    kin__timing_destroy(data->timing);
}

const kin__method kin__method_systems = {
    .name = "systems.list",
    .doc = "The systems in the order in which they run. Their calls are timed from the first ask on, until nobody has "
           "asked for ten seconds.",
    .result =
        "frame, world, update_nanoseconds, systems of name, systems, place, depth, kind, enabled, runs, waiting, "
        "created, destroyed and changed since they are timed, "
        "doc, reads, writes, group with its context, triggers, order, inbox, of a parallel system parallel, batch, "
        "looks_up, changes, spawns, publishes and destroys, and nanoseconds by role, in which the time of a "
        "batch counts once",
    .parameters = {KIN__WORLD_PARAMETER},
    .needs_systems = true,
    .data_size = sizeof(systems_task),
    .parse = parse_list,
    .step = step_list,
    .show = show_list,
    .release = release_list,
};

// ---- enabling

static bool parse_enable(kin__task *task)
{
    systems_task *data = task->data;
    return kin__parameter_integer(task, "place", &data->wanted) &&
           kin__parameter_integer(task, "systems", &data->wanted_number);
}

static void count_places(const kin_system_entry *entry, void *user)
{
    (void)entry;
    (*(json_int_t *)user)++;
}

static bool step_enable(kin__task *task)
{
    systems_task *data = task->data;
    json_int_t places = 0;
    uint32_t count = atomic_load(&task->host->system_count);
    uint32_t number = (uint32_t)data->wanted_number;
    if (number < count)
        kin_systems_walk(task->host->systems[number], count_places, &places);
    if (data->wanted >= places)
        return kin__task_fail(task, KIN__CODE_PARAMETERS,
                              "there is no system at this place; systems.list (kin-inspect systems) has them");
    kin_systems_set_enabled_at(task->host->systems[number], (uint32_t)data->wanted,
                               kin__parameter_bool(task, "enabled"));
    return true;
}

static void show_enable(const kin__task *task, kin__json *json)
{
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_put_bool(json, "enabled", kin__parameter_bool(task, "enabled"));
}

const kin__method kin__method_enable = {
    .name = "systems.enable",
    .doc = "Enables or disables a system or a node of the schedule.",
    .result = "frame, enabled",
    .writes = true,
    .parameters = {KIN__WORLD_PARAMETER,
                   {"systems", "integer", false, "of systems.list; 0 without it", 0, KIN__MAX_HOSTS - 1},
                   {"place", "integer", true, "of systems.list", 0, UINT32_MAX},
                   {"enabled", "boolean", true, "whether it is to run", 0, 0}},
    .needs_systems = true,
    .data_size = sizeof(systems_task),
    .parse = parse_enable,
    .step = step_enable,
    .show = show_enable,
};

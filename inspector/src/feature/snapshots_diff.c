// snapshots.diff: what differs between two snapshots of a world, or between one and now.
//
// Chunk by chunk, in slices; blocks that both snapshots share are skipped. Values are copied whole, with their texts
// and lists, as far as the capture has room.
#include "feature/internal.h"

#include <kin/generated/storage.h>

#include <string.h>

enum { MOST_ROWS = 1000, CHUNK = 512, TEXT = 256, MOST_STARTS = 4 };

typedef struct diff_row {
    const kin__site *site;
    kin__row_kind kind;
    kin_component_id component;
    kin_entity entity;
    const void *was, *is; // captured, or NULL
} diff_row;

typedef struct diff_task {
    json_int_t from, to, limit;
    uint32_t now_number;  // of the state of now that is compared
    uint32_t starts;      // how often the comparison has begun
    uint32_t site, chunk; // the next place
    kin_entity whole;     // appeared or gone: its components are no rows of their own
    uint32_t counts[KIN__ROW_KINDS], row_count;
    diff_row *rows; // in the capture
} diff_task;

// ---- parameters

static bool parse(kin__task *task)
{
    diff_task *data = task->data;
    data->limit = 100;
    if (task->service->snapshots.take != NULL)
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "snapshots of the game itself cannot be compared");
    return kin__parameter_integer(task, "from", &data->from) && kin__parameter_integer(task, "to", &data->to) &&
           kin__parameter_integer(task, "limit", &data->limit) && kin__task_make_capture(task, KIN__CAPTURE_SIZE, TEXT);
}

// ---- rows

static const void *copy_value(kin__task *task, const kin_component_info *info, const void *value)
{
    if (value == NULL)
        return NULL;
    char *copy = kin__capture_reserve(&task->capture, kin__max_size(info->size, 1));
    if (copy == NULL)
        return NULL;
    memcpy(copy, value, info->size);
    if (!kin__capture_fields(&task->capture, info->fields, info->field_count, copy))
        return NULL;
    return copy;
}

// Returns whether a field that viewers see may differ. Only texts and lists are not looked into.
static bool is_seen(const kin_component_info *info, const char *was, const char *is)
{
    bool has_hidden = false;
    for (uint32_t i = 0; i < info->field_count; i++) {
        const kin_field_info *field = &info->fields[i];
        if (field->inspect == KIN_INSPECT_HIDDEN)
            has_hidden = true;
        else if (!kin__field_is_flat(field) || memcmp(was + field->offset, is + field->offset, field->size) != 0)
            return true;
    }
    return !has_hidden;
}

static diff_row *add_row(kin__task *task, const kin_difference *difference, kin__row_kind kind)
{
    diff_task *data = task->data;
    data->counts[kind]++;
    KIN_ASSERT(kind < KIN__ROW_KINDS && data->rows != NULL);
    if (data->row_count >= data->limit)
        return NULL;
    diff_row *row = &data->rows[data->row_count++];
    *row = (diff_row){.site = &task->service->sites.sites[data->site],
                      .kind = kind,
                      .component = difference->component,
                      .entity = difference->entity};
    return row;
}

static bool visit(const kin_difference *difference, void *user)
{
    kin__task *task = user;
    diff_task *data = task->data;
    if (difference->component == difference->context->component_count) {
        data->whole = difference->entity;
        add_row(task, difference, difference->after != NULL ? KIN__ROW_APPEARED : KIN__ROW_GONE);
        return true;
    }
    const kin_component_info *info = &difference->context->components[difference->component];
    if (difference->entity == data->whole || info->inspect == KIN_INSPECT_HIDDEN)
        return true;
    kin__row_kind kind = KIN__ROW_CHANGED;
    if (difference->before == NULL)
        kind = KIN__ROW_GOT;
    else if (difference->after == NULL)
        kind = KIN__ROW_LOST;
    if (kind == KIN__ROW_CHANGED && !is_seen(info, difference->before, difference->after))
        return true;
    diff_row *row = add_row(task, difference, kind);
    if (row != NULL) {
        row->was = copy_value(task, info, difference->before);
        row->is = copy_value(task, info, difference->after);
    }
    return true;
}

// ---- slices

static const kin_snapshot *snapshot_of(const kin__task *task, json_int_t number)
{
    const kin__kept_snapshot *kept = kin__snapshots_find(task->host->snapshots, (uint32_t)number);
    if (kept == NULL)
        return NULL;
    return kept->at;
}

// Begins from the first chunk.
static bool begin(kin__task *task)
{
    diff_task *data = task->data;
    diff_task fresh = {.from = data->from, .to = data->to, .limit = data->limit, .starts = data->starts + 1};
    kin__snapshots *snapshots = task->host->snapshots;
    *data = fresh;
    task->capture.size = 0;
    task->capture.is_full = false;
    data->rows = kin__capture_reserve(&task->capture, ((size_t)data->limit + 1) * sizeof *data->rows);
    if (data->to > 0)
        return true;
    if (task->host->held.is_held)
        return kin__task_fail(task, KIN__CODE_NOT_UPDATING, "%s is held: compare two snapshots, or wait",
                              task->host->name);
    if (data->starts > MOST_STARTS)
        return kin__task_fail(task, KIN__CODE_LIMIT, "others compare snapshots at the same time; try again");
    if (!kin__snapshots_save_now(snapshots))
        return kin__task_fail(task, KIN__CODE_LIMIT, "%s", snapshots->trouble);
    data->now_number = snapshots->now_number;
    return true;
}

static bool is_begun(const kin__task *task)
{
    const diff_task *data = task->data;
    const kin__snapshots *snapshots = task->host->snapshots;
    if (data->starts == 0)
        return false;
    if (data->to > 0)
        return true;
    return snapshots->now != NULL && snapshots->now_number == data->now_number;
}

static uint32_t count_chunks(const kin_snapshot *from, const kin_snapshot *to, const kin_context_info *info)
{
    uint32_t old = kin_snapshot_slot_count(from, info);
    uint32_t now = kin_snapshot_slot_count(to, info);
    return (kin__max_32(old, now) + CHUNK - 1) / CHUNK;
}

// Compares until the deadline. Returns whether all is compared.
static bool compare(kin__task *task, const kin_snapshot *from, const kin_snapshot *to)
{
    diff_task *data = task->data;
    const kin__sites *sites = &task->service->sites;
    uint32_t count = atomic_load(&sites->site_count);
    for (; data->site < count; data->site++, data->chunk = 0) {
        const kin__site *site = &sites->sites[data->site];
        bool is_wanted = task->site == NULL || task->site == site;
        if (site->host != task->host || !is_wanted)
            continue;
        if (data->chunk == 0)
            data->whole = 0;
        uint32_t chunks = count_chunks(from, to, site->info);
        while (data->chunk < chunks) {
            kin__snapshot_compare_chunk(from, to, site->info, data->chunk++, visit, task);
            if (kin__task_is_late(task))
                return false;
        }
    }
    return true;
}

static bool step(kin__task *task)
{
    const diff_task *data = task->data;
    const kin_snapshot *from = snapshot_of(task, data->from);
    const kin_snapshot *to = snapshot_of(task, data->to);
    if (from == NULL || (data->to > 0 && to == NULL)) {
        if (is_begun(task) && data->to == 0)
            kin__snapshots_drop_now(task->host->snapshots);
        return kin__task_fail(task, KIN__CODE_PARAMETERS, "there is no such snapshot; snapshots.list has them");
    }
    if (!is_begun(task) && !begin(task))
        return true;
    if (data->to == 0)
        to = task->host->snapshots->now;
    if (!compare(task, from, to))
        return false;
    if (data->to == 0)
        kin__snapshots_drop_now(task->host->snapshots);
    return true;
}

// ---- the answer

static void show_value(kin__json *json, const char *key, const kin_component_info *info, const void *value)
{
    if (value == NULL)
        return;
    kin__json_key(json, key);
    kin__show_component(json, info, value);
}

static void show(const kin__task *task, kin__json *json)
{
    const diff_task *data = task->data;
    kin__show_row_counts(task, json, data->counts);
    kin__json_begin_member(json, "rows", '[');
    for (uint32_t i = 0; i < data->row_count; i++) {
        const diff_row *row = &data->rows[i];
        const kin_component_info *info = kin__row_component(row->site, row->kind, row->component);
        kin__json_begin(json, '{');
        kin__json_put_string(json, "context", row->site->name);
        kin__show_row(json, row->kind, row->entity, info);
        if (info != NULL) {
            show_value(json, "was", info, row->was);
            show_value(json, "is", info, row->is);
        }
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

const kin__method kin__method_snapshot_diff = {
    .name = "snapshots.diff",
    .is_once = true,
    .doc = "What differs between two snapshots, or between one and now: entities that appeared or are gone, components "
           "that others got or lost, and values that changed. Values for which there is no room are left out.",
    .result = "frame, appeared, gone, changed, rows of context, e, kind, component, was and is",
    .parameters = {KIN__WORLD_PARAMETER,
                   {"context", "string", false, "of this one alone", 0, 0},
                   {"from", "integer", true, "the earlier snapshot", 1, UINT32_MAX},
                   {"to", "integer", false, "the later snapshot; without it now", 1, UINT32_MAX},
                   {"limit", "integer", false, "rows, 0 to 1000; 100 without it", 0, MOST_ROWS}},
    .data_size = sizeof(diff_task),
    .parse = parse,
    .step = step,
    .show = show,
};

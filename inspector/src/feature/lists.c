// groups.list, uniques.list, indices.list and collectors.list: what a context has.
#include "feature/internal.h"

#include <string.h>

enum { CAPTURE = 1024 * 1024, STRING = 4096, MOST_GROUPS = 2048, MOST_COLLECTORS = 1024, MOST_TRIGGERS = 16 };

typedef struct group_row {
    const char *name;    // of the schema, or NULL
    const char *matcher; // captured
    uint32_t members, listeners;
} group_row;

typedef struct trigger_row {
    const char *group;   // of the schema, or NULL
    const char *matcher; // captured
    kin_group_event event;
} trigger_row;

typedef struct collector_row {
    const char *name; // captured, or NULL
    bool is_active;
    uint32_t waiting, trigger_count;
    trigger_row triggers[MOST_TRIGGERS];
} collector_row;

typedef struct unique_row {
    kin_component_id id;
    kin_entity carrier;
    const void *value; // captured, or NULL
} unique_row;

typedef struct list_task {
    uint32_t count, room; // rows, and those that fit
    bool is_cut;          // there are more
    union {
        group_row *groups;
        collector_row *collectors;
        unique_row *uniques;
        uint32_t *counts; // of indices
    } rows;
    void *found[MOST_GROUPS];
} list_task;

static bool parse(kin__task *task)
{
    return kin__task_make_capture(task, CAPTURE, STRING);
}

// The group of a trigger may be of another context.
static const char *capture_matcher(kin__task *task, const kin_group *group)
{
    char text[1024];
    kin_describe_matcher(kin_group_context(group), kin_group_matcher(group), text, sizeof text);
    return kin__capture_string(&task->capture, text);
}

// Begins the answer with the frame and an array.
static void begin_rows(const kin__task *task, kin__json *json, const char *key)
{
    kin__task_show_frame(task, json);
    kin__json_begin_member(json, key, '[');
}

static void end_rows(const kin__task *task, kin__json *json)
{
    kin__json_end(json, ']');
    if (((const list_task *)task->data)->is_cut)
        kin__json_put_bool(json, "cut", true);
}

// ---- groups

// Groups stay where they are in the list, so it is read again in each slice.
static bool step_groups(kin__task *task)
{
    list_task *data = task->data;
    kin_group **groups = (kin_group **)data->found;
    uint32_t count = kin_context_groups(task->site->context, groups, MOST_GROUPS);
    if (data->rows.groups == NULL) {
        data->room = kin__min_32(count, MOST_GROUPS);
        data->rows.groups = kin__capture_reserve(&task->capture, data->room * sizeof *data->rows.groups + 1);
    }
    while (data->rows.groups != NULL && data->count < data->room) {
        const kin_group *group = groups[data->count];
        data->rows.groups[data->count++] = (group_row){kin_group_name(group), capture_matcher(task, group),
                                                       kin_group_count(group), kin_group_listener_count(group)};
        if (kin__task_is_late(task) && data->count < data->room)
            return false;
    }
    data->is_cut = count > data->count || task->capture.is_full;
    return true;
}

// Returns NULL for a group that the schema does not declare.
static const kin_group_info *info_of(const kin__task *task, const char *group)
{
    const kin_context_info *info = task->site->info;
    for (uint32_t i = 0; group != NULL && i < info->group_count; i++)
        if (strcmp(info->groups[i].name, group) == 0)
            return &info->groups[i];
    return NULL;
}

static void show_groups(const kin__task *task, kin__json *json)
{
    const list_task *data = task->data;
    begin_rows(task, json, "groups");
    for (uint32_t i = 0; i < data->count; i++) {
        const group_row *row = &data->rows.groups[i];
        const kin_group_info *info = info_of(task, row->name);
        kin__json_begin(json, '{');
        kin__json_put_string(json, "name", row->name);
        kin__json_put_string(json, "doc", info == NULL ? NULL : info->doc);
        kin__json_put_string(json, "matcher", row->matcher);
        kin__json_put_natural(json, "members", row->members);
        kin__json_put_natural(json, "listeners", row->listeners);
        if (info != NULL && info->order != 0)
            kin__json_put_string(json, "order", task->site->info->indices[info->order - 1].name);
        kin__json_end(json, '}');
    }
    end_rows(task, json);
}

const kin__method kin__method_groups = {
    .name = "groups.list",
    .doc = "The groups of a context, those of the schema first.",
    .result = "frame, cut if there are more, groups of name, doc, matcher, members, listeners, and "
              "order, the index in whose order loops visit them",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .data_size = sizeof(list_task),
    .parse = parse,
    .step = step_groups,
    .show = show_groups,
};

// ---- collectors

static void capture_collector(kin__task *task, const kin_collector *collector, collector_row *row)
{
    kin_trigger triggers[MOST_TRIGGERS];
    uint32_t count = kin_collector_triggers(collector, triggers, MOST_TRIGGERS);
    row->name = kin__capture_string(&task->capture, kin_collector_name(collector));
    row->is_active = kin_collector_is_active(collector);
    row->waiting = kin_collector_count(collector);
    row->trigger_count = kin__min_32(count, MOST_TRIGGERS);
    for (uint32_t i = 0; i < row->trigger_count; i++) {
        const kin_group *group = triggers[i].group;
        row->triggers[i].event = triggers[i].event;
        if (group != NULL) {
            row->triggers[i].group = kin_group_name(group);
            row->triggers[i].matcher = capture_matcher(task, group);
        }
    }
}

static bool step_collectors(kin__task *task)
{
    list_task *data = task->data;
    kin_collector **collectors = (kin_collector **)data->found;
    uint32_t count = kin_context_collectors(task->site->context, collectors, MOST_COLLECTORS);
    data->room = kin__min_32(count, MOST_COLLECTORS);
    data->rows.collectors = kin__capture_reserve(&task->capture, data->room * sizeof *data->rows.collectors + 1);
    for (uint32_t i = 0; data->rows.collectors != NULL && i < data->room; i++)
        capture_collector(task, collectors[i], &data->rows.collectors[data->count++]);
    data->is_cut = count > data->count || task->capture.is_full;
    return true;
}

static void show_trigger(kin__json *json, const trigger_row *row)
{
    kin__json_begin(json, '{');
    kin__json_put_string(json, "group", row->group);
    kin__json_put_string(json, "matcher", row->matcher);
    kin__json_put_string(json, "event", kin__event_name(row->event));
    kin__json_end(json, '}');
}

static void show_collectors(const kin__task *task, kin__json *json)
{
    const list_task *data = task->data;
    begin_rows(task, json, "collectors");
    for (uint32_t i = 0; i < data->count; i++) {
        const collector_row *row = &data->rows.collectors[i];
        kin__json_begin(json, '{');
        kin__json_put_string(json, "name", row->name);
        kin__json_put_bool(json, "active", row->is_active);
        kin__json_put_natural(json, "waiting", row->waiting);
        kin__json_begin_member(json, "triggers", '[');
        for (uint32_t k = 0; k < row->trigger_count; k++)
            show_trigger(json, &row->triggers[k]);
        kin__json_end(json, ']');
        kin__json_end(json, '}');
    }
    end_rows(task, json);
}

const kin__method kin__method_collectors = {
    .name = "collectors.list",
    .doc = "The collectors of a context, also those of systems.",
    .result = "frame, cut if there are more, collectors of name, active, waiting and triggers",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .data_size = sizeof(list_task),
    .parse = parse,
    .step = step_collectors,
    .show = show_collectors,
};

// ---- unique components

static bool step_uniques(kin__task *task)
{
    list_task *data = task->data;
    const kin_context_info *info = task->site->info;
    data->rows.uniques = kin__capture_reserve(&task->capture, info->component_count * sizeof *data->rows.uniques + 1);
    for (uint32_t id = 0; data->rows.uniques != NULL && id < info->component_count; id++) {
        if (!info->components[id].is_unique || info->components[id].inspect == KIN_INSPECT_HIDDEN)
            continue;
        unique_row *row = &data->rows.uniques[data->count++];
        row->id = (kin_component_id)id;
        row->carrier = kin_context_carrier(task->site->context, row->id);
        if (row->carrier != 0)
            row->value = kin__capture_component(&task->capture, task->site->context, row->carrier, row->id);
    }
    return true;
}

static void show_uniques(const kin__task *task, kin__json *json)
{
    const list_task *data = task->data;
    begin_rows(task, json, "uniques");
    for (uint32_t i = 0; i < data->count; i++) {
        const unique_row *row = &data->rows.uniques[i];
        const kin_component_info *info = &task->site->info->components[row->id];
        kin__json_begin(json, '{');
        kin__json_put_string(json, "component", info->name);
        kin__json_put_entity(json, "carrier", row->carrier);
        kin__json_key(json, "value");
        if (row->value == NULL)
            kin__json_null(json);
        else
            kin__show_component(json, info, row->value);
        kin__json_end(json, '}');
    }
    end_rows(task, json);
}

const kin__method kin__method_uniques = {
    .name = "uniques.list",
    .doc = "The unique components of a context, with their carriers and values.",
    .result = "frame, uniques of component, carrier and value",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .data_size = sizeof(list_task),
    .parse = parse,
    .step = step_uniques,
    .show = show_uniques,
};

// ---- indices

static bool step_indices(kin__task *task)
{
    list_task *data = task->data;
    uint32_t count = task->site->info->index_count;
    if (data->rows.counts == NULL)
        data->rows.counts = kin__capture_reserve(&task->capture, count * sizeof *data->rows.counts + 1);
    while (data->rows.counts != NULL && data->count < count) {
        data->rows.counts[data->count] = kin_index_count(task->site->context, data->count);
        data->count++;
        if (kin__task_is_late(task) && data->count < count)
            return false;
    }
    data->is_cut = count > data->count;
    return true;
}

static void show_indices(const kin__task *task, kin__json *json)
{
    const list_task *data = task->data;
    begin_rows(task, json, "indices");
    for (uint32_t i = 0; i < data->count; i++) {
        kin__json_begin(json, '{');
        kin__json_put_string(json, "name", task->site->info->indices[i].name);
        kin__json_put_string(json, "doc", task->site->info->indices[i].doc);
        kin__json_put_bool(json, "primary", task->site->info->indices[i].is_primary);
        kin__json_put_bool(json, "ordered", task->site->info->indices[i].is_ordered);
        kin__json_put_bool(json, "grid", task->site->info->indices[i].cell > 0);
        kin__json_put_natural(json, "entities", data->rows.counts[i]);
        kin__json_end(json, '}');
    }
    end_rows(task, json);
}

const kin__method kin__method_indices = {
    .name = "indices.list",
    .doc = "The indices of a context.",
    .result = "frame, indices of name, doc, primary, ordered, grid and entities",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .data_size = sizeof(list_task),
    .parse = parse,
    .step = step_indices,
    .show = show_indices,
};

// entities.get: all that is known of one entity.

#include "query/query.h"
#include "method/methods.h"
#include "host/host.h"

enum { CAPTURE = 1024 * 1024, STRING = 64 * 1024, MOST_COMPONENTS = 4096 };

typedef struct held {
    kin_component_id id;
    const void *value; // NULL: it did not fit
} held;

typedef struct get_task {
    const void *label;
    const char *name; // for an entity without a label, or NULL
    held *components; // in the capture
    uint32_t component_count;
    bool *groups; // by number: it is a member
} get_task;

static bool parse(kin__task *task)
{
    return kin__parameter_context(task) && kin__parameter_entity(task, "entity", &task->entity) &&
           kin__task_make_data(task, sizeof(get_task)) && kin__task_make_capture(task, CAPTURE, STRING);
}

static void capture_components(kin__task *task, get_task *data)
{
    kin_component_id ids[MOST_COMPONENTS];
    uint32_t count = kin_entity_components(task->site->context, task->entity, ids, MOST_COMPONENTS);
    count = count < MOST_COMPONENTS ? count : MOST_COMPONENTS;
    data->components = kin__capture_reserve(&task->capture, (count + 1) * sizeof *data->components);
    for (uint32_t i = 0; data->components != NULL && i < count; i++) {
        if (task->site->info->components[ids[i]].inspect == KIN_INSPECT_HIDDEN)
            continue;
        held *held = &data->components[data->component_count++];
        held->id = ids[i];
        held->value = kin__capture_component(&task->capture, task->site->context, task->entity, ids[i]);
        task->capture.is_full = false;
    }
}

static bool step(kin__task *task, const kin__slice *slice)
{
    get_task *data = task->data;
    const kin_context *context = task->site->context;
    (void)slice;
    if (!kin__task_needs_living(task))
        return true;
    data->label = kin__capture_label(&task->capture, context, task->entity);
    data->name = data->label == NULL ? kin__name_of(context, task->entity) : NULL;
    data->groups = kin__capture_reserve(&task->capture, task->site->info->group_count + 1);
    for (uint32_t i = 0; data->groups != NULL && i < task->site->info->group_count; i++)
        data->groups[i] = kin_matches(context, task->site->info->groups[i].matcher, task->entity);
    capture_components(task, data);
    return true;
}

static void show_components(const kin__task *task, kin__json *json)
{
    const get_task *data = task->data;
    kin__json_key(json, "components");
    kin__json_begin(json, '{');
    for (uint32_t i = 0; i < data->component_count; i++) {
        const kin_component_info *info = &task->site->info->components[data->components[i].id];
        kin__json_key(json, info->name);
        if (data->components[i].value == NULL)
            kin__json_null(json);
        else
            kin__show_component(json, info, data->components[i].value);
    }
    kin__json_end(json, '}');
}

static void show(const kin__task *task, kin__json *json)
{
    const get_task *data = task->data;
    kin__json_begin(json, '{');
    kin__task_show_frame(task, json);
    kin__json_key(json, "e");
    kin__json_entity(json, task->entity);
    kin__show_label(json, task->site->info, data->label);
    if (data->name != NULL)
        kin__json_put_string(json, "name", data->name);
    show_components(task, json);
    kin__json_key(json, "groups");
    kin__json_begin(json, '[');
    for (uint32_t i = 0; data->groups != NULL && i < task->site->info->group_count; i++)
        if (data->groups[i])
            kin__json_string(json, task->site->info->groups[i].name);
    kin__json_end(json, ']');
    kin__json_end(json, '}');
}

const kin__method kin__method_get = {
    .name = "entities.get",
    .doc = "All components of an entity with their values, and the groups that it is in.",
    .result = "frame, e, label, or name of what it was spawned from, components, groups",
    .parameters = {KIN__CONTEXT_PARAMETER, {"entity", "string", true, "the handle, creation:slot"}},
    .parse = parse,
    .step = step,
    .show = show,
};

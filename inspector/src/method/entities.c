// entities.create, .spawn, .clone and .destroy.

#include "edit/edit.h"
#include "method/methods.h"
#include "host/host.h"

#include "query/query.h"

#include <string.h>

enum { CAPTURE = 512 * 1024, STRING = 4096, MOST_EDITS = 64 };

typedef struct create_task {
    uint32_t blueprint; // KIN_NO_BLUEPRINT: none
    kin_entity source;  // of a clone; 0: none
    kin_entity made;
    uint32_t edit_count;
    kin__edit edits[MOST_EDITS];
} create_task;

static bool begin(kin__task *task)
{
    if (!kin__parameter_context(task) || !kin__task_make_data(task, sizeof(create_task)) ||
        !kin__task_make_capture(task, CAPTURE, STRING))
        return false;
    ((create_task *)task->data)->blueprint = KIN_NO_BLUEPRINT;
    return true;
}

static bool parse_blueprint(kin__task *task, create_task *data)
{
    const kin_context_info *info = task->site->info;
    const char *name = kin__parameter_text(task, "blueprint");
    if (name == NULL)
        return true;
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        if (strcmp(info->blueprints[i].name, name) == 0) {
            data->blueprint = i;
            return true;
        }
    kin__task_fail(task, KIN__CODE_PARAMETERS, "%s has no blueprint '%.60s'", info->name, name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        kin__suggest_offer(&suggest, info->blueprints[i].name);
    return false;
}

static bool parse_components(kin__task *task, create_task *data)
{
    const char *name;
    json_t *value, *components = kin__parameter_any(task, "components");
    if (json_object_size(components) > MOST_EDITS)
        return kin__task_fail(task, KIN__CODE_LIMIT, "'components' has at most %d elements", MOST_EDITS);
    json_object_foreach(components, name, value)
    {
        kin__edit *edit = &data->edits[data->edit_count++];
        edit->kind = KIN__EDIT_REPLACE;
        if (!kin__find_component(task, name, &edit->id) || !kin__edit_begin(task, edit) ||
            !kin__edit_read(task, edit, value))
            return false;
    }
    return true;
}

static bool parse_create(kin__task *task)
{
    return begin(task) && parse_blueprint(task, task->data) && parse_components(task, task->data);
}

static bool parse_clone(kin__task *task)
{
    if (!begin(task) || !kin__parameter_entity(task, "entity", &((create_task *)task->data)->source))
        return false;
    return ((create_task *)task->data)->source != 0 ||
           kin__task_fail(task, KIN__CODE_PARAMETERS, "'entity' is no entity: name the one to clone");
}

static kin_entity make(kin_context *context, const create_task *data)
{
    return data->source != 0 ? kin_clone(context, data->source) : kin_create_in(context, data->blueprint);
}

// If a component is refused, the entity is destroyed again.
static bool step_create(kin__task *task, const kin__slice *slice)
{
    create_task *data = task->data;
    (void)slice;
    kin__task_catch(task);
    data->made = make(task->site->context, data);
    if (data->made == 0)
        kin__task_refuse(task, KIN_ERROR_INVALID);
    for (uint32_t i = 0; i < data->edit_count && data->made != 0; i++) {
        if (kin__edit_apply(task, &data->edits[i], data->made))
            continue;
        kin__mistake mistake = task->mistake;
        const char *status = task->status;
        kin_destroy(task->site->context, data->made);
        task->mistake = mistake;
        task->status = status;
        break;
    }
    kin__task_release_errors(task);
    return true;
}

static void show_create(const kin__task *task, kin__json *json)
{
    const create_task *data = task->data;
    kin__json_begin(json, '{');
    kin__json_key(json, "entity");
    kin__json_entity(json, data->made);
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_end(json, '}');
}

// ---- destroying

static bool parse_destroy(kin__task *task)
{
    return kin__parameter_context(task) && kin__parameter_entity(task, "entity", &task->entity);
}

static bool step_destroy(kin__task *task, const kin__slice *slice)
{
    (void)slice;
    kin__task_catch(task);
    kin_status status = kin_destroy(task->site->context, task->entity);
    if (status != KIN_OK)
        kin__task_refuse(task, status);
    kin__task_release_errors(task);
    return true;
}

static void show_destroy(const kin__task *task, kin__json *json)
{
    kin__json_begin(json, '{');
    kin__json_key(json, "entity");
    kin__json_entity(json, task->entity);
    kin__json_put_natural(json, "frame", task->frame);
    kin__json_end(json, '}');
}

const kin__method kin__method_create = {
    .name = "entities.create",
    .doc = "Creates an entity, from a blueprint if one is named, with components. If one of them is refused, the "
           "entity is destroyed again, which listeners of the game notice.",
    .result = "entity, frame",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"blueprint", "string", false, "its name"},
                   {"components", "object", false, "values by name of the component"},
                   {"force", "boolean", false, "sets numbers outside of the range of the schema, too"}},
    .parse = parse_create,
    .step = step_create,
    .show = show_create,
};

const kin__method kin__method_spawn = {
    .name = "entities.spawn",
    .doc = "Creates an entity from a blueprint.",
    .result = "entity, frame",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER, {"blueprint", "string", true, "its name"}},
    .parse = parse_create,
    .step = step_create,
    .show = show_create,
};

const kin__method kin__method_clone = {
    .name = "entities.clone",
    .doc = "Creates an entity with copies of the components of another one.",
    .result = "entity, frame",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER, {"entity", "string", true, "the handle of the other one, creation:slot"}},
    .parse = parse_clone,
    .step = step_create,
    .show = show_create,
};

const kin__method kin__method_destroy = {
    .name = "entities.destroy",
    .doc = "Destroys an entity. Its handle does not come back.",
    .result = "entity, frame",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER, {"entity", "string", true, "the handle, creation:slot"}},
    .parse = parse_destroy,
    .step = step_destroy,
    .show = show_destroy,
};

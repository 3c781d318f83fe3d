// components.add, .set, .replace and .remove: changes of one component.

#include "query/query.h"
#include "edit/edit.h"
#include "method/methods.h"
#include "host/host.h"

enum { CAPTURE = 512 * 1024, STRING = 64 * 1024 };

static bool begin(kin__task *task, kin__edit_kind kind)
{
    if (!kin__parameter_context(task) || !kin__parameter_entity(task, "entity", &task->entity) ||
        !kin__task_make_data(task, sizeof(kin__edit)) || !kin__task_make_capture(task, CAPTURE, STRING))
        return false;
    ((kin__edit *)task->data)->kind = kind;
    return true;
}

static bool parse_whole(kin__task *task, kin__edit_kind kind)
{
    if (!begin(task, kind))
        return false;
    kin__edit *edit = task->data;
    return kin__parameter_component(task, "component", &edit->id) && kin__edit_begin(task, edit) &&
           (kind == KIN__EDIT_REMOVE || kin__edit_read(task, edit, kin__parameter_any(task, "value")));
}

static bool parse_add(kin__task *task)
{
    return parse_whole(task, KIN__EDIT_ADD);
}

static bool parse_replace(kin__task *task)
{
    return parse_whole(task, KIN__EDIT_REPLACE);
}

static bool parse_remove(kin__task *task)
{
    return parse_whole(task, KIN__EDIT_REMOVE);
}

static bool parse_path(kin__task *task, kin__edit *edit)
{
    const char *text = kin__parameter_text(task, "path");
    kin__path_scope scope = {task->site->info, KIN_NO_COMPONENT, NULL, 0, false};
    kin__scan scan = kin__scan_begin(text, &task->mistake);
    if (task->mistake.code == 0 && kin__path_parse(&scan, &scope, &edit->path) && scan.token.kind != KIN__TOKEN_END)
        kin__scan_fail(&scan, "expected the end of the path");
    task->has_place = task->mistake.code != 0;
    edit->id = edit->path.component;
    return task->mistake.code == 0;
}

static bool parse_set(kin__task *task)
{
    if (!begin(task, KIN__EDIT_SET))
        return false;
    kin__edit *edit = task->data;
    return parse_path(task, edit) && kin__edit_begin(task, edit) &&
           kin__edit_read_path(task, edit, kin__parameter_any(task, "value"), kin__parameter_any(task, "expect"));
}

static bool step(kin__task *task, const kin__slice *slice)
{
    (void)slice;
    kin__task_catch(task);
    kin__edit_apply(task, task->data, task->entity);
    kin__task_release_errors(task);
    return true;
}

static void show_value(const kin__task *task, kin__json *json, const char *key, const void *value)
{
    const kin__edit *edit = task->data;
    kin__json_key(json, key);
    if (value == NULL)
        kin__json_null(json);
    else if (edit->kind != KIN__EDIT_SET)
        kin__show_component(json, &task->site->info->components[edit->id], value);
    else if (edit->path.is_element)
        kin__show_element(json, edit->path.field, kin__path_address(&edit->path, value));
    else
        kin__show_field(json, edit->path.field, kin__path_address(&edit->path, value));
}

static void show(const kin__task *task, kin__json *json)
{
    const kin__edit *edit = task->data;
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", task->frame);
    show_value(task, json, "previous", edit->previous);
    show_value(task, json, "value", edit->value);
    kin__json_end(json, '}');
}

#define ENTITY                                                                                                         \
    KIN__CONTEXT_PARAMETER,                                                                                            \
    {                                                                                                                  \
        "entity", "string", true, "the handle, creation:slot"                                                          \
    }
#define NAMED                                                                                                          \
    {"component", "string", true, "its name"},                                                                         \
    {                                                                                                                  \
        "value", "any", false, "an object with fields; of a flag true"                                                 \
    }
#define FORCE                                                                                                          \
    {                                                                                                                  \
        "force", "boolean", false, "sets numbers outside of the range of the schema, too"                              \
    }

const kin__method kin__method_add = {
    .name = "components.add",
    .doc = "Adds a component. Fields that are not given have their default.",
    .result = "frame, previous, value",
    .writes = true,
    .parameters = {ENTITY, NAMED, FORCE},
    .parse = parse_add,
    .step = step,
    .show = show,
};

const kin__method kin__method_replace = {
    .name = "components.replace",
    .doc = "Replaces a component, or adds it. Fields that are not given stay what they are.",
    .result = "frame, previous, value",
    .writes = true,
    .parameters = {ENTITY, NAMED, FORCE},
    .parse = parse_replace,
    .step = step,
    .show = show,
};

const kin__method kin__method_remove = {
    .name = "components.remove",
    .doc = "Removes a component.",
    .result = "frame, previous, value",
    .writes = true,
    .parameters = {ENTITY, {"component", "string", true, "its name"}},
    .parse = parse_remove,
    .step = step,
    .show = show,
};

const kin__method kin__method_set = {
    .name = "components.set",
    .doc = "Sets a field of a component, by replacing the component.",
    .result = "frame, previous, value",
    .writes = true,
    .parameters = {ENTITY,
                   {"path", "string", true, "the field, such as Health.points"},
                   {"value", "any", true, "the new value"},
                   {"expect", "any", false, "the value that must be there now, else CHANGED"},
                   FORCE},
    .parse = parse_set,
    .step = step,
    .show = show,
};

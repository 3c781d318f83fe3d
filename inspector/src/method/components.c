// components.add, .set, .replace and .remove: changes of one component.

#include "capture/show.h"
#include "edit/edit.h"
#include "job/parameters.h"
#include "method/methods.h"

enum { CAPTURE = 512 * 1024, STRING = 64 * 1024 };

static bool begin(kin__job *job, kin__edit_kind kind)
{
    if (!kin__parameter_context(job) || !kin__parameter_entity(job, "entity", &job->entity) ||
        !kin__job_make_data(job, sizeof(kin__edit)) || !kin__job_make_capture(job, CAPTURE, STRING))
        return false;
    ((kin__edit *)job->data)->kind = kind;
    return true;
}

static bool parse_whole(kin__job *job, kin__edit_kind kind)
{
    if (!begin(job, kind))
        return false;
    kin__edit *edit = job->data;
    return kin__parameter_component(job, "component", &edit->id) && kin__edit_begin(job, edit) &&
           (kind == KIN__EDIT_REMOVE || kin__edit_read(job, edit, kin__parameter_any(job, "value")));
}

static bool parse_add(kin__job *job)
{
    return parse_whole(job, KIN__EDIT_ADD);
}

static bool parse_replace(kin__job *job)
{
    return parse_whole(job, KIN__EDIT_REPLACE);
}

static bool parse_remove(kin__job *job)
{
    return parse_whole(job, KIN__EDIT_REMOVE);
}

static bool parse_path(kin__job *job, kin__edit *edit)
{
    const char *text = kin__parameter_text(job, "path");
    kin__path_scope scope = {job->site->info, KIN_NO_COMPONENT, NULL, 0};
    kin__scan scan = kin__scan_begin(text, &job->mistake);
    if (job->mistake.code == 0 && kin__path_parse(&scan, &scope, &edit->path) && scan.token.kind != KIN__TOKEN_END)
        kin__scan_fail(&scan, "expected the end of the path");
    job->has_place = job->mistake.code != 0;
    edit->id = edit->path.component;
    return job->mistake.code == 0;
}

static bool parse_set(kin__job *job)
{
    if (!begin(job, KIN__EDIT_SET))
        return false;
    kin__edit *edit = job->data;
    return parse_path(job, edit) && kin__edit_begin(job, edit) &&
           kin__edit_read_path(job, edit, kin__parameter_any(job, "value"), kin__parameter_any(job, "expect"));
}

static bool step(kin__job *job, const kin__slice *slice)
{
    (void)slice;
    kin__job_catch(job);
    kin__edit_apply(job, job->data, job->entity);
    kin__job_release_errors(job);
    return true;
}

static void show_value(const kin__job *job, kin__json *json, const char *key, const void *value)
{
    const kin__edit *edit = job->data;
    kin__json_key(json, key);
    if (value == NULL)
        kin__json_null(json);
    else if (edit->kind != KIN__EDIT_SET)
        kin__show_component(json, &job->site->info->components[edit->id], value);
    else if (edit->path.is_element)
        kin__show_element(json, edit->path.field, kin__path_address(&edit->path, value));
    else
        kin__show_field(json, edit->path.field, kin__path_address(&edit->path, value));
}

static void show(const kin__job *job, kin__json *json)
{
    const kin__edit *edit = job->data;
    kin__json_begin(json, '{');
    kin__json_put_natural(json, "frame", job->frame);
    show_value(job, json, "previous", edit->previous);
    show_value(job, json, "value", edit->value);
    kin__json_end(json, '}');
}

#define ENTITY                                                                                                         \
    {"context", "string", false, "the context; may be left out if there is one"},                                      \
    {                                                                                                                  \
        "entity", "string", true, "the handle, creation:slot"                                                          \
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
    .parameters = {ENTITY,
                   {"component", "string", true, "its name"},
                   {"value", "any", false, "an object with fields; of a flag true"},
                   FORCE},
    .parse = parse_add,
    .step = step,
    .show = show,
};

const kin__method kin__method_replace = {
    .name = "components.replace",
    .doc = "Replaces a component, or adds it. Fields that are not given stay what they are.",
    .result = "frame, previous, value",
    .writes = true,
    .parameters = {ENTITY,
                   {"component", "string", true, "its name"},
                   {"value", "any", false, "an object with fields; of a flag true"},
                   FORCE},
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

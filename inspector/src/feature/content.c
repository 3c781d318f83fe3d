// Content of a context, if the program has opened one: its files and their errors, what entities have different from
// it, and saving that back.
#include "feature/internal.h"

#include <kin/prefab.h>

#include <stdio.h>
#include <stdlib.h>

enum { CAPTURE = 512 * 1024, STRING = 4096 };

// Returns the face of the content, and reports that there is none.
static const kin_content_face *find_face(kin__task *task, void **content)
{
    const kin_content_face *face = kin_content_face_of(task->site->context, content);
    if (face == NULL)
        kin__task_fail(task, KIN__CODE_PARAMETERS, "the context '%s' has no content; kin_content_open opens one",
                       task->site->name);
    return face;
}

// The same for what only a content that is watched can do.
static const kin_content_face *find_watched(kin__task *task, void **content)
{
    const kin_content_face *face = find_face(task, content);
    if (face == NULL || face->folder(*content) != NULL)
        return face;
    kin__task_fail(task, KIN__CODE_PARAMETERS, "the content of '%s' is not watched; call kin_content_watch",
                   task->site->name);
    return NULL;
}

// ---- content.status

typedef struct named {
    struct named *next;
    const char *name;
} named;

typedef struct status_task {
    bool has_content;
    uint64_t version;
    const char *folder, *error;
    const char *errors; // JSON, or NULL
    named *files, *prefabs, *levels;
} status_task;

static bool parse_status(kin__task *task)
{
    return kin__task_make_capture(task, CAPTURE, STRING);
}

// What does not fit is left out.
static named *capture_list(kin__task *task, const void *content, const char *(*at)(const void *, uint32_t))
{
    named *first = NULL;
    named **end = &first;
    const char *name;
    for (uint32_t i = 0; (name = at(content, i)) != NULL && !task->capture.is_full; i++) {
        named *made = kin__capture_reserve(&task->capture, sizeof *made);
        const char *copy = kin__capture_string(&task->capture, name);
        if (made == NULL || copy == NULL)
            break;
        made->name = copy;
        *end = made;
        end = &made->next;
    }
    return first;
}

static bool step_status(kin__task *task)
{
    status_task *data = task->data;
    void *content;
    const kin_content_face *face = kin_content_face_of(task->site->context, &content);
    data->has_content = face != NULL;
    if (face == NULL)
        return true;
    data->version = face->version(content);
    data->folder = kin__capture_string(&task->capture, face->folder(content));
    data->error = kin__capture_string(&task->capture, face->error(content));
    const char *errors = face->errors(content);
    if (errors != NULL) {
        char *copy = kin__capture_reserve(&task->capture, strlen(errors) + 1);
        if (copy != NULL)
            memcpy(copy, errors, strlen(errors) + 1);
        data->errors = copy;
    }
    data->files = capture_list(task, content, face->file);
    data->levels = capture_list(task, content, face->level);
    data->prefabs = capture_list(task, content, face->prefab);
    task->capture.is_full = false;
    return true;
}

static void show_list(kin__json *json, const char *key, const named *first)
{
    kin__json_begin_member(json, key, '[');
    for (const named *each = first; each != NULL; each = each->next)
        kin__json_string(json, each->name);
    kin__json_end(json, ']');
}

static void show_status(const kin__task *task, kin__json *json)
{
    const status_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_bool(json, "content", data->has_content);
    kin__json_put_string(json, "folder", data->folder);
    kin__json_put_digits(json, "version", data->version);
    kin__json_put_string(json, "error", data->error);
    kin__json_key(json, "errors");
    json_t *errors = data->errors == NULL ? NULL : json_loads(data->errors, 0, NULL);
    char *compact = errors == NULL ? NULL : json_dumps(errors, JSON_COMPACT);
    if (compact == NULL)
        kin__json_raw(json, "[]", 2);
    else
        kin__json_raw(json, compact, strlen(compact));
    free(compact);
    json_decref(errors);
    show_list(json, "files", data->files);
    show_list(json, "prefabs", data->prefabs);
    show_list(json, "levels", data->levels);
}

const kin__method kin__method_content_status = {
    .name = "content.status",
    .doc = "The content of a context: the folder that is watched with its files and their errors, prefabs and levels.",
    .result = "frame, content, folder, version, error, errors as of kin check, files, prefabs, levels",
    .parameters = {KIN__CONTEXT_PARAMETER},
    .data_size = sizeof(status_task),
    .parse = parse_status,
    .step = step_status,
    .show = show_status,
};

// ---- content.diff

typedef struct differing {
    struct differing *next;
    kin_entity entity;
    const char *part, *path, *given, *value;
    const char *why; // it is not saved; NULL: it is
} differing;

typedef struct differing_list {
    differing *first, **end;
    kin__task *task;
} differing_list;

typedef struct diff_task {
    const char *name, *level;
    bool has_values; // `values` give a unique component of it
    differing_list list;
} diff_task;

static bool parse_entity(kin__task *task)
{
    return kin__parameter_entity(task, "entity", &task->entity) && kin__task_make_capture(task, CAPTURE, STRING);
}

static bool is_hidden(const kin_component_info *info, const char *path)
{
    const kin_field_info *fields = info->fields;
    uint32_t count = info->field_count;
    while (*path != '\0') {
        size_t size = strcspn(path, ".");
        const kin_field_info *found = NULL;
        for (uint32_t i = 0; found == NULL && i < count; i++)
            if (strlen(fields[i].name) == size && memcmp(fields[i].name, path, size) == 0)
                found = &fields[i];
        if (found == NULL || found->inspect == KIN_INSPECT_HIDDEN)
            return true;
        count = found->type == KIN_TYPE_STRUCT ? found->of->field_count : 0;
        fields = count == 0 ? NULL : found->of->fields;
        path += size + (path[size] == '.');
    }
    return info->inspect == KIN_INSPECT_HIDDEN;
}

// Appends a difference to those that the task shows. What does not fit, and what is hidden, is left out.
static void capture_difference(const kin_content_difference *difference, void *user)
{
    differing_list *list = user;
    kin__capture *capture = &list->task->capture;
    const kin_context_info *info = list->task->site->info;
    char path[512];
    kin_component_id id = kin_component_find(info, difference->component);
    if (id == KIN_NO_COMPONENT || is_hidden(&info->components[id], difference->field))
        return;
    snprintf(path, sizeof path, "%s.%s", difference->component, difference->field);
    differing *made = kin__capture_reserve(capture, sizeof *made);
    if (made == NULL)
        return;
    *made = (differing){.entity = difference->entity,
                        .part = kin__capture_string(capture, difference->part),
                        .path = kin__capture_string(capture, path),
                        .given = kin__capture_string(capture, difference->given),
                        .value = kin__capture_string(capture, difference->value),
                        .why = kin__capture_string(capture, difference->left_out)};
    *list->end = made;
    list->end = &made->next;
}

static void begin_list(differing_list *list, kin__task *task)
{
    list->task = task;
    list->end = &list->first;
}

static bool step_diff(kin__task *task)
{
    diff_task *data = task->data;
    void *content;
    if (!kin__task_needs_living(task, task->entity))
        return true;
    const kin_content_face *face = find_watched(task, &content);
    if (face == NULL)
        return true;
    begin_list(&data->list, task);
    data->name = kin__capture_name(&task->capture, task->site->context, task->entity);
    char name[2];
    const char *level;
    bool is_named = face->name(content, task->entity, name, sizeof name) > 0;
    data->has_values = !is_named && face->has_values(content, task->entity);
    if (!is_named && !data->has_values)
        return true; // of no content: nothing differs
    kin__task_catch(task);
    kin_status status = face->differ(content, task->entity, capture_difference, &data->list, &level);
    kin__task_release_errors(task);
    if (status == KIN_OK)
        data->level = kin__capture_string(&task->capture, level);
    else
        kin__task_refuse(task, status);
    task->capture.is_full = false;
    return true;
}

static void show_list_of(kin__json *json, const char *key, const differing_list *list)
{
    kin__json_begin_member(json, key, '[');
    for (const differing *each = list->first; each != NULL; each = each->next) {
        kin__json_begin(json, '{');
        kin__json_put_entity(json, "e", each->entity);
        kin__json_put_string(json, "part", each->part);
        kin__json_put_string(json, "path", each->path);
        kin__json_put_string(json, "given", each->given);
        kin__json_put_string(json, "value", each->value);
        kin__json_put_string(json, "left_out", each->why);
        kin__json_end(json, '}');
    }
    kin__json_end(json, ']');
}

static void show_diff(const kin__task *task, kin__json *json)
{
    const diff_task *data = task->data;
    kin__task_show_frame(task, json);
    kin__json_put_string(json, "name", data->name);
    kin__json_put_string(json, "level", data->level);
    kin__json_put_bool(json, "values", data->has_values);
    show_list_of(json, "differences", &data->list);
}

#define ENTITY                                                                                                         \
    KIN__CONTEXT_PARAMETER,                                                                                            \
    {                                                                                                                  \
        "entity", "string", true, "the handle, creation:slot", 0, 0                                                    \
    }

const kin__method kin__method_content_diff = {
    .name = "content.diff",
    .doc = "What an entity, and the parts of its prefab below it, have different from what the content gives them.",
    .result = "frame, name, level: the one that says the instance, values: they give its unique components, "
              "differences of e, part, path, given, value, and left_out: why it cannot be saved",
    .parameters = {ENTITY},
    .data_size = sizeof(diff_task),
    .parse = parse_entity,
    .step = step_diff,
    .show = show_diff,
};

// ---- content.save and content.revert

enum { MOST_PATHS = 256 };

typedef struct save_task {
    kin_content_saving saving; // without `where`: reverts
    const char *paths[MOST_PATHS];
    differing_list left_out;
    uint32_t count; // of values that were saved or reverted
} save_task;

static bool parse_paths(kin__task *task, save_task *data)
{
    const json_t *paths = kin__parameter_any(task, "fields");
    size_t count = json_array_size(paths);
    if (count > MOST_PATHS)
        return kin__task_fail(task, KIN__CODE_LIMIT, "'fields' has at most %d elements", MOST_PATHS);
    for (size_t i = 0; i < count; i++) {
        data->paths[i] = json_string_value(json_array_get(paths, i));
        if (data->paths[i] == NULL)
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "'fields' must be an array of strings");
    }
    data->saving.paths = paths == NULL ? NULL : data->paths;
    data->saving.path_count = (uint32_t)count;
    return true;
}

static bool parse_save(kin__task *task)
{
    save_task *data = task->data;
    data->saving.where = kin__parameter_text(task, "to");
    return parse_entity(task) && parse_paths(task, data);
}

static bool parse_revert(kin__task *task)
{
    return kin__parameter_entity(task, "entity", &task->entity);
}

static bool step_save(kin__task *task)
{
    save_task *data = task->data;
    void *content;
    if (!kin__task_needs_living(task, task->entity))
        return true;
    const kin_content_face *face = find_watched(task, &content);
    if (face == NULL)
        return true;
    begin_list(&data->left_out, task);
    data->saving.left_out = capture_difference;
    data->saving.user = &data->left_out;
    kin__task_catch(task);
    kin_status status = data->saving.where != NULL ? face->save(content, task->entity, &data->saving)
                                                   : face->revert(content, task->entity, &data->count);
    kin__task_release_errors(task);
    if (status != KIN_OK)
        kin__task_refuse(task, status);
    task->capture.is_full = false;
    return true;
}

static void show_saved(const kin__task *task, kin__json *json)
{
    const save_task *data = task->data;
    kin__json_put_natural(json, "frame", task->frame);
    if (data->saving.where == NULL) {
        kin__json_put_natural(json, "reverted", data->count);
        return;
    }
    kin__json_put_natural(json, "saved", data->saving.saved);
    show_list_of(json, "left_out", &data->left_out);
}

const kin__method kin__method_content_save = {
    .name = "content.save",
    .doc = "Writes what an entity and its parts have different from the content into the file that gives it.",
    .result = "frame, saved: the number of values, left_out: what was not saved, as in content.diff, and why",
    .writes = true,
    .parameters = {ENTITY,
                   {"to", "string", true, "instance, prefab, or the name of a new prefab", 0, 0},
                   {"fields", "array", false, "what is saved, such as Health.points, Gun or head.Gun.interval", 0, 0}},
    .data_size = sizeof(save_task),
    .parse = parse_save,
    .step = step_save,
    .show = show_saved,
};

const kin__method kin__method_content_revert = {
    .name = "content.revert",
    .doc = "Gives an entity and its parts the values of the content again.",
    .result = "frame, reverted: the number of values",
    .writes = true,
    .parameters = {ENTITY},
    .data_size = sizeof(save_task),
    .parse = parse_revert,
    .step = step_save,
    .show = show_saved,
};

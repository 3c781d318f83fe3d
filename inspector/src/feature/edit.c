// Edits: entities that viewers create, spawn, clone and destroy, and the components that they add, set, replace and
// remove. An edit is one change of one component of an entity.
#include "feature/internal.h"

#include <kin/prefab.h>

#include <math.h>
#include <string.h>

typedef enum kin__edit_kind { KIN__EDIT_ADD, KIN__EDIT_SET, KIN__EDIT_REPLACE, KIN__EDIT_REMOVE } kin__edit_kind;

typedef struct kin__edit {
    kin__edit_kind kind;
    kin_component_id id;
    kin__path path;                 // of KIN__EDIT_SET
    char *bytes, *mask;             // what is given
    char *base;                     // room for the component
    char *defaults;                 // the values of the schema
    char *expected, *expected_mask; // NULL if nothing is expected
    const void *previous, *value;   // captured, or NULL if the entity does not have the component
} kin__edit;

// ---- comparing

static bool is_same_text(const char *a, const char *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return strcmp(a, b) == 0;
}

static bool is_same_real(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    return a == b && !signbit(a) == !signbit(b);
}

static bool is_same_single(const kin_field_info *field, const char *given, const char *value)
{
    kin__scalar a = kin__scalar_read(field, given);
    kin__scalar b = kin__scalar_read(field, value);
    switch (a.kind) {
    case KIN__SCALAR_NONE:
        return true;
    case KIN__SCALAR_TEXT:
        return is_same_text(a.as.text, b.as.text);
    case KIN__SCALAR_BOOL:
        return a.as.boolean == b.as.boolean;
    case KIN__SCALAR_REAL:
        return is_same_real(a.as.real, b.as.real);
    default:
        return a.as.natural == b.as.natural;
    }
}

// A mask that is NULL is one of a value that was given as a whole.
static bool is_given(const char *mask)
{
    return mask == NULL || mask[0] != 0;
}

static const char *mask_at(const char *mask, size_t offset)
{
    return mask == NULL ? NULL : mask + offset;
}

static bool is_same_element(const kin_field_info *field, const char *given, const char *mask, const char *value)
{
    if (field->type != KIN_TYPE_STRUCT)
        return !is_given(mask) || is_same_single(field, given, value);
    for (uint32_t i = 0; i < field->of->field_count; i++) {
        const kin_field_info *inner = &field->of->fields[i];
        size_t offset = inner->offset;
        if (!kin__same_field(inner, given + offset, mask_at(mask, offset), value + offset, false))
            return false;
    }
    return true;
}

// A list that is given is given whole: all of its elements are compared.
static bool is_same_list(const kin_field_info *field, const char *given, const char *value)
{
    struct {
        const char *at;
        uint32_t count;
    } a, b;
    memcpy(&a, given, sizeof a);
    memcpy(&b, value, sizeof b);
    if (a.count != b.count)
        return false;
    for (uint32_t i = 0; i < a.count; i++)
        if (!is_same_element(field, a.at + i * field->element_size, NULL, b.at + i * field->element_size))
            return false;
    return true;
}

bool kin__same_field(const kin_field_info *field, const char *given, const char *mask, const char *value,
                     bool is_element)
{
    if (field->is_list && !is_element)
        return !is_given(mask) || is_same_list(field, given, value);
    size_t size = kin__element_size(field);
    uint32_t count = 1;
    if (field->count > 0 && !is_element)
        count = field->count;
    for (uint32_t i = 0; i < count; i++)
        if (!is_same_element(field, given + i * size, mask_at(mask, i * size), value + i * size))
            return false;
    return true;
}

// ---- edits

static const kin_component_info *info_of(const kin__task *task, const kin__edit *edit)
{
    return &task->site->info->components[edit->id];
}

// Checks that the component can be written, and makes room in the capture.
static bool edit_begin(kin__task *task, kin__edit *edit)
{
    const kin_component_info *info = info_of(task, edit);
    size_t size = info->size + 1;
    if (info->inspect == KIN_INSPECT_READ_ONLY)
        return kin__task_fail(task, KIN__CODE_READ_ONLY, "'%s' is read-only by its schema", info->name);
    if (info->has_drops && edit->kind != KIN__EDIT_REMOVE)
        return kin__task_fail(task, KIN__CODE_READ_ONLY, "'%s' owns opaque values: it can only be removed", info->name);
    KIN_ASSERT(edit->id < task->site->info->component_count && edit->bytes == NULL);
    edit->bytes = kin__capture_reserve(&task->capture, size);
    edit->mask = kin__capture_reserve(&task->capture, size);
    edit->base = kin__capture_reserve(&task->capture, size);
    edit->defaults = kin__capture_reserve(&task->capture, size);
    if (task->capture.is_full)
        return kin__task_fail(task, KIN__CODE_LIMIT, "the values are too large");
    if (info->write_default != NULL)
        info->write_default(edit->defaults);
    return true;
}

// Reads the value of the whole component; of a flag true, or nothing.
static bool edit_read(kin__task *task, kin__edit *edit, const json_t *value)
{
    const kin_component_info *info = info_of(task, edit);
    kin__reader reader = {task, kin__parameter_bool(task, "force"), false, edit->bytes, edit->mask};
    if (value == NULL)
        return true;
    if (info->field_count > 0)
        return kin__read_struct(&reader, info->fields, info->field_count, value, 0);
    return json_is_true(value) ||
           kin__task_fail(task, KIN__CODE_PARAMETERS, "'%s' is a flag: its value is true", info->name);
}

// Returns the offset of a path without elements of lists.
static size_t offset_of(const kin__path *path)
{
    size_t offset = 0;
    for (uint32_t i = 0; i < path->step_count; i++)
        offset += path->steps[i].offset;
    return offset;
}

// Reads the value of the path; and what must be there before, unless NULL.
static bool edit_read_path(kin__task *task, kin__edit *edit, const json_t *value, const json_t *expected)
{
    const kin__path *path = &edit->path;
    size_t size = info_of(task, edit)->size + 1;
    kin__reader reader = {task, kin__parameter_bool(task, "force"), false, edit->bytes, edit->mask};
    if (path->is_read_only)
        return kin__task_fail(task, KIN__CODE_READ_ONLY, "'%s' is read-only by its schema", path->field->name);
    for (uint32_t i = 0; i < path->step_count; i++)
        if (path->steps[i].is_list)
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "an element of a list cannot be set; set the whole list");
    if (!kin__read_field(&reader, path->field, value, offset_of(path), path->is_element))
        return false;
    if (expected == NULL)
        return true;
    edit->expected = kin__capture_reserve(&task->capture, size);
    edit->expected_mask = kin__capture_reserve(&task->capture, size);
    if (task->capture.is_full)
        return kin__task_fail(task, KIN__CODE_LIMIT, "the values are too large");
    reader = (kin__reader){task, true, true, edit->expected, edit->expected_mask};
    return kin__read_field(&reader, path->field, expected, offset_of(path), path->is_element);
}

// ---- changing

static void *capture(kin__task *task, const kin__edit *edit, kin_entity entity)
{
    if (!kin_has(task->site->context, entity, edit->id))
        return NULL;
    void *value = kin__capture_component(&task->capture, task->site->context, entity, edit->id);
    task->capture.is_full = false;
    return value;
}

static bool check_expected(kin__task *task, const kin__edit *edit)
{
    size_t offset = offset_of(&edit->path);
    if (edit->expected == NULL)
        return true;
    KIN_ASSERT(edit->kind == KIN__EDIT_SET && edit->expected_mask != NULL);
    if (kin__same_field(edit->path.field, edit->expected + offset, edit->expected_mask + offset, edit->base + offset,
                        edit->path.is_element))
        return true;
    return kin__refuse_expected(task, &edit->path, edit->base);
}

// Makes the value of the whole component in `base`, in which the context still owns what was not given.
static bool merge(kin__task *task, kin__edit *edit, kin_entity entity)
{
    size_t size = info_of(task, edit)->size;
    if (!kin_look_read(task->site->context, entity, edit->id, edit->base)) {
        if (edit->kind == KIN__EDIT_SET) {
            task->status = kin_status_name(KIN_ERROR_NO_COMPONENT);
            return kin__task_fail(task, KIN__CODE_REFUSED - KIN_ERROR_NO_COMPONENT, "the entity lacks %s",
                                  info_of(task, edit)->name);
        }
        memcpy(edit->base, edit->defaults, size);
    }
    if (!check_expected(task, edit))
        return false;
    for (size_t i = 0; i < size; i++)
        edit->base[i] = (char)((edit->base[i] & ~edit->mask[i]) | (edit->bytes[i] & edit->mask[i]));
    return true;
}

static kin_status change(kin__task *task, kin__edit *edit, kin_entity entity)
{
    kin_context *context = task->site->context;
    const void *value = NULL;
    if (info_of(task, edit)->size > 0)
        value = edit->base;
    switch (edit->kind) {
    case KIN__EDIT_ADD:
        return kin_add(context, entity, edit->id, value);
    case KIN__EDIT_REMOVE:
        return kin_remove(context, entity, edit->id);
    default:
        return kin_replace(context, entity, edit->id, value);
    }
}

// Makes the change to an entity, and captures the values before and after. For the thread of the host, while errors are
// caught. Returns false when it was refused.
static bool edit_apply(kin__task *task, kin__edit *edit, kin_entity entity)
{
    if (!kin__task_needs_living(task, entity))
        return false;
    edit->previous = capture(task, edit, entity);
    if (edit->kind != KIN__EDIT_REMOVE && !merge(task, edit, entity))
        return false;
    kin_status status = change(task, edit, entity);
    if (status != KIN_OK) {
        kin__task_refuse(task, status);
        return false;
    }
    edit->value = capture(task, edit, entity);
    return true;
}

// ---- entities

// entities.create, .spawn, .clone and .destroy.

enum { EDIT_CAPTURE = 512 * 1024, ENTITY_STRING = 4096, MOST_EDITS = 64 };

typedef struct create_task {
    uint32_t blueprint; // or KIN_NO_BLUEPRINT
    const char *prefab; // of the content, which only the thread of the host knows; or NULL
    kin_entity source;  // of a clone, or 0
    kin_entity made;
    uint32_t edit_count;
    kin__edit edits[MOST_EDITS];
} create_task;

static bool begin_entity(kin__task *task)
{
    if (!kin__task_make_capture(task, EDIT_CAPTURE, ENTITY_STRING))
        return false;
    ((create_task *)task->data)->blueprint = KIN_NO_BLUEPRINT;
    return true;
}

static bool fail_blueprint(kin__task *task, const char *name)
{
    const kin_context_info *info = task->site->info;
    kin__task_fail(task, KIN__CODE_PARAMETERS, "%s has no blueprint '%.60s'", info->name, name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    for (uint32_t i = 0; i < info->blueprint_count; i++)
        kin__suggest_offer(&suggest, info->blueprints[i].name);
    return false;
}

// What is no blueprint of the schema may be a prefab of the content.
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
    data->prefab = name;
    return kin_component_find(info, "Content") != KIN_NO_COMPONENT || fail_blueprint(task, name);
}

// Returns 0 after a refusal.
static kin_entity spawn_prefab(kin__task *task, const char *name)
{
    void *content;
    const kin_content_face *face = kin_content_face_of(task->site->context, &content);
    kin_entity made = face == NULL ? 0 : face->spawn(content, name);
    if (face == NULL)
        fail_blueprint(task, name);
    else if (made == 0)
        kin__task_refuse(task, KIN_ERROR_INVALID);
    return made;
}

static bool parse_components(kin__task *task, create_task *data)
{
    const char *name;
    json_t *value;
    json_t *components = kin__parameter_any(task, "components");
    if (json_object_size(components) > MOST_EDITS)
        return kin__task_fail(task, KIN__CODE_LIMIT, "'components' has at most %d elements", MOST_EDITS);
    json_object_foreach(components, name, value)
    {
        kin__edit *edit = &data->edits[data->edit_count++];
        edit->kind = KIN__EDIT_REPLACE;
        if (!kin__find_component(task, name, &edit->id) || !edit_begin(task, edit) || !edit_read(task, edit, value))
            return false;
    }
    return true;
}

static bool parse_create(kin__task *task)
{
    return begin_entity(task) && parse_blueprint(task, task->data) && parse_components(task, task->data);
}

static bool parse_clone(kin__task *task)
{
    if (!begin_entity(task) || !kin__parameter_entity(task, "entity", &((create_task *)task->data)->source))
        return false;
    return ((create_task *)task->data)->source != 0 ||
           kin__task_fail(task, KIN__CODE_PARAMETERS, "'entity' is no entity: name the one to clone");
}

// If a component is refused, the entity is destroyed again.
static bool step_create(kin__task *task)
{
    create_task *data = task->data;
    kin__task_catch(task);
    if (data->source != 0)
        data->made = kin_clone(task->site->context, data->source);
    else if (data->prefab != NULL)
        data->made = spawn_prefab(task, data->prefab);
    else
        data->made = kin_create_in(task->site->context, data->blueprint);
    if (data->made == 0 && data->prefab == NULL)
        kin__task_refuse(task, KIN_ERROR_INVALID);
    for (uint32_t i = 0; i < data->edit_count && data->made != 0; i++) {
        if (edit_apply(task, &data->edits[i], data->made))
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
    kin__json_put_entity(json, "entity", data->made);
    kin__json_put_natural(json, "frame", task->frame);
}

// ---- destroying

static bool parse_destroy(kin__task *task)
{
    return kin__parameter_entity(task, "entity", &task->entity);
}

static bool step_destroy(kin__task *task)
{
    kin__task_catch(task);
    kin_status status = kin_destroy(task->site->context, task->entity);
    if (status != KIN_OK)
        kin__task_refuse(task, status);
    kin__task_release_errors(task);
    return true;
}

static void show_destroy(const kin__task *task, kin__json *json)
{
    kin__json_put_entity(json, "entity", task->entity);
    kin__json_put_natural(json, "frame", task->frame);
}

const kin__method kin__method_create = {
    .name = "entities.create",
    .doc = "Creates an entity, from a blueprint or a prefab if one is named, with components. If one of them is "
           "refused, the "
           "entity is destroyed again, which listeners of the game notice.",
    .result = "entity, frame",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"blueprint", "string", false, "its name", 0, 0},
                   {"components", "object", false, "values by name of the component", 0, 0},
                   {"force", "boolean", false, "sets numbers outside of the range of the schema, too", 0, 0}},
    .data_size = sizeof(create_task),
    .parse = parse_create,
    .step = step_create,
    .show = show_create,
};

const kin__method kin__method_spawn = {
    .name = "entities.spawn",
    .doc = "Creates an entity, and those below it, from a blueprint of the schema or a prefab of the content.",
    .result = "entity, frame",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER, {"blueprint", "string", true, "its name, or that of a prefab", 0, 0}},
    .data_size = sizeof(create_task),
    .parse = parse_create,
    .step = step_create,
    .show = show_create,
};

const kin__method kin__method_clone = {
    .name = "entities.clone",
    .doc = "Creates an entity with copies of the components of another one.",
    .result = "entity, frame",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER,
                   {"entity", "string", true, "the handle of the other one, creation:slot", 0, 0}},
    .data_size = sizeof(create_task),
    .parse = parse_clone,
    .step = step_create,
    .show = show_create,
};

const kin__method kin__method_destroy = {
    .name = "entities.destroy",
    .doc = "Destroys an entity. Its handle does not come back.",
    .result = "entity, frame",
    .writes = true,
    .parameters = {KIN__CONTEXT_PARAMETER, {"entity", "string", true, "the handle, creation:slot", 0, 0}},
    .parse = parse_destroy,
    .step = step_destroy,
    .show = show_destroy,
};

// ---- components

// components.add, .set, .replace and .remove: changes of one component.

enum { COMPONENT_STRING = 64 * 1024 }; // bytes kept of a string

static bool begin_component(kin__task *task, kin__edit_kind kind)
{
    if (!kin__parameter_entity(task, "entity", &task->entity) ||
        !kin__task_make_capture(task, EDIT_CAPTURE, COMPONENT_STRING))
        return false;
    ((kin__edit *)task->data)->kind = kind;
    return true;
}

static bool parse_whole(kin__task *task, kin__edit_kind kind)
{
    if (!begin_component(task, kind))
        return false;
    kin__edit *edit = task->data;
    return kin__parameter_component(task, "component", &edit->id) && edit_begin(task, edit) &&
           (kind == KIN__EDIT_REMOVE || edit_read(task, edit, kin__parameter_any(task, "value")));
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

static bool parse_set(kin__task *task)
{
    if (!begin_component(task, KIN__EDIT_SET))
        return false;
    kin__edit *edit = task->data;
    if (!kin__parameter_path(task, &edit->path))
        return false;
    edit->id = edit->path.component;
    return edit_begin(task, edit) &&
           edit_read_path(task, edit, kin__parameter_any(task, "value"), kin__parameter_any(task, "expect"));
}

static bool step(kin__task *task)
{
    kin__task_catch(task);
    edit_apply(task, task->data, task->entity);
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
    kin__json_put_natural(json, "frame", task->frame);
    show_value(task, json, "previous", edit->previous);
    show_value(task, json, "value", edit->value);
}

#define ENTITY                                                                                                         \
    KIN__CONTEXT_PARAMETER,                                                                                            \
    {                                                                                                                  \
        "entity", "string", true, "the handle, creation:slot", 0, 0                                                    \
    }
#define NAMED                                                                                                          \
    {"component", "string", true, "its name", 0, 0},                                                                   \
    {                                                                                                                  \
        "value", "any", false, "an object with fields; of a flag true", 0, 0                                           \
    }
#define FORCE                                                                                                          \
    {                                                                                                                  \
        "force", "boolean", false, "sets numbers outside of the range of the schema, too", 0, 0                        \
    }

const kin__method kin__method_add = {
    .name = "components.add",
    .doc = "Adds a component. Fields that are not given have their default.",
    .result = "frame, previous, value",
    .writes = true,
    .parameters = {ENTITY, NAMED, FORCE},
    .data_size = sizeof(kin__edit),
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
    .data_size = sizeof(kin__edit),
    .parse = parse_replace,
    .step = step,
    .show = show,
};

const kin__method kin__method_remove = {
    .name = "components.remove",
    .doc = "Removes a component.",
    .result = "frame, previous, value",
    .writes = true,
    .parameters = {ENTITY, {"component", "string", true, "its name", 0, 0}},
    .data_size = sizeof(kin__edit),
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
                   {"path", "string", true, "the field, such as Health.points", 0, 0},
                   {"value", "any", true, "the new value", 0, 0},
                   {"expect", "any", false, "the value that must be there now, else CHANGED", 0, 0},
                   FORCE},
    .data_size = sizeof(kin__edit),
    .parse = parse_set,
    .step = step,
    .show = show,
};

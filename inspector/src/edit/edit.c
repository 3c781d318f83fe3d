#include "edit/edit.h"

#include "edit/refuse.h"
#include "edit/same.h"
#include "host/host.h"

#include <string.h>

static const kin_component_info *info_of(const kin__task *task, const kin__edit *edit)
{
    return &task->site->info->components[edit->id];
}

bool kin__edit_begin(kin__task *task, kin__edit *edit)
{
    const kin_component_info *info = info_of(task, edit);
    size_t size = info->size + 1;
    if (info->inspect == KIN_INSPECT_READ_ONLY)
        return kin__task_fail(task, KIN__CODE_READ_ONLY, "'%s' is read-only by its schema", info->name);
    if (info->has_drops && edit->kind != KIN__EDIT_REMOVE)
        return kin__task_fail(task, KIN__CODE_READ_ONLY, "'%s' owns opaque values: it can only be removed", info->name);
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

bool kin__edit_read(kin__task *task, kin__edit *edit, const json_t *value)
{
    const kin_component_info *info = info_of(task, edit);
    kin__reader reader = {task, kin__parameter_bool(task, "force"), false, edit->bytes, edit->mask};
    if (info->field_count > 0)
        return value == NULL || kin__read_struct(&reader, info->fields, info->field_count, value, 0);
    return value == NULL || json_is_true(value) ||
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

static bool check_path(kin__task *task, const kin__path *path)
{
    if (path->is_read_only)
        return kin__task_fail(task, KIN__CODE_READ_ONLY, "'%s' is read-only by its schema", path->field->name);
    for (uint32_t i = 0; i < path->step_count; i++)
        if (path->steps[i].is_list)
            return kin__task_fail(task, KIN__CODE_PARAMETERS, "an element of a list cannot be set; set the whole list");
    return true;
}

bool kin__edit_read_path(kin__task *task, kin__edit *edit, const json_t *value, const json_t *expected)
{
    const kin__path *path = &edit->path;
    size_t size = info_of(task, edit)->size + 1;
    kin__reader reader = {task, kin__parameter_bool(task, "force"), false, edit->bytes, edit->mask};
    if (!check_path(task, path) || !kin__read_field(&reader, path->field, value, offset_of(path), path->is_element))
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
    if (edit->expected == NULL ||
        kin__same_field(edit->path.field, edit->expected + offset, edit->expected_mask + offset, edit->base + offset,
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
    const void *value = info_of(task, edit)->size == 0 ? NULL : edit->base;
    switch (edit->kind) {
    case KIN__EDIT_ADD:
        return kin_add(context, entity, edit->id, value);
    case KIN__EDIT_REMOVE:
        return kin_remove(context, entity, edit->id);
    default:
        return kin_replace(context, entity, edit->id, value);
    }
}

bool kin__edit_apply(kin__task *task, kin__edit *edit, kin_entity entity)
{
    if (!kin_entity_is_alive(task->site->context, entity)) {
        task->status = kin_status_name(KIN_ERROR_NOT_ALIVE);
        return kin__task_fail(task, KIN__CODE_REFUSED - KIN_ERROR_NOT_ALIVE, "%s has no such living entity",
                              task->site->name);
    }
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

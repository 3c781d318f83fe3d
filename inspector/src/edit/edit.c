#include "edit/edit.h"

#include "edit/same.h"
#include "job/parameters.h"

#include <string.h>

static const kin_component_info *info_of(const kin__job *job, const kin__edit *edit)
{
    return &job->site->info->components[edit->id];
}

bool kin__edit_begin(kin__job *job, kin__edit *edit)
{
    const kin_component_info *info = info_of(job, edit);
    size_t size = info->size + 1;
    if (info->inspect == KIN_INSPECT_READ_ONLY)
        return kin__job_fail(job, KIN__CODE_READ_ONLY, "'%s' is read-only by its schema", info->name);
    if (info->has_drops && edit->kind != KIN__EDIT_REMOVE)
        return kin__job_fail(job, KIN__CODE_READ_ONLY, "'%s' owns opaque values: it can only be removed", info->name);
    edit->bytes = kin__capture_reserve(&job->capture, size);
    edit->mask = kin__capture_reserve(&job->capture, size);
    edit->base = kin__capture_reserve(&job->capture, size);
    edit->defaults = kin__capture_reserve(&job->capture, size);
    if (job->capture.is_full)
        return kin__job_fail(job, KIN__CODE_LIMIT, "the values are too large");
    if (info->write_default != NULL)
        info->write_default(edit->defaults);
    return true;
}

bool kin__edit_read(kin__job *job, kin__edit *edit, const json_t *value)
{
    const kin_component_info *info = info_of(job, edit);
    kin__reader reader = {job, kin__parameter_bool(job, "force"), false, edit->bytes, edit->mask};
    if (info->field_count > 0)
        return value == NULL || kin__read_struct(&reader, info->fields, info->field_count, value, 0);
    return value == NULL || json_is_true(value) ||
           kin__job_fail(job, KIN__CODE_PARAMETERS, "'%s' is a flag: its value is true", info->name);
}

// Returns the offset of a path without elements of lists.
static size_t offset_of(const kin__path *path)
{
    size_t offset = 0;
    for (uint32_t i = 0; i < path->step_count; i++)
        offset += path->steps[i].offset;
    return offset;
}

static bool check_path(kin__job *job, const kin__path *path)
{
    if (path->is_read_only)
        return kin__job_fail(job, KIN__CODE_READ_ONLY, "'%s' is read-only by its schema", path->field->name);
    for (uint32_t i = 0; i < path->step_count; i++)
        if (path->steps[i].is_list)
            return kin__job_fail(job, KIN__CODE_PARAMETERS, "an element of a list cannot be set; set the whole list");
    return true;
}

bool kin__edit_read_path(kin__job *job, kin__edit *edit, const json_t *value, const json_t *expected)
{
    const kin__path *path = &edit->path;
    size_t size = info_of(job, edit)->size + 1;
    kin__reader reader = {job, kin__parameter_bool(job, "force"), false, edit->bytes, edit->mask};
    if (!check_path(job, path) || !kin__read_field(&reader, path->field, value, offset_of(path), path->is_element))
        return false;
    if (expected == NULL)
        return true;
    edit->expected = kin__capture_reserve(&job->capture, size);
    edit->expected_mask = kin__capture_reserve(&job->capture, size);
    if (job->capture.is_full)
        return kin__job_fail(job, KIN__CODE_LIMIT, "the values are too large");
    reader = (kin__reader){job, true, true, edit->expected, edit->expected_mask};
    return kin__read_field(&reader, path->field, expected, offset_of(path), path->is_element);
}

// ---- changing

static void *capture(kin__job *job, const kin__edit *edit, kin_entity entity)
{
    if (!kin_has(job->site->context, entity, edit->id))
        return NULL;
    void *value = kin__capture_component(&job->capture, job->site->context, entity, edit->id);
    job->capture.is_full = false;
    return value;
}

static bool check_expected(kin__job *job, const kin__edit *edit)
{
    size_t offset = offset_of(&edit->path);
    if (edit->expected == NULL ||
        kin__same_field(edit->path.field, edit->expected + offset, edit->expected_mask + offset, edit->base + offset,
                        edit->path.is_element))
        return true;
    return kin__job_fail(job, KIN__CODE_CHANGED, "'%s' is not what was expected", edit->path.field->name);
}

// Makes the value of the whole component in `base`, in which the context still owns what was not given.
static bool merge(kin__job *job, kin__edit *edit, kin_entity entity)
{
    size_t size = info_of(job, edit)->size;
    if (!kin_look_read(job->site->context, entity, edit->id, edit->base)) {
        if (edit->kind == KIN__EDIT_SET) {
            job->status = kin_status_name(KIN_ERROR_NO_COMPONENT);
            return kin__job_fail(job, KIN__CODE_REFUSED - KIN_ERROR_NO_COMPONENT, "the entity lacks %s",
                                 info_of(job, edit)->name);
        }
        memcpy(edit->base, edit->defaults, size);
    }
    if (!check_expected(job, edit))
        return false;
    for (size_t i = 0; i < size; i++)
        edit->base[i] = (char)((edit->base[i] & ~edit->mask[i]) | (edit->bytes[i] & edit->mask[i]));
    return true;
}

static kin_status change(kin__job *job, kin__edit *edit, kin_entity entity)
{
    kin_context *context = job->site->context;
    const void *value = info_of(job, edit)->size == 0 ? NULL : edit->base;
    switch (edit->kind) {
    case KIN__EDIT_ADD:
        return kin_add(context, entity, edit->id, value);
    case KIN__EDIT_REMOVE:
        return kin_remove(context, entity, edit->id);
    default:
        return kin_replace(context, entity, edit->id, value);
    }
}

bool kin__edit_apply(kin__job *job, kin__edit *edit, kin_entity entity)
{
    if (!kin_entity_is_alive(job->site->context, entity)) {
        job->status = kin_status_name(KIN_ERROR_NOT_ALIVE);
        return kin__job_fail(job, KIN__CODE_REFUSED - KIN_ERROR_NOT_ALIVE, "%s has no such living entity",
                             job->site->name);
    }
    edit->previous = capture(job, edit, entity);
    if (edit->kind != KIN__EDIT_REMOVE && !merge(job, edit, entity))
        return false;
    if (change(job, edit, entity) != KIN_OK)
        return false;
    edit->value = capture(job, edit, entity);
    return true;
}

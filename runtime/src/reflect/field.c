// Fields by path: reading one where it is stored, writing one by a replace of its component.

#include "base/base.h"
#include "store/store.h"
#include "reflect/field_value.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 256, FEW_BYTES = 256 };

// The field that a call names.
typedef struct target {
    kin_entity entity;
    kin_component_id id;
    const char *path;
    const char *verb;
    kin__field_place place;
} target;

const char *kin_type_name(kin_type type)
{
    static const char *const names[] = {"bool",   "int8",   "int16",  "int32",  "int64",  "uint8",
                                        "uint16", "uint32", "uint64", "float",  "double", "string",
                                        "string", "entity", "enum",   "struct", "opaque"};
    return (uint32_t)type < sizeof names / sizeof *names ? names[type] : NULL;
}

static kin_status report(const kin_context *context, const target *target, kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = target->verb, .entity = target->entity, .reason = reason};
    if (target->id < context->info->component_count)
        attempt.component = context->info->components[target->id].name;
    return kin__report_error(context, status, &attempt);
}

static kin_status report_path(const kin_context *context, const target *target, const char *fault)
{
    char escaped[KIN__ESCAPED_SIZE], reason[KIN__ESCAPED_SIZE + REASON_SIZE];
    const char *path = target->path == NULL ? "" : target->path;
    snprintf(reason, sizeof reason, "the path '%s' %s", kin__escape(escaped, path, strlen(path)), fault);
    return report(context, target, KIN_ERROR_INVALID, reason);
}

// Returns the list that has the field; only if it is in one.
static kin__list_field list_of(const kin_context *context, const target *target)
{
    const void *value = kin__value_of(context, kin_entity_slot(target->entity), target->id);
    KIN_ASSERT(target->place.list != NULL);
    return kin__list_field_read(value, target->place.list);
}

// Finds the field, and checks that the entity has the component, and the list the element.
static kin_status find(const kin_context *context, target *target)
{
    char reason[REASON_SIZE];
    if (target->id >= context->info->component_count) {
        snprintf(reason, sizeof reason, "the context has no component %" PRIu32 "; use an id below %" PRIu32,
                 (uint32_t)target->id, context->info->component_count);
        return report(context, target, KIN_ERROR_INVALID, reason);
    }
    const char *fault = kin__field_find(&context->info->components[target->id], target->path, &target->place);
    if (fault != NULL)
        return report_path(context, target, fault);
    if (kin__chunk_of(context, target->entity) == NULL)
        return report(context, target, KIN_ERROR_NOT_ALIVE, NULL);
    if (!kin__has(context, target->entity, target->id, context->row_words))
        return report(context, target, KIN_ERROR_NO_COMPONENT, NULL);
    if (target->place.list != NULL && target->place.index >= list_of(context, target).count)
        return report_path(context, target, "has an index beyond the end of the list; count from 0");
    return KIN_OK;
}

kin_status kin_field_read(const kin_context *context, kin_entity entity, kin_component_id id, const char *path,
                          kin_field_value *value)
{
    target target = {.entity = entity, .id = id, .path = path, .verb = "read a field of"};
    kin_status status = find(context, &target);
    if (status != KIN_OK)
        return status;
    const kin_field_info *list = target.place.list;
    const void *bytes = list == NULL ? kin__value_part(context, kin_entity_slot(entity), id, target.place.offset)
                                     : (const char *)list_of(context, &target).at +
                                           target.place.index * list->element_size + target.place.offset;
    *value = kin__field_value_read(&target.place, bytes);
    return KIN_OK;
}

// Replaces the component by a copy at `bytes` in which the field is written.
static kin_status write(kin_context *context, const target *target, const kin_field_value *value, char *bytes)
{
    kin__value_read(context, kin_entity_slot(target->entity), target->id, bytes);
    const char *fault = kin__field_value_write(&target->place, value, bytes + target->place.offset);
    return fault == NULL ? kin__component_replace_fast(context, target->entity, target->id, bytes)
                         : report(context, target, KIN_ERROR_INVALID, fault);
}

// The same for a field in a list, of which `elements` gets a copy.
static kin_status write_in_list(kin_context *context, const target *target, const kin_field_value *value, char *bytes,
                                char *elements)
{
    kin__list_field list = list_of(context, target);
    size_t size = target->place.list->element_size;
    memcpy(elements, list.at, list.count * size);
    list.at = elements;
    kin__value_read(context, kin_entity_slot(target->entity), target->id, bytes);
    kin__list_field_write(bytes, target->place.list, list);
    const char *fault =
        kin__field_value_write(&target->place, value, elements + target->place.index * size + target->place.offset);
    return fault == NULL ? kin__component_replace_fast(context, target->entity, target->id, bytes)
                         : report(context, target, KIN_ERROR_INVALID, fault);
}

kin_status kin_field_write(kin_context *context, kin_entity entity, kin_component_id id, const char *path,
                           kin_field_value value)
{
    max_align_t few[FEW_BYTES / sizeof(max_align_t)];
    target target = {.entity = entity, .id = id, .path = path, .verb = "write a field of"};
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    kin_status status = find(context, &target);
    if (status != KIN_OK)
        return status;
    kin__memory *memory = &context->core->memory;
    size_t list_size = 0, value_size = kin__round_up(kin__value_size(context, id));
    if (target.place.list != NULL)
        list_size = list_of(context, &target).count * target.place.list->element_size;
    size_t size = value_size + list_size;
    char *bytes = size <= sizeof few ? (char *)few : kin__allocate(memory, size);
    if (bytes == NULL)
        return report(context, &target, KIN_ERROR_NO_MEMORY, NULL);
    status = list_size > 0 ? write_in_list(context, &target, &value, bytes, bytes + value_size)
                           : write(context, &target, &value, bytes);
    if (size > sizeof few)
        kin__release(memory, bytes, size);
    return status;
}

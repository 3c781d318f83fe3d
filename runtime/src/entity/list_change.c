// Changes of lists in place. They notify no listener, like writing through `edit`.
#include "entity/entity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { VERB_SIZE = 96, REASON_SIZE = 96 };

// The list that a call names.
typedef struct target {
    kin_context *context;
    kin_entity entity;
    kin_component_id id;
    const kin_field_info *field;
    const char *verb;     // such as "push to"
    kin__list_field list; // as it was found
} target;

static kin_status report(const target *target, kin_status status, const char *reason)
{
    char verb[VERB_SIZE];
    const kin_component_info *info = &target->context->info->components[target->id];
    snprintf(verb, sizeof verb, "%s '%s' of", target->verb, target->field->name);
    kin__attempt attempt = {.verb = verb, .entity = target->entity, .component = info->name, .reason = reason};
    return kin__report_error(target->context, status, &attempt);
}

static target target_of(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field)
{
    const kin_component_info *info = &context->info->components[id];
    KIN_ASSERT(field < info->field_count && info->fields[field].is_list);
    return (target){.context = context, .entity = entity, .id = id, .field = &info->fields[field]};
}

static void *value_of(const target *target)
{
    return kin__value_of(target->context, kin_entity_slot(target->entity), target->id);
}

// Finds the list, and reports if there is none.
static kin_status find(target *target)
{
    kin_context *context = target->context;
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (kin__chunk_of(context, target->entity) == NULL)
        return report(target, KIN_ERROR_NOT_ALIVE, NULL);
    if (!kin__has(context, target->entity, target->id, context->row_words))
        return report(target, KIN_ERROR_NO_COMPONENT, NULL);
    target->list = kin__list_field_read(value_of(target), target->field);
    return KIN_OK;
}

static kin_status report_index(const target *target, uint32_t index)
{
    char reason[REASON_SIZE];
    snprintf(reason, sizeof reason, "there is no index %" PRIu32 " in a list of %" PRIu32 "; count from 0", index,
             target->list.count);
    return report(target, KIN_ERROR_INVALID, reason);
}

// Makes room for `count` elements, and reports if that is not possible.
static kin_status reserve(target *target, uint32_t count)
{
    if (count > KIN__LIST_LIMIT)
        return report(target, KIN_ERROR_LIMIT, "a list has at most 16777216 elements; store fewer");
    if (!kin__list_field_reserve(target->context, kin_entity_slot(target->entity), target->id, target->field, count))
        return report(target, KIN_ERROR_NO_MEMORY, NULL);
    target->list = kin__list_field_read(value_of(target), target->field);
    return KIN_OK;
}

// Returns the address of an element, or that of the end.
static char *element_at(const target *target, uint32_t index)
{
    return (char *)target->list.at + index * target->field->element_size;
}

static void write_count(target *target, uint32_t count)
{
    target->list.count = count;
    kin__list_field_write(value_of(target), target->field, target->list);
    KIN_VALIDATE(kin__slot_is_valid(target->context, kin_entity_slot(target->entity)));
}

// `index` is not beyond the end.
static kin_status insert(target *target, uint32_t index, const void *element)
{
    uint32_t count = target->list.count;
    size_t size = target->field->element_size;
    KIN_ASSERT(index <= count);
    kin_status status = reserve(target, count + 1);
    if (status != KIN_OK)
        return status;
    memmove(element_at(target, index + 1), element_at(target, index), (count - index) * size);
    memcpy(element_at(target, index), element, size);
    write_count(target, count + 1);
    return KIN_OK;
}

kin_status kin__list_field_push(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field,
                                const void *element)
{
    target target = target_of(context, entity, id, field);
    target.verb = "push to";
    kin_status status = find(&target);
    return status == KIN_OK ? insert(&target, target.list.count, element) : status;
}

kin_status kin__list_field_insert(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field,
                                  uint32_t index, const void *element)
{
    target target = target_of(context, entity, id, field);
    target.verb = "insert into";
    kin_status status = find(&target);
    if (status != KIN_OK)
        return status;
    return index <= target.list.count ? insert(&target, index, element) : report_index(&target, index);
}

kin_status kin__list_field_erase(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field,
                                 uint32_t index)
{
    target target = target_of(context, entity, id, field);
    target.verb = "erase from";
    kin_status status = find(&target);
    if (status != KIN_OK)
        return status;
    if (index >= target.list.count)
        return report_index(&target, index);
    uint32_t behind = target.list.count - index - 1;
    memmove(element_at(&target, index), element_at(&target, index + 1), behind * target.field->element_size);
    write_count(&target, target.list.count - 1);
    return KIN_OK;
}

kin_status kin__list_field_resize(kin_context *context, kin_entity entity, kin_component_id id, uint32_t field,
                                  uint32_t count, const void *element)
{
    target target = target_of(context, entity, id, field);
    target.verb = "resize";
    kin_status status = find(&target);
    if (status == KIN_OK)
        status = reserve(&target, count);
    if (status != KIN_OK)
        return status;
    size_t size = target.field->element_size;
    if (element == NULL && count > target.list.count)
        memset(element_at(&target, target.list.count), 0, (count - target.list.count) * size);
    for (uint32_t i = target.list.count; element != NULL && i < count; i++)
        memcpy(element_at(&target, i), element, size);
    write_count(&target, count);
    return KIN_OK;
}

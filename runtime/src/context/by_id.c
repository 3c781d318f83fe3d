// Components by id. Each function checks the id and the value, then makes the change as generated code does.
#include "context/context.h"

#include <kin/generated/blueprint.h>
#include <kin/reflect.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const kin_context_info *kin_context_info_of(const kin_context *context)
{
    return context->info;
}

// Components are sorted by the bytes of their names.
kin_component_id kin_component_find(const kin_context_info *info, const char *name)
{
    uint32_t first = 0;
    uint32_t end = info->component_count;
    while (name != NULL && first < end) {
        uint32_t middle = first + (end - first) / 2;
        int order = strcmp(info->components[middle].name, name);
        if (order == 0)
            return (kin_component_id)middle;
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return KIN_NO_COMPONENT;
}

// ---- checks

static kin_status report_id(const kin_context *context, kin_entity entity, kin_component_id id)
{
    char reason[96];
    snprintf(reason, sizeof reason, "the context has no component %" PRIu32 "; use an id below %" PRIu32, (uint32_t)id,
             context->info->component_count);
    kin__attempt attempt = {.verb = entity != 0 ? "change" : "change an entity", .entity = entity, .reason = reason};
    return kin__report_error(context, KIN_ERROR_INVALID, &attempt);
}

// Reports an argument that does not fit the component.
static kin_status report_argument(const kin_context *context, kin_entity entity, kin_component_id id,
                                  const kin__attempt *attempt)
{
    kin__attempt complete = *attempt;
    complete.entity = entity;
    complete.component = context->info->components[id].name;
    return kin__report_error(context, KIN_ERROR_INVALID, &complete);
}

static kin_status check(const kin_context *context, kin_entity entity, kin_component_id id, const void *value,
                        const char *verb)
{
    static const char missing[] = "the component has fields and the value is NULL; pass the address of a value";
    if (id >= context->info->component_count)
        return report_id(context, entity, id);
    if (value != NULL || kin__value_size(context, id) == 0)
        return KIN_OK;
    return report_argument(context, entity, id, &(kin__attempt){.verb = verb, .reason = missing});
}

// ---- entities

kin_entity kin_create(kin_context *context)
{
    return kin__create(context, context->info->component_count, context->row_words);
}

kin_entity kin_spawn(kin_context *context, uint32_t blueprint)
{
    char reason[96];
    if (blueprint < context->info->blueprint_count)
        return context->blueprints[blueprint].tree == NULL ? kin__spawn(context, blueprint)
                                                           : kin__spawn_tree(context, blueprint, NULL, NULL);
    snprintf(reason, sizeof reason, "the context has no blueprint %" PRIu32 "; use a number below %" PRIu32, blueprint,
             context->info->blueprint_count);
    kin__attempt attempt = {.verb = "spawn an entity", .reason = reason};
    kin__report_error(context, KIN_ERROR_INVALID, &attempt);
    return 0;
}

kin_entity kin_clone(kin_context *context, kin_entity source)
{
    return kin__entity_clone_fast(context, source);
}

kin_status kin_destroy(kin_context *context, kin_entity entity)
{
    return kin__entity_destroy_fast(context, entity);
}

// ---- components

const void *kin__get_general(const kin_context *context, kin_entity entity, kin_component_id id)
{
    KIN_ASSERT(id < context->info->component_count);
    return context->info->components[id].is_boxed ? kin__get_boxed(context, entity, id) : NULL;
}

kin_status kin_add(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin_status status = check(context, entity, id, value, "add");
    return status == KIN_OK ? kin__component_add_fast(context, entity, id, value) : status;
}

kin_status kin_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin_status status = check(context, entity, id, value, "replace");
    if (status != KIN_OK)
        return status;
    if (kin__value_size(context, id) == 0)
        return kin__set(context, entity, id, context->row_words, true);
    if (value == kin_get(context, entity, id)) // listeners get copies of both values, and nothing is written
        return kin__component_touch(context, entity, id);
    return kin__component_replace_fast(context, entity, id, value);
}

kin_status kin_remove(kin_context *context, kin_entity entity, kin_component_id id)
{
    if (id >= context->info->component_count)
        return report_id(context, entity, id);
    return kin__component_remove_fast(context, entity, id);
}

kin_status kin_set_flag(kin_context *context, kin_entity entity, kin_component_id id, bool on)
{
    if (id >= context->info->component_count)
        return report_id(context, entity, id);
    if (kin__value_size(context, id) == 0)
        return kin__set(context, entity, id, context->row_words, on);
    kin__attempt attempt = {.verb = on ? "set" : "clear",
                            .reason = "the component is not a flag; add, replace or remove it"};
    return report_argument(context, entity, id, &attempt);
}

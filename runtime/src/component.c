// Components: what the inlined accessors leave to the library, with all checks before the first write.

#include "chunk.h"
#include "dispatch.h"
#include "error.h"
#include "tell.h"
#include "validate.h"

#include <string.h>

static size_t size_of(const kin_context *context, kin_component_id id)
{
    return context->info->components[id].size;
}

static kin__column *column_of(const kin_context *context, kin_entity entity, kin_component_id id)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, kin_entity_slot(entity));
    return kin__chunk_columns(chunk, context->row_words)[id];
}

static void *value_in(const kin_context *context, const kin__column *column, kin_entity entity, kin_component_id id)
{
    return kin__column_value(column, kin_entity_slot(entity) % KIN__CHUNK_SLOTS, size_of(context, id));
}

static void toggle(kin_context *context, kin__column *column, kin_entity entity, kin_component_id id)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__flip(kin__chunk_of_slot(context, slot), column, id, context->row_words, slot % KIN__CHUNK_SLOTS);
    context->components[id].changes++;
}

// What an add needs besides the entity.
static kin_status reserve(kin_context *context, kin_entity entity, kin_component_id id)
{
    if (!kin__dispatch_may_nest(context))
        return KIN_ERROR_LIMIT;
    return kin__column_reserve(context, kin_entity_slot(entity), id) != NULL ? KIN_OK : KIN_ERROR_NO_MEMORY;
}

static void add(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__column *column = column_of(context, entity, id);
    toggle(context, column, entity, id);
    if (size_of(context, id) > 0)
        memcpy(value_in(context, column, entity, id), value, size_of(context, id));
    if (context->components[id].watchers != 0)
        kin__tell_added(context, entity, id, value);
}

kin_status kin__component_add(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    const char *verb = "add";
    if (kin__chunk_of(context, entity) == NULL)
        return kin__refuse_component(context, KIN_ERROR_NOT_ALIVE, verb, entity, id);
    if (kin__has(context, entity, id, context->row_words))
        return kin__refuse_component(context, KIN_ERROR_HAS_COMPONENT, verb, entity, id);
    kin_status status = reserve(context, entity, id);
    if (status != KIN_OK)
        return kin__refuse_component(context, status, verb, entity, id);
    add(context, entity, id, value);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

kin_status kin__component_remove(kin_context *context, kin_entity entity, kin_component_id id)
{
    const char *verb = "remove";
    if (kin__chunk_of(context, entity) == NULL)
        return kin__refuse_component(context, KIN_ERROR_NOT_ALIVE, verb, entity, id);
    if (!kin__has(context, entity, id, context->row_words))
        return kin__refuse_component(context, KIN_ERROR_NO_COMPONENT, verb, entity, id);
    if (!kin__dispatch_may_nest(context))
        return kin__refuse_component(context, KIN_ERROR_LIMIT, verb, entity, id);
    kin__column *column = column_of(context, entity, id);
    toggle(context, column, entity, id);
    if (context->components[id].watchers != 0)
        kin__tell_removed(context, entity, id,
                          kin__dispatch_keep(context, value_in(context, column, entity, id), size_of(context, id)));
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
    return KIN_OK;
}

// Writes over the value that is there, and tells both.
static void overwrite(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    size_t size = size_of(context, id);
    void *place = value_in(context, column_of(context, entity, id), entity, id);
    bool watched = context->components[id].watchers != 0;
    const void *previous = watched ? kin__dispatch_keep(context, place, size) : NULL;
    memcpy(place, value, size);
    if (watched)
        kin__tell_replaced(context, entity, id, previous, value);
}

kin_status kin__component_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    const char *verb = "replace";
    kin_status status = KIN_OK;
    if (kin__chunk_of(context, entity) == NULL)
        status = KIN_ERROR_NOT_ALIVE;
    else if (!kin__has(context, entity, id, context->row_words)) {
        status = reserve(context, entity, id);
        if (status == KIN_OK)
            add(context, entity, id, value);
    } else if (!kin__dispatch_may_nest(context))
        status = KIN_ERROR_LIMIT;
    else
        overwrite(context, entity, id, value);
    return status == KIN_OK ? KIN_OK : kin__refuse_component(context, status, verb, entity, id);
}

kin_status kin__component_touch(kin_context *context, kin_entity entity, kin_component_id id)
{
    const char *verb = "touch";
    if (kin__chunk_of(context, entity) == NULL)
        return kin__refuse_component(context, KIN_ERROR_NOT_ALIVE, verb, entity, id);
    if (!kin__has(context, entity, id, context->row_words))
        return kin__refuse_component(context, KIN_ERROR_NO_COMPONENT, verb, entity, id);
    if (!kin__dispatch_may_nest(context))
        return kin__refuse_component(context, KIN_ERROR_LIMIT, verb, entity, id);
    if (context->components[id].watchers == 0)
        return KIN_OK;
    const void *place = value_in(context, column_of(context, entity, id), entity, id);
    const void *kept = kin__dispatch_keep(context, place, size_of(context, id));
    kin__tell_replaced(context, entity, id, kept, kept);
    return KIN_OK;
}

bool kin_has(const kin_context *context, kin_entity entity, kin_component_id component)
{
    return component < context->info->component_count && kin__has(context, entity, component, context->row_words);
}

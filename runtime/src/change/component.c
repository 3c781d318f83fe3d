// Components: what the inlined accessors leave to the library, with all checks before the first write.

#include "change/component.h"

#include "change/stash.h"
#include "index/index.h"
#include "notify/dispatch.h"
#include "notify/event.h"
#include "notify/notify.h"
#include "report/error.h"
#include "storage/column.h"
#include "storage/last_value.h"
#include "storage/slot.h"
#include "storage/value.h"

static void toggle(kin_context *context, kin_entity entity, kin_component_id id, bool on)
{
    uint32_t slot = kin_entity_slot(entity);
    kin__flip(kin__chunk_of_slot(context, slot), kin__column_of(context, slot, id), id, context->row_words,
              slot % KIN__CHUNK_SLOTS);
    context->components[id].changes++;
    if (context->info->components[id].is_unique)
        context->carriers[id] = on ? entity : 0;
}

kin_status kin__component_reserve(kin_context *context, const kin__step *step, kin__room *room)
{
    if (context->carriers[step->id] != 0)
        return KIN_ERROR_UNIQUE;
    kin_status status = kin__indices_check(context, step);
    if (status != KIN_OK)
        return status;
    if (!kin__dispatch_may_nest(context))
        return KIN_ERROR_LIMIT;
    uint32_t slot = kin_entity_slot(step->entity);
    bool there = kin__column_reserve(context, slot, step->id) != NULL &&
                 kin__indices_reserve(context, slot, step->id, 1) &&
                 kin__room_make(context, step->id, step->value, room);
    return there ? KIN_OK : KIN_ERROR_NO_MEMORY;
}

kin_status kin__component_refuse(const kin_context *context, kin_status status, const char *verb, const kin__step *step)
{
    return status == KIN_ERROR_DUPLICATE_KEY || status == KIN_ERROR_INVALID
               ? kin__indices_refuse(context, step, verb, false)
               : kin__refuse_component(context, status, verb, step->entity, step->id);
}

void kin__component_put(kin_context *context, kin_entity entity, kin_component_id id, const kin__room *room)
{
    kin__indices_follow(context, &(kin__step){KIN__STEP_ADD, entity, id, room->value});
    toggle(context, entity, id, true);
    kin__value_write(context, kin_entity_slot(entity), id, room);
    if (context->core->stashed > 0)
        kin__stash_give_up(context, kin_entity_slot(entity), id);
    if (kin__is_watched(context, entity, id))
        kin__notify_added(context, entity, id, room->value);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(entity)));
}

// Columns and room in indices may have been taken meanwhile.
kin_status kin__component_check_put(kin_context *context, const kin__step *step, uint64_t epoch)
{
    uint32_t slot = kin_entity_slot(step->entity);
    if (epoch != context->core->dispatch.epoch || kin__chunk_of(context, step->entity) == NULL)
        return KIN_ERROR_NOT_ALIVE;
    if (kin__has(context, step->entity, step->id, context->row_words))
        return KIN_ERROR_HAS_COMPONENT;
    if (context->carriers[step->id] != 0)
        return KIN_ERROR_UNIQUE;
    kin_status status = kin__indices_check(context, step);
    if (status != KIN_OK)
        return status;
    bool there =
        kin__column_reserve(context, slot, step->id) != NULL && kin__indices_reserve(context, slot, step->id, 1);
    return there ? KIN_OK : KIN_ERROR_NO_MEMORY;
}

kin_status kin__component_add(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__room room;
    kin__step step = {KIN__STEP_ADD, entity, id, value};
    kin_status status = KIN_OK;
    if (kin__chunk_of(context, entity) == NULL)
        status = KIN_ERROR_NOT_ALIVE;
    else if (kin__has(context, entity, id, context->row_words))
        status = KIN_ERROR_HAS_COMPONENT;
    else
        status = kin__component_reserve(context, &step, &room);
    if (status != KIN_OK)
        return kin__component_refuse(context, status, "add", &step);
    kin__component_put(context, entity, id, &room);
    return KIN_OK;
}

kin_status kin__component_check_removal(kin_context *context, const kin__step *step)
{
    if (kin__chunk_of(context, step->entity) == NULL)
        return KIN_ERROR_NOT_ALIVE;
    if (!kin__has(context, step->entity, step->id, context->row_words))
        return KIN_ERROR_NO_COMPONENT;
    kin_status status = kin__indices_check(context, step);
    return status == KIN_OK && !kin__dispatch_may_nest(context) ? KIN_ERROR_LIMIT : status;
}

void kin__component_lose(kin_context *context, const kin__step *step, bool stashing)
{
    kin_component_id id = step->id;
    uint32_t slot = kin_entity_slot(step->entity);
    kin__indices_follow(context, step);
    bool watched = kin__is_watched(context, step->entity, id);
    const void *previous = watched ? kin__value_keep(context, slot, id) : NULL;
    toggle(context, step->entity, id, false);
    if ((!watched && !stashing) || !kin__last_value_take(context, slot, id))
        kin__value_drop(context, slot, id);
    if (stashing)
        kin__stash_put(context, slot, id);
    if (watched)
        kin__notify_removed(context, step->entity, id, previous);
    kin__last_value_settle(context, slot, id);
    kin__owned_settle(context);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
}

kin_status kin__component_remove(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__step step = {KIN__STEP_REMOVE, entity, id, NULL};
    kin_status status = kin__component_check_removal(context, &step);
    if (status != KIN_OK)
        return kin__component_refuse(context, status, "remove", &step);
    kin__component_lose(context, &step, false);
    return KIN_OK;
}

void kin__component_overwrite(kin_context *context, const kin__step *step, kin__owned_block *owned_block)
{
    kin_component_id id = step->id;
    uint32_t slot = kin_entity_slot(step->entity);
    bool watched = kin__is_watched(context, step->entity, id);
    const void *previous = watched ? kin__value_keep(context, slot, id) : NULL;
    kin__indices_follow(context, step);
    kin__value_overwrite(context, slot, id, step->value);
    kin__owned_replace(context, slot, id, owned_block);
    if (watched)
        kin__notify_replaced(context, step->entity, id, previous, step->value);
    kin__owned_settle(context);
}

// Writes over the value that is there, and tells both.
static kin_status overwrite(kin_context *context, const kin__step *step)
{
    kin__step owned = *step;
    kin__owned_block *owned_block = NULL;
    kin_status status = kin__indices_check(context, step);
    if (status != KIN_OK)
        return status;
    if (!kin__dispatch_may_nest(context))
        return KIN_ERROR_LIMIT;
    if (!kin__owned_block_make(context, step->id, &owned.value, &owned_block))
        return KIN_ERROR_NO_MEMORY;
    kin__component_overwrite(context, &owned, owned_block);
    return KIN_OK;
}

kin_status kin__component_try_replace(kin_context *context, kin__step *step)
{
    kin__room room;
    step->kind = KIN__STEP_ADD;
    if (kin__chunk_of(context, step->entity) == NULL)
        return KIN_ERROR_NOT_ALIVE;
    if (kin__has(context, step->entity, step->id, context->row_words)) {
        step->kind = KIN__STEP_REPLACE;
        return overwrite(context, step);
    }
    kin_status status = kin__component_reserve(context, step, &room);
    if (status == KIN_OK)
        kin__component_put(context, step->entity, step->id, &room);
    return status;
}

kin_status kin__component_replace(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__step step = {KIN__STEP_ADD, entity, id, value};
    kin_status status = kin__component_try_replace(context, &step);
    return status == KIN_OK ? KIN_OK : kin__component_refuse(context, status, "replace", &step);
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
    if (!kin__is_watched(context, entity, id))
        return KIN_OK;
    const void *kept = kin__value_keep(context, kin_entity_slot(entity), id);
    kin__notify_replaced(context, entity, id, kept, kept);
    return KIN_OK;
}

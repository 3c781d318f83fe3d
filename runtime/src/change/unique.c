// Unique components: one entity at most carries each, and the context knows which.

#include "change/component.h"
#include "change/entity.h"
#include "index/index.h"
#include "notify/dispatch.h"
#include "report/error.h"
#include "storage/column.h"
#include "storage/value.h"

static const char setting[] = "set the unique";

// The entity is made after all else is there.
static kin_status reserve(kin_context *context, kin_component_id id, kin__room *room)
{
    uint32_t slot;
    kin_status status = kin__entity_reserve(context, &context->pool, &slot);
    if (status != KIN_OK)
        return status;
    if (kin__column_reserve(context, slot, id) != NULL && kin__indices_reserve(context, slot, id, 1) &&
        kin__room_make(context, id, room->value, room))
        return KIN_OK;
    return kin__refuse_unique(context, KIN_ERROR_NO_MEMORY, setting, id);
}

static kin_status refuse(const kin_context *context, kin_status status, const kin__step *step)
{
    return status == KIN_ERROR_INVALID || status == KIN_ERROR_DUPLICATE_KEY
               ? kin__indices_refuse(context, step, setting, true)
               : kin__refuse_unique(context, status, setting, step->id);
}

// `*made` is 0 when it is refused.
static kin_status set(kin_context *context, kin_component_id id, const void *value, kin_entity *made)
{
    kin__room room = {.value = value};
    *made = 0;
    kin__step step = {KIN__STEP_ADD, 0, id, value};
    kin_status status = context->carriers[id] != 0 ? KIN_ERROR_UNIQUE : kin__indices_check(context, &step);
    if (status != KIN_OK)
        return refuse(context, status, &step);
    status = reserve(context, id, &room);
    if (status != KIN_OK)
        return status;
    step.value = room.value;                        // strings of the caller's may go in a listener
    uint64_t epoch = context->core->dispatch.epoch; // before any listener can reset the context
    step.entity = kin__entity_begin(context, &context->pool);
    status = kin__component_check_put(context, &step, epoch);
    if (status == KIN_OK) {
        *made = step.entity;
        kin__component_put(context, step.entity, id, &room);
        return KIN_OK;
    }
    kin__room_release(context, id, &room);
    if (status != KIN_ERROR_NOT_ALIVE)
        kin__entity_end_fast(context, step.entity);
    return kin__refuse_unique(context, status, setting, id);
}

kin_entity kin__unique_set(kin_context *context, kin_component_id id, const void *value)
{
    kin_entity made = 0;
    set(context, id, value, &made);
    return made;
}

kin_entity kin__unique_replace(kin_context *context, kin_component_id id, const void *value)
{
    kin_entity carrier = context->carriers[id];
    if (carrier == 0)
        return kin__unique_set(context, id, value);
    return kin__component_replace_fast(context, carrier, id, value) == KIN_OK ? carrier : 0;
}

kin_status kin__unique_remove(kin_context *context, kin_component_id id)
{
    if (context->carriers[id] != 0)
        return kin__entity_destroy_fast(context, context->carriers[id]);
    return kin__refuse_unique(context, KIN_ERROR_NO_COMPONENT, "remove the unique", id);
}

kin_status kin__unique_switch(kin_context *context, kin_component_id id, bool on)
{
    if ((context->carriers[id] != 0) == on)
        return KIN_OK;
    if (!on)
        return kin__unique_remove(context, id);
    kin_entity made = 0;
    return set(context, id, NULL, &made);
}

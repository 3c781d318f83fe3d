#include "change/stash.h"

#include "base/assertion.h"
#include "change/component.h"
#include "report/error.h"

#include <string.h>

// The shadow in which the slot has a stashed value; NULL when it has none.
static kin__last_value_block *find(const kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = context->core->stashed == 0 ? NULL : kin__last_values_of(context, id);
    kin__last_value_block *block =
        last_values == NULL ? NULL : kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    return block != NULL && kin__last_value_block_stashes(block, slot % KIN__CHUNK_SLOTS) ? block : NULL;
}

static void flip(kin_context *context, kin__last_value_block *block, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS, one = kin__last_value_block_stashes(block, place) ? (uint32_t)-1 : 1;
    kin__bits_flip(block->stashed, place);
    context->core->stashed += one;
    context->core->events.destroy_subscribers += one;
}

void kin__stash_put(kin_context *context, uint32_t slot, kin_component_id id)
{
    const kin__last_values *last_values = kin__last_values_of(context, id);
    KIN_ASSERT(find(context, slot, id) == NULL);
    flip(context, kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS), slot);
    kin__last_value_hold(last_values, slot);
}

void kin__stash_give_up(kin_context *context, uint32_t slot, kin_component_id id)
{
    kin__last_value_block *block = find(context, slot, id);
    if (block == NULL)
        return;
    flip(context, block, slot);
    kin__last_value_let_go(context, kin__last_values_of(context, id), slot);
}

void kin__stash_end(kin_context *context, uint32_t slot)
{
    for (uint32_t id = 0; context->core->stashed > 0 && id < context->info->component_count; id++)
        kin__stash_give_up(context, slot, (kin_component_id)id);
}

// The first stash of a component makes its keepsakes, which then stay.
static bool reserve(kin_context *context, kin_component_id id)
{
    kin__last_values *last_values = kin__last_values_of(context, id);
    if (last_values != NULL && last_values->is_stash)
        return true;
    last_values = kin__last_values_use(context, id);
    if (last_values != NULL)
        last_values->is_stash = true;
    return last_values != NULL;
}

kin_status kin__component_stash(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__step step = {KIN__STEP_REMOVE, entity, id, NULL};
    kin_status status = kin__component_check_removal(context, &step);
    if (status == KIN_OK && !reserve(context, id))
        status = KIN_ERROR_NO_MEMORY;
    if (status != KIN_OK)
        return kin__component_refuse(context, status, "stash", &step);
    kin__component_lose(context, &step, true);
    return KIN_OK;
}

// The value is added from a copy: its place is given up before anybody is told.
static kin_status restore(kin_context *context, const kin__step *step, kin__owned_block *kept)
{
    kin__memory *memory = &context->core->column_memory;
    size_t size = kin__value_size(context, step->id);
    void *copy = kin__allocate(memory, size);
    kin__room room;
    if (copy == NULL)
        return KIN_ERROR_NO_MEMORY;
    kin__step addition = {KIN__STEP_ADD, step->entity, step->id, memcpy(copy, step->value, size)};
    kin_status status = kin__component_reserve(context, &addition, &room);
    if (status == KIN_OK) {
        kin__owned_block_follow(context, room.owned_block, kept);
        kin__component_put(context, step->entity, step->id, &room);
    }
    kin__release(memory, copy, size);
    return status;
}

kin_status kin__component_restore(kin_context *context, kin_entity entity, kin_component_id id)
{
    kin__step step = {KIN__STEP_ADD, entity, id, NULL};
    const char *verb = "restore";
    if (kin__chunk_of(context, entity) == NULL)
        return kin__component_refuse(context, KIN_ERROR_NOT_ALIVE, verb, &step);
    if (find(context, kin_entity_slot(entity), id) == NULL) {
        kin__attempt attempt = {.verb = verb, .entity = entity, .component = context->info->components[id].name};
        attempt.reason = "none is stashed; stash it first, or add it";
        return kin__refuse(context, KIN_ERROR_NO_COMPONENT, &attempt);
    }
    kin__room kept = kin__last_value_room(context, kin__last_values_of(context, id), kin_entity_slot(entity));
    step.value = kept.value;
    kin_status status = restore(context, &step, kept.owned_block);
    return status == KIN_OK ? KIN_OK : kin__component_refuse(context, status, verb, &step);
}

// ---- adding again

// The removal, and a key as a replace by the value would have it. The value is copied to its room here, as its strings
// may be those of the value that is removed.
static kin_status check_readd(kin_context *context, const kin__step *step, kin__room *room)
{
    kin__step removal = {KIN__STEP_REMOVE, step->entity, step->id, NULL};
    kin_status status = kin__component_check_removal(context, &removal);
    if (status != KIN_OK)
        return kin__component_refuse(context, status, "readd", &removal);
    status = kin__indices_check(context, step);
    if (status == KIN_OK && !kin__room_make(context, step->id, step->value, room))
        status = KIN_ERROR_NO_MEMORY;
    return status == KIN_OK ? KIN_OK : kin__component_refuse(context, status, "readd", step);
}

// Describes the key before it releases the room that holds it, and reports last: `on_error` may destroy the context.
static kin_status refuse_readd(kin_context *context, kin_status status, const kin__step *step, const kin__room *room)
{
    char reason[KIN__KEY_REASON_SIZE];
    kin__attempt attempt = {.verb = "readd", .entity = step->entity, .reason = reason};
    attempt.component = context->info->components[step->id].name;
    bool is_key = status == KIN_ERROR_DUPLICATE_KEY || status == KIN_ERROR_INVALID;
    if (is_key)
        kin__indices_describe(context, step, reason);
    kin__room_release(context, step->id, room);
    return is_key ? kin__refuse(context, status, &attempt)
                  : kin__refuse_component(context, status, attempt.verb, step->entity, step->id);
}

// Opaque values that the old and the new value both have are not dropped by the removal: the new value has them, or,
// when a listener of the removal made the addition impossible, the caller.
kin_status kin__component_readd(kin_context *context, kin_entity entity, kin_component_id id, const void *value)
{
    kin__step removal = {KIN__STEP_REMOVE, entity, id, NULL}, replacement = {KIN__STEP_REPLACE, entity, id, value};
    uint64_t epoch = context->core->dispatch.epoch;
    kin__room room;
    if (!kin__has(context, entity, id, context->row_words))
        return kin__component_add_fast(context, entity, id, value);
    kin_status status = check_readd(context, &replacement, &room);
    if (status != KIN_OK)
        return status;
    kin__owned_block_follow(context, room.owned_block, kin__owned_block_of(context, kin_entity_slot(entity), id));
    kin__component_lose(context, &removal, false);
    kin__step addition = {KIN__STEP_ADD, entity, id, room.value};
    status = kin__component_check_put(context, &addition, epoch);
    if (status != KIN_OK)
        return refuse_readd(context, status, &addition, &room);
    kin__component_put(context, entity, id, &room);
    return KIN_OK;
}

// Spawning: entities with what a blueprint says, each created and given its parts one after the other.
//
// All that can fail is done first, for the whole batch. Then listeners may do anything, so each step is checked again.
// When a listener has made one impossible, the whole batch is undone: the entities made so far are destroyed, the last
// one first, and the opaque values that the caller gave are the caller's again. Until the batch is complete, none is
// dropped (a loan, owned.h). The refusal is reported last, as `on_error` may destroy the context.

#include "change/blueprint.h"
#include "change/component.h"
#include "change/entity.h"
#include "notify/dispatch.h"
#include "report/error.h"
#include "storage/chunk.h"
#include "storage/column.h"
#include "storage/last_value.h"

#include <stdio.h>
#include <string.h>

typedef struct spawning {
    kin_context *context;
    kin__blueprint *blueprint;
    kin__use use;
    kin__room *rooms;   // by entity, then part; NULL: the values are all there is to it
    size_t size;        // of the rooms
    kin_entity *made;   // the entities so far
    kin_entity only;    // the place for it when there is one
    uint32_t count;     // of those
    uint32_t first;     // of those made since the last reset of the context
    size_t used;        // rooms that were put
    uint64_t epoch;     // the context's count of resets when the last entity was made
    kin__step step;     // the one that became impossible; entity 0: creating the next entity
    const char *reason; // why that cannot be created
    char text[KIN__LIMIT_SIZE];
} spawning;

// ---- before the first write

static bool reserve_parts(spawning *spawning, uint32_t slot, uint32_t count)
{
    for (uint32_t i = 0; i < spawning->blueprint->part_count; i++) {
        kin_component_id id = spawning->blueprint->parts[i].id;
        if (kin__column_reserve(spawning->context, slot, id) == NULL ||
            !kin__indices_reserve(spawning->context, slot, id, count))
            return false;
    }
    return true;
}

// Slots for the whole batch, with columns and room in indices.
static kin_status reserve_slots(spawning *spawning)
{
    kin__prospect prospect = kin__prospect_begin(spawning->context, &spawning->blueprint->pool);
    kin__run run;
    uint32_t count = spawning->use.batch->count;
    for (uint32_t done = 0; done < count; done += run.count) {
        kin_status status = kin__prospect_next(&prospect, count - done, &run);
        if (status != KIN_OK)
            return status;
        if (!reserve_parts(spawning, run.first, done + run.count))
            return KIN_ERROR_NO_MEMORY;
    }
    return KIN_OK;
}

static size_t room_count(const spawning *spawning)
{
    return (size_t)spawning->use.batch->count * spawning->blueprint->part_count;
}

static size_t made_size(const spawning *spawning)
{
    return spawning->use.batch->count * sizeof *spawning->made;
}

// Releases the rooms from `first` to `end`, and the lists.
static void release(spawning *spawning, size_t first, size_t end)
{
    kin__memory *memory = &spawning->context->core->memory;
    uint32_t part_count = spawning->blueprint->part_count;
    for (size_t i = first; spawning->rooms != NULL && i < end; i++)
        kin__room_release(spawning->context, spawning->blueprint->parts[i % part_count].id, &spawning->rooms[i]);
    kin__release(memory, spawning->rooms, spawning->size);
    spawning->rooms = NULL;
    if (spawning->made != &spawning->only)
        kin__release(memory, spawning->made, made_size(spawning));
}

// False when out of memory, with nothing to release.
static bool make_rooms(spawning *spawning)
{
    kin__memory *memory = &spawning->context->core->memory;
    uint32_t part_count = spawning->blueprint->part_count;
    spawning->made = spawning->use.batch->count == 1 ? &spawning->only : kin__allocate(memory, made_size(spawning));
    if (spawning->made == NULL || !spawning->blueprint->is_rich)
        return spawning->made != NULL;
    spawning->size = room_count(spawning) * sizeof *spawning->rooms;
    spawning->rooms = kin__allocate(memory, spawning->size);
    for (size_t i = 0; spawning->rooms != NULL && i < room_count(spawning); i++) {
        uint32_t part = (uint32_t)(i % part_count);
        const void *value = kin__part_value(spawning->blueprint, spawning->use.batch, part, (uint32_t)(i / part_count));
        if (!kin__room_make(spawning->context, spawning->blueprint->parts[part].id, value, &spawning->rooms[i])) {
            release(spawning, 0, i);
            return false;
        }
    }
    if (spawning->rooms == NULL)
        release(spawning, 0, 0);
    return spawning->rooms != NULL;
}

static kin_status check(spawning *spawning)
{
    kin_status status = kin__use_check_unique(spawning->context, &spawning->use);
    return status == KIN_OK ? kin__use_check_keys(spawning->context, &spawning->use) : status;
}

static kin_status reserve(spawning *spawning, bool is_fast)
{
    char text[KIN__LIMIT_SIZE];
    const char *limit = kin__entities_find_limit(spawning->context, spawning->use.batch->count, text);
    kin_status status = limit != NULL ? KIN_ERROR_LIMIT : reserve_slots(spawning);
    if (status == KIN_OK && !is_fast && !make_rooms(spawning))
        status = KIN_ERROR_NO_MEMORY;
    if (status == KIN_ERROR_LIMIT && limit == NULL)
        limit = KIN__NO_SLOT_LEFT;
    return status == KIN_OK ? KIN_OK : kin__use_refuse(spawning->context, &spawning->use, status, KIN__NO_PART, limit);
}

// ---- one by one

static kin__room room_of(const spawning *spawning, uint32_t number, uint32_t part)
{
    if (spawning->rooms != NULL)
        return spawning->rooms[(size_t)number * spawning->blueprint->part_count + part];
    return (kin__room){.value = kin__part_value(spawning->blueprint, spawning->use.batch, part, number)};
}

static kin_status put_part(spawning *spawning, uint32_t part)
{
    kin__room room = room_of(spawning, spawning->count - 1, part);
    kin_entity entity = spawning->made[spawning->count - 1];
    kin__step step = {KIN__STEP_ADD, entity, spawning->blueprint->parts[part].id, room.value};
    kin_status status = kin__component_check_put(spawning->context, &step, spawning->epoch);
    if (status != KIN_OK) {
        spawning->step = step;
        return status;
    }
    spawning->used++;
    kin__component_put(spawning->context, entity, step.id, &room);
    return KIN_OK;
}

// After a reset by a listener the handles made before it may be given out again.
static kin_status make_one(spawning *spawning)
{
    kin_context *context = spawning->context;
    kin_status status = KIN_OK;
    uint32_t slot;
    if (spawning->count > 0) // listeners may have taken slots, or reached the limit, since all was reserved
        status = kin__entity_find_slot(context, &spawning->blueprint->pool, &slot, spawning->text, &spawning->reason);
    if (status != KIN_OK)
        return status;
    if (spawning->epoch != context->core->dispatch.epoch)
        spawning->first = spawning->count;
    spawning->epoch = context->core->dispatch.epoch; // before any listener can reset the context
    spawning->count++;
    spawning->made[spawning->count - 1] = kin__entity_begin(context, &spawning->blueprint->pool);
    for (uint32_t part = 0; part < spawning->blueprint->part_count && status == KIN_OK; part++)
        status = put_part(spawning, part);
    return status;
}

// ---- undoing

// Listeners of the end of one may end others, or reset the context.
static void end_entities(const spawning *spawning)
{
    kin_context *context = spawning->context;
    for (uint32_t i = spawning->count; i-- > spawning->first && context->core->dispatch.epoch == spawning->epoch;)
        if (kin__chunk_of(context, spawning->made[i]) != NULL)
            kin__entity_end_fast(context, spawning->made[i]);
}

// A removed event that is not delivered yet shows zeros instead of an opaque value that the caller has again.
static void hide_value(kin_context *context, kin_entity entity, kin_component_id id, kin__owned_block *owned_block)
{
    uint32_t slot = kin_entity_slot(entity);
    const kin__last_values *last_values = kin__last_values_of(context, id);
    const kin__last_value_block *block =
        last_values == NULL ? NULL : kin__last_value_block_of(last_values, slot / KIN__CHUNK_SLOTS);
    if (block == NULL || !kin__last_value_block_has(block, slot % KIN__CHUNK_SLOTS))
        return;
    kin__room kept = kin__last_value_room(context, last_values, slot);
    kin__owned_block_hide(context, owned_block, kept.owned_block, (void *)(uintptr_t)kept.value);
}

static void return_values(const spawning *spawning)
{
    kin_context *context = spawning->context;
    const kin__batch *batch = spawning->use.batch;
    uint32_t part_count = spawning->blueprint->part_count;
    for (size_t i = 0; spawning->rooms != NULL && i < spawning->used; i++) {
        kin_component_id id = spawning->blueprint->parts[i % part_count].id;
        bool is_given = batch->values != NULL && batch->values[i % part_count] != NULL;
        if (!is_given || !context->info->components[id].has_drops)
            continue;
        hide_value(context, spawning->made[i / part_count], id, spawning->rooms[i].owned_block);
        kin__owned_block_return(context, spawning->rooms[i].owned_block);
    }
}

static kin_status report(const spawning *spawning, kin_status status)
{
    char verb[112];
    kin__attempt creating = {.verb = "create an entity", .reason = spawning->reason};
    if (spawning->step.entity == 0)
        return kin__refuse(spawning->context, status, &creating);
    snprintf(verb, sizeof verb, "complete a spawned %s with", spawning->blueprint->info->name);
    return kin__refuse_component(spawning->context, status, verb, spawning->step.entity, spawning->step.id);
}

static kin_status carry_out(spawning *spawning)
{
    const kin__batch *batch = spawning->use.batch;
    kin_status status = KIN_OK;
    kin__loan_begin(spawning->context);
    while (spawning->count < batch->count && status == KIN_OK)
        status = make_one(spawning);
    if (status != KIN_OK) {
        end_entities(spawning);
        return_values(spawning);
    } else if (batch->entities != NULL)
        memcpy(batch->entities, spawning->made, made_size(spawning));
    release(spawning, spawning->used, room_count(spawning));
    kin__loan_end(spawning->context);
    return status == KIN_OK ? KIN_OK : report(spawning, status);
}

static kin_status spawn(kin_context *context, uint32_t blueprint, const kin__batch *batch)
{
    spawning spawning = {.context = context, .blueprint = &context->blueprints[blueprint]};
    spawning.use = (kin__use){.blueprint = spawning.blueprint, .batch = batch};
    bool is_fast = kin__spawn_is_fast(context, spawning.blueprint);
    kin_status status = is_fast ? KIN_OK : check(&spawning);
    if (status == KIN_OK)
        status = reserve(&spawning, is_fast);
    if (status != KIN_OK)
        return status;
    if (!is_fast)
        return carry_out(&spawning);
    kin__spawn_many_fast(context, spawning.blueprint, batch);
    return KIN_OK;
}

kin_status kin__spawn_many(kin_context *context, uint32_t blueprint, const kin__batch *batch)
{
    kin_status status = batch->count == 0 ? KIN_OK : spawn(context, blueprint, batch);
    if (status != KIN_OK && batch->entities != NULL)
        memset(batch->entities, 0, batch->count * sizeof *batch->entities);
    return status;
}

kin_entity kin__spawn(kin_context *context, uint32_t blueprint)
{
    kin_entity entity = 0;
    kin__spawn_many(context, blueprint, &(kin__batch){.count = 1, .entities = &entity});
    return entity;
}

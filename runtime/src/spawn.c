// Spawning: entities with what a blueprint says, each created and given its parts one after the other.
//
// All that can fail is done first, for the whole batch. Then listeners may do anything: each step is looked at again,
// and where one has become impossible, its entity is ended, and those behind it are not begun.

#include "blueprint.h"
#include "chunk.h"
#include "column.h"
#include "component.h"
#include "dispatch.h"
#include "entity.h"
#include "error.h"

#include <stdio.h>

typedef struct spawning {
    kin_context *context;
    kin__blueprint *blueprint;
    kin__use use;
    kin__room *rooms; // by entity, then part; NULL: the values are all there is to it
    size_t size;      // of the rooms
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

// Gives back those from `first` on.
static void release_rooms(spawning *spawning, size_t first, size_t end)
{
    uint32_t part_count = spawning->blueprint->part_count;
    for (size_t i = first; spawning->rooms != NULL && i < end; i++)
        kin__room_release(spawning->context, spawning->blueprint->parts[i % part_count].id, &spawning->rooms[i]);
    kin__release(&spawning->context->core->memory, spawning->rooms, spawning->size);
    spawning->rooms = NULL;
}

static size_t room_count(const spawning *spawning)
{
    return (size_t)spawning->use.batch->count * spawning->blueprint->part_count;
}

static bool make_rooms(spawning *spawning)
{
    uint32_t part_count = spawning->blueprint->part_count;
    if (!spawning->blueprint->is_rich)
        return true;
    spawning->size = room_count(spawning) * sizeof *spawning->rooms;
    spawning->rooms = kin__allocate(&spawning->context->core->memory, spawning->size);
    for (size_t i = 0; spawning->rooms != NULL && i < room_count(spawning); i++) {
        uint32_t part = (uint32_t)(i % part_count);
        const void *value = kin__part_value(spawning->blueprint, spawning->use.batch, part, (uint32_t)(i / part_count));
        if (!kin__room_make(spawning->context, spawning->blueprint->parts[part].id, value, &spawning->rooms[i]))
            release_rooms(spawning, 0, i);
    }
    return spawning->rooms != NULL;
}

static kin_status check(spawning *spawning)
{
    kin_status status = kin__use_check_unique(spawning->context, &spawning->use);
    return status == KIN_OK ? kin__use_check_keys(spawning->context, &spawning->use) : status;
}

static kin_status reserve(spawning *spawning)
{
    char text[KIN__LIMIT_SIZE];
    const char *limit = kin__entities_find_limit(spawning->context, spawning->use.batch->count, text);
    kin_status status = limit != NULL ? KIN_ERROR_LIMIT : reserve_slots(spawning);
    if (status == KIN_OK && !make_rooms(spawning))
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

// Why the entity could not be completed has been told.
static kin_status give_up(spawning *spawning, kin_status status, const kin__step *step)
{
    char verb[112];
    snprintf(verb, sizeof verb, "complete a spawned %s with", spawning->blueprint->info->name);
    if (status != KIN_ERROR_NOT_ALIVE)
        kin__entity_end(spawning->context, step->entity);
    return kin__refuse_component(spawning->context, status, verb, step->entity, step->id);
}

static kin_status add_part(spawning *spawning, const kin__step *step, const kin__room *room, uint64_t life)
{
    kin_status status = kin__component_check_put(spawning->context, step, life);
    if (status == KIN_OK)
        kin__component_put(spawning->context, step->entity, step->id, room);
    return status;
}

// The rooms that an entity does not use, when it cannot be completed, and those behind it are given back.
static kin_status complete(spawning *spawning, uint32_t number, kin_entity *entity)
{
    kin_context *context = spawning->context;
    size_t first = (size_t)number * spawning->blueprint->part_count;
    uint64_t life = context->core->dispatch.life; // before any listener can reset the context
    *entity = kin__entity_begin(context, &spawning->blueprint->pool);
    for (uint32_t part = 0; part < spawning->blueprint->part_count; part++) {
        kin__room room = room_of(spawning, number, part);
        kin__step step = {KIN__STEP_ADD, *entity, spawning->blueprint->parts[part].id, room.value};
        kin_status status = add_part(spawning, &step, &room, life);
        if (status == KIN_OK)
            continue;
        *entity = 0;
        release_rooms(spawning, first + part, room_count(spawning));
        return give_up(spawning, status, &step);
    }
    return KIN_OK;
}

// Listeners may have taken slots, or reached the limit, since all was reserved.
static kin_status begin_again(spawning *spawning, uint32_t number)
{
    uint32_t slot;
    kin_status status = kin__entity_reserve(spawning->context, &spawning->blueprint->pool, &slot);
    if (status != KIN_OK)
        release_rooms(spawning, (size_t)number * spawning->blueprint->part_count, room_count(spawning));
    return status;
}

static kin_status carry_out(spawning *spawning)
{
    const kin__batch *batch = spawning->use.batch;
    kin_status status = KIN_OK;
    for (uint32_t i = 0; i < batch->count; i++) {
        kin_entity entity = 0;
        if (status == KIN_OK && i > 0)
            status = begin_again(spawning, i);
        if (status == KIN_OK)
            status = complete(spawning, i, &entity);
        if (batch->entities != NULL)
            batch->entities[i] = entity;
    }
    release_rooms(spawning, room_count(spawning), room_count(spawning));
    return status;
}

kin_status kin__spawn_many(kin_context *context, uint32_t blueprint, const kin__batch *batch)
{
    spawning spawning = {.context = context, .blueprint = &context->blueprints[blueprint]};
    spawning.use = (kin__use){.blueprint = spawning.blueprint, .batch = batch};
    if (batch->count == 0)
        return KIN_OK;
    bool is_plain = kin__spawn_is_plain(context, spawning.blueprint);
    kin_status status = is_plain ? KIN_OK : check(&spawning);
    if (status == KIN_OK)
        status = reserve(&spawning);
    if (status != KIN_OK)
        return status;
    if (!is_plain)
        return carry_out(&spawning);
    kin__spawn_plainly(context, spawning.blueprint, batch);
    return KIN_OK;
}

kin_entity kin__spawn(kin_context *context, uint32_t blueprint)
{
    kin_entity entity = 0;
    kin__spawn_many(context, blueprint, &(kin__batch){.count = 1, .entities = &entity});
    return entity;
}

#include "hold/retain.h"

#include "base/base.h"
#include "store/store.h"
#include "hold/hold.h"
#include "hold/hold_restore.h"
#include "notify/dispatch.h"

#include <kin/generated/index.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

// One pair: the owner retains the entity.
typedef struct kin__owner {
    kin_entity entity; // 0: a free place
    const void *owner;
} kin__owner;

// ---- the table

// Returns the capacity for so many pairs.
static uint32_t capacity_for(uint32_t count)
{
    uint32_t capacity = FIRST_CAPACITY;
    while (capacity / 2 < count)
        capacity *= 2;
    return capacity;
}

// Returns the place of a pair if no other pair occupies it.
static uint32_t home(const kin__owners *owners, const kin__owner *pair, const uint64_t *factors)
{
    uint64_t word = pair->entity ^ (uint64_t)(uintptr_t)pair->owner * factors[1];
    return (uint32_t)(kin__mix(factors, word) >> 32) & (owners->capacity - 1);
}

// Returns the place of a pair, or else the free place where the search for it ends. The table is allocated.
static uint32_t find(const kin__owners *owners, const kin__owner *pair, const uint64_t *factors)
{
    KIN_ASSERT(owners->capacity > 0 && owners->count < owners->capacity);
    uint32_t place = home(owners, pair, factors);
    const kin__owner *table = owners->table;
    while (table[place].entity != 0 && (table[place].entity != pair->entity || table[place].owner != pair->owner))
        place = (place + 1) & (owners->capacity - 1);
    return place;
}

static bool has(const kin__core *core, const kin__owner *pair)
{
    const kin__owners *owners = &core->owners;
    return owners->capacity > 0 && owners->table[find(owners, pair, core->factors)].entity != 0;
}

// Allocates the table, and the names if they are wanted. False, with nothing allocated, when out of memory.
static bool allocate(kin_context *context, kin__owners *owners, bool with_names)
{
    kin__memory *memory = &context->core->memory;
    owners->table = kin__allocate_zero(memory, owners->capacity * sizeof *owners->table);
    if (owners->table == NULL || !with_names)
        return owners->table != NULL;
    owners->names = kin__allocate_zero(memory, owners->capacity * sizeof *owners->names);
    if (owners->names == NULL)
        kin__release(memory, owners->table, owners->capacity * sizeof *owners->table);
    return owners->names != NULL;
}

// Moves the pairs to a table of another capacity, a power of two. False, with nothing changed, when out of memory.
static bool resize(kin_context *context, uint32_t capacity)
{
    kin__owners *owners = &context->core->owners, other = {.count = owners->count, .capacity = capacity};
    KIN_ASSERT((capacity & (capacity - 1)) == 0 && owners->count <= capacity / 2);
    if (!allocate(context, &other, owners->names != NULL))
        return false;
    for (uint32_t i = 0; i < owners->capacity; i++) {
        if (owners->table[i].entity == 0)
            continue;
        uint32_t place = find(&other, &owners->table[i], context->core->factors);
        other.table[place] = owners->table[i];
        if (owners->names != NULL)
            other.names[place] = owners->names[i];
    }
    kin__owners_release(context);
    *owners = other;
    KIN_VALIDATE(kin__owners_are_valid(context));
    return true;
}

static void release_spare(kin_context *context)
{
    kin__owners *owners = &context->core->owners;
    kin__release(&context->core->memory, owners->spare, owners->spare_capacity * sizeof *owners->spare);
    if (owners->spare_names != NULL)
        kin__release(&context->core->memory, owners->spare_names, owners->spare_capacity * sizeof *owners->spare_names);
    owners->spare = NULL;
    owners->spare_names = NULL;
    owners->spare_capacity = 0;
}

// Makes room for one pair more, and for names if it has one. False when out of memory.
static bool reserve(kin_context *context, bool with_name)
{
    kin__owners *owners = &context->core->owners;
    if (owners->count >= owners->capacity / 2 &&
        !resize(context, owners->capacity == 0 ? FIRST_CAPACITY : owners->capacity * 2))
        return false;
    if (with_name && owners->names == NULL)
        owners->names = kin__allocate_zero(&context->core->memory, owners->capacity * sizeof *owners->names);
    return !with_name || owners->names != NULL;
}

// Removes a pair. Following pairs that are not in their home place move up, so that no search ends too early.
static void remove_owner(kin__core *core, const kin__owner *pair)
{
    kin__owners *owners = &core->owners;
    uint32_t mask = owners->capacity - 1, hole = find(owners, pair, core->factors);
    KIN_ASSERT(owners->table[hole].entity == pair->entity && owners->count > 0);
    for (uint32_t place = (hole + 1) & mask; owners->table[place].entity != 0; place = (place + 1) & mask) {
        uint32_t distance = (place - home(owners, &owners->table[place], core->factors)) & mask;
        if (distance < ((place - hole) & mask))
            continue;
        owners->table[hole] = owners->table[place];
        if (owners->names != NULL)
            owners->names[hole] = owners->names[place];
        hole = place;
    }
    owners->table[hole] = (kin__owner){0};
    owners->count--;
}

void kin__owners_release(kin_context *context)
{
    kin__owners *owners = &context->core->owners;
    kin__release(&context->core->memory, owners->table, owners->capacity * sizeof *owners->table);
    if (owners->names != NULL)
        kin__release(&context->core->memory, owners->names, owners->capacity * sizeof *owners->names);
    release_spare(context);
    *owners = (kin__owners){0};
}

void kin__owners_trim(kin_context *context)
{
    const kin__owners *owners = &context->core->owners;
    uint32_t capacity = capacity_for(owners->count);
    release_spare(context);
    if (owners->count == 0)
        kin__owners_release(context);
    else if (capacity < owners->capacity)
        resize(context, capacity);
}

size_t kin__owners_used(const kin_context *context)
{
    const kin__owners *owners = &context->core->owners;
    return owners->count * (sizeof(kin__owner) + (owners->names != NULL ? sizeof(const char *) : 0));
}

bool kin__owners_next(const kin_context *context, kin_entity entity, uint32_t *place, const void **owner,
                      const char **name)
{
    const kin__owners *owners = &context->core->owners;
    while (*place < owners->capacity && owners->table[*place].entity != entity)
        ++*place;
    if (*place == owners->capacity)
        return false;
    *owner = owners->table[*place].owner;
    *name = owners->names == NULL ? NULL : owners->names[*place];
    ++*place;
    return true;
}

bool kin__owners_are_valid(const kin_context *context)
{
    const kin__owners *owners = &context->core->owners;
    uint32_t count = 0;
    for (uint32_t i = 0; i < owners->capacity; i++) {
        const kin__owner *pair = &owners->table[i];
        count += pair->entity != 0;
        if (pair->entity != 0 &&
            (find(owners, pair, context->core->factors) != i || !kin__is_held(context, kin_entity_slot(pair->entity))))
            return false;
    }
    return count == owners->count && count <= owners->capacity / 2 && (owners->capacity & (owners->capacity - 1)) == 0;
}

// ---- restoring

void kin__owners_save_table(const kin_context *context, kin__saved_owner *saved)
{
    const kin__owners *owners = &context->core->owners;
    for (uint32_t i = 0; i < owners->capacity; i++)
        if (owners->table[i].entity != 0)
            *saved++ = (kin__saved_owner){owners->table[i].entity, owners->table[i].owner, 1};
}

// Makes the spare table one without pairs, with room for so many.
static bool reserve_spare(kin_context *context, uint32_t count)
{
    kin__owners *owners = &context->core->owners, other = {.capacity = capacity_for(count)};
    bool fits = owners->spare_capacity >= other.capacity && (owners->names == NULL || owners->spare_names != NULL);
    if (fits)
        return true;
    release_spare(context);
    if (!allocate(context, &other, owners->names != NULL))
        return false;
    owners->spare = other.table;
    owners->spare_names = other.names;
    owners->spare_capacity = other.capacity;
    return true;
}

bool kin__owners_restore_reserve(kin_context *context, uint32_t count)
{
    return (count == 0 && context->core->owners.count == 0) || reserve_spare(context, count);
}

// Inserts a pair of the snapshot into a table. It has the name that it has now.
static void insert_saved(const kin_context *context, kin__owners *owners, const kin__saved_owner *saved)
{
    const kin__core *core = context->core;
    kin__owner pair = {saved->entity, saved->owner};
    uint32_t place = find(owners, &pair, core->factors);
    KIN_ASSERT(owners->table[place].entity == 0);
    owners->table[place] = pair;
    owners->count++;
    if (owners->names != NULL)
        owners->names[place] = core->owners.names != NULL && has(core, &pair)
                                   ? core->owners.names[find(&core->owners, &pair, core->factors)]
                                   : NULL;
}

void kin__owners_restore(kin_context *context, const kin__saved_owner *saved, uint32_t count)
{
    kin__owners *owners = &context->core->owners;
    if (count == 0 && owners->count == 0)
        return;
    kin__owners other = {.table = owners->spare, .names = owners->spare_names, .capacity = owners->spare_capacity};
    for (uint32_t i = 0; i < count; i++)
        insert_saved(context, &other, &saved[i]);
    other.spare = owners->table;
    other.spare_names = owners->names;
    other.spare_capacity = owners->capacity;
    *owners = other;
    if (owners->spare != NULL)
        memset(owners->spare, 0, owners->spare_capacity * sizeof *owners->spare);
}

// ---- counts, with fast_retain

static uint32_t *retained_of(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(context->core->options.fast_retain && context->core->slots.counts_holders);
    return kin__chunk_of_slot(context, slot)->holders + KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS;
}

// ---- retaining and releasing

// Returns whether the entity is dead and held: then its row, or the frame of its destruction, has its handle.
static bool is_dead_and_held(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS;
    if (entity == 0 || slot / KIN__CHUNK_SLOTS >= context->chunk_count || !kin__is_held(context, slot))
        return false;
    if (kin__is_slot_being_destroyed(context, slot))
        return kin__being_destroyed_in(context, slot) == entity;
    bool alive = kin_entity_creation_index(kin__chunk_of_slot(context, slot)->ids[place]) != 0;
    return !alive && kin__row_of(context, slot)[0] == entity;
}

static bool is_known(const kin_context *context, kin_entity entity)
{
    return kin__chunk_of(context, entity) != NULL || is_dead_and_held(context, entity);
}

static kin_status report_error(const kin_context *context, kin_status status, const char *verb, const kin__owner *pair)
{
    char reason[128];
    kin__attempt attempt = {.verb = verb, .entity = pair->entity};
    if (status == KIN_ERROR_RETAINED || status == KIN_ERROR_NOT_RETAINED) {
        snprintf(reason, sizeof reason,
                 status == KIN_ERROR_RETAINED
                     ? "the owner %p already retains it; release it first, or use another owner"
                     : "the owner %p does not retain it; retain it first, and release it once",
                 pair->owner);
        attempt.reason = reason;
    }
    return kin__report_error(context, status, &attempt);
}

static kin_status retain_owner(kin_context *context, const kin__owner *pair, const char *name)
{
    kin__owners *owners = &context->core->owners;
    if (has(context->core, pair))
        return KIN_ERROR_RETAINED;
    if (!kin__holders_reserve(context) || !reserve(context, name != NULL))
        return KIN_ERROR_NO_MEMORY;
    uint32_t place = find(owners, pair, context->core->factors);
    owners->table[place] = *pair;
    if (owners->names != NULL)
        owners->names[place] = name;
    owners->count++;
    KIN_ASSERT(owners->count <= owners->capacity / 2);
    return KIN_OK;
}

static kin_status retain_count(kin_context *context, kin_entity entity)
{
    if (!kin__holders_reserve(context))
        return KIN_ERROR_NO_MEMORY;
    if (*retained_of(context, entity) == UINT32_MAX / 2)
        return KIN_ERROR_LIMIT;
    ++*retained_of(context, entity);
    return KIN_OK;
}

kin_status kin_retain_named(kin_context *context, kin_entity entity, const void *owner, const char *name)
{
    kin__owner pair = {entity, owner};
    kin_status status = KIN_ERROR_NOT_ALIVE;
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (is_known(context, entity))
        status =
            context->core->options.fast_retain ? retain_count(context, entity) : retain_owner(context, &pair, name);
    if (status != KIN_OK)
        return report_error(context, status, "retain", &pair);
    kin__hold_add(context, entity);
    return KIN_OK;
}

kin_status kin__entity_retain(kin_context *context, kin_entity entity, const void *owner)
{
    return kin_retain_named(context, entity, owner, NULL);
}

static bool is_retained(const kin_context *context, const kin__owner *pair)
{
    if (!context->core->options.fast_retain)
        return has(context->core, pair);
    return context->core->slots.counts_holders && is_known(context, pair->entity) &&
           *retained_of(context, pair->entity) > 0;
}

kin_status kin__entity_release(kin_context *context, kin_entity entity, const void *owner)
{
    kin__owner pair = {entity, owner};
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    if (!is_retained(context, &pair))
        return report_error(context, KIN_ERROR_NOT_RETAINED, "release", &pair);
    if (kin__hold_is_last(context, entity) && !kin__dispatch_may_nest(context))
        return report_error(context, KIN_ERROR_LIMIT, "release", &pair);
    if (context->core->options.fast_retain)
        --*retained_of(context, entity);
    else
        remove_owner(context->core, &pair);
    KIN_ASSERT(kin__is_held(context, kin_entity_slot(entity)));
    kin__hold_remove(context, entity);
    return KIN_OK;
}

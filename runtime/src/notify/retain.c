#include "notify/notify.h"

#include <kin/generated/index.h>

#include <stdio.h>
#include <string.h>

// Returns whether the entity of a slot is dead and all its components are removed.
static bool is_destroyed(const kin_context *context, uint32_t slot)
{
    return !kin__chunk_is_alive(kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS) &&
           !kin__is_slot_being_destroyed(context, slot);
}

// Returns whether the release of a destroyed entity may notify. Stashed values are counted as subscribers, too, but a
// release notifies none of them: those of the entity were dropped when it was destroyed.
static bool has_subscribers(const kin_context *context)
{
    KIN_ASSERT(context->core->events.destroy_subscribers >= context->core->stashed);
    return context->core->events.destroy_subscribers > context->core->stashed;
}

bool kin__hold_is_last(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(context->core->slots.counts_holders);
    return has_subscribers(context) && kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS] == 1 &&
           is_destroyed(context, slot);
}

void kin__hold_remove_general(kin_context *context, uint32_t slot)
{
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    KIN_ASSERT(chunk->holders != NULL && chunk->holders[place] > 0);
    if (--chunk->holders[place] > 0 || !is_destroyed(context, slot))
        return;
    kin_entity entity = kin__row_of(context, slot)[0]; // the handle, by invariant 4
    KIN_ASSERT(kin_entity_slot(entity) == slot && context->core->slots.held > 0);
    context->core->slots.held--;
    if (has_subscribers(context))
        kin__notify_released(context, entity);
    kin__slot_free_unheld(context, chunk, slot);
}

// The entries of an entity that is being destroyed are not counted yet.
void kin__hold_remove_entry_of_dead(kin_context *context, uint32_t slot)
{
    if (!kin__is_slot_being_destroyed(context, slot))
        kin__hold_remove_general(context, slot);
}

kin_entity kin__hold_first(const kin_context *context)
{
    for (uint32_t slot = 0; slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        bool alive = kin_entity_creation_index(kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS]) != 0;
        if (!alive && kin__is_held(context, slot) && !kin__is_slot_being_destroyed(context, slot))
            return kin__row_of(context, slot)[0];
    }
    return 0;
}

// ---- validation

// Whether a slot has at least the holders that must be counted. Adds those that are owners to `*owners`.
static bool is_count_valid(const kin_context *context, uint32_t slot, uint64_t *owners)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    uint32_t entries = is_destroyed(context, slot) ? kin__entries_of_slot(context, slot) : 0;
    if (chunk->holders[place] < entries)
        return false;
    *owners += chunk->holders[place] - entries;
    return !context->core->options.fast_retain ||
           chunk->holders[place] - entries == chunk->holders[KIN__CHUNK_SLOTS + place];
}

bool kin__holds_are_valid(const kin_context *context)
{
    const kin__core *core = context->core;
    uint64_t owners = 0;
    uint32_t held = 0;
    for (uint32_t slot = 0; core->slots.counts_holders && slot < context->chunk_count * KIN__CHUNK_SLOTS; slot++) {
        if (!is_count_valid(context, slot, &owners))
            return false;
        held += kin__chunk_of_slot(context, slot)->holders[slot % KIN__CHUNK_SLOTS] > 0 && is_destroyed(context, slot);
    }
    return held == core->slots.held && (core->options.fast_retain || owners == core->owners.count);
}

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

static bool owners_are_valid(const kin_context *context);

// Moves the pairs to a table of another capacity, a power of two. False, with nothing changed, when out of memory.
static bool resize(kin_context *context, uint32_t capacity)
{
    kin__owners *owners = &context->core->owners;
    kin__owners other = {.count = owners->count, .capacity = capacity};
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
    KIN_VALIDATE(owners_are_valid(context));
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
    uint32_t mask = owners->capacity - 1;
    uint32_t hole = find(owners, pair, core->factors);
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

static bool owners_are_valid(const kin_context *context)
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

// The table of owners: writes its pairs, reserves it, and puts it in place.
static void owners_save_table(const kin_context *context, kin__saved_owner *saved)
{
    const kin__owners *owners = &context->core->owners;
    for (uint32_t i = 0; i < owners->capacity; i++)
        if (owners->table[i].entity != 0)
            *saved++ = (kin__saved_owner){owners->table[i].entity, owners->table[i].owner, 1};
}

// Makes the spare table one without pairs, with room for so many.
static bool reserve_spare(kin_context *context, uint32_t count)
{
    kin__owners *owners = &context->core->owners;
    kin__owners other = {.capacity = capacity_for(count)};
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

static bool owners_restore_reserve(kin_context *context, uint32_t count)
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

static void owners_restore(kin_context *context, const kin__saved_owner *saved, uint32_t count)
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
    uint32_t slot = kin_entity_slot(entity);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
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

// ---- owners that are only counted

static const uint32_t *retained_of_chunk(const kin_context *context, uint32_t number)
{
    const uint32_t *holders = context->chunks[number]->holders;
    return holders == NULL ? NULL : holders + KIN__CHUNK_SLOTS;
}

// Returns the entity in a slot that is retained, dead or alive.
static kin_entity entity_of(const kin_context *context, uint32_t slot)
{
    const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    return kin__chunk_is_alive(chunk, place) ? chunk->ids[place] : kin__row_of(context, slot)[0];
}

// Writes what is retained unless `owners` is NULL; returns how many entities are.
static uint32_t list_retained(const kin_context *context, kin__saved_owner *owners)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < context->chunk_count; number++) {
        const uint32_t *retained = retained_of_chunk(context, number);
        for (uint32_t place = 0; retained != NULL && place < KIN__CHUNK_SLOTS; place++) {
            if (retained[place] == 0)
                continue;
            if (owners != NULL)
                owners[count] =
                    (kin__saved_owner){entity_of(context, number * KIN__CHUNK_SLOTS + place), NULL, retained[place]};
            count++;
        }
    }
    return count;
}

uint32_t kin__owners_saved_count(const kin_context *context)
{
    return context->core->options.fast_retain ? list_retained(context, NULL) : context->core->owners.count;
}

void kin__owners_save(const kin_context *context, kin__saved_owner *owners)
{
    if (context->core->options.fast_retain)
        list_retained(context, owners);
    else
        owners_save_table(context, owners);
}

// ---- held slots

uint32_t kin__held_saved_count(const kin_context *context)
{
    return context->core->slots.held;
}

void kin__held_save(const kin_context *context, kin_entity *held)
{
    uint32_t left = context->core->slots.held;
    for (uint32_t slot = 0; left > 0; slot++) {
        const kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        uint32_t place = slot % KIN__CHUNK_SLOTS;
        if (chunk->holders[place] == 0 || kin__chunk_is_alive(chunk, place))
            continue;
        *held++ = kin__row_of(context, slot)[0];
        left--;
    }
}

// Returns a dead entity that was collected; 0: none.
static kin_entity find_dead(const kin_context *context, const kin__collected *collected)
{
    for (uint32_t i = 0; i < collected->count; i++)
        if (kin__chunk_of(context, collected->entities[i]) == NULL)
            return collected->entities[i];
    return 0;
}

kin_entity kin__held_from_outside(const kin_context *context)
{
    const kin__slot_extension *each = context->core->slots.held == 0 ? NULL : context->core->slot_extensions;
    for (; each != NULL; each = each->next) {
        if (each->collected == NULL || each->in_scope)
            continue;
        kin_entity one = find_dead(context, &each->collected[0]);
        kin_entity other = find_dead(context, &each->collected[1]);
        if (one != 0 || other != 0)
            return one != 0 ? one : other;
    }
    return 0;
}

// ---- restoring

bool kin__holds_restore_reserve(kin_context *context, const kin__saved_owner *owners, uint32_t owner_count)
{
    (void)owners;
    if (owner_count > 0 && !kin__holders_reserve(context))
        return false;
    return context->core->options.fast_retain || owners_restore_reserve(context, owner_count);
}

static void clear_counts(const kin_context *context)
{
    size_t size = KIN__CHUNK_SLOTS * sizeof(uint32_t) * (context->core->options.fast_retain ? 2 : 1);
    for (uint32_t i = 0; i < context->chunk_count; i++)
        memset(context->chunks[i]->holders, 0, size);
}

static void count_owners(const kin_context *context, const kin__saved_owner *owners, uint32_t owner_count)
{
    for (uint32_t i = 0; i < owner_count; i++) {
        uint32_t slot = kin_entity_slot(owners[i].entity);
        uint32_t count = (uint32_t)owners[i].count;
        uint32_t *holders = kin__chunk_of_slot(context, slot)->holders + slot % KIN__CHUNK_SLOTS;
        KIN_ASSERT(entity_of(context, slot) == owners[i].entity);
        *holders += count;
        if (context->core->options.fast_retain)
            holders[KIN__CHUNK_SLOTS] += count;
    }
}

// Puts a slot at the end of its pool's list. `*last` is the slot that was put before, KIN__NO_SLOT at first.
static void put_last(const kin_context *context, uint32_t slot, uint32_t *last)
{
    kin__pool *pool = kin__chunk_of_slot(context, slot)->pool;
    uint64_t *link = NULL;
    bool follows = *last != KIN__NO_SLOT && kin__chunk_of_slot(context, *last)->pool == pool;
    uint32_t at = follows ? *last : pool->free_slot;
    for (; at != KIN__NO_SLOT; at = (uint32_t)*link)
        link = kin__row_of(context, at);
    if (link != NULL)
        *link = slot;
    else
        pool->free_slot = slot;
    kin__row_of(context, slot)[0] = KIN__NO_SLOT;
    *last = slot;
}

// Counts the entries that hold dead entities, and frees the slots of those that nobody holds.
static void count_held(kin_context *context, const kin_entity *held, uint32_t held_count)
{
    kin__slots *slots = &context->core->slots;
    uint32_t last = KIN__NO_SLOT;
    slots->held = 0;
    for (uint32_t i = 0; i < held_count; i++) {
        uint32_t slot = kin_entity_slot(held[i]);
        kin__chunk *chunk = kin__chunk_of_slot(context, slot);
        uint32_t entries = kin__entries_of_slot(context, slot);
        KIN_ASSERT(!kin__chunk_is_alive(chunk, slot % KIN__CHUNK_SLOTS));
        if (chunk->holders != NULL)
            chunk->holders[slot % KIN__CHUNK_SLOTS] += entries;
        bool is_held = chunk->holders != NULL && chunk->holders[slot % KIN__CHUNK_SLOTS] > 0;
        slots->held += is_held;
        if (!is_held && slot / KIN__CHUNK_SLOTS < slots->assigned_chunks)
            put_last(context, slot, &last);
        else if (!is_held)
            kin__row_of(context, slot)[0] = 0; // a reset took the chunk back from its pool
    }
    slots->pending = slots->held;
}

void kin__holds_restore(kin_context *context, const kin__saved_owner *owners, uint32_t owner_count,
                        const kin_entity *held, uint32_t held_count)
{
    if (!context->core->options.fast_retain)
        owners_restore(context, owners, owner_count);
    if (context->core->slots.counts_holders) {
        clear_counts(context);
        count_owners(context, owners, owner_count);
    }
    count_held(context, held, held_count);
}

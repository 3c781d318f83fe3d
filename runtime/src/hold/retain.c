#include "hold/retain.h"

#include "base/assertion.h"
#include "hold/hold.h"
#include "notify/dispatch.h"
#include "report/error.h"

#include <kin/generated/index.h>
#include <stdio.h>

enum { FIRST_CAPACITY = 16 };

typedef struct kin__owner {
    kin_entity entity; // 0: nobody stands here
    const void *owner;
} kin__owner;

// ---- the table

// Where one stands, or would stand, unless others stand there already.
static uint32_t home(const kin__owners *owners, const kin__owner *who, const uint64_t *factors)
{
    uint64_t word = who->entity ^ (uint64_t)(uintptr_t)who->owner * factors[1];
    return (uint32_t)(kin__mix(factors, word) >> 32) & (owners->capacity - 1);
}

// Where one stands; else the free place where its search ends. The table is not empty.
static uint32_t find(const kin__owners *owners, const kin__owner *who, const uint64_t *factors)
{
    uint32_t place = home(owners, who, factors);
    const kin__owner *table = owners->table;
    while (table[place].entity != 0 && (table[place].entity != who->entity || table[place].owner != who->owner))
        place = (place + 1) & (owners->capacity - 1);
    return place;
}

static bool has(const kin__core *core, const kin__owner *who)
{
    const kin__owners *owners = &core->owners;
    return owners->capacity > 0 && owners->table[find(owners, who, core->factors)].entity != 0;
}

// A table of another capacity, for those who are in it. False, with nothing changed, without memory.
static bool resize(kin_context *context, uint32_t capacity)
{
    kin__owners *owners = &context->core->owners, other = {.count = owners->count, .capacity = capacity};
    other.table = kin__allocate_zero(&context->core->memory, capacity * sizeof *other.table);
    if (other.table == NULL)
        return false;
    for (uint32_t i = 0; i < owners->capacity; i++)
        if (owners->table[i].entity != 0)
            other.table[find(&other, &owners->table[i], context->core->factors)] = owners->table[i];
    kin__owners_release(context);
    *owners = other;
    return true;
}

// Room for one more. False without memory.
static bool reserve(kin_context *context)
{
    kin__owners *owners = &context->core->owners;
    if (owners->count < owners->capacity / 2)
        return true;
    return resize(context, owners->capacity == 0 ? FIRST_CAPACITY : owners->capacity * 2);
}

// What stands behind a free place, and was kept from its home by what was there, moves up.
static void remove_owner(kin__core *core, const kin__owner *who)
{
    kin__owners *owners = &core->owners;
    uint32_t mask = owners->capacity - 1, hole = find(owners, who, core->factors);
    for (uint32_t place = (hole + 1) & mask; owners->table[place].entity != 0; place = (place + 1) & mask) {
        uint32_t path = (place - home(owners, &owners->table[place], core->factors)) & mask;
        if (path < ((place - hole) & mask))
            continue;
        owners->table[hole] = owners->table[place];
        hole = place;
    }
    owners->table[hole] = (kin__owner){0};
    owners->count--;
}

void kin__owners_release(kin_context *context)
{
    kin__owners *owners = &context->core->owners;
    kin__release(&context->core->memory, owners->table, owners->capacity * sizeof *owners->table);
    *owners = (kin__owners){0};
}

void kin__owners_trim(kin_context *context)
{
    const kin__owners *owners = &context->core->owners;
    uint32_t capacity = FIRST_CAPACITY;
    while (capacity / 2 < owners->count)
        capacity *= 2;
    if (owners->count == 0)
        kin__owners_release(context);
    else if (capacity < owners->capacity)
        resize(context, capacity);
}

size_t kin__owners_used(const kin_context *context)
{
    return context->core->owners.count * sizeof(kin__owner);
}

// ---- counting only

static uint32_t *retained_of(const kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    return kin__chunk_of_slot(context, slot)->holders + KIN__CHUNK_SLOTS + slot % KIN__CHUNK_SLOTS;
}

// ---- both

// Whether it is dead, and somebody holds it: its slot then still knows it.
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

static kin_status refuse(const kin_context *context, kin_status status, const char *verb, const kin__owner *who)
{
    char reason[128];
    kin__attempt attempt = {.verb = verb, .entity = who->entity};
    if (status == KIN_ERROR_RETAINED || status == KIN_ERROR_NOT_RETAINED) {
        snprintf(reason, sizeof reason,
                 status == KIN_ERROR_RETAINED ? "the owner %p holds it already; release it first, or give another owner"
                                              : "the owner %p does not hold it; retain first, release once",
                 who->owner);
        attempt.reason = reason;
    }
    return kin__refuse(context, status, &attempt);
}

static kin_status retain_owner(kin_context *context, const kin__owner *who)
{
    kin__owners *owners = &context->core->owners;
    if (has(context->core, who))
        return KIN_ERROR_RETAINED;
    if (!kin__holders_reserve(context) || !reserve(context))
        return KIN_ERROR_NO_MEMORY;
    owners->table[find(owners, who, context->core->factors)] = *who;
    owners->count++;
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

kin_status kin__entity_retain(kin_context *context, kin_entity entity, const void *owner)
{
    kin__owner who = {entity, owner};
    kin_status status = KIN_ERROR_NOT_ALIVE;
    if (is_known(context, entity))
        status = context->core->options.fast_retain ? retain_count(context, entity) : retain_owner(context, &who);
    if (status != KIN_OK)
        return refuse(context, status, "retain", &who);
    kin__hold(context, entity);
    return KIN_OK;
}

static bool is_retained(const kin_context *context, const kin__owner *who)
{
    if (!context->core->options.fast_retain)
        return has(context->core, who);
    return context->core->slots.counts_holders && is_known(context, who->entity) && *retained_of(context, who->entity) > 0;
}

kin_status kin__entity_release(kin_context *context, kin_entity entity, const void *owner)
{
    kin__owner who = {entity, owner};
    if (!is_retained(context, &who))
        return refuse(context, KIN_ERROR_NOT_RETAINED, "release", &who);
    if (kin__is_last_holder(context, entity) && !kin__dispatch_may_nest(context))
        return refuse(context, KIN_ERROR_LIMIT, "release", &who);
    if (context->core->options.fast_retain)
        --*retained_of(context, entity);
    else
        remove_owner(context->core, &who);
    kin__let_go(context, entity);
    return KIN_OK;
}

#include "hold/hold_restore.h"

#include "base/base.h"
#include "hold/hold.h"
#include "store/store.h"

#include <string.h>

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
        kin__owners_save_table(context, owners);
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
        kin_entity one = find_dead(context, &each->collected[0]), other = find_dead(context, &each->collected[1]);
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
    return context->core->options.fast_retain || kin__owners_restore_reserve(context, owner_count);
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
        uint32_t slot = kin_entity_slot(owners[i].entity), count = (uint32_t)owners[i].count;
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
        kin__owners_restore(context, owners, owner_count);
    if (context->core->slots.counts_holders) {
        clear_counts(context);
        count_owners(context, owners, owner_count);
    }
    count_held(context, held, held_count);
}

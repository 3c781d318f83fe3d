#include "entity/entity.h"

#include <string.h>

// Calls `visit` for each component of the removed row, which the dispatch keeps.
static void visit_lost(kin_context *context, uint32_t slot,
                       void (*visit)(kin_context *context, uint32_t slot, kin_component_id id))
{
    const uint64_t *lost = kin__dispatch_row(context);
    EACH_OF_ROW(id, lost, context->row_words)
    {
        visit(context, slot, (kin_component_id)id);
    }
}

static void make_side_effects(kin_context *context, uint32_t slot, kin_component_id id)
{
    uint32_t side_effects = context->core->watches[id].side_effects;
    if (side_effects == 0)
        return;
    if ((side_effects & KIN__SIDE_EFFECT_JOURNAL) != 0)
        kin__journal_note(context, id, slot);
    if ((side_effects & KIN__SIDE_EFFECT_RELATION) != 0)
        kin__relations_remove(context, slot, id);
    if ((side_effects & KIN__SIDE_EFFECT_SHARED) != 0)
        kin__value_end_sharing(context, slot, id);
    if ((side_effects & KIN__SIDE_EFFECT_CARRIER) == 0)
        return;
    KIN_ASSERT(kin_entity_slot(context->carriers[id]) == slot);
    context->carriers[id] = 0;
}

// Drops the value unless it moved to the last values when its removal was notified.
static void drop_value(kin_context *context, uint32_t slot, kin_component_id id)
{
    if (!kin__last_value_settle(context, slot, id))
        kin__value_drop(context, slot, id);
}

// Clears the row of an entity and its bits in the columns. Returns 0 if no component has watchers. `row_words` is a
// constant where it is 1, as for most contexts. kin__entity_destroy_silently leaves the row, which the pool overwrites:
// calling this there would cost destroying a tree 3 % more instructions.
static inline uint32_t clear_row(kin_context *context, const kin__chunk *chunk, uint32_t place, uint32_t row_words)
{
    uint64_t *row = kin__chunk_row(chunk, row_words, place);
    uint32_t watchers = 0;
    for (uint32_t word = 0; word < row_words; word++) {
        for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
            uint32_t id = word * 64 + kin__lowest_bit(bits);
            kin__column_withdraw(context, chunk, id, place, row_words);
            watchers |= context->components[id].watchers;
        }
        row[word] = 0;
    }
    return watchers;
}

// Discards stashed values, which only living entities have, frees carriers and keys, then notifies, then drops the
// values.
static void destroy_watched(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(kin__chunk_of(context, entity) == NULL);
    kin__stash_discard_all(context, slot);
    visit_lost(context, slot, make_side_effects);
    kin__indices_remove_entity(context, entity, kin__dispatch_row(context));
    kin__notify_destroyed(context, entity);
    visit_lost(context, slot, drop_value);
    kin__owned_settle(context);
}

void kin__entity_destroy_announced(kin_context *context, kin_entity entity)
{
    kin__core *core = context->core;
    uint32_t slot = kin_entity_slot(entity);
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk && kin__dispatch_may_nest(context));
    kin__chunk_mark_dead(context, chunk, slot);
    core->slots.pending++;
    if (core->listeners.count > 0)
        kin__listeners_end(context, slot);
    memcpy(kin__dispatch_row(context), kin__row_of(context, slot), context->row_words * sizeof(uint64_t));
    uint32_t watchers = clear_row(context, chunk, slot % KIN__CHUNK_SLOTS, context->row_words);
    if ((watchers | core->alive->watchers | core->events.destroy_subscribers) != 0) {
        if (core->tool_journal != NULL)
            kin__note_destroyed(context, entity, kin__dispatch_row(context));
        destroy_watched(context, entity);
    }
    kin__slot_free(context, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
}

static inline bool only_collectors_watch(const kin_context *context, const uint64_t *row, uint32_t row_words)
{
    for (uint32_t word = 0; word < row_words; word++)
        for (uint64_t bits = row[word] & context->watched[word]; bits != 0; bits &= bits - 1)
            if (!kin__only_collectors_watch(context, word * 64 + kin__lowest_bit(bits)))
                return false;
    return true;
}

// A group of the entity is visited once for each component in its matcher; its collectors still collect once.
static inline void gather(const kin_context *context, const uint64_t *row, uint32_t row_words, kin_entity entity)
{
    for (uint32_t word = 0; word < row_words; word++)
        for (uint64_t bits = row[word] & context->watched[word]; bits != 0; bits &= bits - 1)
            kin__gather_members(context, (kin_component_id)(word * 64 + kin__lowest_bit(bits)), row,
                                KIN__EVENT_REMOVED | KIN__EVENT_LOST, entity);
}

// Destroying an entity in a context with collectors or owners, where no listener is notified. Collectors and owners may
// hold the entity, and collectors may collect it because it leaves their groups.
//
// Invariant: the collectors, and the entities that each has afterwards, are the same as in the general case.

// `row_words` is a constant where it is 1, as for most contexts.
static inline bool destroy(kin_context *context, kin__chunk *chunk, kin_entity entity, uint32_t row_words)
{
    uint32_t slot = kin_entity_slot(entity);
    uint32_t place = slot % KIN__CHUNK_SLOTS;
    uint64_t *row = kin__chunk_row(chunk, row_words, place);
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk && context->row_words == row_words);
    if (!only_collectors_watch(context, row, row_words))
        return false;
    kin__chunk_mark_dead(context, chunk, slot);
    gather(context, row, row_words, entity);
    clear_row(context, chunk, place, row_words);
    context->core->slots.pending++;
    kin__slot_free(context, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
    return true;
}

// Destroys a living entity; or returns false, with nothing changed, if its death may notify a subscriber other than a
// collector. `subscribers` is the number of subscribers that it notifies. The caller must make the checks of
// kin__entity_destroy.
static bool entity_destroy_collected(kin_context *context, kin_entity entity, uint32_t subscribers)
{
    const kin__core *core = context->core;
    kin__chunk *chunk = kin__chunk_of_slot(context, kin_entity_slot(entity));
    subscribers |= core->alive->watchers | core->listeners.count | core->slots.about_to_be_destroyed;
    if (subscribers != 0)
        return false;
    return context->row_words == 1 ? destroy(context, chunk, entity, 1)
                                   : destroy(context, chunk, entity, context->row_words);
}

// Destroys a living entity without watchers, which may be held.
KIN__NOINLINE static void destroy_held(kin_context *context, kin__chunk *chunk, kin_entity entity)
{
    if (kin__is_held(context, kin_entity_slot(entity)))
        destroy(context, chunk, entity, 1);
    else
        kin__entity_destroy_silently(context, chunk, entity);
}

// Destroys a living entity without watchers. Most chunks have no held slots.
static inline void destroy_unwatched(kin_context *context, kin__chunk *chunk, kin_entity entity)
{
    if (chunk->holders != NULL)
        destroy_held(context, chunk, entity);
    else
        kin__entity_destroy_silently(context, chunk, entity);
}

// Returns the number of subscribers that are still to be notified of a destroyed entity.
static inline uint32_t count_others(const kin_context *context)
{
    const kin__events *events = &context->core->events;
    return events->destroy_subscribers - events->will_destroy_subscribers;
}

// Without an announcement the entity is not silent (entity.h): the fast path would have destroyed it.
static inline kin_status announce_and_destroy(kin_context *context, kin__chunk *chunk, kin_entity entity, bool asks)
{
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk && !kin__is_about_to_be_destroyed(context, entity));
    if (context->core->events.will_destroy_subscribers > 0) {
        if (context->relations != NULL)
            return asks ? kin__cascade_if_allowed(context, entity) : kin__cascade(context, entity);
        if (!kin__notify_will_be_destroyed(context, entity))
            return KIN_OK;
        uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
        if (kin__entity_is_silent(context, chunk, place, count_others(context))) {
            kin__entity_destroy_silently(context, chunk, entity);
            return KIN_OK;
        }
    }
    if (chunk->holders == NULL || !entity_destroy_collected(context, entity, count_others(context)))
        kin__entity_destroy_announced(context, entity);
    return KIN_OK;
}

// Destroys a living entity that is not about to be destroyed. The caller has checked that the change may nest. Cannot
// fail.
KIN__NOINLINE static void entity_destroy_checked(kin_context *context, kin_entity entity)
{
    announce_and_destroy(context, kin__chunk_of_slot(context, kin_entity_slot(entity)), entity, false);
}

KIN__NOINLINE kin_status kin__entity_destroy(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    bool alive = chunk != NULL && !kin__is_about_to_be_destroyed(context, entity);
    if (alive && kin__dispatch_may_nest(context))
        return announce_and_destroy(context, chunk, entity, true);
    kin__attempt attempt = {.verb = entity == 0 ? "destroy an entity" : "destroy", .entity = entity};
    return kin__report_error(context, alive ? KIN_ERROR_LIMIT : KIN_ERROR_NOT_ALIVE, &attempt);
}

// Destroys an entity where nothing is notified (entity.h), as for most. Calls the general case for everything else.

static inline bool is_unwatched(const kin_context *context, const kin__chunk *chunk, kin_entity entity)
{
    return kin__entity_is_unwatched(context, chunk, kin_entity_slot(entity) % KIN__CHUNK_SLOTS,
                                    context->core->events.destroy_subscribers);
}

void kin__entity_destroy_checked_fast(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, kin_entity_slot(entity));
    if (is_unwatched(context, chunk, entity))
        destroy_unwatched(context, chunk, entity);
    else
        entity_destroy_checked(context, entity);
}

kin_status kin__entity_destroy_fast(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    if (chunk == NULL || !is_unwatched(context, chunk, entity))
        return kin__entity_destroy(context, entity);
    destroy_unwatched(context, chunk, entity);
    return KIN_OK;
}

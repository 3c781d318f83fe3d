#include "change/change.h"

#include "base/base.h"
#include "change/stash.h"
#include "store/store.h"
#include "notify/notify.h"
#include "lookup/lookup.h"

// ---- before the first write

// Checks the entities that the value names, then the keys that it gives.
static inline kin_status check_links(const kin_context *context, const kin__step *step)
{
    kin_status status = context->core->relations == NULL ? KIN_OK : kin__relations_check(context, step);
    return status == KIN_OK ? kin__indices_check(context, step) : status;
}

static kin_status check(const kin_context *context, const kin__step *step)
{
    if (kin__chunk_of(context, step->entity) == NULL)
        return KIN_ERROR_NOT_ALIVE;
    bool has = kin__has(context, step->entity, step->id, context->row_words);
    if (has != (step->kind != KIN__STEP_ADD))
        return has ? KIN_ERROR_HAS_COMPONENT : KIN_ERROR_NO_COMPONENT;
    if (step->kind == KIN__STEP_ADD && context->carriers[step->id] != 0)
        return KIN_ERROR_UNIQUE;
    return check_links(context, step);
}

// While threads share the context, nothing is checked: that may call functions of the program, and needs room.
static kin_status check_at_limit(const kin_context *context, const kin__step *step)
{
    if (kin__context_is_shared(context))
        return KIN_ERROR_INVALID;
    kin_status status = check(context, step);
    return status == KIN_OK ? KIN_ERROR_LIMIT : status;
}

kin_status kin__change_check(const kin_context *context, const kin__step *step)
{
    KIN_ASSERT(step->id < context->info->component_count);
    return kin__dispatch_may_nest(context) ? check(context, step) : check_at_limit(context, step);
}

bool kin__change_describe(const kin_context *context, kin_status status, const kin__step *step,
                          char reason[KIN__CHANGE_REASON_SIZE])
{
    if (kin__context_is_shared(context))
        return false;
    bool is_about_key = status == KIN_ERROR_DUPLICATE_KEY || status == KIN_ERROR_INVALID;
    if (is_about_key)
        kin__indices_describe(context, step, reason);
    bool may_be_target = status == KIN_ERROR_CIRCLE || status == KIN_ERROR_NOT_ALIVE;
    return is_about_key || (may_be_target && kin__chunk_of(context, step->entity) != NULL &&
                            kin__relations_describe(context, step, reason));
}

bool kin__change_reserve_entries(kin_context *context, uint32_t slot, kin_component_id id, uint32_t count)
{
    KIN_ASSERT(count > 0);
    return kin__column_reserve(context, slot, id) != NULL && kin__indices_reserve(context, slot, id, count) &&
           (context->core->relations == NULL || kin__relations_reserve(context, slot, id));
}

// A value that is replaced keeps its box.
bool kin__change_reserve(kin_context *context, uint32_t slot, const kin__step *step, kin__value_storage *storage)
{
    if (context->core->relations != NULL && !kin__relations_reserve_targets(context, step->id, step->value))
        return false;
    if (step->kind == KIN__STEP_ADD)
        return kin__change_reserve_entries(context, slot, step->id, 1) &&
               kin__value_storage_make(context, step->id, step->value, storage);
    *storage = (kin__value_storage){.value = step->value};
    if (step->kind == KIN__STEP_REPLACE && !kin__indices_reserve_replacement(context, slot, step->id))
        return false;
    return step->kind == KIN__STEP_REMOVE ||
           kin__owned_block_make(context, step->id, &storage->value, &storage->owned_block);
}

// ---- writing

// Sets the carrier of a unique component, counts one holder less of a shared value, and notes the change in journals.
static void make_side_effects(kin_context *context, const kin__step *step, bool on)
{
    kin_entity entity = step->entity;
    kin_component_id id = step->id;
    uint32_t side_effects = context->core->watches[id].side_effects;
    if ((side_effects & KIN__SIDE_EFFECT_NOTED) != 0)
        kin__note_change(context, entity, id, on ? KIN_RECORD_ADDED : KIN_RECORD_REMOVED, step->value);
    if ((side_effects & KIN__SIDE_EFFECT_JOURNAL) != 0)
        kin__journal_note(context, id, kin_entity_slot(entity));
    if ((side_effects & KIN__SIDE_EFFECT_SHARED) != 0 && !on)
        kin__value_end_sharing(context, kin_entity_slot(entity), id);
    if ((side_effects & KIN__SIDE_EFFECT_CARRIER) == 0)
        return;
    KIN_ASSERT((context->carriers[id] == 0) == on);
    context->carriers[id] = on ? entity : 0;
}

static inline void toggle(kin_context *context, const kin__step *step, bool on)
{
    kin_entity entity = step->entity;
    kin_component_id id = step->id;
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(kin__has(context, entity, id, context->row_words) != on);
    kin__flip(kin__chunk_of_slot(context, slot), kin__column_of(context, slot, id), id, context->row_words,
              slot % KIN__CHUNK_SLOTS);
    context->components[id].changes++;
    if (context->core->watches[id].side_effects != 0)
        make_side_effects(context, step, on);
}

// Updates all that other entities find the entity by.
static void update_links(kin_context *context, const kin__step *step)
{
    kin__indices_update(context, step);
    if (context->core->relations != NULL)
        kin__relations_update(context, step);
}

static void write_addition(kin_context *context, const kin__step *step, const kin__value_storage *storage)
{
    uint32_t slot = kin_entity_slot(step->entity);
    update_links(context, step);
    toggle(context, step, true);
    kin__value_write(context, slot, step->id, storage);
    if (context->core->stashed > 0)
        kin__stash_discard(context, slot, step->id);
    if (kin__is_watched(context, step->entity, step->id))
        kin__notify_added(context, step->entity, step->id, step->value);
}

static void write_replacement(kin_context *context, const kin__step *step, const kin__value_storage *storage)
{
    uint32_t slot = kin_entity_slot(step->entity);
    bool watched = kin__is_watched(context, step->entity, step->id);
    const void *previous = watched ? kin__value_keep(context, slot, step->id) : NULL;
    if (kin__is_noted(context, step->id))
        kin__note_change(context, step->entity, step->id, KIN_RECORD_REPLACED, step->value);
    update_links(context, step);
    kin__value_replace(context, slot, step->id, storage);
    if (watched)
        kin__notify_replaced(context, step->entity, step->id, previous, step->value);
    kin__owned_settle(context);
}

void kin__change_overwrite(kin_context *context, const kin__step *step)
{
    uint32_t slot = kin_entity_slot(step->entity);
    bool watched = kin__is_watched(context, step->entity, step->id);
    const void *previous = watched ? kin__value_keep(context, slot, step->id) : NULL;
    KIN_ASSERT(step->kind == KIN__STEP_REPLACE && kin__dispatch_may_nest(context));
    if (kin__is_noted(context, step->id))
        kin__note_change(context, step->entity, step->id, KIN_RECORD_REPLACED, step->value);
    update_links(context, step);
    kin__value_overwrite(context, slot, step->id, step->value);
    if (watched)
        kin__notify_replaced(context, step->entity, step->id, previous, step->value);
}

static void write_removal(kin_context *context, const kin__step *step, bool stashes)
{
    kin_component_id id = step->id;
    uint32_t slot = kin_entity_slot(step->entity);
    update_links(context, step);
    bool watched = kin__is_watched(context, step->entity, id);
    const void *previous = watched ? kin__value_keep(context, slot, id) : NULL;
    toggle(context, step, false);
    if ((!watched && !stashes) || !kin__last_value_save(context, slot, id))
        kin__value_drop(context, slot, id);
    if (stashes)
        kin__stash_add(context, slot, id);
    if (watched)
        kin__notify_removed(context, step->entity, id, previous);
    kin__last_value_settle(context, slot, id);
    kin__owned_settle(context);
}

void kin__change_write(kin_context *context, const kin__step *step, const kin__value_storage *storage)
{
    KIN_ASSERT(kin__chunk_of(context, step->entity) != NULL && kin__dispatch_may_nest(context));
    if (step->kind == KIN__STEP_REMOVE) {
        write_removal(context, step, false);
    } else {
        kin__step written = {step->kind, step->entity, step->id, storage->value};
        if (step->kind == KIN__STEP_ADD)
            write_addition(context, &written, storage);
        else
            write_replacement(context, &written, storage);
    }
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(step->entity)));
}

void kin__change_write_stash(kin_context *context, const kin__step *step)
{
    KIN_ASSERT(step->kind == KIN__STEP_REMOVE && kin__last_values_of(context, step->id) != NULL);
    write_removal(context, step, true);
    KIN_VALIDATE(kin__slot_is_valid(context, kin_entity_slot(step->entity)));
}

// ---- all of it

kin_status kin__change_make(kin_context *context, const kin__step *step)
{
    kin__value_storage storage;
    kin_status status = kin__change_check(context, step);
    if (status != KIN_OK)
        return status;
    if (!kin__change_reserve(context, kin_entity_slot(step->entity), step, &storage))
        return KIN_ERROR_NO_MEMORY;
    kin__change_write(context, step, &storage);
    return KIN_OK;
}

// Listeners leave the depth of nesting as it was, so that a step that was checked is never refused for it here.
kin_status kin__change_commit(kin_context *context, const kin__step *step, const kin__value_storage *storage,
                              uint64_t epoch)
{
    if (epoch != context->core->dispatch.epoch)
        return KIN_ERROR_NOT_ALIVE;
    kin_status status = kin__change_check(context, step);
    KIN_ASSERT(status != KIN_ERROR_LIMIT);
    if (status != KIN_OK)
        return status;
    uint32_t slot = kin_entity_slot(step->entity);
    if (!(step->kind == KIN__STEP_ADD ? kin__change_reserve_entries(context, slot, step->id, 1)
                                      : kin__indices_reserve_replacement(context, slot, step->id)))
        return KIN_ERROR_NO_MEMORY;
    kin__change_write(context, step, storage);
    return KIN_OK;
}

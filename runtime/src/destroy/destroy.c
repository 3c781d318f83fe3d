#include "destroy/destroy.h"

#include "base/base.h"
#include "change/stash.h"
#include "lookup/lookup.h"
#include "notify/notify.h"
#include "store/store.h"

// Calls `visit` for each component of the removed row, which the dispatch keeps.
static void visit_lost(kin_context *context, uint32_t slot,
                       void (*visit)(kin_context *context, uint32_t slot, kin_component_id id))
{
    const uint64_t *lost = kin__dispatch_row(context);
    for (uint32_t word = 0; word < context->row_words; word++)
        for (uint64_t bits = lost[word]; bits != 0; bits &= bits - 1)
            visit(context, slot, (kin_component_id)(word * 64 + kin__lowest_bit(bits)));
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

// Moves the row to the dispatch and clears the entity's bits in the columns. Returns 0 if no component has watchers.
static uint32_t clear_components(kin_context *context, kin__chunk *chunk, uint32_t place)
{
    kin__column *const *columns = kin__chunk_columns(chunk, context->row_words);
    uint64_t *row = kin__chunk_row(chunk, context->row_words, place), *lost = kin__dispatch_row(context);
    uint32_t watchers = 0;
    for (uint32_t word = 0; word < context->row_words; word++) {
        lost[word] = row[word];
        for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
            uint32_t id = word * 64 + kin__lowest_bit(bits);
            KIN_ASSERT(kin__column_has(columns[id], place));
            kin__bits_flip(columns[id]->has, place);
            context->components[id].changes++;
            watchers |= context->components[id].watchers;
        }
        row[word] = 0;
    }
    return watchers;
}

// Frees carriers and keys, then notifies, then drops the values.
static void destroy_watched(kin_context *context, kin_entity entity)
{
    uint32_t slot = kin_entity_slot(entity);
    KIN_ASSERT(kin__chunk_of(context, entity) == NULL);
    visit_lost(context, slot, make_side_effects);
    kin__indices_remove_entity(context, entity, kin__dispatch_row(context));
    kin__notify_destroyed(context, entity);
    visit_lost(context, slot, drop_value);
    kin__stash_discard_all(context, slot);
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
    uint32_t watchers = clear_components(context, chunk, slot % KIN__CHUNK_SLOTS);
    if ((watchers | core->alive->watchers | core->events.destroy_subscribers) != 0) {
        if (core->tool_journal != NULL)
            kin__note_destroyed(context, entity, kin__dispatch_row(context));
        destroy_watched(context, entity);
    }
    kin__slot_free(context, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
}

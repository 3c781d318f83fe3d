#include "change/destroy_collected.h"

#include "base/assertion.h"
#include "collect/gather.h"
#include "notify/watch.h"
#include "storage/chunk.h"
#include "storage/pool.h"
#include "storage/slot.h"

static bool only_collectors_watch(const kin_context *context, const uint64_t *row)
{
    for (uint32_t word = 0; word < context->row_words; word++)
        for (uint64_t bits = row[word] & context->watched[word]; bits != 0; bits &= bits - 1)
            if (!kin__only_collectors_watch(context, word * 64 + kin__lowest_bit(bits)))
                return false;
    return true;
}

// A group that contained the entity is visited for each component that it names; its collectors collect once.
static void gather(const kin_context *context, const uint64_t *row, kin_entity entity)
{
    for (uint32_t word = 0; word < context->row_words; word++)
        for (uint64_t bits = row[word] & context->watched[word]; bits != 0; bits &= bits - 1)
            kin__gather_members(context, (kin_component_id)(word * 64 + kin__lowest_bit(bits)), row,
                                KIN__EVENT_REMOVED | KIN__EVENT_LOST, entity);
}

static void clear_components(kin_context *context, kin__chunk *chunk, uint64_t *row, uint32_t place)
{
    kin__column *const *columns = kin__chunk_columns(chunk, context->row_words);
    for (uint32_t word = 0; word < context->row_words; word++) {
        for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
            uint32_t id = word * 64 + kin__lowest_bit(bits);
            KIN_ASSERT(kin__column_has(columns[id], place));
            kin__bits_flip(columns[id]->has, place);
            context->components[id].changes++;
        }
        row[word] = 0;
    }
}

bool kin__entity_destroy_collected(kin_context *context, kin_entity entity, uint32_t subscribers)
{
    kin__core *core = context->core;
    uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS;
    kin__chunk *chunk = kin__chunk_of_slot(context, slot);
    uint64_t *row = kin__chunk_row(chunk, context->row_words, place);
    subscribers |= core->alive->watchers | core->listeners.count | core->slots.about_to_be_destroyed;
    if (subscribers != 0 || !only_collectors_watch(context, row))
        return false;
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk);
    kin__chunk_mark_dead(context, chunk, slot);
    gather(context, row, entity);
    clear_components(context, chunk, row, place);
    core->slots.pending++;
    kin__slot_free(context, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
    return true;
}

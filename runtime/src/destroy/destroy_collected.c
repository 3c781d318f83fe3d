#include "destroy/destroy_collected.h"

#include "base/base.h"
#include "notify/notify.h"
#include "destroy/silent.h"
#include "store/store.h"

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

static inline void clear_components(kin_context *context, kin__chunk *chunk, uint64_t *row, uint32_t row_words,
                                    uint32_t place)
{
    kin__column *const *columns = kin__chunk_columns(chunk, row_words);
    for (uint32_t word = 0; word < row_words; word++) {
        for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1) {
            uint32_t id = word * 64 + kin__lowest_bit(bits);
            KIN_ASSERT(kin__column_has(columns[id], place));
            columns[id]->has[place / 64] ^= (uint64_t)1 << (place % 64);
            kin__component_of(context, id)->changes++;
        }
        row[word] = 0;
    }
}

// `row_words` is a constant where it is 1, as for most contexts.
static inline bool destroy(kin_context *context, kin__chunk *chunk, kin_entity entity, uint32_t row_words)
{
    uint32_t slot = kin_entity_slot(entity), place = slot % KIN__CHUNK_SLOTS;
    uint64_t *row = kin__chunk_row(chunk, row_words, place);
    KIN_ASSERT(kin__chunk_of(context, entity) == chunk && context->row_words == row_words);
    if (!only_collectors_watch(context, row, row_words))
        return false;
    kin__chunk_mark_dead(context, chunk, slot);
    gather(context, row, row_words, entity);
    clear_components(context, chunk, row, row_words, place);
    context->core->slots.pending++;
    kin__slot_free(context, entity);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
    return true;
}

bool kin__entity_destroy_collected(kin_context *context, kin_entity entity, uint32_t subscribers)
{
    const kin__core *core = context->core;
    kin__chunk *chunk = kin__chunk_of_slot(context, kin_entity_slot(entity));
    subscribers |= core->alive->watchers | core->listeners.count | core->slots.about_to_be_destroyed;
    if (subscribers != 0)
        return false;
    return context->row_words == 1 ? destroy(context, chunk, entity, 1)
                                   : destroy(context, chunk, entity, context->row_words);
}

kin_status kin__entity_destroy_unwatched(kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_of_slot(context, kin_entity_slot(entity));
    if (kin__is_held(context, kin_entity_slot(entity)))
        destroy(context, chunk, entity, 1);
    else
        kin__entity_destroy_silently(context, chunk, entity);
    return KIN_OK;
}

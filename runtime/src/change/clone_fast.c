// Clones where nothing is notified (fast.h): a clone is then its bits and its values. Calls clone.c for everything
// else, also for contexts of more than 64 components.

#include "base/assertion.h"
#include "base/copy.h"
#include "change/entity.h"
#include "notify/dispatch.h"
#include "storage/chunk.h"
#include "storage/payload.h"
#include "storage/slot.h"
#include "storage/value.h"

// The place of an entity that exists or is about to.
typedef struct spot {
    kin__chunk *chunk;
    uint32_t place;
} spot;

static inline spot spot_of(const kin_context *context, uint32_t slot)
{
    return (spot){kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS};
}

static inline uint64_t row_of(spot spot)
{
    return *kin__chunk_row(spot.chunk, 1, spot.place);
}

// A component with subscribers, or to which fast.h does not apply for another reason, is in the row `watched`.
static inline bool is_fast(const kin_context *context, uint64_t row, spot to)
{
    uint64_t other = context->watched[0] | context->core->soa_row[0] | ~*kin__chunk_present(to.chunk, 1);
    return (row & other) == 0 && context->core->alive->watchers == 0 &&
           context->next_creation_index < context->fast_end;
}

// Looks everything up once: for the compiler, each write may alias what is looked up.
static inline void copy_components(kin_context *context, spot from, spot to)
{
    const kin__watch *watches = context->core->watches;
    kin__column *const *sources = kin__chunk_columns(from.chunk, 1), *const *columns = kin__chunk_columns(to.chunk, 1);
    uint64_t word = to.place / 64, bit = (uint64_t)1 << (to.place % 64);
    for (uint64_t bits = row_of(from); bits != 0; bits &= bits - 1) {
        uint32_t id = kin__lowest_bit(bits), size = watches[id].size;
        KIN_ASSERT(columns[id] != context->empty && !kin__column_has(columns[id], to.place));
        columns[id]->has[word] |= bit;
        kin__component_of(context, id)->changes++;
        if (size > 0)
            kin__value_copy(kin__column_value(columns[id], to.place, size),
                            kin__column_value(sources[id], from.place, size), size);
    }
}

kin_entity kin__entity_clone_fast(kin_context *context, kin_entity source)
{
    kin__chunk *chunk = kin__chunk_of(context, source);
    uint32_t slot = chunk == NULL ? KIN__NO_SLOT : kin__pool_next(chunk->pool);
    if (slot == KIN__NO_SLOT || context->row_words != 1)
        return kin__entity_clone(context, source);
    spot from = {chunk, kin_entity_slot(source) % KIN__CHUNK_SLOTS}, to = spot_of(context, slot);
    if (!is_fast(context, row_of(from), to))
        return kin__entity_clone(context, source);
    kin_entity made = kin__slot_take(context, chunk->pool, slot, 1);
    *kin__chunk_row(to.chunk, 1, to.place) = row_of(from);
    copy_components(context, from, to);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
    return made;
}

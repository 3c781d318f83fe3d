// Clones where nothing is notified (fast.h): a clone is then its bits and its values. Calls clone.c for everything
// else, also for contexts of more than 64 components.

#include "base/base.h"
#include "create/clone_list.h"
#include "create/entity.h"
#include "store/store.h"

#include <string.h>

// The place of an entity that exists or is about to.
typedef struct spot {
    kin__chunk *chunk;
    uint32_t place;
} spot;

static inline spot spot_of(const kin_context *context, uint32_t slot)
{
    return (spot){kin__chunk_of_slot(context, slot), slot % KIN__CHUNK_SLOTS};
}

// A component with subscribers, or to which fast.h does not apply for another reason, is in the row `watched`.
static inline bool is_fast(const kin_context *context, uint64_t row, uint32_t slot)
{
    return slot != KIN__NO_SLOT && context->core->alive->watchers == 0 &&
           context->next_creation_index < context->fast_end &&
           (row & (context->watched[0] | ~*kin__chunk_present(kin__chunk_at(context, slot), 1))) == 0;
}

// Most values have 4 or 8 to 16 bytes: the latter are two words, which overlap if the value has less than 16.
static inline void copy_value(char *to, const char *from, size_t size)
{
    uint64_t first, last;
    if (size == 4) {
        memcpy(to, from, 4);
    } else if (size - 8 <= 8) {
        memcpy(&first, from, 8);
        memcpy(&last, from + size - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + size - 8, &last, 8);
    } else if (size > 0)
        memcpy(to, from, size);
}

// Looks everything up once: for the compiler, each write may alias what is looked up.
static inline void copy_components(kin_context *context, spot from, spot to)
{
    const kin__clone_list *list = &context->core->clone_list;
    kin__column *const *sources = kin__chunk_columns(from.chunk, 1), *const *columns = kin__chunk_columns(to.chunk, 1);
    uint64_t word = to.place / 64, bit = (uint64_t)1 << (to.place % 64);
    for (const kin__clone_part *part = list->parts, *end = part + list->count; part < end; part++) {
        size_t id = part->id, size = part->size;
        kin__column *column = columns[id];
        KIN_ASSERT(column != context->empty && !kin__column_has(column, to.place));
        column->has[word] |= bit;
        kin__component_of(context, (uint32_t)id)->changes++;
        copy_value(kin__column_value(column, to.place, size), kin__column_value(sources[id], from.place, size), size);
    }
}

kin_entity kin__entity_clone_fast(kin_context *context, kin_entity source)
{
    kin__chunk *chunk = kin__chunk_of(context, source);
    if (chunk == NULL || context->row_words != 1)
        return kin__entity_clone(context, source);
    spot from = {chunk, kin_entity_slot(source) % KIN__CHUNK_SLOTS};
    uint32_t slot = kin__pool_next(chunk->pool);
    uint64_t row = *kin__chunk_row(chunk, 1, from.place);
    if (!is_fast(context, row, slot) || (row != context->core->clone_list.row && !kin__clone_list_make(context, row)))
        return kin__entity_clone(context, source);
    spot to = spot_of(context, slot);
    kin_entity made = kin__slot_take(context, chunk->pool, slot, 1);
    *kin__chunk_row(to.chunk, 1, to.place) = row;
    copy_components(context, from, to);
    KIN_VALIDATE(kin__slot_is_valid(context, slot));
    return made;
}

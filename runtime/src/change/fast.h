// Plain: a change of a component that concerns bits, value and listeners alone, of an entity that is alive, made less
// deep than the limit of nesting: nothing is reserved for it and nothing can fail.
#ifndef KIN_SRC_FAST_H
#define KIN_SRC_FAST_H

#include "core/core.h"

typedef struct kin__fast_change {
    kin__chunk *chunk; // NULL: it cannot go the short way
    kin__column *column;
    kin__watch *watch;
    uint32_t place;
    bool has;
} kin__fast_change;

// Changes made here nest less deep than the limit, at which there is more to do.
static inline kin__fast_change kin__fast_change_of(const kin_context *context, kin_entity entity, kin_component_id id)
{
    const kin__core *core = context->core;
    kin__fast_change plain = {.watch = &core->watches[id], .place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS};
    if (!plain.watch->is_fast || context->depth + 1 >= KIN__MAX_DEPTH)
        return plain;
    plain.chunk = kin__chunk_of(context, entity);
    if (plain.chunk == NULL)
        return plain;
    plain.column = kin__chunk_columns(plain.chunk, context->row_words)[id];
    plain.has = kin__column_has(plain.column, plain.place);
    return plain;
}

static inline const uint64_t *kin__fast_change_row(const kin_context *context, const kin__fast_change *plain)
{
    return kin__chunk_row(plain->chunk, context->row_words, plain->place);
}

#endif

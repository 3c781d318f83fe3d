/// Blueprints, as generated code sees them. Not for users; it changes with the interface.
///
/// A blueprint has a number: its place in `blueprints` of the context's info, which is by name. Spawning one is inlined
/// where nobody has to be told and all is there that it needs; all else is the library's.
#ifndef KIN_GENERATED_BLUEPRINT_H
#define KIN_GENERATED_BLUEPRINT_H

#include <kin/generated/create.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__part {
    kin_component_id id;
    uint32_t size;     // bytes of a value; 0 of a flag
    const void *value; // NULL of a flag
} kin__part;

typedef struct kin__blueprint {
    kin__pool pool; // the slots of its entities
    uint32_t part_count;
    bool is_rich;           // a value of it owns something, or is boxed
    const kin__part *parts; // these three, and the values, lie in one block of `block_size` bytes
    const uint64_t *row;
    struct kin__item *items; // room for the values of two entities, while their keys are compared
    void *block;
    size_t block_size;
    const kin_blueprint_info *info;
} kin__blueprint;

// Entities that are spawned by one call. `values` has an array of `count` values for each part, NULL: the blueprint's;
// or is NULL itself. `entities` gets the handles, or zeros when the call is refused; it may be NULL.
typedef struct kin__batch {
    uint32_t count;
    const void *const *values;
    kin_entity *entities;
} kin__batch;

// An entity with the blueprint's parts. 0 where it is refused.
KIN_API kin_entity kin__spawn(kin_context *context, uint32_t blueprint);

// The same `count` times, all or nothing: all steps are checked before the first, and when a listener makes one
// impossible, the entities made so far are destroyed. When refused, the caller owns all opaque values in `values`.
KIN_API kin_status kin__spawn_many(kin_context *context, uint32_t blueprint, const kin__batch *batch);

// Gives the entity the blueprint's parts, replacing what it has. When a listener makes one impossible, those before stay.
KIN_API kin_status kin__apply(kin_context *context, uint32_t blueprint, kin_entity entity);

// An entity that is being spawned.
typedef struct kin__birth {
    kin_entity entity; // 0: the library has to do it
    kin__chunk *chunk;
    const kin__part *parts;
    uint32_t place;
} kin__birth;

// Whether nobody has to be told of a new entity with such a row in the chunk, and all columns are there.
static inline bool kin__is_plain_row(const kin_context *context, const kin__chunk *chunk, const uint64_t *row,
                                     uint32_t row_words)
{
    const uint64_t *present = kin__chunk_present(chunk, row_words);
    uint64_t other = 0;
    for (uint32_t word = 0; word < row_words; word++)
        other |= row[word] & (context->watched[word] | ~present[word]);
    return other == 0;
}

// Makes an entity with the blueprint's row, whose parts come next: kin__birth_part. `component_count` as kin__create.
static inline kin__birth kin__birth_begin(kin_context *context, uint32_t number, uint32_t component_count,
                                          uint32_t row_words)
{
    kin__blueprint *blueprint = &context->blueprints[number];
    const uint64_t *row = blueprint->row;
    uint32_t slot = kin__pool_next(&blueprint->pool);
    kin__birth birth = {0, kin__chunk_at(context, slot), blueprint->parts, slot % KIN__CHUNK_SLOTS};
    if (slot == KIN__NO_SLOT || kin__component_of(context, component_count)->watchers != 0 ||
        context->next_creation_index >= context->fast_end || !kin__is_plain_row(context, birth.chunk, row, row_words))
        return birth;
    birth.entity = kin__slot_take(context, &blueprint->pool, row_words);
    for (uint32_t word = 0; word < row_words; word++)
        kin__chunk_row(birth.chunk, row_words, birth.place)[word] = row[word];
    return birth;
}

// Sets the bit of a component's column and returns the place for its value, whose bytes are `size`.
static inline void *kin__birth_part(kin_context *context, const kin__birth *birth, kin_component_id id,
                                    uint32_t row_words, size_t size)
{
    kin__column *column = kin__chunk_columns(birth->chunk, row_words)[id];
    column->has[birth->place / 64] |= (uint64_t)1 << (birth->place % 64);
    kin__component_of(context, id)->changes++;
    return kin__column_value(column, birth->place, size);
}

KIN_END_DECLARATIONS

#endif

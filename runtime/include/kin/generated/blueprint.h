/// Blueprints, for generated code only. Changes with the interface version.
///
/// The number of a blueprint is its index in `blueprints` of the context's info, which is sorted by name. Spawning is
/// inlined if there are no subscribers to notify and all columns exist; the library does the other cases.
#ifndef KIN_GENERATED_BLUEPRINT_H
#define KIN_GENERATED_BLUEPRINT_H

#include <kin/generated/create.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__part {
    kin_component_id id;
    uint32_t size;     // bytes of the value; 0 for a flag
    const void *value; // NULL for a flag
} kin__part;

typedef struct kin__blueprint {
    kin__pool pool; // the slots of its entities
    uint32_t part_count;
    bool is_rich;           // one of its values owns memory or is boxed
    const kin__part *parts; // these three and the values share one block of `block_size` bytes
    const uint64_t *row;
    struct kin__item *items; // room for the values of two entities, to compare their keys
    void *block;
    size_t block_size;
    const kin_blueprint_info *info;
} kin__blueprint;

// Entities that one call spawns. `values` has an array of `count` values for each part; a NULL array, or `values`
// itself NULL, selects the blueprint's values. `entities` receives the handles, or zeros on failure; it may be NULL.
typedef struct kin__batch {
    uint32_t count;
    const void *const *values;
    kin_entity *entities;
} kin__batch;

// Creates an entity with the components of the blueprint. Returns 0 on failure.
KIN_API kin_entity kin__spawn(kin_context *context, uint32_t blueprint);

// Spawns `count` entities, all or none: all steps are checked before the first, and when a listener makes a step
// impossible, the entities created so far are destroyed. On failure the caller owns all opaque values in `values`.
KIN_API kin_status kin__spawn_many(kin_context *context, uint32_t blueprint, const kin__batch *batch);

// Adds the components of the blueprint to the entity and replaces those that it has. When a listener makes a step
// impossible, the earlier steps stay done.
KIN_API kin_status kin__apply(kin_context *context, uint32_t blueprint, kin_entity entity);

// A spawn in progress.
typedef struct kin__birth {
    kin_entity entity; // 0: call the library instead
    kin__chunk *chunk;
    const kin__part *parts;
    uint32_t place;
} kin__birth;

// Returns whether no component of the row is watched, and the chunk has a column for each.
static inline bool kin__is_plain_row(const kin_context *context, const kin__chunk *chunk, const uint64_t *row,
                                     uint32_t row_words)
{
    const uint64_t *present = kin__chunk_present(chunk, row_words);
    uint64_t other = 0;
    for (uint32_t word = 0; word < row_words; word++)
        other |= row[word] & (context->watched[word] | ~present[word]);
    return other == 0;
}

// Creates an entity with the row of the blueprint. The caller then writes its values with kin__birth_part.
// `component_count` as for kin__create.
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

// Sets the entity's bit in the column of a component and returns the address for its value of `size` bytes.
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

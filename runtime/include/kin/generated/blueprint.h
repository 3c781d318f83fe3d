/// Blueprints, for generated code only. May change with each KIN_INTERFACE_VERSION.
///
/// The number of a blueprint is its index in `blueprints` of the context's info, which is sorted by name. Spawning is
/// inlined if there are no subscribers to notify and all columns exist; the library does the other cases.
#ifndef KIN_INTERNAL_BLUEPRINT_H
#define KIN_INTERNAL_BLUEPRINT_H

#include <kin/generated/create.h>
#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__part {
    kin_component_id id;
    uint32_t size;     // bytes of the value; 0 for a flag
    const void *value; // NULL for a flag
} kin__part;

typedef struct kin__blueprint {
    kin__pool pool; // the slots of its entities
    uint32_t part_count;
    uint32_t watchers;      // number of reasons why a spawn needs the library; 0: spawned inline
    bool is_rich;           // one of its values owns memory or is boxed
    uint32_t owners;        // the watchers that are parts whose values need memory, and nothing else
    const kin__part *parts; // parts, row, items and the values are in one allocation of `block_size` bytes
    const uint64_t *row;
    struct kin__item *items; // room for the values of two entities, to compare their keys
    void *block;
    size_t block_size;
    const kin_blueprint_info *info;
    struct kin__blueprint_tree *tree; // the entities that it spawns; NULL without children
    const kin_child_info *child;      // of a child: its table
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

// Does the same with values of the caller: one for each part, NULL for the blueprint's. On failure the caller keeps
// ownership of their opaque values.
KIN_API kin_entity kin__spawn_with(kin_context *context, uint32_t blueprint, const void *const *values);

// Spawns `count` entities or none. Checks all of them before it creates the first. If a listener then makes a spawn
// fail, destroys the entities created so far. On failure the caller keeps ownership of all opaque values in `values`.
KIN_API kin_status kin__spawn_many(kin_context *context, uint32_t blueprint, const kin__batch *batch);

// Do the same for a blueprint with children: spawn the entity, then all entities below it. kin__spawn_tree writes all,
// depth first, to `entities`, which may be NULL: zeros on failure. kin__spawn_trees writes the first entity of each.
KIN_API kin_entity kin__spawn_tree(kin_context *context, uint32_t blueprint, const void *const *values,
                                   kin_entity *entities);
KIN_API kin_status kin__spawn_trees(kin_context *context, uint32_t blueprint, const kin__batch *batch);

// In checked builds, counts the objects of C++ that have a subscription: a context that ends before them reports it.
KIN_API void kin__subscription_scope(kin_subscription subscription, bool begins);

// Creates an entity with the components of `parts`, in their order, or none. `values` has the value of each, NULL for a
// flag; the parts need their ids and sizes alone. No component may be listed twice. Returns 0 on failure: then the
// caller keeps ownership of the opaque values.
KIN_API kin_entity kin__create_with(kin_context *context, uint32_t count, const kin__part *parts,
                                    const void *const *values);

// Adds the components of the blueprint to the entity and replaces those that it has. If a listener makes a component
// fail, the components set before it stay set.
KIN_API kin_status kin__apply(kin_context *context, uint32_t blueprint, kin_entity entity);

// A spawn by the fast path that is in progress.
typedef struct kin__fast_spawn {
    kin_entity entity; // 0: the fast path does not apply; call kin__spawn
    kin__chunk *chunk;
    const kin__part *parts;
    uint32_t place;
} kin__fast_spawn;

// Returns whether the chunk has a column for each component of the row.
static inline bool kin__chunk_has_columns(const kin__chunk *chunk, const uint64_t *row, uint32_t row_words)
{
    const uint64_t *present = kin__chunk_present(chunk, row_words);
    uint64_t missing = 0;
    for (uint32_t word = 0; word < row_words; word++)
        missing |= row[word] & ~present[word];
    return missing == 0;
}

// Creates an entity with the row of the blueprint. The caller then writes its values with kin__fast_spawn_part.
// `component_count` is the context's, which is also the id of the pseudo component `alive`.
static inline kin__fast_spawn kin__fast_spawn_begin(kin_context *context, uint32_t number, uint32_t component_count,
                                                    uint32_t row_words)
{
    kin__blueprint *blueprint = &context->blueprints[number];
    const uint64_t *row = blueprint->row;
    uint32_t slot = kin__pool_next(&blueprint->pool);
    kin__fast_spawn spawned = {0, kin__chunk_at(context, slot), blueprint->parts, slot % KIN__CHUNK_SLOTS};
    if (slot == KIN__NO_SLOT || (kin__component_of(context, component_count)->watchers | blueprint->watchers) != 0 ||
        context->next_creation_index >= context->fast_end || !kin__chunk_has_columns(spawned.chunk, row, row_words))
        return spawned;
    spawned.entity = kin__slot_take(context, &blueprint->pool, slot, row_words);
    for (uint32_t word = 0; word < row_words; word++)
        kin__chunk_row(spawned.chunk, row_words, spawned.place)[word] = row[word];
    return spawned;
}

// Sets the entity's bit in the column of a component and returns the address for its value of `size` bytes.
static inline void *kin__fast_spawn_part(kin_context *context, const kin__fast_spawn *spawned, kin_component_id id,
                                         uint32_t row_words, size_t size)
{
    kin__column *column = kin__chunk_columns(spawned->chunk, row_words)[id];
    column->has[spawned->place / 64] |= (uint64_t)1 << (spawned->place % 64);
    kin__component_of(context, id)->changes++;
    return kin__column_value(column, spawned->place, size);
}

KIN_END_DECLARATIONS

#endif

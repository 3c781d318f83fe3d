/// The storage of a context and the inline accessors, for generated code only. Changes with the interface version.
///
///   context → chunks[]               512 slots each, never moved, never renumbered
///     chunk   ids[512]               the handle of the living entity in each slot, or 0
///             alive[8]               one bit for each slot: it has a living entity
///             rows[512 × words]      one bit for each component: the entity of the slot has it; then one more row:
///                                    the component has a column in this chunk
///             columns[components]    the column of each component, or the shared empty column
///   context → components[]
///     component columns[]            the same columns, by chunk
///       column  has[8]               one bit for each slot: its entity has the component
///               values[512]          directly after `has`; the place of a clear bit is unused.
///                                    Boxed component: pointers to the values, or to spare values.
///                                    One array for each field: 512 values of the first field, then 512 of the
///                                    second and so on, without padding in between
///               owned blocks[512]    only for a component with strings or opaque values: what each value owns
///
/// The place of a slot is its index in its chunk. A value is found by chunk, column and place, without a table in
/// between, and no operation moves a value. A chunk is one block of memory: the struct, its rows, then its column
/// pointers. The number of words of a row is known at compile time, so each part is at a constant offset.
///
/// Columns are found in two ways, as bits are. What changes an entity has its chunk at hand, and finds the columns
/// there. What reads a component over many entities finds them by component, one after the other in memory: with a
/// million entities, loops then take 0.9 of the time (f), with small values half of it (h), and `get` at random 0.85.
///
/// The accessors inline the fast path: the entity is alive, the component is not watched, and its column exists. For
/// all other cases, errors included, they call the library's function for the same operation.
#ifndef KIN_INTERNAL_STORAGE_H
#define KIN_INTERNAL_STORAGE_H

#include <kin/group.h>
#include <kin/snapshot.h>

KIN_BEGIN_DECLARATIONS

enum {
    KIN__CHUNK_SLOTS = 512,                   // a power of two; one cache line of bits
    KIN__CHUNK_WORDS = KIN__CHUNK_SLOTS / 64, // words with one bit for each slot
    KIN__NO_SLOT = 1 << 24                    // the end of the list of free slots
};

typedef struct kin__column {
    uint64_t has[KIN__CHUNK_WORDS];
} kin__column;

typedef struct kin__chunk {
    kin_entity ids[KIN__CHUNK_SLOTS]; // when slot 0 of the context is free it has 1, so that handle 0 finds no entity
    uint64_t alive[KIN__CHUNK_WORDS];
    uint32_t *holders; // counted holds, which keep each slot from reuse; NULL before the
                       // context's first holder. With fast_retain followed by 512 more: those that retain has counted
    struct kin__subscriber_list *subscriber_lists; // of each slot's entity; NULL before the first one in the chunk
    struct kin__pool *pool;                        // the pool that the slots belong to; set when it takes the chunk
} kin__chunk;

// The slots for entities of one blueprint, or for all entities without a blueprint. Free slots are linked through the
// first words of their rows and are taken first, then the unused slots of the newest chunk in ascending order.
typedef struct kin__pool {
    uint32_t free_slot;                // the slot freed last; KIN__NO_SLOT: none is free
    uint32_t fresh, fresh_end;         // unused slots: from fresh to before fresh_end
    uint64_t usable[KIN__CHUNK_WORDS]; // of the same chunk after fresh_end: unused slots; none when fresh_end ends it
} kin__pool;

// `columns` has the component's column in each chunk that exists. `changes` counts additions and removals of the
// component: what was computed from its bits is valid while it does not change. `watchers` is not 0 when a change may
// have to notify a subscriber. `plain_size` is for access by id: the bytes of a value that is stored as one struct in
// its column; 0: a flag, boxed or soa. `replace_path` selects how the component is replaced: 0 without subscribers;
// otherwise see direct.h.
typedef struct kin__component {
    kin__column **columns;
    uint64_t changes;
    uint32_t watchers;
    uint32_t plain_size;
    uintptr_t replace_path;
} kin__component;

typedef struct kin__core kin__core;
typedef struct kin__table kin__table;

struct kin_context {
    kin__chunk **chunks; // a power of two entries; unused ones are the first chunk, or a placeholder without entities
    uint32_t chunk_mask; // number of entries minus one
    uint32_t chunk_count;
    uint32_t inline_chunks;     // the chunks that inlined loops may visit: chunk_count; 0 in checked builds, where the
                                // library makes each step, and checks the columns
    uint32_t row_words;         // words of a row: one for each 64 components, at least one
    uint32_t depth;             // nesting of changes: each is made inside a listener of the one around it
    bool unsettled;             // kin__settle has work to do after the outermost listener
    kin__component *components; // by id, then the pseudo component `alive`; located directly after this struct
    uint64_t *watched;          // a row: the components that have watchers
    const kin__column *empty;   // the shared empty column, where a chunk has none
    kin_group **groups;         // the declared groups, by name
    kin_entity *carriers;       // by component: the entity that has a unique component, or 0
    kin__table *tables;         // the tables of the indices, by number
    const kin_context_info *info;
    kin__core *core; // private to the library

    uint64_t next_creation_index;
    uint64_t fast_end;                 // below this creation index no limit can be reached
    kin__pool pool;                    // for entities without a blueprint
    struct kin__blueprint *blueprints; // by name, then those of the children, which have no slots
    struct kin__relation *relations;   // in order of component; NULL: the schema has none
};

// In the struct of a generated context the components follow the base, then the members of the groups.
static inline kin__component *kin__component_of(const kin_context *context, uint32_t id)
{
    return (kin__component *)((uintptr_t)context + sizeof(kin_context)) + id;
}

// Returns the column of a component in the chunk with a number, or the shared empty column. Does not read the chunk.
static inline kin__column *kin__chunk_column(const kin_context *context, uint64_t number, uint32_t id)
{
    return kin__component_of(context, id)->columns[number];
}

// The library's functions of the accessors. Each checks everything and reports errors.
KIN_API kin_status kin__component_add_fast(kin_context *context, kin_entity entity, kin_component_id id,
                                           const void *value);
KIN_API kin_status kin__component_replace_fast(kin_context *context, kin_entity entity, kin_component_id id,
                                               const void *value);
KIN_API kin_status kin__component_remove_fast(kin_context *context, kin_entity entity, kin_component_id id);
KIN_API kin_status kin__component_touch(kin_context *context, kin_entity entity, kin_component_id id);

// Removes the component and adds it again. `value` may be the current value, or share strings and opaque values with
// it. When a listener of the removal makes the addition impossible, the component stays removed and the caller owns
// `value`.
KIN_API kin_status kin__component_readd(kin_context *context, kin_entity entity, kin_component_id id,
                                        const void *value);

// Stashes the value, and restores it. On failure the value stays where it is.
KIN_API kin_status kin__component_stash(kin_context *context, kin_entity entity, kin_component_id id);
KIN_API kin_status kin__component_restore(kin_context *context, kin_entity entity, kin_component_id id);
KIN_API bool kin__component_has_stashed(const kin_context *context, kin_entity entity, kin_component_id id);

// `size` is the size of the generated context's struct, which begins with a kin_context. NULL on failure, already
// reported.
KIN_API kin_context *kin__context_create(const kin_context_info *info, const kin_context_options *options, size_t size);
KIN_API void kin__context_destroy(kin_context *context);
// Returns whether the context may be destroyed now: not inside its own listeners and systems. Reports an error if not.
KIN_API bool kin__context_may_end(const kin_context *context);
KIN_API kin_status kin__context_reset(kin_context *context);
KIN_API kin_status kin__context_save(kin_context *context, kin_snapshot **snapshot);
KIN_API kin_status kin__context_restore(kin_context *context, const kin_snapshot *snapshot, kin_restore_mode mode);
KIN_API kin_status kin__context_merge(kin_context *context, const kin_snapshot *snapshot, kin_entity *entities);
// Compares a chunk of 512 slots of one context of two snapshots, as kin_snapshot_compare does: for a tool that compares
// in steps. Both snapshots have the tables `context`, or not the context.
KIN_API uint64_t kin__snapshot_compare_chunk(const kin_snapshot *before, const kin_snapshot *after,
                                             const kin_context_info *context, uint32_t chunk,
                                             kin_difference_visitor *visit, void *user);
// `contexts` are all contexts of a package, in order of name.
KIN_API kin_status kin__contexts_merge(kin_context *const *contexts, uint32_t count, const kin_snapshot *snapshot);

KIN_API kin_entity kin__entity_create(kin_context *context);
KIN_API kin_status kin__entity_destroy_fast(kin_context *context, kin_entity entity);
KIN_API kin_status kin__entity_destroy_all(kin_context *context);
KIN_API kin_entity kin__entity_clone_fast(kin_context *context, kin_entity source);
KIN_API kin_status kin__entity_clear(kin_context *context, kin_entity entity);
KIN_API kin_status kin__entity_retain(kin_context *context, kin_entity entity, const void *owner);
KIN_API kin_status kin__entity_release(kin_context *context, kin_entity entity, const void *owner);
KIN_API uint32_t kin__entity_count(const kin_context *context);
KIN_API const kin_entity *kin__entities(kin_context *context, uint32_t *count);

// Unique components; queries are generated. `value` is NULL for a flag. On failure they return 0 or an error, and the
// caller owns the value.
KIN_API kin_entity kin__unique_set(kin_context *context, kin_component_id id, const void *value);
KIN_API kin_entity kin__unique_replace(kin_context *context, kin_component_id id, const void *value);
KIN_API kin_status kin__unique_remove(kin_context *context, kin_component_id id);
KIN_API kin_status kin__unique_switch(kin_context *context, kin_component_id id, bool on);

// A context of a package: its schema, and the bytes of the generated context.
typedef struct kin__context_kind {
    const kin_context_info *info;
    size_t size;
} kin__context_kind;

// Creates one context of each kind with the same options, or none. Returns the struct of a package's contexts, with a
// pointer for each kind; NULL when one of them cannot be created, which is reported.
KIN_API void *kin__contexts_create(const kin__context_kind *kinds, uint32_t count, const kin_context_options *options);

// Destroys all contexts of such a struct, and the struct. NULL is allowed. If one of them cannot be destroyed now,
// reports the error and destroys none.
KIN_API void kin__contexts_destroy(void *contexts, uint32_t count);

// Resets all contexts of such a struct. Returns the last status that is not KIN_OK.
KIN_API kin_status kin__contexts_reset(void *contexts, uint32_t count);

// Returns the number of the chunk of an entity's slot, or any number of an entry of context.chunks when the slot does
// not exist.
static inline uint32_t kin__chunk_number(const kin_context *context, kin_entity entity)
{
    return (uint32_t)entity / KIN__CHUNK_SLOTS & context->chunk_mask;
}

static inline kin__chunk *kin__chunk_at(const kin_context *context, kin_entity entity)
{
    return context->chunks[kin__chunk_number(context, entity)];
}

// Returns whether the entity is alive; `chunk` is that of kin__chunk_at.
static inline bool kin__chunk_has_entity(const kin__chunk *chunk, kin_entity entity)
{
    return chunk->ids[entity % KIN__CHUNK_SLOTS] == entity;
}

// Returns the chunk of a living entity; NULL for any other handle. Some compilers test the result again where it is
// inlined: the hottest accessors call kin__chunk_has_entity.
static inline kin__chunk *kin__chunk_of(const kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_at(context, entity);
    return kin__chunk_has_entity(chunk, entity) ? chunk : NULL;
}

static inline uint64_t *kin__chunk_row(const kin__chunk *chunk, uint32_t row_words, uint32_t place)
{
    return (uint64_t *)(uintptr_t)(chunk + 1) + (size_t)place * row_words;
}

// Returns the row with a bit for each component that has a column in the chunk.
static inline uint64_t *kin__chunk_present(const kin__chunk *chunk, uint32_t row_words)
{
    return kin__chunk_row(chunk, row_words, KIN__CHUNK_SLOTS);
}

// Returns the columns of a chunk, by component.
static inline kin__column **kin__chunk_columns(const kin__chunk *chunk, uint32_t row_words)
{
    return (kin__column **)(void *)(kin__chunk_present(chunk, row_words) + row_words);
}

static inline void *kin__column_value(const kin__column *column, uint32_t place, size_t size)
{
    return (char *)(uintptr_t)(column + 1) + place * size; // written so that compilers know that it is not NULL
}

static inline bool kin__column_has(const kin__column *column, uint32_t place)
{
    return (column->has[place / 64] >> (place % 64) & 1) != 0;
}

// Tests the row, as that needs no column: one load less than the column's bit, and fewer instructions.
static inline bool kin__chunk_has(const kin__chunk *chunk, kin_component_id id, uint32_t row_words, uint32_t place)
{
    return (kin__chunk_row(chunk, row_words, place)[id / 64] >> (id % 64) & 1) != 0;
}

static inline bool kin__has(const kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words)
{
    const kin__chunk *chunk = kin__chunk_at(context, entity);
    return kin__chunk_has_entity(chunk, entity) &&
           kin__chunk_has(chunk, id, row_words, kin_entity_slot(entity) % KIN__CHUNK_SLOTS);
}

// Returns the address of the value, or NULL when the entity is dead or lacks the component. `size` is the component's.
static inline void *kin__get(const kin_context *context, kin_entity entity, kin_component_id id, size_t size)
{
    const kin__chunk *chunk = kin__chunk_at(context, entity);
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    if (!kin__chunk_has_entity(chunk, entity))
        return NULL;
    const kin__column *column = kin__chunk_column(context, kin__chunk_number(context, entity), id);
    return kin__column_has(column, place) ? kin__column_value(column, place, size) : NULL;
}

// The same for a boxed component.
static inline void *kin__get_boxed(const kin_context *context, kin_entity entity, kin_component_id id)
{
    void *const *place = (void *const *)kin__get(context, entity, id, sizeof(void *));
    return place == NULL ? NULL : *place;
}

// The same when the caller guarantees that the entity is alive and has the component.
static inline void *kin__get_unchecked(const kin_context *context, kin_entity entity, kin_component_id id, size_t size)
{
    const kin__column *column = kin__chunk_column(context, kin__chunk_number(context, entity), id);
    return kin__column_value(column, kin_entity_slot(entity) % KIN__CHUNK_SLOTS, size);
}

// Inverts the component's bit in the row and in the column.
static inline void kin__flip(kin__chunk *chunk, kin__column *column, kin_component_id id, uint32_t row_words,
                             uint32_t place)
{
    kin__chunk_row(chunk, row_words, place)[id / 64] ^= (uint64_t)1 << (id % 64);
    column->has[place / 64] ^= (uint64_t)1 << (place % 64);
}

// Adds or removes a component if that takes no more than its bits: the component has no watchers, and the chunk has its
// column, as it has for each component that one of its entities has. Returns the column; or NULL, with nothing changed.
//
// The callers have tested the row, which each change reads and writes anyway. A test of the column's bit would wait
// for the change of the entity before, which in a loop over entities wrote the same word.
static inline kin__column *kin__flip_fast(kin_context *context, kin__chunk *chunk, kin_component_id id,
                                          uint32_t row_words, uint32_t place, bool adds)
{
    kin__column *column = kin__chunk_columns(chunk, row_words)[id];
    kin__component *component = kin__component_of(context, id);
    if (component->watchers != 0 || (adds && column == context->empty))
        return NULL;
    kin__flip(chunk, column, id, row_words, place);
    component->changes++;
    return column;
}

// Adds a component by the fast path and returns the address where the caller writes the value; not NULL for a flag,
// whose `size` is 0. Returns NULL, with nothing changed, when the caller must call kin__component_add_fast.
static inline void *kin__add_fast(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words,
                                  size_t size)
{
    kin__chunk *chunk = kin__chunk_at(context, entity);
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    if (!kin__chunk_has_entity(chunk, entity) || kin__chunk_has(chunk, id, row_words, place))
        return NULL;
    kin__column *column = kin__flip_fast(context, chunk, id, row_words, place, true);
    return column == NULL ? NULL : kin__column_value(column, place, size);
}

static inline kin_status kin__remove(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words)
{
    kin__chunk *chunk = kin__chunk_at(context, entity);
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    if (kin__chunk_has_entity(chunk, entity) && kin__chunk_has(chunk, id, row_words, place) &&
        kin__flip_fast(context, chunk, id, row_words, place, false) != NULL)
        return KIN_OK;
    return kin__component_remove_fast(context, entity, id);
}

static inline kin_status kin__touch(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words)
{
    if (kin__component_of(context, id)->watchers == 0 && kin__has(context, entity, id, row_words))
        return KIN_OK;
    return kin__component_touch(context, entity, id);
}

// Sets or clears a flag. Does nothing, and notifies nothing, when the flag already has that state.
static inline kin_status kin__set(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words,
                                  bool on)
{
    kin__chunk *chunk = kin__chunk_at(context, entity);
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    if (kin__chunk_has_entity(chunk, entity) && (kin__chunk_has(chunk, id, row_words, place) == on ||
                                                 kin__flip_fast(context, chunk, id, row_words, place, on) != NULL))
        return KIN_OK;
    return on ? kin__component_add_fast(context, entity, id, NULL) : kin__component_remove_fast(context, entity, id);
}

KIN_END_DECLARATIONS

#endif

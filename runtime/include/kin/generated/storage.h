/// Storage: what the accessors of generated code need to be inlined. Not for users; it changes with the interface.
///
///   context → chunks[]               512 slots each, never moved, never renumbered
///     chunk   ids[512]               the handle of the living entity in each slot, 0 when there is none
///             alive[8]               one bit a slot: it holds a living entity
///             rows[512 × words]      one bit a component: what the entity of the slot has; behind them a row with
///                                    those that have a column in this chunk
///             columns[components]    the column of each component, or the shared empty one
///       column  has[8]               one bit a slot: it has the component
///               values[512]          64 bytes behind `has`; a place without its bit holds nothing.
///                                    Of a boxed component: pointers to the values, and to a spare one where there
///                                    is none. With a column for each field: 512 values of the first field, then
///                                    those of the second and so on, without anything between them
///               parcels[512]         only of a component that owns strings or opaque values: what each value owns
///
/// A component is found by chunk, column and slot: there is no table in between, and no operation moves a value.
/// A chunk is one block of memory: the struct, then its rows, then its columns, so that with the number of row words
/// known at compile time each is at a constant offset.
///
/// The accessors do the plain case inline: the entity is alive, nobody watches the component and its column is there.
/// Everything else, errors too, is the same operation's function in the library.
#ifndef KIN_GENERATED_STORAGE_H
#define KIN_GENERATED_STORAGE_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

enum {
    KIN__CHUNK_SLOTS = 512,                   // a power of two; one cache line of bits
    KIN__CHUNK_WORDS = KIN__CHUNK_SLOTS / 64, // words of one bit a slot
    KIN__NO_SLOT = 1 << 24                    // the end of the list of free slots
};

typedef struct kin__column {
    uint64_t has[KIN__CHUNK_WORDS];
} kin__column;

typedef struct kin__chunk {
    kin_entity ids[KIN__CHUNK_SLOTS]; // slot 0 of the context holds 1 when free: the zero handle finds nobody
    uint64_t alive[KIN__CHUNK_WORDS];
    uint32_t *holders; // who keeps each slot from being used again; NULL before the first holder of the context;
                       // with fast_retain twice as many: behind them, which of those were counted by retain
    struct kin__subscriber_list
        *subscriber_lists;  // the listeners of each slot's entity; NULL before the first one in the chunk
    struct kin__pool *pool; // whose slots these are; set when it takes the chunk
} kin__chunk;

// The slots of entities of one kind: those of a blueprint, or all others. Those that were freed are a list through the
// first words of their rows; behind them come the ones of the newest chunk that were not used yet.
typedef struct kin__pool {
    uint32_t free_slot;                // the one freed last; KIN__NO_SLOT: none
    uint32_t fresh, fresh_end;         // not used yet: from the first to before the second
    uint64_t usable[KIN__CHUNK_WORDS]; // and of that chunk those behind fresh_end with a bit here, unless it ends there
} kin__pool;

// `changes` counts the entities that got or lost the component: what is worked out from its bits is kept until then.
// `watchers` is not 0 when somebody may have to be told of a change. `way` is how a replace goes: 0 when nobody minds,
// else see direct.h.
typedef struct kin__component {
    uint64_t changes;
    uint32_t watchers;
    uintptr_t replace_path;
} kin__component;

typedef struct kin__core kin__core;
typedef struct kin__table kin__table;

struct kin_context {
    kin__chunk **chunks; // a power of two of them; behind those that there are, the first one, or one of nobody
    uint32_t chunk_mask; // one less than that
    uint32_t chunk_count;
    uint32_t row_words;         // words of a row: one for each 64 components, at least one
    uint32_t depth;             // of changes being told, each within a listener of the one outside it
    bool unsettled;             // there is something left to be done once nothing is told any more
    kin__component *components; // by id, one more for being alive; they stand behind the context: kin__component_of
    uint64_t *watched;          // a row of those that have watchers
    const kin__column *empty;   // stands where a chunk has no column
    kin_group **groups;         // the declared ones, by name
    kin_entity *carriers;       // by component: of a unique one the entity that has it, else 0
    kin__table *tables;         // of the indices, by number
    const kin_context_info *info;
    kin__core *core; // what only the library needs

    uint64_t next_creation_index;
    uint64_t fast_end;                 // creating an entity needs no look at the limits before that index
    kin__pool pool;                    // of entities that are of no blueprint
    struct kin__blueprint *blueprints; // by name
};

// A generated context's struct has its components behind the base, and the members of its groups behind those.
static inline kin__component *kin__component_of(const kin_context *context, uint32_t id)
{
    return (kin__component *)((uintptr_t)context + sizeof(kin_context)) + id;
}

// The library's side of the accessors; each checks everything and reports what it refuses.
KIN_API kin_status kin__component_add_fast(kin_context *context, kin_entity entity, kin_component_id id,
                                           const void *value);
KIN_API kin_status kin__component_replace_fast(kin_context *context, kin_entity entity, kin_component_id id,
                                               const void *value);
KIN_API kin_status kin__component_remove_fast(kin_context *context, kin_entity entity, kin_component_id id);
KIN_API kin_status kin__component_touch(kin_context *context, kin_entity entity, kin_component_id id);

// Removes and adds. `value` may be the one that is there, or share strings and opaque values with it. When a listener
// of the removal makes the addition impossible, the component stays removed, and the caller owns the new value.
KIN_API kin_status kin__component_readd(kin_context *context, kin_entity entity, kin_component_id id,
                                        const void *value);

// Puts the value aside, and back. When refused, it stays where it is.
KIN_API kin_status kin__component_stash(kin_context *context, kin_entity entity, kin_component_id id);
KIN_API kin_status kin__component_restore(kin_context *context, kin_entity entity, kin_component_id id);

// A generated context begins with its kin_context; `size` is that of the whole struct. NULL as game_context_create says.
KIN_API kin_context *kin__context_create(const kin_context_info *info, const kin_context_options *options, size_t size);
KIN_API void kin__context_destroy(kin_context *context);
// Whether it can be destroyed now: not from inside its own listeners and systems. Tells when not.
KIN_API bool kin__context_may_end(const kin_context *context);
KIN_API kin_status kin__context_reset(kin_context *context);

KIN_API kin_entity kin__entity_create(kin_context *context);
KIN_API kin_status kin__entity_destroy_fast(kin_context *context, kin_entity entity);
KIN_API kin_status kin__entity_destroy_all(kin_context *context);
KIN_API kin_entity kin__entity_clone_fast(kin_context *context, kin_entity source);
KIN_API kin_status kin__entity_clear(kin_context *context, kin_entity entity);
KIN_API kin_status kin__entity_retain(kin_context *context, kin_entity entity, const void *owner);
KIN_API kin_status kin__entity_release(kin_context *context, kin_entity entity, const void *owner);
KIN_API uint32_t kin__entity_count(const kin_context *context);
KIN_API const kin_entity *kin__entities(kin_context *context, uint32_t *count);

// Unique components: all but the queries. `value` is NULL for a flag. 0 when refused: then the caller owns the value.
KIN_API kin_entity kin__unique_set(kin_context *context, kin_component_id id, const void *value);
KIN_API kin_entity kin__unique_replace(kin_context *context, kin_component_id id, const void *value);
KIN_API kin_status kin__unique_remove(kin_context *context, kin_component_id id);
KIN_API kin_status kin__unique_switch(kin_context *context, kin_component_id id, bool on);

// For what is made of several contexts: tells that it could not be made, where the options say.
KIN_API void *kin__contexts_allocate(const kin_context_options *options, size_t size);
KIN_API void kin__contexts_release(const kin_context_options *options, void *memory, size_t size);

// The chunk of an entity's slot; any chunk where there is no such slot.
static inline kin__chunk *kin__chunk_at(const kin_context *context, kin_entity entity)
{
    return context->chunks[(uint32_t)entity / KIN__CHUNK_SLOTS & context->chunk_mask];
}

// The chunk of a living entity; NULL for any other handle: no other slot has it.
static inline kin__chunk *kin__chunk_of(const kin_context *context, kin_entity entity)
{
    kin__chunk *chunk = kin__chunk_at(context, entity);
    return chunk->ids[entity % KIN__CHUNK_SLOTS] == entity ? chunk : NULL;
}

static inline uint64_t *kin__chunk_row(const kin__chunk *chunk, uint32_t row_words, uint32_t place)
{
    return (uint64_t *)(uintptr_t)(chunk + 1) + (size_t)place * row_words;
}

// A bit for each component that has a column in the chunk.
static inline uint64_t *kin__chunk_present(const kin__chunk *chunk, uint32_t row_words)
{
    return kin__chunk_row(chunk, row_words, KIN__CHUNK_SLOTS);
}

static inline kin__column **kin__chunk_columns(const kin__chunk *chunk, uint32_t row_words)
{
    return (kin__column **)(void *)(kin__chunk_present(chunk, row_words) + row_words);
}

static inline void *kin__column_value(const kin__column *column, uint32_t place, size_t size)
{
    return (char *)(uintptr_t)(column + 1) + place * size; // so that compilers know that it is not NULL
}

static inline bool kin__column_has(const kin__column *column, uint32_t place)
{
    return (column->has[place / 64] >> (place % 64) & 1) != 0;
}

static inline bool kin__has(const kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words)
{
    const kin__chunk *chunk = kin__chunk_of(context, entity);
    return chunk != NULL &&
           kin__column_has(kin__chunk_columns(chunk, row_words)[id], kin_entity_slot(entity) % KIN__CHUNK_SLOTS);
}

// The value's address, NULL when the entity is dead or has none. `size` is that of the component.
static inline void *kin__get(const kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words,
                             size_t size)
{
    const kin__chunk *chunk = kin__chunk_of(context, entity);
    if (chunk == NULL)
        return NULL;
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    const kin__column *column = kin__chunk_columns(chunk, row_words)[id];
    return kin__column_has(column, place) ? kin__column_value(column, place, size) : NULL;
}

// The same for a boxed component.
static inline void *kin__get_boxed(const kin_context *context, kin_entity entity, kin_component_id id,
                                   uint32_t row_words)
{
    void *const *place = (void *const *)kin__get(context, entity, id, row_words, sizeof(void *));
    return place == NULL ? NULL : *place;
}

// The same where the caller knows that the entity is alive and has the component.
static inline void *kin__get_unchecked(const kin_context *context, kin_entity entity, kin_component_id id,
                                       uint32_t row_words, size_t size)
{
    const kin__column *column = kin__chunk_columns(kin__chunk_at(context, entity), row_words)[id];
    return kin__column_value(column, kin_entity_slot(entity) % KIN__CHUNK_SLOTS, size);
}

// Sets or clears the two bits of a component.
static inline void kin__flip(kin__chunk *chunk, kin__column *column, kin_component_id id, uint32_t row_words,
                             uint32_t place)
{
    column->has[place / 64] ^= (uint64_t)1 << (place % 64);
    kin__chunk_row(chunk, row_words, place)[id / 64] ^= (uint64_t)1 << (id % 64);
}

// Adds a component in the plain case and returns the place for its value, which the caller writes; else NULL, with
// nothing changed: then it is for kin__component_add_fast. Not NULL for a flag either, whose `size` is 0.
static inline void *kin__add_fast(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words,
                                  size_t size)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    if (chunk == NULL)
        return NULL;
    uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
    kin__column *column = kin__chunk_columns(chunk, row_words)[id];
    kin__component *component = kin__component_of(context, id);
    if (kin__column_has(column, place) || component->watchers != 0 || column == context->empty)
        return NULL;
    kin__flip(chunk, column, id, row_words, place);
    component->changes++;
    return kin__column_value(column, place, size);
}

static inline kin_status kin__remove(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words)
{
    kin__chunk *chunk = kin__chunk_of(context, entity);
    if (chunk != NULL) {
        uint32_t place = kin_entity_slot(entity) % KIN__CHUNK_SLOTS;
        kin__column *column = kin__chunk_columns(chunk, row_words)[id];
        kin__component *component = kin__component_of(context, id);
        if (kin__column_has(column, place) && component->watchers == 0) {
            kin__flip(chunk, column, id, row_words, place);
            component->changes++;
            return KIN_OK;
        }
    }
    return kin__component_remove_fast(context, entity, id);
}

static inline kin_status kin__touch(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words)
{
    if (kin__component_of(context, id)->watchers == 0 && kin__has(context, entity, id, row_words))
        return KIN_OK;
    return kin__component_touch(context, entity, id);
}

// A flag's setter: nothing and no event when it already is so.
static inline kin_status kin__set(kin_context *context, kin_entity entity, kin_component_id id, uint32_t row_words,
                                  bool on)
{
    const kin__chunk *chunk = kin__chunk_of(context, entity);
    if (chunk != NULL &&
        kin__column_has(kin__chunk_columns(chunk, row_words)[id], kin_entity_slot(entity) % KIN__CHUNK_SLOTS) == on)
        return KIN_OK;
    if (!on)
        return kin__remove(context, entity, id, row_words);
    return kin__add_fast(context, entity, id, row_words, 0) != NULL
               ? KIN_OK
               : kin__component_add_fast(context, entity, id, NULL);
}

KIN_END_DECLARATIONS

#endif

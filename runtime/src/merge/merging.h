// Merging: the entities of a snapshot become new entities of a context, or of several contexts at once.
//
//   slots       [ 3 | 4 | 9 | 700 … ]      of the entities in the snapshot, ascending: number → slot
//   numbers     slot → number + 1
//   entities    [ e0 | e1 | e2 … ]         the entities that are expected, then those that were made
//   firsts      [ 0 | 2 | 5 | … ]          number → its first part
//   parts       [ id, value | … ]          the components of all entities, in the order in which they are added
//   moves       [ relation, holder … ]     holders that are not in the order of their slots in the snapshot; a block of
//                                          its own
//   values      copies of the values, and of the lists with references; they name expected entities
//   homes       by reference, in the order of the parts: the number of the context of the entity that it names
//
// First come all checks, for all contexts, and all memory: the arrays above are in the block of the plan
// (entity/entity.h), and its steps have the storage of every value. From then on the snapshot is not read: listeners may
// destroy it. Then all entities are created, and get their components. A listener may do anything meanwhile: each step
// is checked again. If one has become impossible, all entities are destroyed again, the last one first.
//
// Handles are computed before, as keys may contain them. If listeners create other entities, the handles differ: then
// the values in the plan are made to name the entities that were made, before the first component is added.
//
// Invariants:
//   1. contexts are pinned from the first check to the last report: none is destroyed, saved or restored
//   2. `made` entities exist, or a listener has destroyed them
//
// Cost: each value is copied twice, and each component added as by the user. Memory: 24 bytes an entity, 64 a
// component, and the values.
#ifndef KIN_SRC_MERGING_H
#define KIN_SRC_MERGING_H

#include "entity/entity.h"
#include "image/part.h"
#include "merge/reference.h"

#define KIN__NO_HOME UINT16_MAX

// A holder stands before a sibling in the list of their target.
typedef struct kin__merge_move {
    uint32_t relation, target, holder, sibling; // numbers of entities
} kin__merge_move;

// The merge of one context. `part` is NULL if the snapshot does not have it.
typedef struct kin__merging {
    kin_context *context;
    const kin__context_snapshot *part;
    struct kin__merge *merge;
    kin__plan plan;
    uint32_t count; // of entities
    uint32_t made;
    uint32_t slot_count; // of the snapshot
    uint32_t move_count;
    size_t part_count, reference_count, values_size;
    uint64_t first; // the creation index of the first entity that is expected
    kin_entity *entities;
    size_t *firsts;
    uint32_t *slots, *numbers;
    uint32_t *chunk_pools; // by chunk of the snapshot: as kin__part_pool
    uint32_t *entries;     // by component: the number of entities that get it
    kin__pool_preview *previews;
    kin__part *parts;
    kin__merge_move *moves;
    uint16_t *homes;
    size_t reference; // the number of the next one, while values are written
    char *values;
    uint64_t *row;                // the components that any of the entities has
    kin__item *items;             // room for keys, by kin__entity_role
    kin__blueprint blueprints[2]; // by the same
    kin__blueprint_use uses[2], whole;
    kin__batch batch;
} kin__merging;

// Why a step that was checked has become impossible.
typedef struct kin__merge_failure {
    const kin__merging *merging;
    kin_entity entity; // 0: the next one could not be created
    kin__plan_failure plan;
    const char *reason;
    char text[KIN__LIMIT_SIZE];
} kin__merge_failure;

typedef struct kin__merge {
    kin__merging *mergings;
    uint32_t count;
    kin__merge_failure failure;
} kin__merge;

#define KIN__MERGE_VERB "merge the snapshot"

// Whether a merge adds the component.
static inline bool kin__is_merged(const kin_context_info *info, uint32_t id)
{
    return !info->components[id].is_unsaved;
}

static inline const kin__image *kin__merging_head(const kin__merging *merging, uint32_t slot)
{
    return kin__part_image(merging->part, slot / KIN__CHUNK_SLOTS, kin__head_number(merging->part->info));
}

// Returns the row of a slot of the snapshot, in which an entity is alive.
static inline const uint64_t *kin__merging_row(const kin__merging *merging, uint32_t slot)
{
    return kin__image_row(kin__merging_head(merging, slot), merging->context->row_words, slot % KIN__CHUNK_SLOTS);
}

// Returns the pool that an entity comes from. Chunks without a pool have none.
static inline kin__pool *kin__merging_pool(const kin__merging *merging, uint32_t number)
{
    uint32_t pool = merging->chunk_pools[merging->slots[number] / KIN__CHUNK_SLOTS];
    return kin__pool_at(merging->context, pool == KIN__NO_POOL ? 0 : pool);
}

// Returns the number + 1 of an entity that is alive in the snapshot; 0 if it is not.
uint32_t kin__merging_find(const kin__merging *merging, kin_entity entity);

// Does all that can fail, for all contexts. Returns KIN_OK, or the status of the error that was reported.
kin_status kin__merge_prepare(kin__merge *merge);

// Returns the bytes of a value with its lists, and counts its references.
size_t kin__merging_value_size(kin__merging *merging, uint32_t slot, kin_component_id id);

// Copies the values of the snapshot to the parts. They name expected entities.
void kin__merging_write_values(kin__merging *merging);

// Makes the values in the plan name the entities that were made, if those differ from the expected ones. False when out
// of memory.
bool kin__merging_relink(kin__merging *merging);

// Lists the moves; returns their number. NULL: only counts them.
uint32_t kin__merging_list_moves(const kin__merging *merging, kin__merge_move *moves);

// Puts siblings in the order of the snapshot. Returns the status of the first move that is impossible.
kin_status kin__merging_move_siblings(const kin__merging *merging, kin__merge_failure *failure);

// Creates and completes all entities, or destroys them again and fills in the failure.
kin_status kin__merge_make(kin__merge *merge);

#endif

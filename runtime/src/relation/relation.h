// Relations: fields that name an entity, the target. The entities that name one target, its holders, are a list.
//
//   links[slot]   first, last, count   as a target: its holders
//                 next, previous       as a holder: the others of the same target
//
// Slots are counted from 1 here; 0: none. The links are in blocks, one for each chunk that has holders or targets.
//
// The field is the only truth: the links say the same in another form. A change is a step (index.h):
// kin__relations_check refuses it before the first write, kin__relations_update makes it before the first listener is
// called. All memory is reserved before that, so that removing a holder, and destroying any number of them, needs none.
//
// Invariants, checked by kin__relations_are_valid():
//   1. a holder is in the list of the entity that its field names, and in no other; if that is 0, in none
//   2. the entity that a field names is alive
//   3. in a tree no entity is below itself
//   4. `used` of a block counts its holders in lists, and its targets with holders
//
// Cost: a step changes up to six links of each relation of the component. In a tree a new target of an entity with
// holders is checked by a walk to the root. Memory: 20 bytes a slot of these chunks, and 4 more for all relations.
#ifndef KIN_SRC_RELATION_H
#define KIN_SRC_RELATION_H

#include "base/assertion.h"
#include "index/index.h"

#include <kin/generated/relation.h>

typedef struct kin__relation_link {
    uint32_t first, last, count;
    uint32_t next, previous;
} kin__relation_link;

typedef struct kin__relation_block {
    kin__relation_link links[KIN__CHUNK_SLOTS];
    uint32_t used;
} kin__relation_block;

typedef struct kin__relation {
    const kin_relation_info *info;
    kin__array blocks; // of kin__relation_block *, by chunk
    uint64_t moves;    // counts the changes of its lists
} kin__relation;

// A context with relations has this many subscribers of KIN_ENTITY_WILL_BE_DESTROYED in addition to those of the user:
// so each destroy looks for holders, and other contexts make no test for it.
enum { KIN__RELATIONS_AS_SUBSCRIBERS = 1 };

typedef struct kin__relations {
    kin__relation *relations; // in order of component
    uint32_t *first;          // by component: the number of its first relation
    bool can_refuse;          // a relation keeps its targets from being destroyed
    char *scratch;            // a value for each depth of nesting: see kin__relations_scratch
    size_t scratch_size;      // of one
} kin__relations;

// Makes all relations of the context, and marks the components that have them (KIN__SIDE_EFFECT_RELATION). False when
// out of memory.
bool kin__relations_make(kin_context *context);
void kin__relations_release(kin_context *context);

// Whether the step can be made: KIN_OK, KIN_ERROR_NOT_ALIVE or KIN_ERROR_CIRCLE.
kin_status kin__relations_check(const kin_context *context, const kin__step *step);

// Writes the reason why kin__relations_check refuses the step. False if it does not.
enum { KIN__RELATION_REASON_SIZE = 240 };
bool kin__relations_describe(const kin_context *context, const kin__step *step, char reason[KIN__RELATION_REASON_SIZE]);

// Reserves links for holders in the chunk of a slot; and for the targets that a value names. False when out of memory.
bool kin__relations_reserve(kin_context *context, uint32_t slot, kin_component_id id);
bool kin__relations_reserve_targets(kin_context *context, kin_component_id id, const void *value);

// Updates the lists for a step that was checked and reserved, and is not yet written.
void kin__relations_update(kin_context *context, const kin__step *step);

// Takes a dead entity, which had the component, out of the lists of its targets. The value is still in place.
void kin__relations_remove(kin_context *context, uint32_t slot, kin_component_id id);

// Moves a holder before another one of the same target, or behind all for 0. Slots are counted from 0.
void kin__relation_move(kin_context *context, kin__relation *relation, uint32_t slot, kin_entity before);

void kin__relations_trim(kin_context *context);
size_t kin__relations_used(const kin_context *context);
bool kin__relations_are_valid(const kin_context *context);

// ---- lists

static inline kin__relation *kin__relation_at(const kin_context *context, uint32_t number)
{
    KIN_ASSERT(number < context->info->relation_count);
    return &context->core->relations->relations[number];
}

// Returns the links of a slot; NULL if its chunk has none.
static inline kin__relation_link *kin__relation_link_of(const kin__relation *relation, uint32_t slot)
{
    kin__relation_block *const *blocks = relation->blocks.elements;
    uint32_t number = slot / KIN__CHUNK_SLOTS;
    if (number >= relation->blocks.capacity || blocks[number] == NULL)
        return NULL;
    return &blocks[number]->links[slot % KIN__CHUNK_SLOTS];
}

// Appends a new holder to the list of a target; the links of both are reserved. Slots are counted from 0.
static inline void kin__relation_append(kin__relation *relation, uint32_t slot, uint32_t target_slot)
{
    kin__relation_block *const *blocks = relation->blocks.elements;
    kin__relation_block *own = blocks[slot / KIN__CHUNK_SLOTS], *others = blocks[target_slot / KIN__CHUNK_SLOTS];
    kin__relation_link *holder = &own->links[slot % KIN__CHUNK_SLOTS];
    kin__relation_link *target = &others->links[target_slot % KIN__CHUNK_SLOTS];
    KIN_ASSERT(holder->next == 0 && holder->previous == 0);
    holder->previous = target->last;
    if (target->last == 0)
        target->first = slot + 1;
    else
        kin__relation_link_of(relation, target->last - 1)->next = slot + 1;
    target->last = slot + 1;
    own->used++;
    others->used += target->count++ == 0;
}

// Returns the first holder of the entity in a slot; 0 if there is none.
static inline kin_entity kin__relation_first_of(const kin_context *context, const kin__relation *relation,
                                                uint32_t slot)
{
    const kin__relation_link *link = kin__relation_link_of(relation, slot);
    if (link == NULL || link->first == 0)
        return 0;
    return kin__chunk_of_slot(context, link->first - 1)->ids[(link->first - 1) % KIN__CHUNK_SLOTS];
}

// Returns the next holder of the same target after the one in a slot; 0 if there is none.
static inline kin_entity kin__relation_next_of(const kin_context *context, const kin__relation *relation, uint32_t slot)
{
    const kin__relation_link *link = kin__relation_link_of(relation, slot);
    if (link == NULL || link->next == 0)
        return 0;
    return kin__chunk_of_slot(context, link->next - 1)->ids[(link->next - 1) % KIN__CHUNK_SLOTS];
}

// Returns the entity that a holder names: 0 if it names none or lacks the component.
kin_entity kin__relation_target(const kin_context *context, const kin__relation *relation, kin_entity holder);

// Returns room for a value of any component with a relation, for the change that is made now. Valid until the next one
// of the same depth.
static inline void *kin__relations_scratch(const kin_context *context)
{
    const kin__relations *relations = context->core->relations;
    KIN_ASSERT(context->depth < KIN__MAX_DEPTH);
    return relations->scratch + context->depth * relations->scratch_size;
}

#endif

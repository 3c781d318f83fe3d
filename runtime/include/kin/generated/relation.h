/// Relations, for generated code only. Changes with the interface version.
///
/// A relation is a field of a component that names an entity of the same context. The entity that has the component is
/// the holder, the entity that the field names is the target. `number` is the index of the relation in `relations` of
/// kin_context_info.
///
///   ChildOf.parent        holder -> target      what the field says
///   children of a target  first, ..., last      all holders that name it, in order
///
/// The list of a target follows its holders' fields: it is current in every callback.
#ifndef KIN__RELATION_H
#define KIN__RELATION_H

#include <kin/generated/storage.h>

KIN_BEGIN_DECLARATIONS

// Returns the number of holders that name the target; 0 if it is not alive.
KIN_API uint32_t kin__relation_count(const kin_context *context, uint32_t number, kin_entity target);

// Return the first and the last holder that name the target; 0 if there is none.
KIN_API kin_entity kin__relation_first(const kin_context *context, uint32_t number, kin_entity target);
KIN_API kin_entity kin__relation_last(const kin_context *context, uint32_t number, kin_entity target);

// Return the holder after and before this one in the list of its target; 0 if there is none, or if the entity names no
// target.
KIN_API kin_entity kin__relation_next(const kin_context *context, uint32_t number, kin_entity holder);
KIN_API kin_entity kin__relation_previous(const kin_context *context, uint32_t number, kin_entity holder);

// Writes at most `capacity` holders that name the target to `entities`, in order. Returns how many name it.
KIN_API uint32_t kin__relation_copy(const kin_context *context, uint32_t number, kin_entity target,
                                    kin_entity *entities, uint32_t capacity);

// Moves the holder in the list of its target to the place before the sibling; to the end if the sibling is 0.
KIN_API kin_status kin__relation_place_before(kin_context *context, uint32_t number, kin_entity holder,
                                              kin_entity sibling);

// Destroys the holders that name the target, in order, or none.
KIN_API kin_status kin__relation_destroy_holders(kin_context *context, uint32_t number, kin_entity target);

// Of a tree: the target of the target and so on, until an entity names none; the number of steps to it; and whether
// `ancestor` is one of those entities, or the entity itself.
KIN_API kin_entity kin__relation_root(const kin_context *context, uint32_t number, kin_entity entity);
KIN_API uint32_t kin__relation_depth(const kin_context *context, uint32_t number, kin_entity entity);
KIN_API bool kin__relation_contains(const kin_context *context, uint32_t number, kin_entity ancestor,
                                    kin_entity entity);

// Clones an entity with all entities below it. Returns the clone of the first; 0 on failure, which is reported.
KIN_API kin_entity kin__entity_clone_tree(kin_context *context, uint32_t number, kin_entity source);

// A walk over an entity and all entities below it, depth first. Zero but for the first three members at its begin.
typedef struct kin__relation_walk {
    const kin_context *context;
    kin_entity root;
    uint32_t number;
    uint32_t depth;    // of the entity below the root
    kin_entity entity; // 0: before the first
    kin_entity parent; // its target
    kin_entity behind; // the next holder of that target, when the walk came to the entity
    uint64_t moves;    // of the relation, at that moment
    bool skips;        // what is below the entity
    bool has_ended;
} kin__relation_walk;

// Goes to the next entity. Returns false after the last one.
KIN_API bool kin__relation_walk_next(kin__relation_walk *walk);

KIN_END_DECLARATIONS

#endif

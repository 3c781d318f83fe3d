/// A context holds entities and their components. Games use the generated functions; these are the ones that work on
/// any context, by component id.
#ifndef KIN_CONTEXT_H
#define KIN_CONTEXT_H

#include <kin/error.h>
#include <kin/info.h>

KIN_BEGIN_DECLARATIONS

/// A context. `game_context_create` makes one and `game_context_destroy` ends it; `&game->base` is this part of it.
typedef struct kin_context kin_context;

/// How a context is made. All zero is the default of everything.
typedef struct kin_context_options {
    kin_allocator allocator; ///< zero: aligned malloc
    /// Called for every refused operation, before that returns. It may call Kin, but not destroy the context whose
    /// operation was refused, nor the world of that context: KIN_ERROR_INVALID. Refusals inside it are reported to it
    /// as well, up to 64 deep for one context, and beyond that on stderr. NULL: one line on stderr.
    void (*on_error)(const kin_error *error, void *user);
    void *error_user;              ///< passed on to on_error and never read
    bool fast_retain;              ///< count holders only, do not remember who they are
    uint64_t first_creation_index; ///< zero: 1; up to 2^40 - 1, the last one that a context gives
    uint32_t max_entities;         ///< zero: 2^24, the most that can be alive at once
    /// The seed of all hashes of the context. Zero: a new one for each context, from the clock and addresses. Keys that
    /// others choose, such as names of players, cannot be chosen to collide as long as the seed is unknown; it is no
    /// protection against a reader of the process's memory. No answer, order or used memory depends on it, so replays
    /// need not set it. Set it for the same timing in each run, or to a random number on a system that puts programs at
    /// the same addresses each time.
    uint64_t hash_seed;
} kin_context_options;

/// Whether the handle is that of a living entity: created here and its destruction has not got to its components yet.
/// Cost: two loads.
KIN_API bool kin_entity_is_alive(const kin_context *context, kin_entity entity);

/// Whether a living entity has the component; false for a dead one and for an id out of range.
/// Cost: that of kin_entity_is_alive and a look at one bit.
KIN_API bool kin_has(const kin_context *context, kin_entity entity, kin_component_id component);

/// Whether a living entity matches; false for a dead one and for a matcher that is not valid. Nobody is told.
/// Cost: sorts the ids of the matcher; ask a group's kin_group_contains when the same question comes often.
KIN_API bool kin_matches(const kin_context *context, kin_matcher matcher, kin_entity entity);

/// Removes those components of a rule, such as KIN_ALL(…), that the entity has, by ascending id, each with all its
/// calls. Ends with KIN_OK when a listener destroys the entity. KIN_ERROR_NOT_ALIVE; KIN_ERROR_INVALID without ids
/// or with one out of range; KIN_ERROR_LIMIT with more than 30 ids, or 64 changes deep. Cost: that of removing each.
KIN_API kin_status kin_remove_components(kin_context *context, kin_entity entity, kin_rule components);

/// Writes, for people, an entity with its components: `entity 7 in slot 6 (Frozen, Position)`. As snprintf it
/// writes at most `size` bytes with the NUL and returns the length of the whole text; `text` may be NULL when `size` is
/// 0. The wording may change. Cost: a look at each component of the context; nothing is allocated.
KIN_API size_t kin_describe_entity(const kin_context *context, kin_entity entity, char *text, size_t size);

/// Writes a matcher in the same way: `all(Position), none(Frozen)`. Cost: sorts its ids; nothing is allocated.
KIN_API size_t kin_describe_matcher(const kin_context *context, kin_matcher matcher, char *text, size_t size);

/// Slots that were used and are free now. Cost: a sum over the blueprints; while entities from before a reset are held,
/// also a look at every slot.
KIN_API uint32_t kin_context_reusable_count(const kin_context *context);

/// Destroyed entities that somebody (a collector, a reactive system's run) still holds, so that their slots wait.
/// Cost: two loads.
KIN_API uint32_t kin_context_retained_count(const kin_context *context);

KIN_END_DECLARATIONS

#endif

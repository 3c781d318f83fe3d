/// Contexts, which hold entities and their components. Games call the generated functions. The functions here work on
/// any context and take component ids, for tools and for code that is not tied to a schema.
#ifndef KIN_CONTEXT_H
#define KIN_CONTEXT_H

#include <kin/error.h>
#include <kin/info.h>

KIN_BEGIN_DECLARATIONS

/// A context. `game_context_create` creates it and `game_context_destroy` destroys it; `&game->base` converts a
/// generated context to this type.
typedef struct kin_context kin_context;

/// Options of a context. Zero is the default of each field.
typedef struct kin_context_options {
    kin_allocator allocator; ///< zero: malloc, aligned
    /// Called for each failed operation, before the operation returns. NULL: prints one line to stderr.
    /// It may call Kin. It must not destroy the context of the failed operation, nor that context's world: both fail
    /// with KIN_ERROR_INVALID. Errors inside it are reported to it too, nested up to 64 deep for each context; deeper
    /// ones are printed to stderr.
    void (*on_error)(const kin_error *error, void *user);
    void *error_user;              ///< passed to on_error and never read
    bool fast_retain;              ///< count retains instead of recording each owner; owners are then not checked
    uint64_t first_creation_index; ///< zero: 1; at most 2^40 - 1, the last creation index of a context
    uint32_t max_entities;         ///< the most that may be alive at once; zero: 2^24
    /// The seed of all hashes of the context. Zero: a new seed for each context, from the clock and from addresses.
    /// While the seed is secret, an attacker cannot choose keys, such as player names, that collide. It does not
    /// protect against an attacker that reads the process's memory. No result, order or memory usage depends on the
    /// seed, so replays need not set it. Set it to get the same timing in each run, or to a random number on a system
    /// without address randomization.
    uint64_t hash_seed;
} kin_context_options;

/// Returns whether the entity is alive: created in this context and not destroyed. An entity counts as dead as soon as
/// its destruction begins to remove its components. Cost: two loads.
KIN_API bool kin_entity_is_alive(const kin_context *context, kin_entity entity);

/// Returns whether the entity is alive and has the component; false for an id out of range. Never reports an error.
/// Cost: that of kin_entity_is_alive, and a test of one bit.
KIN_API bool kin_has(const kin_context *context, kin_entity entity, kin_component_id component);

/// Returns whether the entity is alive and matches; false for an invalid matcher. Never reports an error.
/// Cost: sorts the ids of the matcher. For repeated tests, make a group and call kin_group_contains.
KIN_API bool kin_matches(const kin_context *context, kin_matcher matcher, kin_entity entity);

/// Removes the components named by a rule, such as KIN_ALL(…), from an entity. Components that the entity lacks are
/// skipped. Removal is in order of ascending id, and each removal notifies its listeners. When a listener destroys the
/// entity, the call ends with KIN_OK.
///
/// Errors: KIN_ERROR_NOT_ALIVE; KIN_ERROR_INVALID for a rule without ids or with an id out of range; KIN_ERROR_LIMIT
/// for more than 30 ids, or when changes are nested 64 deep. Cost: that of removing each component.
KIN_API kin_status kin_remove_components(kin_context *context, kin_entity entity, kin_rule components);

/// Writes a readable description of an entity and its components: `entity 7 in slot 6 (Frozen, Position)`. Like
/// snprintf, it writes at most `size` bytes including the NUL and returns the length of the complete text; `text` may
/// be NULL when `size` is 0. The wording may change between versions. Cost: visits each component of the context; does
/// not allocate.
KIN_API size_t kin_describe_entity(const kin_context *context, kin_entity entity, char *text, size_t size);

/// Writes a readable description of a matcher in the same way: `all(Position), none(Frozen)`. Cost: sorts the ids of
/// the matcher; does not allocate.
KIN_API size_t kin_describe_matcher(const kin_context *context, kin_matcher matcher, char *text, size_t size);

/// Returns the number of free slots that were in use before. Cost: a sum over the blueprints; also visits every slot
/// while entities from before a reset are held.
KIN_API uint32_t kin_context_reusable_count(const kin_context *context);

/// Returns the number of destroyed entities that are still held, by an owner that retains them, by a collector or by
/// the run of a reactive system. Their slots cannot be reused yet. Cost: two loads.
KIN_API uint32_t kin_context_retained_count(const kin_context *context);

KIN_END_DECLARATIONS

#endif

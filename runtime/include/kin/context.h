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

/// Returns whether the entity is alive and matches; false for an invalid matcher. Tests the matcher as it is written,
/// while a group leaves out entities that `off` of the schema switches off. Never reports an error.
/// Cost: sorts the ids of the matcher. For repeated tests, make a group and call kin_group_contains.
KIN_API bool kin_matches(const kin_context *context, kin_matcher matcher, kin_entity entity);

/// The reason why a clone leaves a component out.
typedef enum kin_clone_reason {
    KIN_CLONE_UNIQUE = 1,  ///< the component is unique: a second entity cannot carry it
    KIN_CLONE_PRIMARY_KEY, ///< a field has `index: primary`: a second entity cannot have its key
    KIN_CLONE_OPAQUE       ///< it has an opaque value with `drop`, which Kin cannot copy
} kin_clone_reason;

/// A component that a clone leaves out.
typedef struct kin_clone_omission {
    kin_component_id component; ///< its id
    kin_clone_reason reason;    ///< the first of kin_clone_reason that applies
} kin_clone_omission;

/// Returns how many components of an entity a clone of it leaves out, and writes up to `capacity` of them to
/// `left_out`, in ascending id; `left_out` may be NULL when `capacity` is 0. To complete a clone, call this with its
/// source and add what it names. Returns 0 for an entity that is not alive. Never reports an error; the clone itself
/// may be refused, for example when the source is in a primary index of `indices`. Cost: visits the components of the
/// entity.
KIN_API uint32_t kin_clone_report(const kin_context *context, kin_entity source, kin_clone_omission *left_out,
                                  uint32_t capacity);

/// Removes the components named by a rule, such as KIN_ALL(…), from an entity. Components that the entity lacks are
/// skipped. Removal is in order of ascending id, and each removal notifies its listeners. When a listener destroys the
/// entity, the call ends with KIN_OK.
///
/// Errors: KIN_ERROR_NOT_ALIVE; KIN_ERROR_INVALID for a rule without ids or with an id out of range; KIN_ERROR_LIMIT
/// for more than 30 ids, or when changes are nested 64 deep. Cost: that of removing each component.
KIN_API kin_status kin_remove_components(kin_context *context, kin_entity entity, kin_rule components);

/// Copies components of the entity `from` to the entity `to` of the same context, in order of ascending id: those that
/// the rule names, such as KIN_ALL(…), or KIN_EVERY_COMPONENT. Components that `from` lacks are skipped, and so are
/// those that a clone leaves out, which kin_clone_report lists. With `replace`, a component that `to` has is replaced;
/// without it, that refuses the copy. Listeners are notified as of adds and replaces. If a listener then makes a
/// component impossible, the components copied before it stay.
///
/// Errors: KIN_ERROR_NOT_ALIVE; KIN_ERROR_INVALID and KIN_ERROR_LIMIT for a rule as kin_remove_components refuses it;
/// KIN_ERROR_HAS_COMPONENT; KIN_ERROR_DUPLICATE_KEY; KIN_ERROR_NO_MEMORY. Cost: that of replacing each component, and
/// one allocation.
KIN_API kin_status kin_copy_components(kin_context *context, kin_entity from, kin_entity to, kin_rule components,
                                       bool replace);

/// Writes a readable description of an entity, its components and their values, and of each reverse the number of
/// entities that name it: `entity 7 in slot 6 (Frozen, Position {x: 1.5, y: -2}; children: 2)`. Like snprintf, it
/// writes at most `size` bytes including the NUL and returns the length of the complete text; `text` may be NULL when
/// `size` is 0. Strings are escaped, and shortened to 48 bytes. The wording may change between versions. Cost: visits
/// each component and relation of the context; does not allocate.
KIN_API size_t kin_describe_entity(const kin_context *context, kin_entity entity, char *text, size_t size);

/// Writes a readable description of a matcher in the same way: `all(Position), none(Frozen)`. Cost: sorts the ids of
/// the matcher; does not allocate.
KIN_API size_t kin_describe_matcher(const kin_context *context, kin_matcher matcher, char *text, size_t size);

/// Retains an entity like the generated retain function, for an owner with a name, which KIN_ERROR_RETAINED of
/// destroying all entities and of a reset then shows. The name is not copied and must stay valid until the owner
/// releases the entity with the generated release function, or the context ends; NULL: no name. Only shown without
/// `fast_retain`. Errors: KIN_ERROR_NOT_ALIVE, KIN_ERROR_RETAINED if the owner already retains the entity,
/// KIN_ERROR_NO_MEMORY. Cost: one hash lookup; the first name of a context allocates a pointer for each place of the
/// table of owners.
KIN_API kin_status kin_retain_named(kin_context *context, kin_entity entity, const void *owner, const char *name);

/// Returns the number of free slots that were in use before. Cost: a sum over the blueprints; also visits every slot
/// while entities from before a reset are held.
KIN_API uint32_t kin_context_reusable_count(const kin_context *context);

/// Returns the number of destroyed entities that are still held, by an owner that retains them, by a collector or by
/// the run of a reactive system. Their slots cannot be reused yet. Cost: two loads.
KIN_API uint32_t kin_context_retained_count(const kin_context *context);

/// For a program in which a C++ exception or a `longjmp` left a callback, which is not allowed: makes it possible to
/// destroy the context. Call it when none of the calls in progress will return, on no other thread either. Changes that
/// they had begun stay incomplete, and memory of their own is lost. If a change was in progress, the context then
/// refuses everything but queries and being destroyed; destroy command buffers that were being played before it. If
/// only a system was running, the context stays usable. NULL is allowed. Cost: a few instructions for each component.
KIN_API void kin_context_abandon(kin_context *context);

KIN_END_DECLARATIONS

#endif

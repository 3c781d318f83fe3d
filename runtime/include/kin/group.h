/// A group is the set of living entities that match: one for each matcher of a context, made at first use, alive as
/// long as its context.
///
/// It is an expression over the components' bits, not a list that is kept up to date: a group that nobody listens to
/// costs nothing when components change, and its count and array are worked out when asked for and kept until one of
/// its components changes. A group with listeners or collectors costs one comparison for each change of a component
/// that it names.
#ifndef KIN_GROUP_H
#define KIN_GROUP_H

#include <kin/context.h>

KIN_BEGIN_DECLARATIONS

/// A group. It belongs to its context and ends with it.
typedef struct kin_group kin_group;

/// Returns the group of all entities that match `matcher`, making it on first use, with all that match by then.
///
/// Equal matchers, whatever the order of their ids and rules, share one group. The matcher is copied. The group
/// belongs to the context and lives as long. Cost: sorts the matcher's ids and looks it up by hash.
///
/// NULL, with KIN_ERROR_INVALID when there is no rule, a rule without ids or an id out of range; with
/// KIN_ERROR_LIMIT beyond 8 rules or 30 ids in one; with KIN_ERROR_NO_MEMORY.
KIN_API kin_group *kin_context_group(kin_context *context, kin_matcher matcher);

/// How many members it has. Cost: a sum over the components that it names, when nothing changed since it was last
/// asked; else a look at every chunk of 512 slots that can have members.
KIN_API uint32_t kin_group_count(const kin_group *group);

/// Whether the entity is a living member now. Cost: that of kin_entity_is_alive, and a look at one bit for
/// each id of its matcher.
KIN_API bool kin_group_contains(const kin_group *group, kin_entity entity);

/// The members by ascending slot, `*count` of them. The array belongs to the group, stays as it is until the next such
/// call on it, whatever happens to the entities, and is the same array when nothing changed. NULL and 0, with
/// KIN_ERROR_NO_MEMORY, when it cannot be made; NULL and 0 for an empty group too. Cost: that of kin_group_count,
/// and when something changed that of kin_group_copy_entities.
KIN_API const kin_entity *kin_group_entities(kin_group *group, uint32_t *count);

/// Copies up to `capacity` members by ascending slot into an array of the caller's; returns how many there are.
/// Cost: a look at every chunk that can have members, each time.
KIN_API uint32_t kin_group_copy_entities(kin_group *group, kin_entity *entities, uint32_t capacity);

/// Its matcher with ids sorted and made single, as a value. Cost: a copy of 516 bytes.
KIN_API kin_matcher kin_group_matcher(const kin_group *group);

/// Destroys, by ascending slot, the members of now, passing over any that a listener makes leave meanwhile.
/// KIN_ERROR_INVALID without a group, KIN_ERROR_LIMIT 64 changes deep, or KIN_ERROR_NO_MEMORY: then none is destroyed.
/// Cost: a step for each 64 slots where nobody listens and no component of the members is unique, boxed, indexed,
/// stashable or owns memory; else that of destroying each.
KIN_API kin_status kin_group_destroy_entities(kin_group *group);

/// Finds the only member. None: `*entity` is 0, KIN_OK. Two or more: `*entity` is 0, KIN_ERROR_NOT_SINGLE. No
/// group: KIN_ERROR_INVALID. Cost: that of kin_group_copy_entities.
KIN_API kin_status kin_group_single(kin_group *group, kin_entity *entity);

/// What a group tells: entities that come to match, that cease to, both, and members whose component was replaced.
/// A replace tells KIN_REMOVED with the previous value, KIN_ADDED with the new one, then KIN_MODIFIED with both.
typedef enum kin_group_event { KIN_ADDED, KIN_REMOVED, KIN_ADDED_OR_REMOVED, KIN_MODIFIED } kin_group_event;

/// One change as a listener is told of it. Valid during the call only, and so is what it points to.
typedef struct kin_change {
    kin_context *context;       ///< where it happened; `game_context_of` is back to the typed side
    kin_group *group;           ///< NULL when it is not a group that tells
    kin_entity entity;          ///< the one that changed; 0 when the call is about none
    kin_component_id component; ///< the one that changed; the number of components when it is none
    const void *previous;       ///< the value before, whatever happened since; NULL where there was none, and of a flag
    const void *value;          ///< the value after it, likewise
} kin_change;

/// May do anything with the context: change, create, destroy, subscribe, unsubscribe. Changes nest 64 deep.
typedef void kin_listener(const kin_change *change, void *user);

/// A listener's place. All zero is none.
typedef struct kin_subscription {
    void *subscriber; ///< for Kin
    uint64_t serial;  ///< for Kin
} kin_subscription;

/// Has `listener` called for each such event from now on, in order of subscription, until kin_unsubscribe or the end of
/// the context. Subscribed twice it is called twice. `user` is passed on and never read. The zero subscription, with
/// KIN_ERROR_INVALID without a group, a listener or an event of the list, or with KIN_ERROR_NO_MEMORY. Cost: a look at
/// each component that the group names; the first of a group makes room at each of them. What it costs from then on is
/// said above.
KIN_API kin_subscription kin_group_subscribe(kin_group *group, kin_group_event event, kin_listener *listener,
                                             void *user);

/// Ends a subscription: it is never called again, also when this is done inside a listener. Doing so twice, or with the
/// zero subscription, does nothing. Not to be called once the context is destroyed. Cost: at most a look at each
/// component of the context.
KIN_API void kin_unsubscribe(kin_subscription subscription);

/// Walks the set bits of a mask, lowest first: `KIN_EACH_BIT(i, it.mask) …` declares `i` as uint32_t.
/// `break` and `continue` work, and it nests.
#define KIN_EACH_BIT(i, bits)                                                                                          \
    for (uint64_t i##_bits_ = (bits), i##_once_ = 1; i##_bits_ != 0 && i##_once_ != 0; i##_bits_ &= i##_bits_ - 1)     \
        for (uint32_t i = (i##_once_ = 0, kin__lowest_bit(i##_bits_)); i##_once_ == 0; (void)i, i##_once_ = 1)

KIN_END_DECLARATIONS

#endif

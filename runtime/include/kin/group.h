/// Groups and subscriptions. A group is the set of living entities that match a matcher. A context has one group for
/// each matcher. It is made on first use and lives as long as the context.
///
/// A group is evaluated over bits of the components and is not a list that every change updates. A group without
/// subscriptions costs nothing when components change, unless its array is asked for after every few changes: its count
/// and its array are computed on request, and reused until one of its components changes. A group with subscriptions or
/// collectors costs one comparison for each change of a component that it names.
#ifndef KIN_GROUP_H
#define KIN_GROUP_H

#include <kin/context.h>

KIN_BEGIN_DECLARATIONS

/// A group. It belongs to its context and lives as long as the context.
typedef struct kin_group kin_group;

/// Returns the group of all entities that match `matcher`, making it on first use.
///
/// Equal matchers share one group; the order of ids and rules does not matter. The matcher is copied. If the context
/// has `off` in the schema and the matcher does not name that flag, the group has it in KIN_NONE. The group belongs to
/// the context. Cost: sorts the ids and looks up the matcher by hash.
///
/// On failure returns NULL: KIN_ERROR_INVALID for a matcher without rules, a rule without ids or an id out of range;
/// KIN_ERROR_LIMIT for more than 8 rules, also with that of `off`, or more than 30 ids in a rule; KIN_ERROR_NO_MEMORY.
KIN_API kin_group *kin_context_group(kin_context *context, kin_matcher matcher);

/// Returns the number of members. Cost: a sum over the components that the group names, when none of them changed since
/// the last call; otherwise visits every chunk of 512 slots that can have members.
KIN_API uint32_t kin_group_count(const kin_group *group);

/// Returns whether the entity is alive and a member. Cost: that of kin_entity_is_alive, and a test of one bit for each
/// id of the matcher.
KIN_API bool kin_group_contains(const kin_group *group, kin_entity entity);

/// Returns the members in order of ascending slot and sets `*count` to their number. The array belongs to the group. It
/// stays unchanged until the next call of this function on the group, whatever happens to the entities, and is returned
/// again while the group's components do not change. Returns NULL and 0 for an empty group, and when out of memory
/// (KIN_ERROR_NO_MEMORY). Cost: that of kin_group_count; after a change also that of kin_group_copy_entities. A group
/// that is asked again and again after few changes has them noted, and corrects the array instead: then each change of
/// its components costs a call of the library, and each member that enters or leaves moves at most half of the array.
KIN_API const kin_entity *kin_group_entities(kin_group *group, uint32_t *count);

/// Copies up to `capacity` members, in order of ascending slot, into the caller's array. Returns the number of members,
/// which may be larger than `capacity`. Cost: visits every chunk that can have members, on each call.
KIN_API uint32_t kin_group_copy_entities(kin_group *group, kin_entity *entities, uint32_t capacity);

/// Returns the group's matcher, with ids sorted and without duplicates. Cost: copies 516 bytes.
KIN_API kin_matcher kin_group_matcher(const kin_group *group);

/// Destroys all current members in order of ascending slot, skipping any that a listener removes from the group first.
///
/// Errors, on which no entity is destroyed: KIN_ERROR_INVALID without a group; KIN_ERROR_LIMIT when changes are nested
/// 64 deep; KIN_ERROR_NO_MEMORY. Cost: one step for each 64 slots, if there are no subscribers and no component of the
/// members is unique, boxed, indexed, stashable or owns memory; otherwise that of destroying each entity.
KIN_API kin_status kin_group_destroy_entities(kin_group *group);

/// Sets `*entity` to the only member, or to 0 for an empty group. Errors: KIN_ERROR_NOT_SINGLE for two or more members,
/// with `*entity` set to 0; KIN_ERROR_INVALID without a group. Cost: that of kin_group_copy_entities.
KIN_API kin_status kin_group_single(kin_group *group, kin_entity *entity);

/// An event of a group: an entity starts matching, stops matching, either of these, or keeps matching while a component
/// that the matcher names is replaced or touched. A replace or touch notifies KIN_REMOVED with the previous value,
/// KIN_ADDED with the new value, then KIN_MODIFIED with both.
typedef enum kin_group_event { KIN_ADDED, KIN_REMOVED, KIN_ADDED_OR_REMOVED, KIN_MODIFIED } kin_group_event;

/// One change, as passed to a listener. The struct and the values that it points to are valid only during the call. The
/// values are copies: they stay the same even when an earlier listener has changed the component again.
typedef struct kin_change {
    kin_context *context;       ///< the context; `game_context_of` converts it to the generated type
    kin_group *group;           ///< the notifying group; NULL for an event of an entity or a context
    kin_entity entity;          ///< the entity that changed; 0 for KIN_GROUP_CREATED
    kin_component_id component; ///< the component that changed; the number of components if none did
    uint16_t event;       ///< with KIN_COMPONENT_CHANGED: KIN_COMPONENT_ADDED, …_REMOVED or …_REPLACED; otherwise 0
    const void *previous; ///< the value before the change; NULL without one, and for a flag
    const void *value;    ///< the value after the change; NULL without one, and for a flag
} kin_change;

/// A listener. It may do anything with the context: change, create, destroy, subscribe, unsubscribe. Changes may nest
/// up to 64 deep. It must return: no C++ exception and no `longjmp` may leave it. `user` is the pointer given to the
/// subscribing function.
typedef void kin_listener(const kin_change *change, void *user);

/// A handle to a subscription. All zero means no subscription.
typedef struct kin_subscription {
    void *subscriber; ///< private
    uint64_t serial;  ///< private
} kin_subscription;

/// Calls `listener` for each later event of this kind, until kin_unsubscribe or the end of the context. Listeners are
/// called in order of subscription; a listener that is subscribed twice is called twice. `user` is passed on and never
/// read.
///
/// On failure returns the zero subscription: KIN_ERROR_INVALID without a group or a listener, or for an unknown event;
/// KIN_ERROR_NO_MEMORY. Cost: visits each component that the group names; the first subscription of a group allocates
/// at each of them. Later costs are described at the top of this header.
KIN_API kin_subscription kin_group_subscribe(kin_group *group, kin_group_event event, kin_listener *listener,
                                             void *user);

/// Ends a subscription. Its listener is not called again, even when you unsubscribe inside a listener. Does nothing for
/// the zero subscription and for one that has ended. Do not call this after the context is destroyed. Cost: at most
/// visits each component of the context.
KIN_API void kin_unsubscribe(kin_subscription subscription);

/// Loops over the set bits of a mask, lowest first: `KIN_EACH_BIT(i, it.mask) …` declares `i` as uint32_t, the position
/// of the bit. `break` and `continue` work, and loops may nest.
#define KIN_EACH_BIT(i, bits)                                                                                          \
    for (uint64_t i##_bits_ = (bits), i##_once_ = 1; i##_bits_ != 0 && i##_once_ != 0; i##_bits_ &= i##_bits_ - 1)     \
        for (uint32_t i = (i##_once_ = 0, kin__lowest_bit(i##_bits_)); i##_once_ == 0; (void)i, i##_once_ = 1)

KIN_END_DECLARATIONS

#endif

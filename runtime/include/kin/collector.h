/// Collectors. A collector gathers the entities for which its groups report events, until it is cleared. Each entity is
/// collected once, in order of its first event. A collector holds its entities: the slot of a destroyed entity is not
/// reused while a collector contains the entity.
#ifndef KIN_COLLECTOR_H
#define KIN_COLLECTOR_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

/// A collector. The caller owns it.
typedef struct kin_collector kin_collector;

/// A trigger: a collector collects the entities of one event of a group.
typedef struct kin_trigger {
    kin_group *group;      ///< not NULL
    kin_group_event event; ///< KIN_ADDED and KIN_REMOVED collect replaced members too, KIN_MODIFIED only those
} kin_trigger;

/// Creates an active, empty collector. Destroy it with kin_collector_destroy.
///
/// The triggers are copied and may be of several contexts. Memory for all entities of these contexts is reserved here,
/// and as the contexts grow, so that collecting never fails. The memory comes from the allocator of the first trigger's
/// context; that allocator must outlive the collector.
///
/// On failure returns NULL: KIN_ERROR_INVALID without a trigger, with more than 65,535 triggers, or for a trigger
/// without a group or with an unknown event; KIN_ERROR_NO_MEMORY. Cost: two handles and two bits of memory for each
/// slot of the contexts, and the cost of kin_group_subscribe for each trigger.
KIN_API kin_collector *kin_collector_create(const kin_trigger *triggers, size_t count);

/// Releases the collected entities and destroys the collector. NULL is allowed. Cost: that of kin_collector_deactivate.
KIN_API void kin_collector_destroy(kin_collector *collector);

/// Resumes collecting, after all other subscriptions of its groups. Does nothing when the collector is active. Cost:
/// visits each component that the groups of its triggers name.
KIN_API void kin_collector_activate(kin_collector *collector);

/// Stops collecting and clears the collector. Does nothing when the collector is inactive. Cost: that of
/// kin_collector_activate and of kin_collector_clear.
KIN_API void kin_collector_deactivate(kin_collector *collector);

/// Removes and releases the collected entities, in order of collection. Cost: proportional to their number.
KIN_API void kin_collector_clear(kin_collector *collector);

/// Returns the number of collected entities, including destroyed ones. Cost: a few loads.
KIN_API uint32_t kin_collector_count(const kin_collector *collector);

/// Returns the collected entities in order of collection and sets `*count` to their number. Some may be destroyed by
/// now. The array belongs to the collector and stays unchanged until the next call of this function on it, even when
/// the collector is cleared. Returns NULL and 0 when the collector is empty, or when out of memory
/// (KIN_ERROR_NO_MEMORY). Cost: copies the entities on each call.
KIN_API const kin_entity *kin_collector_entities(kin_collector *collector, uint32_t *count);

/// Returns the context of each collected entity, in the same order. The array is valid until the next call of this
/// function on the collector. Cost: copies one pointer for each entity.
KIN_API kin_context *const *kin_collector_contexts(kin_collector *collector, uint32_t *count);

KIN_END_DECLARATIONS

#endif

/// A collector gathers the entities of which its groups tell, each once, in the order in which they were first
/// collected, until it is cleared. It holds them: the slot of a destroyed entity is not used again while it is in one.
#ifndef KIN_COLLECTOR_H
#define KIN_COLLECTOR_H

#include <kin/group.h>

KIN_BEGIN_DECLARATIONS

/// A collector. The caller owns it.
typedef struct kin_collector kin_collector;

/// What a collector waits for: an event of a group.
typedef struct kin_trigger {
    kin_group *group;      ///< not NULL
    kin_group_event event; ///< KIN_ADDED and KIN_REMOVED collect what is replaced, too; KIN_MODIFIED nothing else
} kin_trigger;

/// Makes a collector that starts active and empty. Triggers are copied; they may be of several contexts, whose memory
/// for collecting is reserved here and as they grow, so that collecting never fails. Its memory is that of the first
/// trigger's context, whose allocator must outlive it; destroy it with kin_collector_destroy. NULL, with
/// KIN_ERROR_INVALID without a trigger, with more than 65,535, or with one that has no group or no event of the list,
/// or with KIN_ERROR_NO_MEMORY. Cost: room for two handles and a bit for each slot of its contexts, and what
/// kin_group_subscribe costs for each trigger.
KIN_API kin_collector *kin_collector_create(const kin_trigger *triggers, size_t count);

/// Lets go of all that it holds and ends it. NULL is allowed. Cost: that of kin_collector_deactivate.
KIN_API void kin_collector_destroy(kin_collector *collector);

/// Resumes collecting, behind all other subscriptions of its groups. Nothing when it is active. Cost: a look at each
/// component that the groups of its triggers name.
KIN_API void kin_collector_activate(kin_collector *collector);

/// Ends collecting and clears. Nothing when it is not active. Cost: the same look, and that of kin_collector_clear.
KIN_API void kin_collector_deactivate(kin_collector *collector);

/// Forgets what was collected and lets go of it, in order of collection. Cost: grows with what was collected.
KIN_API void kin_collector_clear(kin_collector *collector);

/// How many entities were collected since it was last cleared, destroyed ones counted. Cost: one load.
KIN_API uint32_t kin_collector_count(const kin_collector *collector);

/// What was collected, first collected first, `*count` of them; some may be destroyed by now. The array belongs to the
/// collector and stays as it is until the next such call on it, also when it is cleared. NULL and 0 when it is empty,
/// or, with KIN_ERROR_NO_MEMORY, when the array cannot be made. Cost: a copy of what was collected, each time.
KIN_API const kin_entity *kin_collector_entities(kin_collector *collector, uint32_t *count);

/// The context of each, in the same order and valid as long as such an array. Cost: as much again.
KIN_API kin_context *const *kin_collector_contexts(kin_collector *collector, uint32_t *count);

KIN_END_DECLARATIONS

#endif

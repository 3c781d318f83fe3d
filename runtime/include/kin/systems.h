/// Systems are what a game does each frame, run in the order in which they were added. A collection of systems may
/// hold other collections; each phase (initialize, execute, cleanup, tear down) walks all of it, depth first.
///
/// A reactive system runs on the entities that its triggers collected since its last run.
///
/// Cost: a phase is the calls that it makes; a collection in which nobody has a function for it is passed over whole.
/// To make a collection and to add to it is an allocation or two. What goes by name walks over the names. Functions that
/// cost more say so.
#ifndef KIN_SYSTEMS_H
#define KIN_SYSTEMS_H

#include <kin/collector.h>

KIN_BEGIN_DECLARATIONS

/// A collection of systems. The caller owns it, until it is added to another one.
typedef struct kin_systems kin_systems;

/// One execute of a collection. Times are in the unit of the caller's choice.
typedef struct kin_tick {
    double delta;   ///< as it was given, or the step of a node with fixed steps
    double time;    ///< the sum of all deltas with this one
    uint64_t frame; ///< counts the executes from 0
} kin_tick;

/// A system: any of the four functions may be NULL. The name, copied, need not be unique and may be NULL.
typedef struct kin_system {
    const char *name;                                  ///< copied; may be NULL
    void (*initialize)(void *self);                    ///< called by kin_systems_initialize
    void (*execute)(void *self, const kin_tick *tick); ///< called by kin_systems_execute
    void (*cleanup)(void *self);                       ///< called by kin_systems_cleanup
    void (*tear_down)(void *self);                     ///< called by kin_systems_tear_down
    void *self;                                        ///< passed on and never read
} kin_system;

/// A reactive system. A run takes what was collected, asks `filter` for each in order of collection, and calls
/// `execute` when any passed. What changes meanwhile is collected for the next run. The slots of all that was taken
/// are not used again before the run ends.
typedef struct kin_reactive_system {
    const char *name;            ///< copied; may be NULL
    const kin_trigger *triggers; ///< copied
    size_t trigger_count;        ///< at least 1
    /// Asked about dead entities too. NULL: all that are alive.
    bool (*filter)(void *self, kin_context *context, kin_entity entity);
    /// Called once for each context that has any, in order of the triggers; the array lasts until it returns.
    void (*execute)(void *self, kin_context *context, const kin_entity *entities, uint32_t count);
    void (*initialize)(void *self); ///< called by kin_systems_initialize; may be NULL
    void (*cleanup)(void *self);    ///< called by kin_systems_cleanup; may be NULL
    void (*tear_down)(void *self);  ///< called by kin_systems_tear_down; may be NULL
    void *self;                     ///< passed on and never read
} kin_reactive_system;

/// Makes an empty collection. Of the options, allocator and on_error count; NULL: the defaults. NULL when out of
/// memory, and with KIN_ERROR_INVALID for an allocator with one function only. Destroy it with kin_systems_destroy.
KIN_API kin_systems *kin_systems_create(const char *name, const kin_context_options *options);

/// Ends the collection and all that was added to it, without tear down. Refused with KIN_ERROR_INVALID from inside its
/// own run and for a collection that is in another one or belongs to a world. NULL is allowed.
KIN_API void kin_systems_destroy(kin_systems *systems);

/// Adds a system at the end. While the collection runs, it takes part from the next call on. KIN_ERROR_INVALID without
/// a collection, or KIN_ERROR_NO_MEMORY.
KIN_API kin_status kin_systems_add(kin_systems *systems, kin_system system);

/// Adds a reactive system, which collects from now on. Errors are those of kin_systems_add (KIN_ERROR_INVALID,
/// KIN_ERROR_NO_MEMORY) and of kin_collector_create. Cost: that of making a collector.
KIN_API kin_status kin_systems_add_reactive(kin_systems *systems, kin_reactive_system system);

/// Adds a collection, which belongs to `systems` from now on. KIN_ERROR_INVALID for NULL, for one that is in a
/// collection already or belongs to a world, for one that `systems` is itself or is inside of, and where collections
/// would stand more than 64 deep in each other; or KIN_ERROR_NO_MEMORY.
KIN_API kin_status kin_systems_add_systems(kin_systems *systems, kin_systems *nested);

/// The first of four phases, which each do only what they say: none needs or implies another. Of the systems of a world
/// it is followed by a second pass over all, which calls `start`.
KIN_API void kin_systems_initialize(kin_systems *systems);

/// The second phase: every system's work of a frame.
KIN_API void kin_systems_execute(kin_systems *systems, double delta);

/// The third phase: what ends a frame.
KIN_API void kin_systems_cleanup(kin_systems *systems);

/// The last phase, in the same order as the first. Of a world's systems it is followed by a pass that calls `dispose`.
KIN_API void kin_systems_tear_down(kin_systems *systems);

/// Has all reactive systems, nested ones included, collect again. Cost: that of activating each collector.
KIN_API void kin_systems_activate_reactive(kin_systems *systems);

/// Ends the collecting of all reactive systems, nested ones included, and forgets what they collected. Cost: that of
/// deactivating each collector.
KIN_API void kin_systems_deactivate_reactive(kin_systems *systems);

/// Forgets what all reactive systems, nested ones included, have collected. Cost: that of clearing each collector.
KIN_API void kin_systems_clear_reactive(kin_systems *systems);

/// Removes the first system or collection of that name, depth first, with all in it and without tear down. The one that
/// is running ends its turn. KIN_ERROR_INVALID when there is none.
KIN_API kin_status kin_systems_remove(kin_systems *systems, const char *name);

/// A disabled system or collection is passed over in all phases, and its reactive systems do not collect.
/// KIN_ERROR_INVALID when there is none of that name. Cost: also that of activating or deactivating what collects.
KIN_API kin_status kin_systems_set_enabled(kin_systems *systems, const char *name, bool enabled);

// One `cleanup` of the schema. For generated code: game_cleanup_systems makes a collection of them, empty for none.
typedef struct kin__cleanup {
    kin_component_id id;
    bool destroys; // the entities, else takes the component from them
} kin__cleanup;

KIN_API kin_systems *kin__cleanup_systems(kin_context *context, const kin__cleanup *cleanups, uint32_t count);

/// How much time the first collection of that name has dropped, in the unit of the deltas, since it was made: a node
/// with `fixed` makes up for `max_steps` steps in an update at most, and drops the whole steps beyond those. 0 for one
/// without, and, with KIN_ERROR_INVALID, when there is none of that name. Cost: a walk over the names.
KIN_API double kin_systems_dropped(const kin_systems *systems, const char *name);

KIN_END_DECLARATIONS

#endif

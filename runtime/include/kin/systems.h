/// Systems: the functions that a game calls each frame. A collection runs its systems in the order in which they were
/// added. It may contain other collections; each phase (initialize, execute, cleanup, tear down) visits all systems,
/// depth first. Disabled systems are skipped.
///
/// A reactive system runs on the entities that its triggers have collected since its last run.
///
/// Cost: a phase costs the calls that it makes; a collection without a function for the phase is skipped as a whole.
/// Creating a collection and adding to it take one or two allocations. Functions that take a name compare it with the
/// names of the systems. Functions that cost more say so.
#ifndef KIN_SYSTEMS_H
#define KIN_SYSTEMS_H

#include <kin/collector.h>

KIN_BEGIN_DECLARATIONS

/// A collection of systems. The caller owns it until it is added to another collection.
typedef struct kin_systems kin_systems;

/// The time of one execute. The caller chooses the unit of time.
typedef struct kin_tick {
    double delta;   ///< the time since the last execute, as given; the step for a node with a fixed step
    double time;    ///< the sum of all deltas, including this one
    uint64_t frame; ///< the number of earlier executes
} kin_tick;

/// A system. Each function may be NULL. Names need not be unique.
typedef struct kin_system {
    const char *name;                                  ///< copied; may be NULL
    void (*initialize)(void *self);                    ///< called by kin_systems_initialize
    void (*execute)(void *self, const kin_tick *tick); ///< called by kin_systems_execute
    void (*cleanup)(void *self);                       ///< called by kin_systems_cleanup
    void (*tear_down)(void *self);                     ///< called by kin_systems_tear_down
    void *self;                                        ///< passed to the functions and never read
} kin_system;

/// A reactive system. A run takes the collected entities, calls `filter` for each in order of collection, and calls
/// `execute` with those that pass, if any. Changes during the run are collected for the next run. The slots of the
/// taken entities are not reused before the run ends.
typedef struct kin_reactive_system {
    const char *name;            ///< copied; may be NULL
    const kin_trigger *triggers; ///< copied
    size_t trigger_count;        ///< at least 1
    /// Returns whether `execute` gets the entity, which may be dead. NULL: all living entities pass.
    bool (*filter)(void *self, kin_context *context, kin_entity entity);
    /// Called once for each context with entities that passed, in order of the triggers. The array is valid during the
    /// call.
    void (*execute)(void *self, kin_context *context, const kin_entity *entities, uint32_t count);
    void (*initialize)(void *self); ///< called by kin_systems_initialize; may be NULL
    void (*cleanup)(void *self);    ///< called by kin_systems_cleanup; may be NULL
    void (*tear_down)(void *self);  ///< called by kin_systems_tear_down; may be NULL
    void *self;                     ///< passed to the functions and never read
} kin_reactive_system;

/// Creates an empty collection. Destroy it with kin_systems_destroy. `name` is copied and may be NULL. Only `allocator`
/// and `on_error` of the options are used; NULL selects the defaults. On failure returns NULL: KIN_ERROR_NO_MEMORY;
/// KIN_ERROR_INVALID for an allocator with only one function.
KIN_API kin_systems *kin_systems_create(const char *name, const kin_context_options *options);

/// Destroys the collection and everything that was added to it, without calling tear down. Does nothing but report
/// KIN_ERROR_INVALID from inside a run of it, and for a collection that is in another one or belongs to a world. NULL
/// is allowed.
KIN_API void kin_systems_destroy(kin_systems *systems);

/// For a program in which a C++ exception or a `longjmp` left a function of a system, which is not allowed: makes it
/// possible to destroy the collection. Call it before kin_context_abandon, when none of the runs in progress will
/// return. Reports KIN_ERROR_INVALID for a collection that is in another one or belongs to a world. NULL is allowed.
/// Cost: a few instructions for each system.
KIN_API void kin_systems_abandon(kin_systems *systems);

/// Adds a system at the end. If the collection is running, the system takes part from the next phase on. Errors:
/// KIN_ERROR_INVALID without a collection; KIN_ERROR_NO_MEMORY.
KIN_API kin_status kin_systems_add(kin_systems *systems, kin_system system);

/// Adds a reactive system, which starts to collect. Errors: KIN_ERROR_INVALID and KIN_ERROR_NO_MEMORY, as those of
/// kin_systems_add and of kin_collector_create. Cost: that of creating a collector.
KIN_API kin_status kin_systems_add_reactive(kin_systems *systems, kin_reactive_system system);

/// Adds the collection `nested`, which then belongs to `systems`. Errors: KIN_ERROR_INVALID for NULL, when `nested`
/// already is in a collection, belongs to a world or contains `systems`, and when collections would nest more than 64
/// deep; KIN_ERROR_NO_MEMORY. Cost: also a walk over the collections in `nested` and around `systems`.
KIN_API kin_status kin_systems_add_systems(kin_systems *systems, kin_systems *nested);

/// Runs the first of the four phases: calls `initialize` of each system. The phases are independent: none requires or
/// calls another. For the systems of a world, a second pass calls `start`.
KIN_API void kin_systems_initialize(kin_systems *systems);

/// Runs the second phase: calls `execute` of each system. `delta` is the time since the last execute. If it is
/// negative, `time` of the tick goes back.
KIN_API void kin_systems_execute(kin_systems *systems, double delta);

/// Runs the third phase, at the end of a frame: calls `cleanup` of each system.
KIN_API void kin_systems_cleanup(kin_systems *systems);

/// Runs the last phase: calls `tear_down` of each system, in the same order as the other phases. For the systems of a
/// world, a second pass calls `dispose`.
KIN_API void kin_systems_tear_down(kin_systems *systems);

/// Activates all reactive systems, nested ones included: they collect again. Cost: that of activating each collector.
KIN_API void kin_systems_activate_reactive(kin_systems *systems);

/// Deactivates all reactive systems, nested ones included: they stop collecting, and their collected entities are
/// discarded. Cost: that of deactivating each collector.
KIN_API void kin_systems_deactivate_reactive(kin_systems *systems);

/// Discards the collected entities of all reactive systems, nested ones included. Cost: that of clearing each
/// collector.
KIN_API void kin_systems_clear_reactive(kin_systems *systems);

/// Removes the first system or collection with the name, in depth-first order, and destroys it without calling tear
/// down. A system that is running finishes its call first. Errors: KIN_ERROR_INVALID when there is none.
KIN_API kin_status kin_systems_remove(kin_systems *systems, const char *name);

/// Enables or disables the first system or collection with the name, in depth-first order. All phases skip a disabled
/// system or collection, and its reactive systems do not collect. Errors: KIN_ERROR_INVALID when there is none. Cost:
/// also that of activating or deactivating the collectors.
KIN_API kin_status kin_systems_set_enabled(kin_systems *systems, const char *name, bool enabled);

// A `cleanup` of the schema. For generated code only: game_cleanup_systems makes a collection of these.
typedef struct kin__cleanup {
    kin_component_id id;
    bool destroys; // true: destroys the entities; false: removes the component
} kin__cleanup;

// Makes a collection with one cleanup system for each entry; it may be empty. Reports the error and returns NULL
// when out of memory.
KIN_API kin_systems *kin__cleanup_systems(kin_context *context, const kin__cleanup *cleanups, uint32_t count);

/// Returns how much time the first collection with the name has dropped since it was created, in the unit of the
/// deltas. A node with a fixed step runs at most `max_steps` steps in one update and drops the whole steps beyond.
/// Returns 0 for a collection without a fixed step, and, with KIN_ERROR_INVALID, when there is none with the name.
/// Cost: compares names.
KIN_API double kin_systems_dropped(const kin_systems *systems, const char *name);

KIN_END_DECLARATIONS

#endif

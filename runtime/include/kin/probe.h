/// Probes: what a tool in the process of a game hooks into the updates of a world and into the calls of its systems,
/// such as an inspector.
///
/// A world without a probe pays nothing for it. With one, an update makes one indirect call more, or two with `end`; a
/// published message and a refused call make one if the probe has a function for them.
#ifndef KIN_PROBE_H
#define KIN_PROBE_H

#include <kin/profile.h>
#include <kin/world.h>

KIN_BEGIN_DECLARATIONS

/// The functions of a probe. They are called by the thread that updates the world.
typedef struct kin_probe {
    /// Called before each update, before a recording notes it: no system of the world and no listener, query or error
    /// handler of its contexts runs then, so it may read and change the contexts and enable systems. It may set another
    /// delta, a finite one. It must not update or destroy the world. Returns false to pass the update over. An update
    /// that a listener or an error handler makes runs without this call, and so do the updates of a rehearsal and of
    /// a player, which must be the same each time.
    bool (*begin)(void *user, double *delta);
    /// Called after each update for which `begin` returned true. NULL: not called.
    void (*end)(void *user);
    /// Called once, when the world ends, before its systems are torn down, so that the tool can stop profiling them.
    /// The world has no probe any more. It must not destroy the world. NULL: not called.
    void (*ended)(void *user);
    /// Called after each message that is published, also outside of updates and in a rehearsal, when it is in the
    /// inboxes, and before lost messages are reported. `message` is its number in the world's info; `value` has its
    /// bytes, and is NULL for a message without fields. It may read the contexts; it must not publish, and not change
    /// the contexts, the systems or the probe. NULL: not called.
    void (*published)(void *user, uint32_t message, const void *value);
    /// Called for each error of the world, its systems and its contexts, before `on_error`: also in listeners, outside
    /// of updates and in a rehearsal, but not for errors that kin_context_catch_errors catches. It must not call Kin.
    /// The strings are valid only during the call. NULL: not called.
    void (*refused)(void *user, const kin_error *error);
    void *user; ///< passed to all functions and never read
} kin_probe;

/// Sets the probe of a world, which copies it; NULL removes it, without a call of `ended`. A world has one probe at
/// most. `begin` may set the same probe with or without its other functions.
///
/// Errors: KIN_ERROR_INVALID without a world or without `begin`, and when the world has a probe with another `user`.
/// Cost: copies the probe; with or after `published`, also a walk over all inboxes.
KIN_API kin_status kin_world_set_probe(kin_world *world, const kin_probe *probe);

/// Returns whether a probe may change the contexts in open calls now: an update runs, `begin` of the probe was called
/// for it, and it is not recorded. False outside of updates, in a rehearsal and a player, and for NULL. Cost: one load.
KIN_API bool kin_world_is_open(const kin_world *world);

/// A call of a system, or a run of a nested collection.
typedef struct kin_call {
    const char *name;   ///< of the system or collection, or NULL; valid during the call
    uint32_t place;     ///< its number in kin_systems_walk when the probe was set
    kin_role role;      ///< which function of the system is called; KIN_ROLE_EXECUTE for a collection
    uint32_t step;      ///< of a collection with a fixed step, the number of the run in this execute; otherwise 0
    bool is_collection; ///< a run of a collection, such as a node of the schedule
    /// Whether `enter` and `leave` may change the contexts, as the system itself may: of `start`, `execute`, `inbox`
    /// and `update`, but not of an `update` with `tree`, and of a parallel system of `start` alone. In a world,
    /// kin_world_is_open must be true, too: a recording would lack the change, and a rehearsal would differ.
    bool is_open;
    /// For `leave`, the part of the time since `enter` that counts for this call: 1, but less for parallel systems that
    /// an executor ran side by side, so that their time is counted once. See kin_timing.
    double share;
} kin_call;

/// What is called around each call of a system. Both functions are called by the thread that runs the collection.
typedef struct kin_call_probe {
    /// Called before each call of a system, and before each run of a collection in an execute. It may read the
    /// contexts, and wait, and change the contexts if the call is open; it must not change, run or destroy systems.
    void (*enter)(void *user, const kin_call *call);
    /// Called after each of these calls, in the same way. Calls are nested, except that parallel systems of one node
    /// may be entered one after the other before the first of them is left.
    void (*leave)(void *user, const kin_call *call);
    void *user; ///< passed to both functions and never read
} kin_call_probe;

/// Sets the probe of the calls of all systems that the collection contains now, nested ones included; NULL removes it.
/// For the systems of a world, pass kin_world_systems. The probe is not copied: it must stay valid until it is removed
/// or the collection is destroyed. The functions are not called for the collection itself, and not for systems that are
/// added later, until the probe is set again. Profiling is independent of it, and does not time the probe.
///
/// Errors, with nothing changed: KIN_ERROR_INVALID without a collection, from inside a run of it, and without both
/// functions. Cost: a few stores for each system, no allocation; then two indirect calls for each call. Systems without
/// a probe pay nothing; collections with a fixed step, stages or a manual run test one pointer.
KIN_API kin_status kin_systems_set_probe(kin_systems *systems, const kin_call_probe *probe);

/// Gives the errors of calls that a tool makes to `caught` instead of the context's `on_error`, until it is called with
/// NULL. Errors of calls inside listeners still go to `on_error`. Errors of the context's world are caught, too.
/// `context` may be NULL. Cost: two stores.
KIN_API void kin_context_catch_errors(kin_context *context, void (*caught)(const kin_error *error, void *user),
                                      void *user);

/// Calls `refused` for each error of the context, as that of a kin_probe, until it is called with NULL. For a context
/// that is in no world: the probe of a world does this for those of the world. `context` may be NULL. Cost: two stores.
KIN_API void kin_context_watch_errors(kin_context *context, void (*refused)(void *user, const kin_error *error),
                                      void *user);

KIN_END_DECLARATIONS

#endif

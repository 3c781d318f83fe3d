/// Probes: what a tool in the process of a game hooks into the updates of a world, such as an inspector.
///
/// A world without a probe pays nothing for it. With one, an update makes one indirect call more, or two with `end`.
#ifndef KIN_PROBE_H
#define KIN_PROBE_H

#include <kin/world.h>

KIN_BEGIN_DECLARATIONS

/// The functions of a probe. They are called by the thread that updates the world.
typedef struct kin_probe {
    /// Called before each update, before a recording notes it: no system of the world and no listener, query or error
    /// handler of its contexts runs then, so it may read and change the contexts and enable systems. It may set another
    /// delta, a finite one. It must not update or destroy the world. Returns false to pass the update over. An update
    /// that a listener or an error handler makes runs without this call.
    bool (*begin)(void *user, double *delta);
    /// Called after each update for which `begin` returned true. NULL: not called.
    void (*end)(void *user);
    /// Called once, when the world ends, before its systems are torn down, so that the tool can stop profiling them.
    /// The world has no probe any more. It must not destroy the world. NULL: not called.
    void (*ended)(void *user);
    void *user; ///< passed to all functions and never read
} kin_probe;

/// Sets the probe of a world, which copies it; NULL removes it, without a call of `ended`. A world has one probe at
/// most. `begin` may set the same probe with or without `end`.
///
/// Errors: KIN_ERROR_INVALID without a world or without `begin`, and when the world has a probe with another `user`.
/// Cost: copies the probe.
KIN_API kin_status kin_world_set_probe(kin_world *world, const kin_probe *probe);

/// Gives the errors of calls that a tool makes to `caught` instead of the context's `on_error`, until it is called with
/// NULL. Errors of calls inside listeners still go to `on_error`. `context` may be NULL. Cost: two stores.
KIN_API void kin_context_catch_errors(kin_context *context, void (*caught)(const kin_error *error, void *user),
                                      void *user);

KIN_END_DECLARATIONS

#endif

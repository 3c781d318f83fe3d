// World: the systems of a package in the order of its schedule, and the messages that they send each other.
//
//   root ─┬─ node ─┬─ schema system …          systems.h: one collection for each node of the schedule
//         │        └─ node …                   a system may also follow a node
//         └─ event systems of each context, then cleanup systems of each context
//   subscribers[message] → inbox → inbox …     in order of the systems; then `tap`, while a probe sees messages
//   schema_systems[system]                     NULL: removed
//   typed[]                                    the generated world, `self` of all functions of systems
//
// Invariants:
//   1. the contexts of a world have `is_in_world` set, until it ends, and are in no other world
//   2. `root` is NULL exactly once the world has ended
//   3. at most KIN__MAX_PUSHED ticks are pushed
//   4. `recorder` is NULL or one of `trackers`, and stays during an update
//   5. `is_followed` is set if and only if there is a recorder or a probe
//   6. `tap` is the last inbox of each message if the probe has `published`, else in no list
#ifndef KIN_SRC_WORLD_H
#define KIN_SRC_WORLD_H

#include "systems/systems.h"
#include "world/inbox.h"

#include <kin/generated/world.h>
#include <kin/probe.h>

struct kin__schema_system;
struct kin__jobs;

// What another library does with a world: a recording, of which a world has at most one, or a player. Functions may be
// NULL.
typedef struct kin__tracker {
    struct kin__tracker *next;
    void (*before_update)(struct kin__tracker *tracker, double delta); // reports nothing, and unlinks nothing
    void (*after_update)(struct kin__tracker *tracker);                // the last that an update does
    void (*world_ends)(struct kin__tracker *tracker);                  // it was unlinked
} kin__tracker;

struct kin__world {
    const kin__world_info *info;
    kin__memory memory;
    kin_context_options options; // where errors are reported
    kin_context **contexts;
    kin_systems *root; // NULL once the world has ended
    struct kin__schema_system **schema_systems;
    kin__inbox **subscribers;
    struct kin__jobs *jobs; // NULL: no system is parallel
    uint64_t published;     // number of messages published so far: the next serial
    kin__pushed pushed;
    kin__array parts; // of kin__context_snapshot *, while a snapshot is saved
    uint32_t part_count;
    kin__tracker *trackers;
    kin__tracker *recorder;       // the tracker whose functions updates call; NULL: none
    kin_probe probe;              // all zero: none
    kin__error_watch error_watch; // that of the probe
    kin__inbox tap;    // receives nothing, and always has an error to report: publishing then calls the probe
    bool is_followed;  // it has a recorder or a probe
    bool is_open;      // an update runs in which a probe may change the contexts
    bool is_broken;    // a part could not be created
    bool has_begun;    // the systems were initialized
    bool is_abandoned; // a callback was left: it can only be destroyed
    bool owns_contexts;
    max_align_t typed[];
};

// Link and unlink a tracker. (world.c)
void kin__world_track(kin__world *world, kin__tracker *tracker);
void kin__world_untrack(kin__world *world, const kin__tracker *tracker);

// Sets `is_followed`. (world_probe.c)
void kin__world_update_followed(kin__world *world);

// Removes the probe and tells it that the world ends. (world_probe.c)
void kin__world_end_probe(kin__world *world);

// Updates without `begin` and `end` of the probe, which may change the world or pass the update over: for an update
// that must be the same as another one. (world_run.c)
void kin__world_update_unprobed(kin__world *world, double delta);

// Why a call without a world is refused. (world_run.c)
extern const char kin__null_world[];

// Returns whether there is no world, and reports that; "a world" follows the verb. (world_run.c)
bool kin__world_report_null(const kin__world *world, const char *verb);

// Returns whether no system of the world and no callback of its contexts is running. If one is, reports that the world
// cannot do what the verb says.
bool kin__world_is_idle(const kin__world *world, const char *verb);

// Reports an error of a world (NULL: there is none). `name`, of a system or of the world, follows the verb.
// (world_error.c)
kin_status kin__world_report_error(const kin__world *world, kin_status status, const char *verb, const char *name,
                                   const char *reason);

#endif

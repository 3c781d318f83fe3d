// Sites: the contexts that an inspector shows. Hosts: the worlds that they are in, or the game that calls
// kin_inspector_frame; all contexts of a host are touched by one thread, inside its updates.
//
//   host ─┬─ site (context) …          tasks wait at their host, in order of arrival
//         └─ systems
//
// A world with the tables of one that has ended takes over its host and sites: each level of a game may be a world.
// Otherwise both are only appended: a number stays what it is, and other threads read what is below the counts. The
// constant tables of a site stay readable when its world has ended.
#ifndef KIN_INSPECT_SITE_H
#define KIN_INSPECT_SITE_H

#include "site/viewer.h"

#include <kin/kin.h>
#include <kin/probe.h>

#include <pthread.h>
#include <stdatomic.h>

enum { KIN__MAX_HOSTS = 16, KIN__MAX_SITES = 64, KIN__SITE_NAME = 64, KIN__STATUSES = 32 };

struct kin__task;
struct kin__calls;
struct kin__until;
struct kin__timeline;
struct kin__timing;
struct kin__hold;
struct kin__run;
struct kin__notes;
struct kin__site_marks;
struct kin__traces;
struct kin__snapshots;
struct kin__messages;
struct kin__refusals;

// How a viewer changes the time of a host. All zero is the time of the game.
typedef struct kin__pace {
    bool is_paused;
    uint32_t steps;                // updates that are let through nevertheless
    double speed;                  // of deltas; 0: 1
    double step_delta;             // of these updates; 0: that of the game
    char holder[KIN__VIEWER_NAME]; // the viewer that paused; "": none
    char hold[KIN__SITE_NAME];     // the system before which each update is held; "": none
    uint32_t system_steps;         // systems after which the update is held; 0: it is not
} kin__pace;

// Where an update is held. The sum of the times is for those that time calls.
typedef struct kin__held {
    bool is_held, is_after; // after the system, else before it
    bool goes_on;           // a viewer has ended it
    bool is_open;           // the contexts may be changed meanwhile
    char system[KIN__SITE_NAME];
    kin_role role;
    uint32_t systems, place, step; // of the last one, too
    uint64_t frame;
    uint64_t nanoseconds;
} kin__held;

// What has become of time.until.
typedef enum kin__until_state {
    KIN__UNTIL_NONE,
    KIN__UNTIL_ASKED,
    KIN__UNTIL_MET,
    KIN__UNTIL_REFUSED
} kin__until_state;

typedef struct kin__host {
    struct kin_inspector *inspector;
    char name[KIN__SITE_NAME];  // of the package; with #2, #3 … if an earlier host has the name
    const kin_world_info *info; // constant; NULL: kin_inspector_frame
    kin_world *world;           // NULL: kin_inspector_frame; for the thread of the host alone
    kin_systems *systems[KIN__MAX_HOSTS];
    _Atomic uint32_t system_count;
    kin_context *contexts[KIN__MAX_SITES]; // of its sites; for the thread of the host alone
    uint32_t context_count;
    uint64_t frames;                        // of kin_inspector_frame; for the thread of the host alone
    _Atomic uint32_t attention;             // tasks that wait and recordings that run: 0 is nothing to do
    _Atomic uint64_t last_frame, last_time; // of the last update that did something
    _Atomic bool has_ended;
    _Atomic bool is_timing; // `timing` is not NULL
    // of the tasks that wait
    pthread_mutex_t lock;
    struct kin__task *first, **end;
    // for the thread of the host alone
    struct kin__timing *timing;                  // of calls; NULL: no viewer reads it
    bool is_edited;                              // a viewer is changing the game
    kin_probe probe;                             // of the world, with all that it may have; all zero without a world
    struct kin__messages *messages;              // those that are published; NULL: they are not recorded
    struct kin__refusals *refusals;              // refused calls; NULL: they are only counted
    uint64_t refused[KIN__STATUSES];             // by status, since the inspector is there
    _Atomic bool keeps_messages, keeps_refusals; // there are recordings of them, for other threads
    struct kin__traces *traces; // of collectors; NULL before the first; for the thread of the host alone
    struct kin__calls *calls;   // what runs in its systems; NULL until something follows it (calls.h)
    uint64_t update_began, update_last;
    uint64_t update_sum, update_count; // of those that were timed
    bool is_timed;                     // the end of updates is noted
    kin__pace pace;
    bool is_paced; // `pace` is not that of the game
    kin__held held;
    struct kin__until *until; // NULL: none is asked
    kin__until_state until_state;
    uint64_t until_frame;             // when it was met or refused
    uint32_t until_took;              // microseconds of the last ask
    struct kin__timeline *timeline;   // NULL: does not record
    struct kin__hold *hold;           // what holds updates, NULL until one is to be held (hold.h)
    struct kin__snapshots *snapshots; // NULL before the first
    struct kin__run *run;             // what notes the system that runs, NULL until a viewer comes (run.h)
    _Atomic uint32_t running;         // the system that runs (running.h)
    _Atomic uint64_t running_since;
    _Atomic uint64_t last_request; // when a viewer asked for something last
} kin__host;

typedef struct kin__site {
    char name[KIN__SITE_NAME]; // of the context; with #2, #3 … if an earlier site has the name
    const kin_context_info *info;
    kin_context *context; // for the thread of the host alone
    kin__host *host;
    struct kin__site_marks *marks; // NULL before the first; for the thread of the host alone
    struct kin__plots *plots;      // NULL before the first; for the thread of the host alone
    struct kin__notes *notes;      // its journal and watches; NULL before the first; for the thread of the host alone
} kin__site;

typedef struct kin__sites {
    kin__host hosts[KIN__MAX_HOSTS];
    kin__site sites[KIN__MAX_SITES];
    _Atomic uint32_t host_count, site_count;
    kin__viewers viewers;
} kin__sites;

// Appends a host, or finds one by name; NULL when there are as many as can be.
kin__host *kin__sites_add_host(kin__sites *sites, struct kin_inspector *inspector, kin_world *world);
// Returns a host of which the world has ended and had these tables; or NULL. And gives it another world; its pace must
// have been ended.
kin__host *kin__sites_find_ended(kin__sites *sites, const kin_world_info *info);
void kin__sites_revive(kin__sites *sites, kin__host *host, kin_world *world);

kin__host *kin__sites_find_host(kin__sites *sites, const char *name);
void kin__host_release(kin__host *host);

// Appends a context. Returns false when there are as many as can be.
bool kin__sites_add(kin__sites *sites, kin__host *host, kin_context *context);

// Returns the site with the name, or NULL.
const kin__site *kin__sites_find(const kin__sites *sites, const char *name);

// Gives the world of the host as much of `probe` as is needed now; nothing if that is all zero, as when the world ends.
// For its thread alone.
kin_status kin__host_set_probe(const kin__host *host, kin_world *world);

// Returns the number of the last update of the host; of a world that of its tick. For its thread alone.
uint64_t kin__host_frame(const kin__host *host);

// Returns a time in nanoseconds that stands still while an update is held. For the thread of the host.
uint64_t kin__host_time(const kin__host *host);

// Returns the sum of the counters of its contexts. For the thread of the host.
kin_counts kin__host_counts(const kin__host *host);

#endif

// Sites: the contexts that an inspector shows. Hosts: the worlds that they are in, or the game that calls
// kin_inspector_frame; all contexts of a host are touched by one thread, inside its updates.
//
//   host ─┬─ site (context) …          tasks wait at their host, in order of arrival
//         └─ systems
//
// Both are only appended: a number stays what it is, and other threads read what is below the counts. The constant
// tables of a site stay readable when its world has ended.
#ifndef KIN_INSPECT_SITE_H
#define KIN_INSPECT_SITE_H

#include <kin/kin.h>

#include <pthread.h>
#include <stdatomic.h>

enum { KIN__MAX_HOSTS = 16, KIN__MAX_SITES = 64, KIN__SITE_NAME = 64 };

struct kin__task;
struct kin__calls;
struct kin__notes;
struct kin__site_marks;
struct kin__traces;

// How a viewer changes the time of a host. All zero is the time of the game.
typedef struct kin__pace {
    bool is_paused;
    uint32_t steps;    // updates that are let through nevertheless
    double speed;      // of deltas; 0: 1
    double step_delta; // of these updates; 0: that of the game
} kin__pace;

typedef struct kin__host {
    struct kin_inspector *inspector;
    char name[KIN__SITE_NAME];  // of the package; with #2, #3 … if an earlier host has the name
    const kin_world_info *info; // constant; NULL: kin_inspector_frame
    kin_world *world;           // NULL: kin_inspector_frame; for the thread of the host alone
    kin_systems *systems[KIN__MAX_HOSTS];
    _Atomic uint32_t system_count;
    uint64_t frames;                        // of kin_inspector_frame; for the thread of the host alone
    _Atomic uint32_t attention;             // tasks that wait and recordings that run: 0 is nothing to do
    _Atomic uint64_t last_frame, last_time; // of the last update that did something
    _Atomic bool has_ended;
    // of `tasks` and of what other threads see of one that is being done
    pthread_mutex_t lock;
    struct kin__task *first, **end;
    struct kin__task *current;
    // for the thread of the host alone
    bool is_profiled;              // somebody looks at times
    bool profiles[KIN__MAX_HOSTS]; // of each of `systems`: the inspector profiles it
    uint64_t profiled_until;
    struct kin__traces *traces; // of collectors; NULL before the first; for the thread of the host alone
    struct kin__calls *calls;   // what runs in its systems; NULL until something follows it (calls.h)
    uint64_t update_began, update_last;
    bool is_timed; // the end of updates is noted
    kin__pace pace;
    bool is_paced;                 // `pace` is not that of the game
    uint64_t paced_until;          // when nobody asks until then, the game has its time back
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
} kin__sites;

// Appends a host, or finds one by name; NULL when there are as many as can be.
kin__host *kin__sites_add_host(kin__sites *sites, struct kin_inspector *inspector, kin_world *world);
kin__host *kin__sites_find_host(kin__sites *sites, const char *name);
void kin__host_release(kin__host *host);

// Appends a context. Returns false when there are as many as can be.
bool kin__sites_add(kin__sites *sites, kin__host *host, kin_context *context);

// Returns the site with the name, or NULL.
const kin__site *kin__sites_find(const kin__sites *sites, const char *name);

// Returns the number of the last update of the host; of a world that of its tick. For its thread alone.
uint64_t kin__host_frame(const kin__host *host);

#endif

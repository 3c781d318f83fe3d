// host: the worlds and contexts that an inspector shows, and the tasks that wait for their threads
//
//   host ─┬─ site (context) …          tasks wait at their host, in order of arrival
//         └─ systems ─→ calls: what runs now, for all that follows it
//
//   task  parse (thread of the viewer) ─→ queue ─→ step (thread of the host) ─→ done ─→ show (thread of the viewer)
//
// All contexts of a host are touched by one thread, inside its updates.
//
// Invariants:
//   1. `step` of a task allocates nothing from the heap; `parse` and `show` touch no context
//   2. hosts and sites are only appended: a number stays what it is, and other threads read what is below the counts.
//      The constant tables of a site stay readable when its world has ended
//   3. attention of a host is the number of its tasks that wait and of its recordings that run
//   4. attention is one more while calls are followed. Hooks are added and removed by the thread of the host, also
//      inside of a hook; one that is added there may be called first for the next call
//   5. a viewer is in the table once; when that is full, the viewer that was silent for longest makes room
#ifndef KIN_SRC_INSPECT_HOST_H
#define KIN_SRC_INSPECT_HOST_H

#include "query/query.h"
#include "text/text.h"

#include <kin/inspect.h>
#include <kin/kin.h>
#include <kin/probe.h>

#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

// ---- clocks

// Clocks in nanoseconds: the time since a fixed moment, and the processor time of a thread. Neither goes back.

static inline uint64_t kin__read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t kin__inspect_now(void)
{
    return kin__read_clock(CLOCK_MONOTONIC);
}

// Processor time of the calling thread: time in which the system runs other threads does not count.
static inline uint64_t kin__inspect_worked(void)
{
    return kin__read_clock(CLOCK_THREAD_CPUTIME_ID);
}

// ---- viewers

// Viewers, and when each asked last. A viewer is the name in its header `Kin-Viewer`, or its connection.
//
// The lock is held for a walk over the table alone. The game's thread takes it when a viewer changes the time.

enum { KIN__MAX_VIEWERS = 32, KIN__VIEWER_NAME = 65 };

typedef struct kin__viewer {
    char name[KIN__VIEWER_NAME]; // or "" while the place is free
    uint64_t seen;               // when it asked last
} kin__viewer;

typedef struct kin__viewers {
    pthread_mutex_t lock;
    kin__viewer all[KIN__MAX_VIEWERS];
} kin__viewers;

// Returns whether a text can be a name: 1 to 64 visible characters of ASCII, without `"` and `\`.
bool kin__viewer_name_is_valid(const char *name);

// Notes that the viewer asked for something.
void kin__viewers_note(kin__viewers *viewers, const char *name, uint64_t now);

// Forgets a viewer that cannot come back.
void kin__viewers_forget(kin__viewers *viewers, const char *name);

// Returns when the viewer asked last, or 0 if it is not known.
uint64_t kin__viewers_seen(kin__viewers *viewers, const char *name);

// Returns the viewers that asked for something in the last ten seconds.
uint32_t kin__viewers_count(kin__viewers *viewers, uint64_t now);

// ---- hosts and sites

// The contexts that an inspector shows. Hosts: the worlds that they are in, or the game that calls
// kin_inspector_frame; all contexts of a host are touched by one thread, inside its updates.
//
// A world with the tables of one that has ended takes over its host and sites: each level of a game may be a world.
// Otherwise both are only appended: a number stays what it is, and other threads read what is below the counts. The
// constant tables of a site stay readable when its world has ended.

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
    double speed;                  // of deltas; 0 for that of the game
    double step_delta;             // of these updates; 0 for that of the game
    char holder[KIN__VIEWER_NAME]; // the viewer that paused, or ""
    char hold[KIN__SITE_NAME];     // the system before which each update is held, or ""
    uint32_t system_steps;         // systems after which the update is held, or 0
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
    const kin_world_info *info; // constant; NULL if the game calls kin_inspector_frame
    kin_world *world;           // or NULL, as `info`; for the thread of the host alone
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
    struct kin__timing *timing;                  // of calls; NULL while no viewer reads it
    bool is_edited;                              // a viewer is changing the game
    kin_probe probe;                             // of the world, with all that it may have; all zero without a world
    struct kin__messages *messages;              // those that are published; NULL while they are not recorded
    struct kin__refusals *refusals;              // refused calls; NULL while they are only counted
    uint64_t refused[KIN__STATUSES];             // by status, since the inspector is there
    _Atomic bool keeps_messages, keeps_refusals; // there are recordings of them, for other threads
    struct kin__traces *traces; // of collectors; NULL before the first; for the thread of the host alone
    struct kin__calls *calls;   // what runs in its systems; NULL until something follows it
    uint64_t update_began, update_last;
    uint64_t update_sum, update_count; // of those that were timed
    bool is_timed;                     // the end of updates is noted
    kin__pace pace;
    bool is_paced; // `pace` is not that of the game
    kin__held held;
    struct kin__until *until; // NULL while none is asked
    kin__until_state until_state;
    uint64_t until_frame;             // when it was met or refused
    uint32_t until_took;              // microseconds of the last ask
    struct kin__timeline *timeline;   // NULL while it does not record
    struct kin__hold *hold;           // what holds updates, NULL until one is to be held
    struct kin__snapshots *snapshots; // NULL before the first
    struct kin__run *run;             // what notes the system that runs, NULL until a viewer comes
    _Atomic uint32_t running;         // the system that runs
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

// ---- calls of systems

// Which systems of a host run now, for all that follows them, such as journals and watches.
//
//   kin_systems_set_probe → stack [ node | system ]      what runs now, the innermost one last
//                         → hooks [ … ]                  called at each enter and leave
//
// Systems are probed while something follows them. Each has a number that stays what it is, also when systems are added
// or removed, so that records can have it: its name stays readable, also by other threads, as long as the host.
//
// Cost: for each call of a system two indirect calls more, and one for each hook.

enum {
    KIN__MAX_HOOKS = 17, // the first is for the outermost one
    KIN__OUTSIDE = 0,
    KIN__BY_INSPECTOR = UINT16_MAX, // in place of the number of a system
    KIN__NO_ROLE = UINT16_MAX
};

// A call of a system, or a run of a node.
typedef struct kin__system_call {
    uint16_t name;    // a number for kin__calls_name; never KIN__OUTSIDE
    uint16_t systems; // the number of the collection that was added to the host
    uint32_t place;   // in kin_systems_walk of this collection
    kin_role role;
    uint32_t step; // of the fixed step around it, from 0
    bool is_collection;
    bool is_open; // hooks may change the contexts
    double share; // of the time since the call was entered, when it is left: what counts for it (kin/probe.h)
} kin__system_call;

typedef struct kin__hook {
    void (*enter)(void *user, const kin__system_call *call); // may be NULL, as may be `leave`
    void (*leave)(void *user, const kin__system_call *call);
    void *user;
    bool is_outermost; // entered before all others, and left after them; one of a host at most
} kin__hook;

// Follows the calls of a host until kin__calls_unfollow with the same hook, which must stay until then. Returns false
// when out of memory, and when there are as many hooks as can be.
bool kin__calls_follow(kin__host *host, kin__bounded_heap *heap, const kin__hook *hook);
void kin__calls_unfollow(kin__host *host, const kin__hook *hook);

// Returns the system that runs now, not a node, or NULL. For the thread of the host.
const kin__system_call *kin__calls_now(const kin__host *host);

// Returns the system around the innermost call, such as one that runs another collection, or NULL.
const kin__system_call *kin__calls_around(const kin__host *host);

// Returns whether no function of the game can have run between the last call of a hook and this one, which enters a
// system: its node has just begun, or has just left the system before. After a nested node, or a disabled one, messages
// are sent and commands run.
bool kin__calls_is_next(const kin__host *host);

// Says that the game was changed inside a hook: neither this call nor the next one follows the last one at once.
void kin__calls_interrupt(const kin__host *host);

// Returns whether the system that a hook enters runs beside the one that was entered before it.
bool kin__calls_is_beside(const kin__host *host);

// Returns the name of a role; NULL for a number that is none.
const char *kin__role_name(uint32_t role);

// Returns the name of a system; "inspector" for KIN__BY_INSPECTOR, "outside" for KIN__OUTSIDE, and for a number that is
// none.
const char *kin__calls_name(const kin__host *host, uint16_t name);

// Returns whether a system with the name was called since calls are followed.
bool kin__calls_has_name(const kin__host *host, const char *name);

// Returns whether the schema says that the system writes the component. Constant tables: for any thread.
bool kin__calls_declares(const kin__host *host, const char *system, const char *component);

// Returns a number that changes when the places of systems may have changed.
uint32_t kin__calls_generation(const kin__host *host);

// Probes systems that were added, and ends the probes if nothing follows. Called in each update that is served.
void kin__calls_refresh(kin__host *host);

// Ends all probes, as the host ends.
void kin__calls_stop(kin__host *host);

// Frees all.
void kin__calls_release(kin__host *host);

// The system that runs now, for any thread.

// Notes a system and a role; a system of 0 is none. For the thread of the host.
void kin__running_set(kin__host *host, uint16_t system, kin_role role);

// Returns the name of the system that runs now, or "" when none runs or it is not noted.
const char *kin__running_system(const kin__host *host);

// ---- moments

// The frame and the system in which something happens.

typedef struct kin__moment {
    uint64_t frame;
    uint32_t step;
    uint16_t system; // a number for kin__calls_name, such as KIN__OUTSIDE or KIN__BY_INSPECTOR
    uint16_t role;   // KIN__NO_ROLE outside of systems
} kin__moment;

// Returns where the host is now: outside of systems unless its calls are followed. For the thread of the host.
kin__moment kin__moment_now(const kin__host *host);

// ---- tasks

// One request, made of three parts that other threads run one after the other:
//
//   parse   the thread of the viewer: reads the parameters against constant tables, and allocates all that is needed
//   step    the thread of the world, in its update: copies bytes into the capture, or changes the world; in slices
//   show    the thread of the viewer: makes JSON of the capture
//
// A mistake ends the task at any part; its answer is then an error.

// The codes of errors. A refusal of the runtime has KIN__CODE_REFUSED minus its status.
enum {
    KIN__CODE_JSON = -32700,
    KIN__CODE_REQUEST = -32600,
    KIN__CODE_METHOD = -32601,
    KIN__CODE_PARAMETERS = -32602,
    KIN__CODE_INTERNAL = -32603,
    KIN__CODE_REFUSED = -33000,
    KIN__CODE_READ_ONLY = -33100,
    KIN__CODE_NOT_UPDATING = -33101,
    KIN__CODE_LIMIT = -33102,
    KIN__CODE_CHANGED = -33103,
    KIN__CODE_RANGE = -33104,
    KIN__CODE_ENDED = -33105,
    KIN__CODE_NOT_RECORDING = -33106,
    KIN__CODE_HIDDEN = -33107,
    KIN__CODE_HELD = -33108
};

// Words of slots in a slice at least, and the bytes of a capture.
enum { KIN__SLICE_WORDS = 8, KIN__CAPTURE_SIZE = 1024 * 1024 };

typedef struct kin__task kin__task;

// One row of the table of a method: requests are checked and read by it, and rpc.discover shows it.
typedef struct kin__parameter {
    const char *name;
    const char *type; // of JSON, or "any"
    bool is_required;
    const char *doc;
    json_int_t least, most; // of an integer; 0 and 0 for other types
} kin__parameter;

enum { KIN__MAX_PARAMETERS = 8 };

// Parameters that many methods have.
// clang-format off
#define KIN__CONTEXT_PARAMETER {"context", "string", false, "the context; may be left out if there is one", 0, 0}
#define KIN__WORLD_PARAMETER {"world", "string", false, "the world; may be left out if there is one", 0, 0}
// clang-format on

typedef struct kin__method {
    const char *name, *doc, *result;
    bool writes;                                          // marked W: changes the game
    bool sets_pace;                                       // changes nothing but the time of the host
    bool is_once;                                         // changes what the inspector keeps: it is not watched
    bool has_rows;                                        // of entities: streams send those that differ
    kin__parameter parameters[KIN__MAX_PARAMETERS];       // up to the first without a name
    bool needs_systems;                                   // of its world
    size_t data_size;                                     // of `data` of its tasks, which is all zero at first
    bool (*parse)(kin__task *task);                       // may be NULL, as may be `step`, if the method needs no world
    bool (*step)(kin__task *task);                        // returns whether it is done, as it is with a mistake
    void (*show)(const kin__task *task, kin__json *json); // writes the members of the result
    void (*release)(kin__task *task); // frees what `data` has; may be NULL, and is not called without data
} kin__method;

enum { KIN__COSTS = 256 };

// What methods see of their inspector.
typedef struct kin__service {
    kin__bounded_heap heap;
    _Atomic uint32_t costs[KIN__COSTS]; // nanoseconds of the last updates that served, in a ring
    _Atomic uint32_t cost_count;
    kin__sites sites;
    _Atomic(const char *) name; // "" until the first world or context is there
    bool is_read_only;
    uint32_t budget;                                     // microseconds
    void (*on_step)(const kin__task *task, bool begins); // called before and after each step of a task
    void (*on_hold)(void *user);
    void *hold_user;
    kin_inspector_snapshots snapshots; // of the game; no functions: those of worlds
    _Atomic uint64_t cost_last, cost_sum, served, cut, refused, dropped;
    // Reports a refused request that reached no method, with how many there were since the last report. Called by the
    // thread of viewers, once a second at most.
    void (*report_refusal)(const char *sentence, uint32_t count, void *user);
    void *refusal_user;
    uint64_t next_report; // when there may be one; for this thread alone, as is the next
    uint32_t unreported;
    _Atomic uint32_t streams;
} kin__service;

struct kin__task {
    kin__task *next;
    kin__service *service;
    const kin__method *method;
    json_t *parameters; // or NULL
    const kin__site *site;
    kin__host *host;    // NULL if it needs no world
    const char *viewer; // that asks, or NULL
    kin_entity entity;
    kin__capture capture;
    kin__mistake mistake; // its code is 0 if there is none
    const char *status;   // of a refusal of the runtime, else NULL
    bool has_place;       // the mistake has a place in a query
    bool has_began, is_done;
    uint64_t since;                            // when it began to wait; for the thread of viewers
    uint64_t first_frame, frame;               // of the first and of the last slice
    uint64_t deadline;                         // of this slice, by kin__inspect_now
    uint32_t cursor;                           // the next word of slots
    void *data;                                // of the method, from the heap
    void (*done)(kin__task *task, void *user); // called by the thread of the host
    void *user;
};

// Notes that a viewer asked for something of any host.
void kin__hosts_note_request(kin__service *service, const char *viewer);

// Nanoseconds of silence after which recordings for viewers end.
static const uint64_t kin__silence = 10 * (uint64_t)1000000000;

// Returns whether no viewer has asked for anything for ten seconds.
bool kin__host_is_silent(const kin__host *host, uint64_t now);

// Makes a task, and parses its parameters. `parameters` is taken over, and may be NULL. NULL when out of memory; else a
// task that may have a mistake.
kin__task *kin__task_create(kin__service *service, const kin__method *method, json_t *parameters);
void kin__task_destroy(kin__task *task);

// Returns whether a sentence about a key of the component may show what the schema hides from viewers (INS-29). The
// name may be NULL.
bool kin__has_hidden_key(const kin_context_info *info, const char *component);

// Makes a step, which ends soon after the deadline. Returns whether the task is done. For the thread of the host.
bool kin__task_step(kin__task *task, uint64_t deadline);

// Returns whether the slice has to end. For the steps of methods.
static inline bool kin__task_is_late(const kin__task *task)
{
    return kin__inspect_now() >= task->deadline;
}

// The same for a step that walks over all words of slots by `cursor`: never at the end of the walk, and seldom asked.
static inline bool kin__task_ends_slice(const kin__task *task, uint32_t words)
{
    bool is_asked = task->cursor % KIN__SLICE_WORDS == 0 && task->cursor < words;
    return is_asked && kin__task_is_late(task);
}

// Writes the members `result` or `error` of the answer.
void kin__task_show(const kin__task *task, kin__json *json);

// Writes an error as the value of the key "error".
void kin__show_mistake(kin__json *json, const kin__mistake *mistake, const char *status, bool has_place);

// Writes the key "frame": the first and the last update that the task was part of.
void kin__task_show_frame(const kin__task *task, kin__json *json);

// Reports a mistake, unless there is one. Returns false.
bool kin__task_fail(kin__task *task, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The same, because the inspector is out of memory, or because the game has given no systems.
bool kin__task_fail_memory(kin__task *task);
bool kin__task_fail_systems(kin__task *task);

// Makes a refusal of the runtime the mistake, unless there is one: not all refusals come with an error that is caught.
void kin__task_refuse(kin__task *task, kin_status status);

// Returns whether the entity is alive, and reports it if it is not.
bool kin__task_needs_living(kin__task *task, kin_entity entity);

// Ends the search for a name that does not exist: where none is near, the mistake says what lists them. Returns false.
bool kin__task_point(kin__task *task, const char *list);

// Return whether a system or node has a name, or may have it in records, as "outside"; and report it if not. For the
// thread of the host.
bool kin__task_needs_system(kin__task *task, const char *name);
bool kin__task_needs_caller(kin__task *task, const char *name);

// Allocates a capture. Returns false, and reports it, when out of memory.
bool kin__task_make_capture(kin__task *task, size_t size, size_t string_limit);

// Catches the errors of the context while the task changes it; the last one becomes the mistake.
void kin__task_catch(kin__task *task);
void kin__task_release_errors(kin__task *task);

// ---- parameters

// What a request gives. Each function reports its mistake to the task.

// Returns whether all required parameters are there, and each has its type and is known to the method.
bool kin__parameters_check(kin__task *task);

// Return the value of a parameter. Without it a bool is false, and the others are NULL, or "".
const char *kin__parameter_text(const kin__task *task, const char *name);
const char *kin__parameter_text_or_empty(const kin__task *task, const char *name);
bool kin__parameter_bool(const kin__task *task, const char *name);
json_t *kin__parameter_any(const kin__task *task, const char *name);

// Reads an integer in the range that the table says.
bool kin__parameter_integer(kin__task *task, const char *name, json_int_t *value);

// Finds the site of `context`, which may be left out if there is one; else the host of `world`: without it the only
// one, or the only one that has systems, if the method needs these. Nothing is found for methods without these
// parameters.
bool kin__parameters_find_subject(kin__task *task);

// Reads a handle, "creation:slot".
bool kin__parameter_entity(kin__task *task, const char *name, kin_entity *entity);
bool kin__text_to_entity(const char *text, kin_entity *entity);

// Reads `query`; without it all entities match. Reads `path`, of a field.
bool kin__parameter_query(kin__task *task, kin__query *query);
bool kin__parameter_path(kin__task *task, kin__path *path);

// Finds a component by name. A hidden one is refused.
bool kin__parameter_component(kin__task *task, const char *name, kin_component_id *id);
bool kin__find_component(kin__task *task, const char *name, kin_component_id *id);

// ---- queues

// Tasks of a host go from the thread of the viewer to that of the host and back.
//
// A task that the viewer gives up while it waits is taken out at once; one of which a step is being made comes back as
// all others, by `done`, or waits again.

// Queues a task that is not done. Returns false when its world has ended; the task has that as its mistake then.
bool kin__queue_push(kin__task *task);

// Takes a task back that waits. Returns false when a step of it is being made, or `done` was called.
bool kin__queue_take_back(kin__task *task);

// Makes steps until the deadline: of tasks that change the world first, then of others in turn. For the thread of the
// host.
void kin__queue_serve(kin__host *host, uint64_t deadline);

// Ends all tasks of a host whose world ends. For the thread of the host.
void kin__queue_end(kin__host *host);

#endif

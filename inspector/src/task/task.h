// Task: one request, made of three parts that other threads run one after the other:
//
//   parse   the thread of the viewer: reads the parameters against constant tables, and allocates all that is needed
//   step    the thread of the world, in its update: copies bytes into the capture, or changes the world; in slices
//   show    the thread of the viewer: makes JSON of the capture
//
// A mistake ends the task at any part; its answer is then an error.
//
// Invariants:
//   1. `step` allocates nothing from the heap
//   2. `parse` and `show` touch no context
#ifndef KIN_INSPECT_TASK_H
#define KIN_INSPECT_TASK_H

#include "query/query.h"
#include "site/site.h"
#include "text/text.h"

#include <kin/inspect.h>

#include <jansson.h>

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

// Slots of a slice at least, and the bytes of a capture.
enum { KIN__SLICE_WORDS = 8, KIN__CAPTURE_SIZE = 1024 * 1024 };

typedef struct kin__slice {
    uint64_t deadline; // by kin__inspect_now
} kin__slice;

typedef struct kin__task kin__task;

typedef struct kin__parameter {
    const char *name;
    const char *type; // of JSON, or "any"
    bool is_required;
    const char *doc;
} kin__parameter;

enum { KIN__MAX_PARAMETERS = 8 };

// Parameters that many methods have.
// clang-format off
#define KIN__CONTEXT_PARAMETER {"context", "string", false, "the context; may be left out if there is one"}
#define KIN__WORLD_PARAMETER {"world", "string", false, "the world; may be left out if there is one"}
// clang-format on

typedef struct kin__method {
    const char *name, *doc, *result;
    bool writes;                                    // marked W: changes the game
    bool sets_pace;                                 // changes nothing but the time of the host
    bool is_once;                                   // changes what the inspector keeps: it is not watched
    bool has_rows;                                  // of entities: streams send those that differ
    kin__parameter parameters[KIN__MAX_PARAMETERS]; // up to the first without a name
    bool (*parse)(kin__task *task);
    bool (*step)(kin__task *task, const kin__slice *slice); // returns whether it is done. NULL: needs no world
    void (*show)(const kin__task *task, kin__json *json);   // writes the result
    void (*release)(kin__task *task);                       // NULL: nothing
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
    uint32_t budget; // microseconds
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
    json_t *parameters; // NULL: none
    const kin__site *site;
    kin__host *host;    // NULL: needs no world
    const char *viewer; // that asks; NULL: not known
    kin_entity entity;
    kin__capture capture;
    kin__mistake mistake; // code 0: none
    const char *status;   // of a refusal of the runtime, else NULL
    bool has_place;       // the mistake has a place in a query
    bool has_began, is_done;
    uint64_t since;              // when it began to wait; for the thread of viewers
    uint64_t first_frame, frame; // of the first and of the last slice
    uint32_t cursor;             // the next word of slots
    void *data;                  // of the method, from the heap
    size_t data_size;
    void (*done)(kin__task *task, void *user); // called by the thread of the host
    void *user;
};

// Makes a task, and parses its parameters. `parameters` is taken over, and may be NULL. NULL when out of memory; else a
// task that may have a mistake.
kin__task *kin__task_create(kin__service *service, const kin__method *method, json_t *parameters);
void kin__task_destroy(kin__task *task);

// Makes a step. Returns whether the task is done. For the thread of the host.
bool kin__task_step(kin__task *task, const kin__slice *slice);

// Writes the members `result` or `error` of the answer.
void kin__task_show(const kin__task *task, kin__json *json);

// Writes an error as the value of the key "error".
void kin__show_mistake(kin__json *json, const kin__mistake *mistake, const char *status, bool has_place);

// Writes the key "frame": the first and the last update that the task was part of.
void kin__task_show_frame(const kin__task *task, kin__json *json);

// Reports a mistake, unless there is one. Returns false.
bool kin__task_fail(kin__task *task, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Makes a refusal of the runtime the mistake, unless there is one: not all refusals come with an error that is caught.
void kin__task_refuse(kin__task *task, kin_status status);

// Returns whether the entity of the task is alive, and reports it if it is not.
bool kin__task_needs_living(kin__task *task);

// Allocates the data of the method, all zero, and a capture. Return false, and report it, when out of memory.
bool kin__task_make_data(kin__task *task, size_t size);
bool kin__task_make_capture(kin__task *task, size_t size, size_t string_limit);

// Catches the errors of the context while the task changes it; the last one becomes the mistake.
void kin__task_catch(kin__task *task);
void kin__task_release_errors(kin__task *task);

#endif

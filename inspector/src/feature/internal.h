// What the files of this room share: the tables of methods, and the state and the answers that several features have.
#ifndef KIN_SRC_INSPECT_FEATURE_INTERNAL_H
#define KIN_SRC_INSPECT_FEATURE_INTERNAL_H

#include "feature/feature.h"

#include <kin/inspect.h>
#include <kin/kin.h>

#include <string.h>

// ---- methods

extern const kin__method kin__method_hello, kin__method_discover, kin__method_schema;
extern const kin__method kin__method_query, kin__method_get, kin__method_explain, kin__method_relations;
extern const kin__method kin__method_create, kin__method_spawn, kin__method_clone, kin__method_destroy;
extern const kin__method kin__method_add, kin__method_set, kin__method_replace, kin__method_remove;
extern const kin__method kin__method_groups, kin__method_uniques, kin__method_collectors, kin__method_indices;
extern const kin__method kin__method_systems, kin__method_enable, kin__method_memory;
extern const kin__method kin__method_time, kin__method_pause, kin__method_resume, kin__method_step, kin__method_speed;
extern const kin__method kin__method_hold, kin__method_until, kin__method_timeline_start, kin__method_timeline_get;
extern const kin__method kin__method_journal_start, kin__method_journal_stop, kin__method_journal_read;
extern const kin__method kin__method_why, kin__method_messages, kin__method_errors;
extern const kin__method kin__method_plot_add, kin__method_plot_remove, kin__method_plot_read;
extern const kin__method kin__method_mark_take, kin__method_mark_diff, kin__method_mark_drop;
extern const kin__method kin__method_snapshot_list, kin__method_snapshot_take, kin__method_snapshot_restore;
extern const kin__method kin__method_snapshot_diff, kin__method_snapshot_drop;
extern const kin__method kin__method_watch_add, kin__method_watch_remove, kin__method_watch_list;
extern const kin__method kin__method_content_status, kin__method_content_diff;
extern const kin__method kin__method_content_save, kin__method_content_revert;
extern const kin__method kin__method_network_status;
extern const kin__method kin__method_audit_start, kin__method_audit_stop, kin__method_audit_read;

// The shape of a result, written short, and shown as JSON Schema.
//
//   shape  = type [ "?" ]                                               with `?` it may be null
//   type   = "int" | "num" | "text" | "bool" | "any" | "[" shape "]"    an array
//          | "<" shape ">"                                              an object with any names
//          | "{" name [ "~" ] ":" shape { "," … } "}"                   an object; members with `~` may be missing

// Returns the shape of a method's result; "any" if none is written down.
const char *kin__shape_of(const char *method);

// Shows a shape as JSON Schema. Returns what follows the shape.
const char *kin__shape_show(kin__json *json, const char *shape);

// ---- the network of a world

enum { KIN__MAX_REASONS = 16 };

typedef struct kin__network_peer_row {
    struct kin__network_peer_row *next;
    kin_network_peer peer;
} kin__network_peer_row;

typedef struct kin__network_cost_row {
    struct kin__network_cost_row *next;
    const char *context, *component, *field;
    uint64_t bytes;
} kin__network_cost_row;

// How a world fares in a network. Without a session all is zero.
typedef struct kin__network {
    bool has_session;
    kin_network now;
    const char *role, *transport;
    struct {
        const char *reason;
        uint64_t count;
    } refused[KIN__MAX_REASONS];
    uint32_t reason_count;
    uint64_t cost; // bytes of the frames of the last update
    kin__network_cost_row *costs;
    kin__network_peer_row *peers;
} kin__network;

// Captures it, on the thread of the host (network.c).
void kin__network_capture(kin__task *task, kin__network *network);

// ---- rings

// Returns the number of the oldest element that a ring still has of `count` elements that were put into it.
static inline uint64_t kin__oldest_kept(uint64_t count, uint64_t capacity)
{
    return count > capacity ? count - capacity : 0;
}

// ---- the journal of a context

// The journal, the watches and the audits of one context.
//
//   kin_context_journal → ring → what the game and viewers changed, with frame and system
//                              → watches: the value before and after each call of a system
//                              → audits: a column before and after each call of a system
//
// A watch compares the bytes of one component of one entity around each call. A difference that no record of the ring
// explains was written in place: it becomes a record of its own, by the system that ran.
//
// Parallel systems of a node are entered one after the other, and their jobs may run on other threads until the last
// one is left. So nothing is compared in between, and what was written then is of the one system that declares it.
//
// All stop when no viewer has asked for anything for ten seconds, unless they are pinned. All functions are for the
// thread of the host.
//
// Invariants:
//   1. the context has the journal while a viewer has started it or there is a watch or an audit; then calls are
//      followed
//   2. without a journal of a viewer, only the components of watches and audits are noted, in the ring of audits, or
//      in `small`

enum {
    KIN__MAX_WATCHES = 64,
    KIN__MAX_AUDITS = 4,
    KIN__AUDIT_RING = 1024 * 1024, // bytes of the ring while there are audits
    KIN__MAX_BESIDE = 32,          // parallel systems that run at once
    KIN__WATCHED_CHANGES = 8,      // the last ones of each watch are kept
    KIN__WATCHED_BYTES = 64,       // of a value
    KIN__WATCHED_SOA = 1024        // of a component with one column for each field, which is read as a whole
};

// A change that a watch has seen.
typedef struct kin__watched_change {
    kin_record record;
    char previous[KIN__WATCHED_BYTES], value[KIN__WATCHED_BYTES];
} kin__watched_change;

typedef struct kin__watch_spec {
    kin_entity entity;
    kin_component_id component;
    uint32_t offset, size; // the bytes that are compared: of a field, or of the component
    char path[96];
} kin__watch_spec;

typedef struct kin__value_watch {
    kin__watch_spec spec;
    uint32_t number; // or 0 while the place is unused
    bool is_there;   // the entity had the component when it was compared last
    const char *at;  // where the bytes are, if they stay there until entities get or lose the component; else NULL
    uint64_t since;  // kin_component_changes when they were there
    char last[KIN__WATCHED_BYTES];
    uint64_t change_count;
    kin__watched_change changes[KIN__WATCHED_CHANGES]; // change n is in n % KIN__WATCHED_CHANGES
} kin__value_watch;

typedef struct kin__audit kin__audit;

typedef struct kin__notes {
    const kin__site *site;
    kin__bounded_heap *heap;
    kin_journal journal;
    kin__moment before_edit; // what ran when an edit began
    bool is_edited;
    bool is_on; // a viewer has started the journal
    bool is_pinned;
    bool is_noting;              // the context has the journal
    bool is_fresh;               // compared when the last system was left
    uint64_t seen;               // the number of the first record that watches and audits have not seen
    const kin_record *last_seen; // the one before, or NULL; it is there while the ring has its number
    uint64_t last_number_seen;   // its number
    bool lags;                   // the context refused to note what is wanted, or to end it
    uint32_t watch_count, last_number;
    uint32_t audit_count, last_audit;
    kin__audit *audits[KIN__MAX_AUDITS];      // NULL where unused
    uint64_t audit_budget, audit_left;        // nanoseconds of an update, and of this one
    kin__system_call beside[KIN__MAX_BESIDE]; // parallel systems that were entered; one that is alone is there, too
    uint32_t beside_count, beside_left;
    kin__hook hook;
    kin__value_watch watches[KIN__MAX_WATCHES];
    kin_component_id *components; // those that are noted; of a viewer's journal `wanted_count` come first
    uint32_t wanted_count;
    bool wants_all, wants_lives;
    kin_entity wanted_entity; // or 0 for all
    void *ring;               // of audits, of KIN__AUDIT_RING bytes; NULL before the first one
    uint64_t small[2048];
} kin__notes;

// What a viewer wants noted. The memory is from the heap, and the notes own it afterwards.
typedef struct kin__notes_spec {
    void *memory;
    size_t size;
    kin_component_id components[KIN__MAX_WATCHES];
    uint32_t component_count;
    bool all_components, lives, is_pinned;
    kin_entity entity;
} kin__notes_spec;

// Allocates notes for a site. NULL when out of memory. This one may be called by any thread.
kin__notes *kin__notes_make(const kin__site *site, kin__bounded_heap *heap);

// Gives notes to a site that has none. Returns whether it has taken them. For the thread of the host.
bool kin__notes_install(const kin__site *site, kin__notes *notes);

// Starts the journal anew. Returns false when the calls cannot be followed; the memory is then still the caller's.
bool kin__notes_start(kin__notes *notes, const kin__notes_spec *spec);
void kin__notes_stop(kin__notes *notes);

// Adds a watch, and returns its number; 0 when there are as many as can be, or calls cannot be followed.
uint32_t kin__notes_watch(kin__notes *notes, const kin__watch_spec *spec, bool is_pinned);
bool kin__notes_unwatch(kin__notes *notes, uint32_t number);

// Takes over an audit, and `ring` if there is none. Returns its number; 0, with nothing taken over, when there are as
// many as can be, or calls cannot be followed.
uint32_t kin__notes_audit(kin__notes *notes, kin__audit *audit, void **ring, bool is_pinned);
bool kin__notes_end_audit(kin__notes *notes, uint32_t number);

// Compares all watches and audits now; differences are by what the journal says that runs.
void kin__notes_compare(kin__notes *notes);

// ---- watches

// What one watch of the notes does.

// Copies the watched bytes of the entity. Returns false if it does not have the component.
bool kin__watch_read(const kin_context *context, const kin__value_watch *watch, char value[KIN__WATCHED_BYTES]);

// Returns whether the bytes are the last ones, and where they were. `changes` is kin_component_changes of the
// component. Most values have four or eight bytes, for which a compiler calls no function.
static inline bool kin__watch_stands_still(const kin__value_watch *watch, uint64_t changes)
{
    if (watch->at == NULL || changes != watch->since)
        return false;
    if (watch->spec.size == 4)
        return memcmp(watch->at, watch->last, 4) == 0;
    if (watch->spec.size == 8)
        return memcmp(watch->at, watch->last, 8) == 0;
    return memcmp(watch->at, watch->last, watch->spec.size) == 0;
}

// Compares the value with the last one, by the records that are new: what they do not explain was written in place.
void kin__watch_compare(kin__notes *notes, kin__value_watch *watch);

// ---- audits

// Which values of a column each system wrote in place.
//
//   copy of the column [ word: which slots have the component | 64 values ] …     as it was when it was compared last
//
// The notes of the context compare the copy with the column before and after each call of a system. The records of the
// journal are applied to the copy first: what still differs was written in place, by the system that ran.
//
// Comparing takes at most the budget of an update. The words that are compared are a window, which starts small, grows
// while time is left, and shrinks when it is not; while it is smaller than the column, each update compares the next
// part. When the budget is spent in the midst of an update, the rest of it is not compared.
//
// Invariants:
//   1. an audit has all its memory when it is made; the window never has more words than the copy has room for
//   2. in a word of the window the copy has the values of the last comparison, unless the audit waits for the next
//      update (`is_waiting`)

enum {
    KIN__AUDITED_SYSTEMS = 64,
    KIN__AUDITED_WRITES = 8, // the last ones of each system are kept
    KIN__AUDITED_SOA = KIN__WATCHED_SOA
};

// A value that was written in place: its first bytes.
typedef struct kin__audited_write {
    kin_entity entity;
    uint64_t frame;
    uint32_t step;
    uint16_t role;
    char previous[KIN__WATCHED_BYTES], value[KIN__WATCHED_BYTES];
} kin__audited_write;

typedef struct kin__audited_system {
    uint16_t name; // for kin__calls_name
    uint64_t count;
    uint64_t fields; // of the component, as bits; the last bit is for all after the 63rd
    uint64_t first_frame, last_frame;
    uint64_t kept;                                  // writes that were kept
    kin__audited_write writes[KIN__AUDITED_WRITES]; // write n is in n % KIN__AUDITED_WRITES
} kin__audited_system;

struct kin__audit {
    uint32_t number;
    kin_component_id component;
    const kin_component_info *info;
    size_t whole;          // bytes of this struct with the copy
    uint32_t capacity;     // words that the copy has room for
    uint32_t first, count; // the window
    bool is_waiting;       // compares nothing until the next update
    bool is_cut;           // because the budget is spent
    uint64_t cut;          // updates in which it was
    uint64_t lost;         // comparisons for which too many records were lost
    uint64_t other;        // writes of systems for which there is no room
    uint32_t system_count;
    kin__audited_system systems[KIN__AUDITED_SYSTEMS];
    uint64_t *has; // of each word; after this struct
    char *values;
};

// Makes an audit of a component, with a copy of at most `bytes`. NULL when out of memory. For any thread.
kin__audit *kin__audit_make(kin__bounded_heap *heap, const kin__site *site, kin_component_id id, size_t bytes);
void kin__audit_destroy(kin__bounded_heap *heap, kin__audit *audit);

// Returns the bytes that a copy of the column needs now.
size_t kin__audit_needs(const kin__audit *audit, const kin_context *context);

// Returns the words that are compared in this update.
uint32_t kin__audit_words(const kin__audit *audit, const kin_context *context);

// Compares the window. `first` is the first record that was not seen, or NULL; without all of them nothing can be said
// about what differs. Stops at the deadline.
void kin__audit_compare(const kin__notes *notes, kin__audit *audit, const kin_record *first, bool is_complete,
                        uint64_t deadline);

// Chooses the window of the next update, and copies it. `has_time`: less than half of the budget was spent.
void kin__audit_begin_update(const kin__notes *notes, kin__audit *audit, bool has_time, uint64_t deadline);

// ---- times

// How long the calls of systems take, and what they change, while a viewer reads it.
//
//   rows  [ the last calls of one role of one system | … ]     in the order of their first calls
//   table [ number of a row, from 1 | … ]                      found by system and role
//
// Invariants:
//   1. a row has `count` durations, at most KIN__TIMED_CALLS; once it is full, `next` is the oldest
//   2. when there is no row left, further systems are not timed
//   3. attention of the host is one more while calls are timed, by the calls that it follows
//
// It ends when no viewer has asked for ten seconds. Cost: for each call, two reads of the clock and of the counters of
// the contexts.

enum { KIN__TIMED_CALLS = 240 };

// One role of one system.
typedef struct kin__timed {
    uint32_t place;
    uint16_t systems;
    uint8_t role;
    uint32_t next, count;
    kin_counts counts; // structural changes of all calls since the timing began
    uint32_t last;
    uint32_t nanoseconds[KIN__TIMED_CALLS]; // at most UINT32_MAX
} kin__timed;

typedef struct kin__timing kin__timing;

// Makes one. NULL when out of memory. The second one destroys one that no host has; NULL is allowed.
kin__timing *kin__timing_create(kin__bounded_heap *heap);
void kin__timing_destroy(kin__timing *timing);

// Times the calls of a host for ten seconds more. Takes over `*timing`, and sets it to NULL, if the host has none yet;
// without one it does nothing then. For the thread of the host, as are the next two.
void kin__timing_want(kin__host *host, kin__timing **timing);

// Returns the row of a system and a role, or NULL if it was not called. For the thread of the host.
const kin__timed *kin__timing_find(const kin__host *host, uint32_t systems, uint32_t place, kin_role role);

// Evaluates the durations of a copy of a row, for any thread. The durations are sorted.
kin_timing kin__timed_evaluate(kin__timed *timed);

// Makes a timing for the host, which the step gives to kin__timing_want. Leaves NULL if the host has one or no systems,
// and when out of memory: then nothing is timed.
void kin__timing_prepare(const kin__task *task, kin__timing **timing);

// ---- messages (messages.c)

typedef struct kin__messages {
    kin__bounded_heap *heap;
    kin__host *host;
    kin__hook hook;
    uint64_t until;      // when no viewer asks until then, it ends
    uint64_t count;      // of all that were recorded
    size_t stride, size; // bytes of a place, and of all this
    max_align_t places[];
} kin__messages;

// ---- refused calls (errors.c)

enum { KIN__SENTENCE = 512 };

typedef struct kin__refusal {
    uint64_t first, last; // numbers of the calls
    kin__moment moment;   // of the last one
    kin_status status;
    kin_entity entity;              // or 0
    const char *context;            // constant; or NULL
    char component[KIN__SITE_NAME]; // or ""
    bool is_hidden;                 // the sentence may show what is hidden: it is not kept
    char sentence[KIN__SENTENCE];
} kin__refusal;

typedef struct kin__refusals {
    kin__bounded_heap *heap;
    kin__host *host;
    kin__hook hook;
    uint64_t until;        // when no viewer asks until then, it ends
    uint64_t calls, count; // of refused calls and of refusals since it began
    kin__refusal next;     // that is compared with the last one
    kin__refusal ring[KIN__KEPT_REFUSALS];
} kin__refusals;

// ---- the timeline (timeline.c)

enum { KIN__MOST_FRAMES = 600, KIN__TIMELINE_SPANS = 16 * 1024 };

typedef struct kin__span {
    uint64_t began, ended; // nanoseconds; `ended` is 0 while it runs
    uint64_t created, destroyed, changed;
    uint32_t place;
    uint16_t name, systems, depth;
    uint16_t step;
    uint8_t role;
    uint8_t lane; // 0, but of parallel systems that run beside each other each has another
    bool is_collection;
} kin__span;

typedef struct kin__timeline_frame {
    uint64_t frame, began, ended;
    uint64_t first; // number of its first span
    uint32_t count;
} kin__timeline_frame;

typedef struct kin__timeline {
    kin__bounded_heap *heap;
    kin__host *host;
    kin__hook hook;
    uint64_t until; // it ends then unless a viewer asks before
    uint32_t capacity;
    uint64_t frame_count, span_count; // of all that were recorded; the newest are there
    uint32_t open[64];                // numbers of spans that have not ended
    uint32_t open_count;
    uint64_t held; // of the host, when the frame began
    uint64_t now;  // when the clock and the counters were read last
    kin_counts counts;
    kin__timeline_frame *current; // the newest frame, or NULL before the first
    kin__timeline_frame frames[KIN__MOST_FRAMES];
    kin__span spans[KIN__TIMELINE_SPANS];
} kin__timeline;

// ---- snapshots

// States of a host that viewers have saved, to return to them or to compare them.
//
//   places   [ oldest | … | newest ]     at most `keep`; the oldest ones make room for new ones
//
// A snapshot is a kin_snapshot of the world, whose memory is from the world's contexts, or what the functions of the
// game give. It is counted in the heap of the inspector, and all snapshots together take half of its limit at most
// (INS-08).
//
// With a period, a snapshot is taken before an update each time that many updates have run, until no viewer has asked
// for anything for ten seconds. One that takes longer than the budget of an update is taken less often, so that its
// share of each update stays within the budget. All functions are for the thread of the host, outside of systems.
//
// Invariants:
//   1. attention of the host is one more while there is a period
//   2. `bytes` are counted in the heap

enum { KIN__MAX_SNAPSHOTS = 120, KIN__KEPT_SNAPSHOTS = 60 };

typedef struct kin__kept_snapshot {
    void *at;       // a kin_snapshot, or what the game gave
    size_t size;    // of what the game gave
    size_t bytes;   // that it needed beyond those that were there before
    uint64_t frame; // the last update that ran before it
    double time;
    uint32_t number, entities;
} kin__kept_snapshot;

typedef struct kin__snapshots {
    kin__bounded_heap *heap;
    const kin_inspector_snapshots *functions; // of the game, or NULL for those of the world
    kin__host *host;
    uint32_t count, last_number;
    uint32_t keep;         // how many snapshots are kept
    uint32_t every;        // updates from one snapshot to the next, or 0 without a period
    uint32_t microseconds; // that the last one took
    uint64_t last_frame;   // when one was taken or restored
    uint32_t standing;     // the one that was taken or restored last
    size_t bytes;          // of all
    kin_snapshot *now;     // a state to compare with, or NULL
    uint32_t now_number;   // of the comparison that has saved it
    kin_status status;     // of the last refusal
    char trouble[200];     // its sentence, or "" if the last one was taken
    kin__kept_snapshot places[KIN__MAX_SNAPSHOTS];
} kin__snapshots;

// Makes an empty list. NULL when out of memory. This one may be called by any thread.
kin__snapshots *kin__snapshots_make(kin__bounded_heap *heap, kin__host *host, const kin_inspector_snapshots *functions);

// Takes a snapshot and returns its number. Makes room by dropping the oldest ones, apart from the one with the number
// `spared`. Returns 0 when it fails, with `status` and `trouble`; KIN_ERROR_LIMIT: it does not fit.
uint32_t kin__snapshots_take(kin__snapshots *snapshots, uint32_t spared);

// Returns to a snapshot. `*previous` gets the number of a snapshot of the state before, 0 if that does not fit.
kin_status kin__snapshots_restore(const kin__sites *sites, kin__snapshots *snapshots, uint32_t number, bool anew,
                                  uint32_t *previous);

// Returns the snapshot with a number, or NULL.
const kin__kept_snapshot *kin__snapshots_find(const kin__snapshots *snapshots, uint32_t number);

// Drops the snapshot with a number, all for 0. Returns how many.
uint32_t kin__snapshots_drop(kin__snapshots *snapshots, uint32_t number);

// Sets how many are kept, and the period; 0 ends it.
void kin__snapshots_set_period(kin__snapshots *snapshots, uint32_t every, uint32_t keep);

// Saves the state of the world to `now`, and gives it another number. Returns false as kin__snapshots_take.
bool kin__snapshots_save_now(kin__snapshots *snapshots);
void kin__snapshots_drop_now(kin__snapshots *snapshots);

// ---- records

// Writes the members of a record: its number, frame, step, system, role, kind, entity and component.
void kin__show_record(kin__json *json, const kin__site *site, const kin_record *record);

// Writes a key and the fields of a value of which only the first `size` bytes are known; nothing without bytes. Strings
// and lists, which may have changed since, are left out.
void kin__show_known(kin__json *json, const char *key, const kin_component_info *info, const void *value, size_t size);

// Writes the members frame, step, `system_key` and role of where something happened.
void kin__show_moment(kin__json *json, const kin__host *host, const kin__moment *moment, const char *system_key);

// Reads the parameter `after`, the `next` of an answer. Without it `*has_after` is false.
bool kin__parameter_after(kin__task *task, uint64_t *after, bool *has_after);

// Writes the members lost and next.
void kin__show_next(kin__json *json, uint64_t lost, uint64_t next);

// Returns whether a field has its value in its own bytes.
bool kin__field_is_flat(const kin_field_info *field);

// Returns whether viewers can see the field when only the first `size` bytes of its component are known.
bool kin__field_is_known(const kin_field_info *field, size_t size);

// Returns the kind with the name; false if there is none.
bool kin__find_record_kind(const char *name, uint8_t *kind);

// Returns the name of the system that made the change.
const char *kin__record_system(const kin__site *site, const kin_record *record);

// ---- differences

// What marks.diff and snapshots.diff show of each row, and of all.

typedef enum kin__row_kind {
    KIN__ROW_APPEARED,
    KIN__ROW_GONE,
    KIN__ROW_GOT, // a component, as are the next ones
    KIN__ROW_LOST,
    KIN__ROW_CHANGED,
    KIN__ROW_KINDS
} kin__row_kind;

// Returns the component of a row, or NULL for one of an entity.
static inline const kin_component_info *kin__row_component(const kin__site *site, kin__row_kind kind,
                                                           kin_component_id component)
{
    return kind >= KIN__ROW_GOT ? &site->info->components[component] : NULL;
}

// Writes the members e, kind and component. `component` is NULL for a row of an entity.
void kin__show_row(kin__json *json, kin__row_kind kind, kin_entity entity, const kin_component_info *component);

// Writes the members frame, appeared, gone and changed.
void kin__show_row_counts(const kin__task *task, kin__json *json, const uint32_t counts[KIN__ROW_KINDS]);

// ---- values that viewers give

// A value of a field is read from JSON: what kin__show_field writes, and numbers for all integers.
//
// A value is given as bytes and a mask: bytes of fields that are not given have no bit in the mask, and stay what they
// are. Strings point into the JSON, elements of lists into the block of the capture. Types and the range of the schema
// are checked; hidden and read-only fields and opaque values are refused.

typedef struct kin__reader {
    kin__task *task;
    bool is_forced;     // the ranges of the schema are not checked
    bool is_expected;   // the value is only compared: ranges and read-only fields are no mistakes
    char *bytes, *mask; // of the whole component
} kin__reader;

// Reads the fields of an object. `offset` is that of the struct in the component.
bool kin__read_struct(kin__reader *reader, const kin_field_info *fields, uint32_t count, const json_t *value,
                      size_t offset);

// Reads a field, or a single element of it, at an offset.
bool kin__read_field(kin__reader *reader, const kin_field_info *field, const json_t *value, size_t offset,
                     bool is_element);

// Report why a value is not set. All return false.

// The number is outside of the range of its field.
bool kin__refuse_range(kin__task *task, const kin_field_info *field);

// The field of a path has another value, `base`, than was expected.
bool kin__refuse_expected(kin__task *task, const kin__path *path, const void *base);

// An object has a field that is none of these.
bool kin__refuse_unknown(kin__task *task, const kin_field_info *fields, uint32_t count, const json_t *value);

// Compares what was given of a field with a value, by its mask, or all of it if that is NULL; or a single element.
// Numbers are the same if they are shown the same: every NaN is the same, and -0 differs from 0.
bool kin__same_field(const kin_field_info *field, const char *given, const char *mask, const char *value,
                     bool is_element);

#endif

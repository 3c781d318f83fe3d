// world: systems, worlds that run them in the order of a schedule, commands, and snapshots of worlds
//
// Owns kin_systems and its nodes. A kin__node_type has the functions of one kind of node: plain, reactive, event,
// cleanup and schema systems. A snapshot of a world has a part for each saved context, and the state of its systems.
//
//   world, world_snapshot  →  schema_system  →  batch, jobs  →  inbox, membership, commands  →  systems
//
// Cycle: batch.c, jobs.c, schema_system.c and world.c. The turn of a parallel system runs its batch, which prepares
// the systems of the batch.
// Cycle: profile.c, reactive.c and systems.c. A collection times its systems, and some of them are reactive.
#ifndef KIN_SRC_WORLD_H
#define KIN_SRC_WORLD_H

#include "snapshot/snapshot.h"

#include <kin/generated/commands.h>
#include <kin/generated/world.h>
#include <kin/inventory.h>
#include <kin/parallel.h>
#include <kin/probe.h>
#include <kin/systems.h>
#include <kin/world.h>

// Tally: the structural changes that the calls of one system make in some contexts.
//
// A tally belongs to a profile, so a system that is not profiled tests one pointer for both. Nothing is counted where
// the changes are made: a tally takes the difference of the contexts' own counters before and after a call.
//
// Cost: two sums over the components of the contexts for each call.

typedef struct kin__tally {
    kin_counts sum;    // of all calls that have ended
    kin_counts before; // the contexts' counters when the outermost call began
    uint32_t calls;    // in progress: a system may run inside one of its own calls
    uint32_t context_count;
    kin_context *contexts[];
} kin__tally;

// Profile: what is done around each call of one system: the durations of its last calls, by role, and a probe.
//
//   [ profile | times of all roles | sorted[window] | ring[window] of the first role | ring[window] of the second | … ]
//
// One block of memory for each system, allocated when profiling starts, so that measuring never allocates. A profile
// that only has a probe is a member of its node, so that setting a probe does not allocate either.
//
// Invariants:
//   1. a ring has `count` durations, at most `window`; once it is full, `next` is the oldest
//   2. a role has a ring only if the system has the role, and the window is not 0
//
// Cost: two clock reads and one store for each call; one test for a system that is neither timed nor probed.

// A set of roles: one bit for each.
typedef uint32_t kin__roles;

typedef struct kin__times {
    uint64_t *ring; // nanoseconds; NULL: the system does not have the role
    uint32_t next, count;
    uint64_t last; // of the most recent call
} kin__times;

typedef struct kin__profile {
    kin_clock clock;
    uint32_t window;             // 0: the calls are not timed
    size_t size;                 // bytes of the block; 0: a member of its node
    const kin_call_probe *probe; // NULL: none
    kin_call call;               // what the probe is given
    kin__roles open;             // roles in which the probe may change the contexts
    kin__times *times;           // by role; NULL if the window is 0
    uint64_t *sorted;
    kin__tally *tally;      // structural changes; NULL: not counted
    kin__tally *next_tally; // being prepared, while counting starts; else NULL
} kin__profile;

// NULL is allowed, and one that is a member of its node.
void kin__profile_destroy(kin__memory *memory, kin__profile *profile);

// Returns whether the calls are timed. NULL is allowed.
static inline bool kin__profile_is_timed(const kin__profile *profile)
{
    return profile != NULL && profile->window > 0;
}

// Call the probe, if there is one, for a system, or for a run of a collection with the number of its step. `share` is
// the part of the time that counts for the call.
void kin__profile_enter(const kin__profile *profile, kin_role role, uint32_t step);
void kin__profile_leave(const kin__profile *profile, kin_role role, uint32_t step, double share);

// Begins a call, and returns the time.
uint64_t kin__profile_start(const kin__profile *profile, kin_role role);

// Call this before each call of the system. Returns the time. NULL: neither timed nor probed.
static inline uint64_t kin__profile_begin(const kin__profile *profile, kin_role role)
{
    return profile == NULL ? 0 : kin__profile_start(profile, role);
}

// Ends a call that began at `began`: adds this part of its duration, and its structural changes.
void kin__profile_append(kin__profile *profile, kin_role role, uint64_t began, double share);

// Call this after each call of the system. NULL: neither timed nor probed.
static inline void kin__profile_end(kin__profile *profile, kin_role role, uint64_t began)
{
    if (profile != NULL)
        kin__profile_append(profile, role, began, 1);
}

// Systems: collections as lists of nodes, and the phases that run them.
//
//   collection → node → node → …     in order of adding
//                  │
//                  └ a system, a reactive system, a nested collection, or a node of a later room (kin__node_type)
//
// A node that is removed while its collection runs is only marked. It is destroyed once neither the collection nor
// anything in the node runs.
//
// Invariants; kin__systems_is_valid() checks 1 to 3:
//   1. `first` to `last` are the nodes, and each has the collection as its owner
//   2. a nested collection has the node that contains it in `place`, so it is in at most one collection
//   3. `roles` includes the roles of every node, so that a walk may skip a collection without the role
//   4. a reactive node collects exactly while it is neither deactivated nor removed, and it and all collections around
//      it are enabled
//
// Cost: a phase makes one call for each function, and one test for each node and each skipped collection.

typedef struct kin__node kin__node;
struct kin__saved_node;
struct kin__state;

// The roles for which nothing is prepared before the call.
#define KIN__OPEN_ROLES                                                                                                \
    ((kin__roles)1 << KIN_ROLE_START | (kin__roles)1 << KIN_ROLE_EXECUTE | (kin__roles)1 << KIN_ROLE_INBOX |           \
     (kin__roles)1 << KIN_ROLE_UPDATE)

// A kind of node that a later room adds. Functions that are NULL have the default.
typedef struct kin__node_type {
    // Runs one role. Default: the functions of the node.
    void (*run)(kin__node *node, kin_role role, const kin_tick *tick);
    // Returns the kind of the node, for tools. Default: reactive if it has a collector, else plain.
    kin_system_kind (*kind)(const kin__node *node);
    // The roles of the node, for profiling. Default: those of its functions.
    kin__roles (*roles)(const kin__node *node);
    // Called whenever the node may have become enabled or disabled; `open`: it and all collections around it are
    // enabled. Default: nothing. The node's collector is activated in any case.
    void (*set_open)(void *object, bool open);
    // Drops what the object has collected, besides the node's collector. Default: nothing.
    void (*clear)(void *object);
    // Destroys the object, after the node's collector. Default: nothing.
    void (*destroy)(void *object);
    // Returns the object's collectors by number, from 0; NULL after the last one. Default: none.
    kin_collector *(*collector)(void *object, uint32_t number);
    // What snapshots have of the object besides its collectors (snapshot/snapshot.h). `save` writes it, and sets
    // flags and counts of the node. `reserve` returns false when out of memory. Default: nothing.
    void (*save)(const void *object, struct kin__saved_node *saved, struct kin__state *state);
    bool (*reserve)(void *object, const struct kin__saved_node *saved, struct kin__state *state);
    void (*restore)(void *object, const struct kin__saved_node *saved, struct kin__state *state);
} kin__node_type;

typedef void kin__node_call(void *self);

// Sorts the entities of a reactive system by an index.
typedef struct kin__sorter {
    kin_context *context;
    uint32_t order;      // the number of the index plus 1
    kin__memory *memory; // of the copy
    kin__array copy;
} kin__sorter;

typedef struct kin__reactive {
    kin_collector *collector;                                            // owned; NULL: the node is not reactive
    bool (*filter)(void *self, kin_context *context, kin_entity entity); // NULL: all living entities pass
    void (*execute)(void *self, kin_context *context, const kin_entity *entities, uint32_t count); // NULL: none
    kin__sorter *sorter; // NULL: executes in the order of the changes
    bool running, deactivated;
} kin__reactive;

struct kin__node {
    kin__node *next;
    kin_systems *owner;
    bool enabled, removed;
    bool is_elsewhere;                                 // another world runs it: `enabled` is not set
    bool is_wanted;                                    // it is enabled once it runs here again
    kin__roles open;                                   // roles in which a probe may change the contexts
    kin_systems *nested;                               // owned; NULL: the node is not a collection
    const kin__node_type *type;                        // NULL: a collection, or a system that the user added
    void *object;                                      // of the type; owned
    kin__profile *profile;                             // NULL: neither timed nor probed; of a collection never timed
    void (*execute)(void *self, const kin_tick *tick); // all that the node does in execute; NULL: nothing, or more
    void *self;                                        // passed to all functions
    kin__node_call *initialize, *cleanup, *tear_down;  // NULL: none
    kin__reactive reactive;
    kin__profile *next_profile; // while profiling starts
    char *name;                 // NULL: none; a collection has its own
    kin__profile untimed;       // what `profile` is while it only has a probe
};

struct kin_systems {
    kin__slot_extension extension; // first member: its address is that of the collection
    kin_context *context;          // counts the collection's memory; NULL: none, or destroyed
    kin__memory memory;
    kin_context_options options;         // where errors are reported
    const kin__error_watch *error_watch; // of an outermost collection, for all inside it; NULL: none
    char *name;                          // NULL: none
    kin__node *first, *last;
    kin__node *place;            // the node that contains the collection; NULL: none
    uint32_t running;            // walks in progress; nodes are destroyed only at 0
    uint32_t refreshes;          // of the outermost collection: counts the refreshes of all inside it
    bool removing;               // a node is marked as removed
    bool is_world;               // the systems of a world, which alone destroys them
    bool is_off;                 // the collection, or one around it, is removed or disabled
    kin__roles roles;            // of all nodes, including former ones
    bool is_paced;               // an execute around it does not just walk it: see kin__systems_update_paced
    bool is_manual;              // an execute around it skips it; kin__systems_run_manual runs it
    double time;                 // the sum of all deltas
    uint64_t frame;              // number of executes
    kin_tick tick;               // of the last execute
    const kin_tick *inner_tick;  // of the fixed step or manual run in progress inside it; NULL: none
    kin__fixed_step *fixed_step; // NULL: runs once for each execute
    const kin__pushed *pushed;   // ticks that replace the clocks; NULL: never
    void (*end_stage)(void *);   // called in an execute before each nested collection and at the end; NULL: nothing
    void *end_stage_user;
};

// ---- collections

// Makes a collection, not in another one, run in fixed steps. Returns false when out of memory.
bool kin__systems_set_fixed_step(kin_systems *systems, double step, uint32_t max_steps);

// Makes a collection, not in another one, manual: only kin__systems_run_manual runs it. `pushed` replaces its clock.
void kin__systems_set_manual(kin_systems *systems, const kin__pushed *pushed);

// Makes executes of a collection, not the outermost one, call a function after the nodes before each nested collection,
// and after the last node.
void kin__systems_set_stages(kin_systems *systems, void (*end_stage)(void *), void *user);

// Sets `is_paced`: the collection has a fixed step, stages or a probe, or is manual.
void kin__systems_update_paced(kin_systems *systems);

// Returns the tick of the fixed step or manual run in progress inside the collection. Otherwise returns the tick of its
// last execute; all zero before the first, except for a time that was set.
kin_tick kin__systems_tick(const kin_systems *systems);

// Sets the time of the collection and of all nested ones.
void kin__systems_set_time(kin_systems *systems, double time);

// Makes `context` count the memory of the collection.
void kin__systems_attach(kin_systems *systems, kin_context *context);

// Destroys a collection that does not run, with everything in it. `place` is not read.
void kin__systems_release(kin_systems *systems);

// Returns whether the collection or a nested one runs.
bool kin__systems_are_running(const kin_systems *systems);

// Ends all runs of the collection and of nested ones, which will never return, so that it can be released.
void kin__systems_forget_runs(kin_systems *systems);

// Begins and ends an operation that calls back several times: until it ends, neither the collection nor anything in it
// is destroyed. The end destroys what was removed meanwhile.
void kin__systems_pin(kin_systems *systems);
void kin__systems_unpin(kin_systems *systems);

// The same, but reports an error when there is none. `systems` may be NULL.
kin__node *kin__systems_find_or_report(const kin_systems *systems, const char *name, const char *verb);

// Reports an error to the handler of the collection (NULL: the default handler) and returns the status.
kin_status kin__systems_report_error(const kin_systems *systems, kin_status status, const char *verb,
                                     const char *reason);

// ---- nodes

// Makes an enabled node that is in no list yet; the name is copied. NULL when out of memory, not reported.
kin__node *kin__node_create(kin_systems *systems, const char *name);

// Adds a node at the end, when all its fields are set.
void kin__systems_append(kin_systems *systems, kin__node *node);

// The roles that the node has functions for; of a collection, those of all its nodes.
kin__roles kin__node_roles(const kin__node *node);

// Returns the kind of the node, for tools.
kin_system_kind kin__node_kind(const kin__node *node);

// ---- enabling

// Brings every reactive node in the collection into the state of invariant 4, and calls set_open of every type.
void kin__systems_refresh(kin_systems *systems);

// ---- clearing

// Enables or disables a node, as the program or a restore asks: one that runs elsewhere is enabled later.
void kin__node_set_enabled(kin__node *node, bool enabled);

// Says whether another world runs the node.
void kin__node_set_elsewhere(kin__node *node, bool is_elsewhere);

// Returns whether the program wants the node to be enabled.
static inline bool kin__node_is_wanted(const kin__node *node)
{
    return node->is_elsewhere ? node->is_wanted : node->enabled;
}

// Clears the collectors of all nodes, disabled ones too, and calls clear of every type.
void kin__systems_clear(kin_systems *systems);

// ---- running

// Executes a manual collection by its own clock. `root` is the collection of the world that contains it.
void kin__systems_run_manual(kin_systems *root, kin_systems *systems, double delta);

// Calls the `draw` of the systems of a world.
void kin__systems_draw(kin_systems *systems);

// Runs a reactive node on what it has collected. Does nothing while the node already runs. (reactive.c)
void kin__reactive_run(kin__node *node);

// The two halves of a run that executes something else. The first takes and filters what was collected, and returns
// false if there is nothing, or the node already runs. The second releases it.
bool kin__reactive_begin(kin__node *node);
void kin__reactive_end(kin__node *node);

// Ends a run that will never return, but for the release.
void kin__reactive_forget(kin__node *node);

// The same, and profiles it.
void kin__node_react(kin__node *node);

// The state of collections and their nodes in snapshots of worlds (snapshot.h of the room snapshot).
//
// A save writes it once to learn the size, and once more. A restore
//
//   kin__systems_match      compares the nodes with those that were saved: names, kinds, order
//   kin__systems_reserve    reserves all memory
//   kin__systems_restore    puts the state in place, without callbacks. kin__systems_refresh then opens what is enabled
//
// For each the state stands at the first saved node.

// Says for all collectors of the systems whether they are in the scope of the save or restore that is under way.
void kin__systems_set_scope(kin_systems *systems, bool is_in_scope);

// Calls a function for each node, depth first, with `depth` of the state; false as soon as it returns that.
bool kin__nodes_visit(kin_systems *systems, kin__state *state, bool (*function)(kin__node *node, kin__state *state));

// Returns the collectors of a node by number: its own, then those of its type; NULL after the last one.
kin_collector *kin__node_collector(const kin__node *node, uint32_t number);

void kin__clock_save(const kin_systems *systems, kin__saved_clock *saved);
void kin__clock_restore(kin_systems *systems, const kin__saved_clock *saved);

// Writes all nodes, and counts them in the state.
void kin__systems_save(kin_systems *systems, kin__state *state);

// Returns whether the nodes are those that were saved; the caller compares their count.
bool kin__systems_match(kin_systems *systems, kin__state *state);

// Returns false when out of memory: nothing that can be seen has changed.
bool kin__systems_reserve(kin_systems *systems, kin__state *state);

void kin__systems_restore(kin_systems *systems, kin__state *state);

// Cleanup systems: each implements one `cleanup` of a schema. In the cleanup phase it processes the entities that had
// its component when the phase began: it removes the component, or destroys the entity.
//
//   marked   one bit for each slot of the context: a copy of the component's bits, made before the first change
//
// The bit set grows with the context, so that a cleanup never allocates. Entities that get the component during the
// cleanup are not processed.
//
// Invariant: `marked` has at least `slot_count` bits, which are at least the slots of the context.
//
// Cost: copies 64 bytes for each chunk, then one step for each word, and one change for each marked entity.

typedef struct kin__cleanup_system {
    kin__slot_extension extension; // first member: its address is that of the cleanup system
    kin__memory memory;
    kin_context *context; // NULL once it is destroyed
    kin__cleanup cleanup;
    uint64_t *marked;    // one bit for each slot
    uint32_t slot_count; // bits of `marked`
} kin__cleanup_system;

// Component collectors: collectors of the entities that get or lose one component.

// Makes a collector for the component, which leaves out entities with the flag `off`; NULL: none. Returns NULL when out
// of memory or when the context has no room for one more group: `status` has the error, which is not reported.
kin_collector *kin__component_collector(kin_context *context, kin_component_id id, kin_group_event event,
                                        const kin_component_id *off, kin_status *status);

// Event systems: each calls the listeners of one generated event for the entities that it has collected.
//
//   event system → collector → entities in order of collection
//                → last values    of removed components, for an event that reports removals
//                → value          a copy of the value that is passed to the listeners, valid during the call
//
// All collected entities pass the filter. Whether an entity still has the component, or still lacks it, is tested
// before each call. A listener may do anything, so it gets a copy of the value, and the value's owned block is kept
// until the listener returns.
//
// Invariants:
//   1. `last_values` is set exactly for an event that reports removals of a component with a value
//   2. the node owns the collector from the moment it is added; until then the event system owns it
//
// Cost: one call for each listener and entity, and a copy of the value for each call.

typedef struct kin__event_system {
    kin__slot_extension extension; // first member: its address is that of the event system
    kin_context *context;          // NULL once it is destroyed
    kin__memory memory;
    uint32_t event;
    kin_collector *collector;             // NULL once the node owns it
    struct kin__last_values *last_values; // NULL: none
    size_t size;                          // bytes of this struct and the value
    max_align_t value[];
} kin__event_system;

// Commands: the private part of a buffer (kin/generated/commands.h has the picture).
//
//   scope     the contexts and messages that the commands are about: one context, or all of the world of a job
//   blocks    all blocks, in the order in which they are filled
//   current   the block that is being filled; those after it are empty
//   coming    room for the entities to come of the recorded commands
//   made      the entities that the last playback made
//
// A playback takes the blocks and `coming`, so that listeners may record meanwhile: for the next playback.
//
// Invariants:
//   1. `used` of each block before the current one is the end of its last command
//   2. `coming` has room for `coming_count` entities; their numbers begin with `first_number`
//   3. the memory is the buffer's own: it is counted by no context, as another thread may record
//   4. `lock` is held while a job that records calls the allocator, as other jobs of the world may
//
// Cost: a command without a value takes 16 bytes. A block is at least 4 KiB.

typedef struct kin__command_block {
    struct kin__command_block *next;
    size_t size, used; // bytes of commands
    _Alignas(KIN__COMMAND_ALIGNMENT) unsigned char bytes[];
} kin__command_block;

// What commands are about: contexts and messages by number.
typedef struct kin__command_scope {
    kin_context *const *contexts;
    const kin_message_info *messages; // NULL: of a buffer by hand, which has no messages
} kin__command_scope;

typedef struct kin__command_buffer {
    kin__commands head;
    kin__command_scope scope;
    kin_context *context; // of a buffer by hand, the whole scope; NULL: of a job
    kin__memory memory;
    kin__lock *lock; // NULL: nobody else uses the allocator while commands are recorded
    kin__command_block *blocks, *current, *playing;
    kin__array coming, made;
    uint32_t coming_count, made_count;
    uint32_t first_number, made_number; // of the first entity of `coming` and `made`
    uint32_t dropped;                   // commands of the last playback
    uint32_t lost;                      // commands of a job that could not be recorded in this turn
    uint32_t refused;                   // those with a list that an add refuses
    kin_status refusal;                 // of the first of these
    uint32_t trims;                     // of the context at the last playback
    const void *recorder;               // the thread that records, in checked builds
    bool is_shared;                     // several threads recorded
    bool is_playing;
    bool is_closed;      // of a job, in checked builds: no call of its system is running
    bool is_used_closed; // commands were recorded nevertheless, and lost
} kin__command_buffer;

static inline kin__command_buffer *kin__buffer_of(const kin__commands *commands)
{
    return (kin__command_buffer *)(uintptr_t)commands;
}

// Returns the bytes of a command with its value.
static inline uint32_t kin__command_size(const kin__command *command)
{
    return command->size / KIN__COMMAND_ALIGNMENT * KIN__COMMAND_ALIGNMENT;
}

static inline bool kin__command_is_message(uint32_t op)
{
    return op >= KIN__COMMAND_MESSAGE(0);
}

// Returns the context of a command, which is no message.
static inline kin_context *kin__command_context(const kin__command_buffer *buffer, uint32_t op)
{
    return buffer->scope.contexts[op >> KIN__COMMAND_CONTEXT_SHIFT];
}

// ---- buffers of jobs

// Creates the buffer of a job, which other jobs share the lock with. NULL when out of memory, not reported.
kin__command_buffer *kin__commands_make(const kin_allocator *allocator, kin__lock *lock, kin__command_scope scope);

// Frees the buffer, which is not being played, and drops what it recorded. NULL is allowed.
void kin__commands_free(kin__command_buffer *buffer);

// ---- recording

// Frees all memory but the results of the last playback. Nothing is recorded.
void kin__commands_release(kin__command_buffer *buffer);

// ---- playing: kin__commands_take for all buffers that are played together, then for each kin__playback_enter, the
// generated loop and kin__playback_end

// Whether a listener of the context may be called, which may do anything.
bool kin__context_is_listened(const kin_context *context);

// Takes what was recorded from the buffer, and leaves it empty. If entities may die or be made before the last command
// has been called, marks the commands whose entity is alive now.
void kin__commands_take(kin__command_buffer *buffer, bool is_careful);

void kin__playback_enter(kin__playback *playback, kin__command_buffer *buffer, bool is_careful);

// Membership: the members of a group at the last turn of its system, and which entities entered and left since.
//
//   before    the members at the last turn              → left      members of `before` that are no longer members
//   now       the members when they were listed last    → entered   members of `now` that are not in `before`
//
// All four are arrays in order of ascending slot. There are no subscriptions: a turn compares the arrays, and compares
// nothing while the group's change counters are the same. After a reset of the context other entities may have equal
// handles, so all members of `before` have left and all members of `now` have entered.
//
// Invariants:
//   1. `left_count` <= `before.count` of the turn, `entered_count` <= `now.count`
//   2. outside of a turn that ran out of memory, `before` is the listing of the last turn
//
// Cost: a turn without changes sums the group's counters; otherwise it lists the group and merges two arrays.

// The members of a group at one moment.
typedef struct kin__listing {
    kin__array array; // of kin_entity
    uint32_t count;
    uint64_t stamp, epoch; // kin__group_stamp and number of resets at that moment; KIN__NEVER: not listed yet
} kin__listing;

typedef struct kin__membership {
    kin_group *group;
    kin__memory *memory; // of the world
    kin__listing before, now;
    kin__array left, entered; // of kin_entity
    uint32_t left_count, entered_count;
    bool is_reset; // the context was reset between `before` and `now`: handles may be equal but not the entities
} kin__membership;

kin__membership kin__membership_of(kin_group *group, kin__memory *memory);

// Begins a turn: computes `left` and `entered`. Returns false, with nothing changed, when out of memory.
bool kin__membership_turn(kin__membership *membership);

// Undoes the last turn; the next turn computes the same again.
void kin__membership_undo(kin__membership *membership);

// Makes room in `left` for kin__membership_leave_all. Returns false when out of memory.
bool kin__membership_reserve_leave(kin__membership *membership);

// Makes all members of the last turn entities that left, as if the group were empty; none entered. The caller has made
// room.
void kin__membership_leave_all(kin__membership *membership);

// Returns the current members in order of ascending slot. The array stays unchanged until the next call of this
// function or of kin__membership_turn. Returns false when out of memory.
bool kin__membership_list(kin__membership *membership, const kin_entity **entities, uint32_t *count);

// Writes the members at the last turn to a state. Returns whether the context was not reset since.
bool kin__membership_save(const kin__membership *membership, kin__state *state);

// Reserves room for the saved members, and moves behind them. False when out of memory.
bool kin__membership_reserve(kin__membership *membership, kin__state *state);

// Puts the members back. `is_current`: the context was not reset since. If systems are to be told anew, the members
// stay those of the last turn before the restore, and the next turn finds that all have left and all have entered.
void kin__membership_restore(kin__membership *membership, kin__state *state, bool is_current);

void kin__membership_release(kin__membership *membership);

// Leave values: the last values of one component of the entities that left a group, for the `leave` of a system with
// `on_leave: keep`.
//
//   collector   the entities that lost the component since the last turn; their values are last values of the context
//   last[i]     the i-th entity that left: whether a value is known, and the owned block of the value
//   values[i]   a copy of the value: the last value, or the value of the component that the entity still has
//
// The copies are made before `leave` is called, and their owned blocks are kept until it returns: whatever `leave`
// changes, the values that it reads stay the same. Until the system's turn, an entity that lost the component is held.
// Systems without `on_leave: keep` have no leave values.
//
// Invariant: during `leave`, `last` and `values` have an element for each entity that left.

typedef struct kin__leave_value {
    kin__owned_block *owned_block; // NULL: the value owns nothing
    bool exists;                   // false: the value is not known
} kin__leave_value;

typedef struct kin__leave_values {
    kin_component_id id;
    kin_context *context;
    kin__memory *memory;           // of the world
    kin__last_values *last_values; // NULL: not made
    kin_collector *collector;      // NULL: not made
    kin__array last;               // of kin__leave_value, by index in `left` of the membership
    kin__array values;             // by the same index; elements have the size of the component
} kin__leave_values;

// Initializes leave values that are all zero except `memory`; the collector gets the name of the system. Returns
// KIN_ERROR_NO_MEMORY, or KIN_ERROR_LIMIT if the context cannot have one more group; the caller then releases the leave
// values.
kin_status kin__leave_values_make(kin__leave_values *values, kin_context *context, kin_component_id id,
                                  const char *system);
void kin__leave_values_release(kin__leave_values *values);

// Makes room for `count` entities that left. Returns false when out of memory.
bool kin__leave_values_reserve(kin__leave_values *values, uint32_t count);

// Called before `leave`: takes the collected entities and copies the last value of each entity that left.
void kin__leave_values_begin(kin__leave_values *values, const kin__membership *membership);

// Called after `leave`: releases the owned blocks of the copies.
void kin__leave_values_end(kin__leave_values *values, const kin__membership *membership);

// Returns the last value of the `index`-th entity that left, valid during `leave`. NULL when the value is not known:
// the system was disabled when the component was lost.
const void *kin__leave_values_get(const kin__leave_values *values, uint32_t index);

// Inbox: the messages of one type that wait for a system, as copies in a ring.
//
//   [ serial | message ] [ serial | message ] …     `count` records from index `first` on, wrapping at `capacity`
//
// Serials number all messages that the world publishes. A system with several inboxes reads in order of serial, and
// leaves messages published while it reads for its next turn. A ring grows on demand up to its limit. A full inbox with
// a limit loses the message that the schema says, and the loss is reported.
//
// Invariants:
//   1. `count` <= `capacity`, `first` < `capacity` unless that is 0, and `capacity` is at most the limit
//   2. serials ascend from the first record to the last
//   3. a closed inbox is empty
//
// Cost: publishing copies the message once for each inbox; reading copies it once more.

typedef struct kin__inbox {
    struct kin__inbox *next; // of the same message, in order of the systems
    const kin__inbox_info *info;
    const char *system;  // name of the system
    kin__memory *memory; // of the world
    size_t size, stride; // bytes of a message, and of a record
    char *ring;
    uint32_t first, count, capacity;
    bool is_open;          // the system is enabled, and all collections around it
    bool is_warned;        // the full ring was reported; cleared when a message is read
    kin_status unreported; // an error that has yet to be reported; KIN_OK: none
} kin__inbox;

// Makes a closed, empty inbox.
kin__inbox kin__inbox_of(const kin__inbox_info *info, const char *system, size_t size, kin__memory *memory);

// Makes room for one more message in a full ring: grows it, or drops the oldest message if the schema says so. Returns
// false when there is none; sets `unreported` for each error or loss to report.
bool kin__inbox_make_room(kin__inbox *inbox);

// Appends a copy of a message to an open inbox. Returns false if there is an error to report.
static inline bool kin__inbox_put(kin__inbox *inbox, uint64_t serial, const void *message)
{
    if (!inbox->is_open || (inbox->count == inbox->capacity && !kin__inbox_make_room(inbox)))
        return inbox->unreported == KIN_OK;
    KIN_ASSERT(inbox->count < inbox->capacity);
    uint32_t end = inbox->first + inbox->count;
    char *record = inbox->ring + (end >= inbox->capacity ? end - inbox->capacity : end) * inbox->stride;
    memcpy(record, &serial, sizeof serial);
    if (inbox->size > 0)
        kin__value_copy(record + sizeof serial, message, inbox->size);
    inbox->count++;
    return inbox->unreported == KIN_OK;
}

// Returns the serial of the first message of an inbox that is not empty.
static inline uint64_t kin__inbox_serial(const kin__inbox *inbox)
{
    uint64_t serial;
    KIN_ASSERT(inbox->count > 0);
    memcpy(&serial, inbox->ring + inbox->first * inbox->stride, sizeof serial);
    return serial;
}

// Removes the first message of an inbox that is not empty.
static inline void kin__inbox_drop(kin__inbox *inbox)
{
    KIN_ASSERT(inbox->count > 0 && inbox->first < inbox->capacity);
    inbox->first = inbox->first + 1 == inbox->capacity ? 0 : inbox->first + 1;
    inbox->count--;
}

// The same, and copies the message to `message`.
static inline void kin__inbox_take(kin__inbox *inbox, void *message)
{
    kin__value_copy(message, inbox->ring + inbox->first * inbox->stride + sizeof(uint64_t), inbox->size);
    kin__inbox_drop(inbox);
}

// Opens or closes the inbox. Closing removes all messages.
void kin__inbox_set_open(kin__inbox *inbox, bool open);

// Removes all messages.
void kin__inbox_clear(kin__inbox *inbox);

void kin__inbox_release(kin__inbox *inbox);

// Writes the messages to a state; and puts them back, also into a closed inbox, which is then open. Reserving moves
// behind the inbox in the state, too; it returns false when out of memory.
void kin__inbox_save(const kin__inbox *inbox, kin__state *state);
bool kin__inbox_reserve(kin__inbox *inbox, kin__state *state);
void kin__inbox_restore(kin__inbox *inbox, kin__state *state);

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
//   4. `recorder` and `session` are NULL or one of `trackers`, and stay during an update
//   5. `is_followed` is set if and only if there is a recorder, a session or a probe
//   6. `tap` is the last inbox of each message if the probe has `published`, else in no list

struct kin__schema_system;
struct kin__jobs;

// What another library does with a world: a recording or a session, of which a world has at most one each, or a player.
// Functions may be NULL.
typedef struct kin__tracker {
    struct kin__tracker *next;
    void (*before_update)(struct kin__tracker *tracker, double delta); // reports nothing, and unlinks nothing
    void (*after_update)(struct kin__tracker *tracker);                // the last that an update does
    void (*world_ends)(struct kin__tracker *tracker);                  // it was unlinked
    bool skips_update; // of a session: no system runs in the update that it was called before
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
    uint64_t seed;          // of random numbers
    kin__pushed pushed;
    kin__array parts;            // of kin__context_snapshot *, while a snapshot is saved
    kin__restore_watch *watches; // by context, during a restore that notifies; else NULL
    uint32_t part_count;
    kin__tracker *trackers;
    kin__tracker *recorder;                      // the tracker whose functions updates call; NULL: none
    kin__tracker *session;                       // the tracker of its place in a network; NULL: none
    const struct kin_network_face *session_face; // what tools ask of it
    kin_probe probe;                             // all zero: none
    kin__error_watch error_watch;                // that of the probe
    kin__inbox tap;    // receives nothing, and always has an error to report: publishing then calls the probe
    bool is_followed;  // it has a recorder, a session or a probe
    bool is_open;      // an update runs in which a probe may change the contexts
    bool is_broken;    // a part could not be created
    bool has_begun;    // the systems were initialized
    bool is_abandoned; // a callback was left: it can only be destroyed
    bool owns_contexts;
    max_align_t typed[];
};

// Link and unlink a tracker. One with `before_update` becomes the recorder, the other function makes it the session.
// (world.c)
void kin__world_track(kin__world *world, kin__tracker *tracker);
void kin__world_track_session(kin__world *world, kin__tracker *tracker);
void kin__world_untrack(kin__world *world, const kin__tracker *tracker);

// Updates without `begin` and `end` of the probe, which may change the world or pass the update over: for an update
// that must be the same as another one. (world.c)
void kin__world_update_unprobed(kin__world *world, double delta);

// Why a call without a world is refused. (world.c)
extern const char kin__null_world[];

// Returns whether there is no world, and reports that; "a world" follows the verb. (world.c)
bool kin__world_report_null(const kin__world *world, const char *verb);

// Returns whether no system of the world and no callback of its contexts is running. If one is, reports that the world
// cannot do what the verb says.
bool kin__world_is_idle(const kin__world *world, const char *verb);

// Reports an error of a world (NULL: there is none). `name`, of a system or of the world, follows the verb.
// (world.c)
kin_status kin__world_report_error(const kin__world *world, kin_status status, const char *verb, const char *name,
                                   const char *reason);

// Schema systems: systems declared in the schema, as nodes of a world, and their turns.
//
// A turn has these steps: compare the group's members with those of the last turn and call `leave` and `enter`; read
// the messages of the inboxes; then call update, react or execute. A turn that runs out of memory before `leave` is
// skipped, and the next turn includes everything that it would have reported.
//
// Invariants:
//   1. the inboxes are open and the leave values collect exactly while the node and all collections around it are
//      enabled
//   2. a system has leave values only if it has `leave`
//   3. `in_turn` is set while a turn or a draw is in progress, so that a nested one is skipped
//   4. world->schema_systems[number] is the system with that number in the tables
//
// Cost: a turn without changes and messages is a sum over the counters of the group, and one test for each inbox.

struct kin__parallel;

// The fields that a turn without changes reads come first. Those that `info`, which is large, has too are copies.
typedef struct kin__schema_system {
    const kin__system_info *info;
    kin__world *world;
    kin__node *node; // NULL until it is added
    kin__tick_call *execute;
    uint32_t inbox_count;
    bool has_group;
    bool asks;        // its group has questions about relations
    bool compares;    // it has `leave` or `enter`
    bool in_turn;     // a turn or a draw is in progress: a nested one is skipped, so arrays stay unchanged
    bool is_leaving;  // `leave` is in progress
    bool has_updated; // the first update has been called
    kin__inbox *inboxes;
    kin__leave_values *leave_values; // by number of `kept`
    void *message;                   // copy of the message being read
    kin__membership membership;
    kin__tree_order *order;         // of a system with `tree`, else NULL
    kin__array picked;              // members of a system with an order or questions
    kin__sorter sorter;             // of a reactive system with an order
    struct kin__parallel *parallel; // of a parallel system, else NULL
} kin__schema_system;

// Creates a schema system, whose inboxes receive messages once they are open. Reports the error and returns
// NULL when out of memory.
kin__schema_system *kin__schema_system_create(kin__world *world, uint32_t number);

// Returns whether the group of the system has no members.
bool kin__schema_system_is_empty(const kin__schema_system *schema_system);

// Destroys a schema system that has not been added to a collection. NULL is allowed.
void kin__schema_system_destroy(kin__schema_system *schema_system);

// Adds a schema system as a node with its name. The node then owns it, and its collector if it is reactive. Returns
// false when out of memory, not reported.
bool kin__schema_system_add(kin_systems *systems, kin__schema_system *schema_system, kin_collector *collector);

// Makes room for kin__schema_system_leave_all. Returns false when out of memory, not reported. (schema_system.c)
bool kin__schema_system_reserve_leave(kin__schema_system *schema_system);

// Calls `leave` with all members that the system knows, if it and all collections around it are enabled: a disabled
// system gets them in its next turn. Skips a system whose room, for members found since it was reserved, cannot be
// made. (schema_system.c)
void kin__schema_system_leave_all(kin__schema_system *schema_system);

// Makes the next update the first one, after a reset. (schema_system.c)
void kin__schema_system_restart(kin__schema_system *schema_system);

// Returns the system of a node; NULL if it is no system of the schema. kin__schema_system_parallel returns its jobs;
// NULL also if it is not parallel.
kin__schema_system *kin__schema_system_of(const kin__node *node);
const struct kin__parallel *kin__schema_system_parallel(const kin__node *node);

// Does all of a turn of a parallel system that comes before its jobs. Returns whether it has jobs in this turn; of a
// reactive system, kin__reactive_end follows them. (schema_system.c)
bool kin__schema_system_prepare(kin__schema_system *schema_system);

// Makes indices follow what the system has written in place in its turn. (schema_system.c)
void kin__schema_system_refresh(const kin__schema_system *schema_system);

// Jobs: what a world with parallel systems needs to run them and to play their commands (kin/generated/job.h).
//
//   jobs      of the world      the executor, the jobs of the batch that runs, the systems whose commands wait
//   parallel  of each system    its jobs, with their commands: kept from turn to turn
//
// Invariants:
//   1. `jobs` exists if the world has a parallel system; `parallel` of a system exists if this one is parallel
//   2. while a batch runs, the jobs in `tasks` are called once each, by any threads; only these record commands.
//      A task runs only between submitting and the end of waiting: `gate` is held to enter and to leave it, so
//      that an executor that calls other tasks, or returns early, is harmless
//   3. `pending` has the systems with `is_pending`, in the order in which they ran: their commands have not run
//
// Cost: worlds without parallel systems have one pointer more.

typedef struct kin__jobs {
    kin_executor executor; // `threads` below 2: none
    kin__lock lock;        // held while a job records and allocates
    const kin_tick *tick;  // of the batch that runs
    kin__array tasks;      // of kin__job *
    uint32_t task_count;
    kin__lock gate;               // held to read and write what follows, and `calls` of the jobs in `tasks`
    bool is_open;                 // tasks may begin
    uint32_t running;             // tasks that have begun and not ended
    uint32_t misplaced;           // calls of tasks that the executor was not given, or after it had waited
    kin__schema_system **pending; // room for all systems
    uint32_t pending_count;
    uint64_t trims;  // of the contexts at the last batch
    kin__array sums; // of uint64_t: of the columns before a batch
    bool checks_access, is_summed;
    bool is_playing;
    const char *culprit; // the system whose commands are played, such as "system 'Steer' "; NULL: none
} kin__jobs;

struct kin__parallel {
    kin__array jobs; // of kin__job
    uint32_t count;  // of them: those of the last turn
    bool is_prepared;
    bool is_done;      // it ran in the batch of an earlier system, and is skipped next
    bool is_pending;   // its commands have not run
    bool is_split;     // its jobs are given to the executor in this turn
    uint8_t cheap;     // turns in a row that were too cheap to split, at most KIN__CHEAP_TURNS
    uint64_t began;    // when its turn began, by the executor's clock
    uint64_t profiled; // the same by the clock of its profile
    kin_parallel last; // of the last turn
};

// A turn that takes less is not split after KIN__CHEAP_TURNS such turns.
enum { KIN__CHEAP_NANOSECONDS = 20000, KIN__CHEAP_TURNS = 3 };

// ---- making and releasing (jobs.c)

// Releases the jobs of a world, which may have none.
void kin__jobs_destroy(kin__world *world);

// Makes `parallel` of a system. Returns false when out of memory, not reported.
bool kin__parallel_create(kin__schema_system *schema_system);
void kin__parallel_destroy(kin__schema_system *schema_system);

// Returns a job that kin__parallel_reserve has made.
static inline kin__job *kin__parallel_job(const struct kin__parallel *parallel, uint32_t number)
{
    KIN_ASSERT(number < parallel->jobs.capacity);
    return (kin__job *)parallel->jobs.elements + number;
}

// Returns the buffer of its commands; NULL if the system records none.
static inline kin__command_buffer *kin__job_buffer(const kin__job *job)
{
    return job->commands == NULL ? NULL : kin__buffer_of(job->commands);
}

// Frees the memory of commands that are not being recorded or played, if a context was trimmed since the last call.
void kin__jobs_follow_trims(kin__world *world);

// Makes the jobs of a turn. Returns false, with none, when out of memory. (jobs.c)
bool kin__parallel_begin(kin__schema_system *member);

// Makes all that a turn with one job needs. Returns false when out of memory. (jobs.c)
bool kin__parallel_reserve_first(kin__schema_system *member);

// Whether the first job of the turn must end before the others begin.
bool kin__parallel_has_first_job(const kin__schema_system *member);

// ---- running (batch.c, jobs.c)

// Runs the batch of which the system is the first that is enabled. Does nothing in a playback.
void kin__batch_run(kin__schema_system *first, const kin_tick *tick);

// Plays the commands that wait, in order of system, piece and recording.
void kin__world_play(kin__world *world);

// The state of schema systems in snapshots: members at the last turn, messages, marks; functions of their node type.

// The state of systems as canonical bytes, for hashes and files; and what of it differs.
//
//   flags:u8 (1 enabled, 2 updated once, 4 members current, 8 deactivated, 16 more collectors, 32 marks, 64 warned),
//   time:f64, frame:u64,
//   fixed step:u8, and if 1 left, origin, dropped:f64, steps, frame:u64,
//   collected:u32 × { context:u32, entity:u64 }, members:u32 × entity:u64,
//   inboxes:u16 × { message:u32, count:u32 × { serial:u64, the leaves of the message } },
//   if 16, collectors:u16 × what the others have collected; if 32, of a system over a tree, words:u32 × u64 of marks;
//   if 64, for each inbox warned:u8, 1 if it is full and that was reported
//
// The root comes first, followed by the pushed ticks:u8 × { delta, time:f64, frame:u64 }, and the count of published
// messages:u64; if its flags have 128, also by the seed of random numbers:u64, which is not 0. Contexts and messages
// are numbered in the order of their identities.

enum {
    KIN__ENCODED_MORE = 16,
    KIN__ENCODED_ORDER = 32,
    KIN__ENCODED_WARNED = 64,
    KIN__ENCODED_SEED = 128, // of the root
    KIN__PATH_DEPTH = 64     // nodes that are nested deeper have the path of those at this depth
};

// Returns the name that saves have of a node. `info` may be NULL.
const char *kin__node_identity(const kin_world_info *info, const kin__saved_node *saved);

// Appends the bytes of the node at the state, or of the root before the first one; and moves past it. Without leaves,
// messages are left out.
void kin__node_encode(kin__encoder *encoder, const kin_snapshot *snapshot, kin__state *state,
                      const kin__message_leaves *leaves);

extern const kin__systems_functions kin__world_functions;

// Functions that saving and restoring worlds share: which contexts are saved, and errors.

// Returns whether snapshots of worlds contain the context.
static inline bool kin__context_is_saved(const kin_context *context)
{
    return !context->info->is_unsaved;
}

// Returns whether the world and all its contexts can be saved and restored now, else reports KIN_ERROR_INVALID.
// (world_snapshot.c)
bool kin__world_may_save(const kin__world *world, const char *verb);

// The same, without a report. (world_snapshot.c)
bool kin__world_can_save(const kin__world *world);

// Saves a world that can be saved, without reports. After KIN_ERROR_RETAINED it is saved. (world_snapshot.c)
kin_status kin__world_save_unreported(kin__world *world, kin_snapshot **snapshot);

// Makes room for `size` bytes of the state of systems in a snapshot that can be overwritten, and leaves its content as
// it is. NULL is allowed. False when out of memory. (world_snapshot.c)
bool kin__world_snapshot_reserve(kin__world *world, kin_snapshot *snapshot, size_t size);

// Puts the world's `parts` into a snapshot, `*snapshot` if it can be overwritten, whose room was reserved; and releases
// them when out of memory, which is false. The caller fills in the state of systems, of which there is room for `size`
// bytes, and ends that with kin__world_snapshot_end. (world_snapshot.c)
bool kin__world_snapshot_put(kin__world *world, kin_snapshot **snapshot, size_t size);
void kin__world_snapshot_end(const kin__world *world, kin_snapshot *snapshot, size_t size);

// Visits a difference for kin_snapshot_compare: writes it into a kin_divergence, after the text of that, and ends the
// comparison. (world_snapshot.c)
bool kin__divergence_write(const kin_difference *difference, void *divergence);

// Reports an error of a world. (world_snapshot.c)
kin_status kin__world_refuse(const kin__world *world, kin_status status, const char *verb, const char *reason);

#endif

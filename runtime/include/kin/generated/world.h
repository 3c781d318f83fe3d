/// Worlds, which run the systems of a schema; for generated code only. Changes with the interface version.
///
/// Tables describe a world. Its systems are in a kin_systems: one collection for each node of the schedule, with the
/// node's own systems first and then its child nodes, except for systems that run after a child node; after all nodes
/// the event systems and the cleanup systems.
///
/// `self` of all functions of systems is the generated world. It is part of the block of memory of the kin__world.
#ifndef KIN_INTERNAL_WORLD_H
#define KIN_INTERNAL_WORLD_H

#include <kin/generated/job.h>
#include <kin/random.h>
#include <kin/snapshot.h>
#include <kin/world.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__world kin__world;
typedef struct kin__tree_info kin__tree_info; // see tree.h

typedef void kin__call(void *self);
typedef void kin__tick_call(void *self, const kin_tick *tick);
typedef void kin__entities_call(void *self, const kin_entity *entities, uint32_t count);
typedef void kin__message_call(void *self, const void *message);

#define KIN__NO_PARENT ((uint32_t)-1)

typedef struct kin__node_info {
    const char *name;
    uint32_t parent; // number of the parent node, a smaller one; KIN__NO_PARENT: top level
    double step;     // the fixed step; 0: runs once for each update
    uint32_t max_steps;
    bool is_manual; // the program runs it, not the update; only at the top level
} kin__node_info;

typedef struct kin__message_info {
    const char *name;
    size_t size; // bytes; 0: no fields
} kin__message_info;

// A declared group: the number of its context and its number in the context.
typedef struct kin__group_place {
    uint32_t context, group;
} kin__group_place;

typedef struct kin__trigger_info {
    kin__group_place place;
    kin_group_event event;
} kin__trigger_info;

// The rule of an inbox for a message that is published while it is full.
typedef enum kin__full {
    KIN__FULL_OLDEST, // the oldest message is lost; the first loss is reported, and again only after a read
    KIN__FULL_NEWEST, // the new message is lost; the first loss is reported, and again only after a read
    KIN__FULL_ERROR   // the new message is lost; each loss is reported
} kin__full;

typedef struct kin__inbox_info {
    uint32_t message;
    uint32_t capacity; // messages; 0: no limit
    kin__full full;
    kin__message_call *receive;
} kin__inbox_info;

// A system of the schema. Functions that it does not have are NULL. A system with triggers is a reactive system;
// otherwise a system with `has_group` is a group system.
// An index that follows what a system has written in place.
typedef struct kin__refresh_info {
    uint32_t context; // of the world
    uint32_t index;   // of the context
} kin__refresh_info;

typedef struct kin__system_info {
    const char *name;
    uint32_t node;
    uint32_t after;                   // number of the last node that runs before it inside `node`; 0: none
    kin__call *calls[KIN_ROLE_COUNT]; // initialize, start, draw, cleanup, tear down, dispose
    kin__tick_call *execute;          // of a group system: its update; NULL for a parallel one
    const kin__inbox_info *inboxes;   // at most one for each message
    uint32_t inbox_count;

    bool has_group;
    kin__group_place group;
    const kin__tree_info *tree; // NULL: it visits its group in runs or blocks
    uint32_t order;             // 1 + the number of the index that orders its group, or what it reacts to; 0: none
    kin__entities_call *entity_calls[KIN_ROLE_COUNT]; // leave, enter, first update, draw
    const kin_component_id *kept;                     // components whose last values `leave` can read
    uint32_t kept_count;

    const kin__trigger_info *triggers;
    uint32_t trigger_count;
    bool (*filter)(void *self, kin_context *context, kin_entity entity); // NULL: all living entities pass
    void (*react)(void *self, kin_context *context, const kin_entity *entities, uint32_t count);

    uint32_t batch;            // of a parallel system; equal for adjacent ones of a node that run side by side; else 0
    uint32_t grain;            // places of a piece; 0: chosen by the number of chunks; KIN__GRAIN_ALL: one piece
    kin__job_call *run;        // instead of `execute`
    kin__job_react *run_react; // instead of `react`
    kin__job_play *play;       // NULL: it records no commands
    const kin__refresh_info *refreshes; // after its turn, or that of its batch
    uint32_t refresh_count;
} kin__system_info;

typedef struct kin__world_info {
    const char *name;
    const kin_world_info *shown; // for tools
    size_t size;                 // bytes of the generated world
    uint32_t context_count;
    const uint64_t *stamps;      // of each context, as in its kin_context_info
    const kin__node_info *nodes; // in the order in which they run
    uint32_t node_count;
    const kin__system_info *systems; // in the order in which they run
    uint32_t system_count;
    const kin__message_info *messages;
    uint32_t message_count;
} kin__world_info;

// Creates a world of contexts, which are in order of their numbers, with all its systems. The systems are not
// initialized yet, and `self` is all zero. The world does not own the contexts. Reports the error and returns NULL,
// with the contexts unchanged: KIN_ERROR_NO_MEMORY; KIN_ERROR_INVALID if a context is NULL, has another
// layout than the world was compiled with, or belongs to another world.
KIN_API kin__world *kin__world_create(const kin__world_info *info, kin_context *const *contexts,
                                      const kin_context_options *options);
// Returns the generated world of a kin__world.
KIN_API void *kin__world_self(kin__world *world);

// Adds a collection at the end, which the world then owns. Reports the error and returns false for NULL and when out of
// memory; kin__world_begin then fails.
KIN_API bool kin__world_append(kin__world *world, kin_systems *systems);

// Initializes and starts the systems. Returns false when a part of the world could not be created.
KIN_API bool kin__world_begin(kin__world *world);

// Makes the world own its contexts: generated code then destroys them with the world.
KIN_API void kin__world_own_contexts(kin__world *world);
KIN_API bool kin__world_owns_contexts(const kin__world *world);

// Tears down and disposes of the systems if they have begun, and destroys them. Inside a run of them, and while a
// context of the world cannot be destroyed, reports the error and returns false.
KIN_API bool kin__world_end(kin__world *world);

// Frees the memory of a world that has ended, including `self`. NULL is allowed.
KIN_API void kin__world_release(kin__world *world);

// For a world that is NULL, these report KIN_ERROR_INVALID and do nothing.
KIN_API kin_status kin__world_reset(kin__world *world);
KIN_API void kin__world_update(kin__world *world, double delta);
KIN_API void kin__world_draw(kin__world *world);
KIN_API void kin__world_run(kin__world *world, uint32_t node, double delta); // of a manual node
KIN_API kin_tick kin__world_tick(const kin__world *world);
KIN_API kin_systems *kin__world_systems(kin__world *world);
KIN_API void kin__world_set_time(kin__world *world, double time);
KIN_API void kin__world_push_time(kin__world *world, kin_tick tick);
KIN_API void kin__world_pop_time(kin__world *world);
KIN_API kin_status kin__world_save(kin__world *world, kin_snapshot **snapshot);
KIN_API kin_status kin__world_restore(kin__world *world, const kin_snapshot *snapshot, kin_restore_mode mode);
KIN_API kin_status kin__world_rehearse(kin__world *world, double delta, kin_divergence *first);
KIN_API void kin__world_publish(kin__world *world, uint32_t message, const void *value);

// The seed of the world's random numbers, which is 0 at first. Setting it while jobs run is KIN_ERROR_INVALID.
KIN_API kin_status kin__world_set_seed(kin__world *world, uint64_t seed);
KIN_API uint64_t kin__world_seed(const kin__world *world);

// Returns the generator for an entity in this frame. `system` identifies the system and the context.
KIN_API kin_random kin__world_random(const kin__world *world, uint64_t system, kin_entity entity);

// Returns the last value of the system's `kept`-th kept component, for the `place`-th entity that left. Valid during
// the system's `leave`. NULL outside of it, and when the value is not known.
KIN_API const void *kin__world_leave_value(const kin__world *world, uint32_t system, uint32_t kept, uint32_t place);

KIN_END_DECLARATIONS

#endif

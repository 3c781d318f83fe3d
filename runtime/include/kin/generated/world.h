/// Worlds: what a package's generated world needs to run the systems of its schema. Not for users;
/// it changes with the interface.
///
/// A world is described by tables. Its systems stand in a kin_systems: a collection for each node of the schedule, in
/// it the node's own systems and then its children, and behind all nodes what delivers events and cleans up.
///
/// Functions of systems get the generated world, `self`; what the runtime keeps of it stands in the same block.
#ifndef KIN_GENERATED_WORLD_H
#define KIN_GENERATED_WORLD_H

#include <kin/profile.h>

KIN_BEGIN_DECLARATIONS

typedef struct kin__world kin__world;

typedef void kin__call(void *self);
typedef void kin__tick_call(void *self, const kin_tick *tick);
typedef void kin__entities_call(void *self, const kin_entity *entities, uint32_t count);
typedef void kin__message_call(void *self, const void *message);

#define KIN__NO_PARENT ((uint32_t)-1)

typedef struct kin__node_info {
    const char *name;
    uint32_t parent; // the number of the node that it is in, a smaller one; KIN__NO_PARENT: it is at the top
    double step;     // 0: it runs once an update
    uint32_t max_steps;
} kin__node_info;

typedef struct kin__message_info {
    const char *name;
    size_t size; // 0: it has no fields
} kin__message_info;

// A declared group of a context, by their numbers.
typedef struct kin__group_place {
    uint32_t context, group;
} kin__group_place;

typedef struct kin__trigger_info {
    kin__group_place place;
    kin_group_event event;
} kin__trigger_info;

// What is lost when an inbox is full.
typedef enum kin__full { KIN__FULL_OLDEST, KIN__FULL_NEWEST, KIN__FULL_ERROR } kin__full;

typedef struct kin__inbox_info {
    uint32_t message;
    uint32_t capacity; // messages; 0: unbounded
    kin__full full;
    kin__message_call *receive;
} kin__inbox_info;

// Functions that a system does not have are NULL. One with triggers is reactive; else it is a group system when it says
// that it has a group.
typedef struct kin__system_info {
    const char *name;
    uint32_t node;
    kin__call *calls[KIN_ROLE_COUNT]; // initialize, start, draw, cleanup, tear down, dispose
    kin__tick_call *execute;          // of a group system: update
    const kin__inbox_info *inboxes;   // no message twice
    uint32_t inbox_count;

    bool has_group;
    kin__group_place group;
    kin__entities_call *tells[KIN_ROLE_COUNT]; // leave, enter, first update, draw
    const kin_component_id *kept;              // components whose last values can be read in `leave`
    uint32_t kept_count;

    const kin__trigger_info *triggers;
    uint32_t trigger_count;
    bool (*filter)(void *self, kin_context *context, kin_entity entity); // NULL: all that are alive
    void (*react)(void *self, kin_context *context, const kin_entity *entities, uint32_t count);
} kin__system_info;

typedef struct kin__world_info {
    const char *name;
    size_t size; // of the generated world
    uint32_t context_count;
    const kin__node_info *nodes; // as they are walked
    uint32_t node_count;
    const kin__system_info *systems; // as they run: node by node
    uint32_t system_count;
    const kin__message_info *messages;
    uint32_t message_count;
} kin__world_info;

// Makes a world of contexts, in the order of their numbers, with all its systems; they are not initialized yet. Its
// `self` is all zero. NULL, which has been told, without memory.
KIN_API kin__world *kin__world_create(const kin__world_info *info, kin_context *const *contexts,
                                      const kin_context_options *options);
KIN_API void *kin__world_self(kin__world *world);

// Adds systems at the end, which the world then owns. False, which keeps the world from beginning, when they are NULL,
// which their maker has reported, or without memory.
KIN_API bool kin__world_append(kin__world *world, kin_systems *systems);

// Initializes and starts the systems. False when something could not be made.
KIN_API bool kin__world_begin(kin__world *world);

// Tears down and disposes of the systems when they have begun, and ends them. False, which has been told, from inside
// of a run of theirs and while a context cannot end.
KIN_API bool kin__world_end(kin__world *world);

// The memory of one that has ended, `self` too. NULL is allowed.
KIN_API void kin__world_release(kin__world *world);

// These tell KIN_ERROR_INVALID where there is no world, and do nothing then.
KIN_API void kin__world_update(kin__world *world, double delta);
KIN_API void kin__world_draw(kin__world *world);
KIN_API kin_systems *kin__world_systems(kin__world *world);
KIN_API void kin__world_set_time(kin__world *world, double time);
KIN_API void kin__world_push_time(kin__world *world, kin_tick tick);
KIN_API void kin__world_pop_time(kin__world *world);
KIN_API void kin__world_publish(kin__world *world, uint32_t message, const void *value);

// The last value of a component, the `kept`-th of those that the system keeps, of the entity at a place in what has
// left. NULL outside of its `leave`.
KIN_API const void *kin__world_left(const kin__world *world, uint32_t system, uint32_t kept, uint32_t place);

KIN_END_DECLARATIONS

#endif

// The world of a package: its systems in the order in which they run, the nodes of the schedule that contain them, and
// the messages between them (`systems`, `schedule` and `messages` of a schema).
//
// Invariants of a model that package_read returned, all empty where the schema has none of the three keys:
//   1. messages stand in byte order of their names; a message's place there is its number
//   2. nodes are in depth-first order, so that each comes after its parent
//   3. systems are in the order in which they run: node by node, those of a node before those of its children
//   4. what a system names is of the required kind, and it has only roles of its kind
#ifndef KIN_GENERATOR_MODEL_WORLD_H
#define KIN_GENERATOR_MODEL_WORLD_H

#include "base/arena.h"
#include "model/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An entry of `messages`.
struct message {
    const char *name;
    const char *doc;
    span span;
    size_t number;
    field_list fields; // may be empty: a message that only says that something happened
    memory_layout layout;
};

// A node of `schedule`.
struct schedule_node {
    const char *name;
    const char *doc;
    span span; // without a source where the schema has no schedule
    size_t number;
    const schedule_node *parent; // NULL: it is at the top
    double step;                 // of a node with `fixed`, in the unit of the deltas; 0: it runs once an update
    uint32_t max_steps;          // with `fixed`: how many steps an update makes up for at most
};

typedef enum system_kind { SYSTEM_PLAIN, SYSTEM_GROUP, SYSTEM_REACTIVE } system_kind;

// What a system has a function for. Which of them a kind can have, schema_role_is_of says.
typedef enum system_role {
    ROLE_INITIALIZE,
    ROLE_START,
    ROLE_EXECUTE,
    ROLE_FILTER,
    ROLE_FIRST_UPDATE,
    ROLE_ENTER,
    ROLE_UPDATE,
    ROLE_LEAVE,
    ROLE_DRAW,
    ROLE_CLEANUP,
    ROLE_TEAR_DOWN,
    ROLE_DISPOSE,
    ROLE_COUNT
} system_role;

typedef enum trigger_event { TRIGGER_ADDED, TRIGGER_REMOVED, TRIGGER_ADDED_OR_REMOVED, TRIGGER_MODIFIED } trigger_event;

// An item of `react`.
typedef struct system_trigger {
    const group *group;
    trigger_event event;
    span span;
} system_trigger;

typedef enum inbox_full { INBOX_OLDEST, INBOX_NEWEST, INBOX_ERROR } inbox_full;

// An item of `inbox`.
typedef struct system_inbox {
    const message *message;
    uint32_t capacity; // messages; 0: unbounded
    inbox_full full;   // with a capacity: what is lost when it is full
    span span;
} system_inbox;

// An entry of `systems`.
struct declared_system {
    const char *name;
    const char *doc;
    span span;
    size_t number; // in the order in which systems run
    system_kind kind;
    const schedule_node *node;
    bool roles[ROLE_COUNT];
    const group *group; // SYSTEM_GROUP
    bool keeps_left;    // `on_leave: keep`: the last values of what left can be read in `leave`
    const component *const *writes;
    size_t write_count;
    const component *const *reads;
    size_t read_count;
    const system_trigger *triggers; // SYSTEM_REACTIVE: at least one
    size_t trigger_count;
    const system_inbox *inboxes; // in order of the file, no message twice
    size_t inbox_count;
    const declared_system *const *behind; // systems that run before it by `before` or `after`, in order
    size_t behind_count;
    size_t batch; // systems of a node with the same number could run side by side
};

// The role as the schema spells it.
const char *schema_role_name(system_role role);

// Whether a kind of system can have the role.
bool schema_role_is_of(system_role role, system_kind kind);

// Whether the component is a column of the group's iterator: it is in an `all` and has fields.
bool schema_is_column_of(const group *group, const component *component);

// The contexts of what makes the system run, in order of the package's: that of its group, those of its triggers.
typedef struct system_contexts {
    const context *const *contexts;
    size_t count;
} system_contexts;

system_contexts schema_contexts_of(arena *arena, const declared_system *system);

// Whether the system writes the component.
bool schema_writes(const declared_system *system, const component *component);

#endif

// World: the systems of a package in run order, the nodes of the schedule that contain them, and their messages
// (`systems`, `schedule` and `messages` of a schema).
//
// Invariants of a model that package_read returned, all empty if the schema has none of the three keys:
//
//   1. messages are in byte order of their names; a message's index is its number
//   2. nodes are in depth-first order, so each comes after its parent
//   3. systems are in run order: a node's systems before those of its children, unless they run after a child; those of
//      a stage by batch
//   4. everything that a system names is of the required kind, and it has only roles of its kind
#ifndef KIN_GENERATOR_MODEL_WORLD_H
#define KIN_GENERATOR_MODEL_WORLD_H

#include "generator/base/base.h"
#include "model/schema.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An entry of `messages`.
struct message {
    const char *name;
    const char *doc;
    span span;
    saved_name saved;
    size_t number;
    field_list fields; // empty for a message that carries no data
    memory_layout layout;
};

// A node of `schedule`.
struct schedule_node {
    const char *name;
    const char *doc;
    span span; // no source if the schema has no schedule
    size_t number;
    const schedule_node *parent; // NULL at the top
    size_t last;                 // number of the last node inside it; its own if it has no children
    double step;                 // of a node with `fixed`, in the unit of the deltas; 0: runs once per update
    uint32_t max_steps;          // with `fixed`: maximum steps per update
    bool is_manual;              // at the top: the program runs it, not the update
};

typedef enum system_kind { SYSTEM_PLAIN, SYSTEM_GROUP, SYSTEM_REACTIVE } system_kind;

// Functions that a system can have. schema_role_is_of returns which kinds can have which.
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

// The order in which the turns of a system with `tree` visit the members of its group.
typedef enum tree_order { TREE_DEPTH, TREE_BREADTH } tree_order;

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
    uint32_t capacity; // in messages; 0: unbounded
    inbox_full full;   // with a capacity: the message to drop when full, or an error
    span span;
} system_inbox;

// What a parallel system does and can do besides reading and writing columns. All empty for other systems.
typedef struct system_job {
    bool is_parallel;
    span span;      // of `parallel`
    uint32_t grain; // places of a piece; 0: chosen at run time; SCHEMA_GRAIN_ALL: one piece
    const entity_index *const *looks_up;
    size_t look_up_count;
    const component *const *changes;
    const span *change_spans; // one for each item of `changes`
    size_t change_count;
    const blueprint *const *spawns;
    size_t spawn_count;
    bool destroys;
    const message *const *publishes;
    size_t publish_count;
} system_job;

enum { SCHEMA_GRAIN_ALL = 2 * SCHEMA_GRAIN_LIMIT };

// An entry of `systems`.
struct declared_system {
    const char *name;
    const char *doc;
    span span;
    saved_name saved;
    size_t number; // index in run order
    system_kind kind;
    const schedule_node *node;
    const schedule_node *after; // the last node that runs before it: `node`, or the last one inside a child of `node`
    bool roles[ROLE_COUNT];
    const group *group;   // SYSTEM_GROUP
    component_list maybe; // its optional columns besides those of the group
    const relation *tree; // SYSTEM_GROUP: it visits members in the order of this tree; NULL: in ascending slot
    tree_order order;     // with a tree
    bool only_changed;    // with a tree: it visits members that have changed, and those below them
    bool keeps_left;      // `on_leave: keep`: `leave` can read the last values of removed components
    const component *const *writes;
    size_t write_count;
    const component *const *reads;
    size_t read_count;
    const system_trigger *triggers; // SYSTEM_REACTIVE: at least one
    size_t trigger_count;
    const system_inbox *inboxes; // in order of the file, distinct messages
    size_t inbox_count;
    const declared_system *const *predecessors; // ordered before it by `before` or `after`, in run order
    size_t predecessor_count;
    system_job job;
    size_t batch; // systems of a node with the same batch run side by side; a system that is not parallel is alone
    size_t level; // systems of a node with the same level do not depend on each other, by what they declare: they could
                  // be parallel
};

// Returns the role in schema syntax.
const char *schema_role_name(system_role role);

// Returns whether the node is `outer`, or inside it.
bool schema_node_is_within(const schedule_node *node, const schedule_node *outer);

// Returns the node at the top that contains the node.
const schedule_node *schema_node_root(const schedule_node *node);

// Returns whether systems of the kind can have the role.
bool schema_role_is_of(system_role role, system_kind kind);

// Returns whether the system has a group, whose iterator has a column for the component: the component is in an `all`
// rule and has fields, or the column is optional.
bool schema_is_column_of(const declared_system *system, const component *component);

// Returns whether the system iterates the members of its group in the order of a tree.
bool schema_iterates_tree(const declared_system *system);

// Returns whether the list has the component.
bool schema_lists(component_list list, const component *component);

// Returns whether the system runs in several pieces.
bool schema_has_pieces(const declared_system *system);

// Returns whether jobs of the system record commands.
bool schema_has_commands(const declared_system *system);

// Whether a system of the package is parallel.
bool schema_has_jobs(const package *package);

// The contexts of the system's group or triggers, in the order of the package.
typedef struct system_contexts {
    const context *const *contexts;
    size_t count;
} system_contexts;

system_contexts schema_contexts_of(arena *arena, const declared_system *system);

// Returns the contexts of the list in which the system works: those of its group or triggers. All of the list if it has
// none of them, as a plain system.
system_contexts schema_job_contexts(arena *arena, const declared_system *system, system_contexts list);

// Returns the components that a parallel system lists in `reads`, `writes` or `changes`, or has columns of.
component_list schema_job_components(arena *arena, const package *package, const declared_system *system);

// Returns the contexts of the indices with the name in `looks_up`.
system_contexts schema_job_index_contexts(arena *arena, const system_job *job, const char *name);

// Returns whether the system declares that it writes the component.
bool schema_writes(const declared_system *system, const component *component);

#endif

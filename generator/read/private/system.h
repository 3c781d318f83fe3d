// Shared by the files that read `systems`: systems under construction, and their required order.
//
// All systems are declared first, then read, then sorted, since `before` and `after` may name any of them.
//
// Systems are sorted by stage, then by phase, then by `before` and `after`, then by position in the files. An order
// between systems of the same phase is an edge of the graph; any other order must agree with stages and phases.
#ifndef KIN_GENERATOR_READ_SYSTEM_H
#define KIN_GENERATOR_READ_SYSTEM_H

#include "generator/schema/schema.h"
#include "read/private/reader.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum system_phase { PHASE_FIRST, PHASE_MIDDLE, PHASE_LAST } system_phase;

typedef struct system_draft system_draft;

// One item of `before` or `after`.
typedef struct system_order {
    system_draft *earlier, *later;
    span span;
    bool is_dropped; // it contradicts other orders, already reported, or names a system without a node
} system_order;

// A node in `before` or `after`.
typedef struct node_order {
    const schedule_node *node;
    bool is_after;
    span span;
} node_order;

// The system or node, empty for `first` and `last`, by which a system cannot be in an earlier or a later stage.
typedef struct stage_limit {
    const char *name;
    span span;
} stage_limit;

typedef struct system_orders {
    system_order **items;
    size_t count;
} system_orders;

struct system_draft {
    declared_system system;
    const tree_node *node;
    const char *what;
    system_phase phase;
    span phase_span;         // of `first` or `last`
    span node_span;          // of the value of `in`
    const span *write_spans; // one for each item of `writes`
    const span *read_spans;  // one for each item of `reads`
    system_order *orders;    // from its own `before` and `after`
    size_t order_count;
    node_order *node_orders; // the same, of nodes
    size_t node_order_count;
    // For finding the stage: the limits of the number of the last node before it.
    size_t earliest, latest;
    stage_limit earliest_by, latest_by;
    // For sorting:
    system_orders successors, predecessors; // orders in which it runs first, and second
    size_t waiting;                         // number of unsorted predecessors
    size_t place;                           // first by stage, phase and position; after sorting, the final position
    size_t seen;                            // number of the last search that visited it
    const system_draft *reported_with;      // last system reported to write the same component
    bool is_left_out;                       // another system has the same C name
};

// Names that a system can refer to, with words for messages.
typedef struct system_names {
    const char *kind, *kinds; // "group", "groups"
    const char *key;          // root key that declares them
    diagnostic_code code;     // for an unknown name
    dictionary values;
    const char **names;
    size_t count;
} system_names;

typedef struct system_scope {
    reader *reader;
    system_names systems, nodes, groups, messages, blueprints; // system names to system_draft
    dictionary c_names;                                        // C names to system_draft
    system_draft **drafts;                                     // in declaration order
    size_t count;
} system_scope;

// A list of names in a system, without duplicates.
typedef struct system_list {
    reader *reader;
    const char *what;       // "'reads' of system 'Move'"
    const tree_node *items; // first item; NULL if the list is missing or invalid
    size_t capacity;
    dictionary places;
} system_list;

system_list system_list_begin(reader *reader, const system_draft *draft, const char *key);

// Returns whether the name is new in the list; reports a duplicate.
bool system_list_is_new(system_list *list, const tree_node *name);

// system_names_begin reserves space for `count` names. system_names_add returns the earlier value if the name exists,
// else NULL.
void system_names_begin(system_names *names, reader *reader, size_t count);
const void *system_names_add(system_names *names, const char *name, const void *value);

// Returns the value for the name at the node, or NULL after reporting an unknown name. `what` describes the list.
const void *system_names_find(const system_names *names, reader *reader, const tree_node *node, const char *what);

// Returns the index of the word at the node in `names`, which ends in NULL; -1 after reporting an error at `key`.
int read_system_choice(reader *reader, const tree_node *node, const char *key, const char *const *names);

// Reads a group that is written in a system, at its key `group`.
const group *read_system_group(system_scope *scope, const system_draft *draft, const tree_node *node);

// Reads `tree`, `only` and `order` of a system whose group, `reads` and roles are known.
void read_system_tree(system_scope *scope, system_draft *draft);

// The components in a list of a system, with their places.
typedef struct system_components {
    const component **components;
    span *spans;
    size_t count;
} system_components;

// Reads the list of distinct components at the key.
system_components read_system_components(system_scope *scope, const system_draft *draft, const char *key);

// Reads `parallel`, and what jobs of the system can do, of a system whose kind, roles, tree, `reads` and `writes` are
// known.
void read_system_job(system_scope *scope, system_draft *draft);

// Each reads lists of a system whose kind, node and group are known: `maybe`, `reads` and `writes`, `before` and
// `after`, `react`, `inbox`.
void read_system_maybe(system_scope *scope, system_draft *draft);
void read_system_columns(system_scope *scope, system_draft *draft);
void read_system_orders(system_scope *scope, system_draft *draft);
void read_system_triggers(system_scope *scope, system_draft *draft);
void read_system_inboxes(system_scope *scope, system_draft *draft);

// Sets `after` of all systems, all of which must have a node. Returns false after reporting contradictory orders.
bool stage_systems(reader *reader, system_draft *const *systems, size_t count);

// Compares the stages of two systems: negative if that of `a` runs earlier, 0 if both are in the same stage.
int stage_compare(const declared_system *a, const declared_system *b);

// Reports an order between nodes of different roots if one of these is manual. Returns whether it is.
bool stage_report_manual(reader *reader, const schedule_node *earlier, const schedule_node *later, span span);

// Sorts systems, all of which must have a node, and sets their places. Returns false after reporting contradictory
// orders.
bool order_systems(reader *reader, system_draft **systems, size_t count);

// Warns about systems of a node that write the same component without an order, sets each system's batch and level, and
// sorts the systems of each stage by their batches.
void batch_systems(reader *reader, system_draft **systems, size_t count);

#endif

// What the parts of reading `systems` share: the systems while they are read, and in which order the schema wants them.
//
// All systems are declared, then each is read, then they are put in order, since `before` and `after` name any of them.
//
// In order means by node, by phase of the node, then as `before` and `after` say, then as the files have them: an order
// between two of one phase is an edge, any other one agrees with nodes and phases, or is reported.
#ifndef KIN_GENERATOR_READ_SYSTEM_H
#define KIN_GENERATOR_READ_SYSTEM_H

#include "model/world.h"
#include "read/private/reader.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum system_phase { PHASE_FIRST, PHASE_MIDDLE, PHASE_LAST } system_phase;

typedef struct system_draft system_draft;

// An item of `before` or `after`.
typedef struct system_order {
    system_draft *earlier, *later;
    span span;
    bool is_dropped; // it stands against what else is said, which has been reported
} system_order;

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
    span node_span;          // of what `in` says
    const span *write_spans; // of each of its `writes`
    system_order *orders;    // that it asks for itself
    size_t order_count;
    // While they are put in order:
    system_orders successors, predecessors; // orders by which it runs before others, and after others
    size_t waiting;                         // how many systems that must run before it have no place yet
    size_t place;                           // by node, phase and file, then in the order
    size_t seen;                            // the last walk that came by
    const system_draft *reported_with;      // the last system reported to write the same component
    bool is_left_out;                       // another one has its name in C
};

// What a system can name, and is looked for under its name.
typedef struct system_names {
    const char *kind, *kinds; // "group", "groups"
    const char *key;          // below which they are declared
    diagnostic_code code;     // of an unknown one
    dictionary things;
    const char **names;
    size_t count;
} system_names;

typedef struct system_scope {
    reader *reader;
    system_names systems, nodes, groups, messages; // systems to drafts
    dictionary c_names;                            // of systems, likewise
    system_draft **drafts;                         // in order of the file
    size_t count;
} system_scope;

// A list of a system, which names each thing once.
typedef struct system_list {
    reader *reader;
    const char *what;       // "'reads' of system 'Move'"
    const tree_node *items; // the first; NULL: there is no such list, or it is wrong, which has been reported
    size_t capacity;
    dictionary places;
} system_list;

system_list system_list_begin(reader *reader, const system_draft *draft, const char *key);

// Whether nothing before it in the list has the name; otherwise that is reported.
bool system_list_is_new(system_list *list, const tree_node *name);

// Makes room for `count` of them. Adding returns what has the name already, or NULL.
void system_names_begin(system_names *names, reader *reader, size_t count);
const void *system_names_add(system_names *names, const char *name, const void *thing);

// The thing that the text at the node names; NULL when there is none, which has been reported. `what` names it.
const void *system_names_find(const system_names *names, reader *reader, const tree_node *node, const char *what);

// `reads`, `writes`, `before` and `after`, `react` and `inbox` of a system whose kind, node and group are known.
void read_system_columns(system_scope *scope, system_draft *draft);
void read_system_orders(system_scope *scope, system_draft *draft);
void read_system_triggers(system_scope *scope, system_draft *draft);
void read_system_inboxes(system_scope *scope, system_draft *draft);

// Puts systems, all of which have a node, in order, and gives each its place there. Whether there is such an order: what
// stands against it has been reported.
bool order_systems(reader *reader, system_draft **systems, size_t count);

// Warns of those of a node that write the same without an order, and finds out which could run side by side.
void batch_systems(reader *reader, system_draft **systems, size_t count);

#endif

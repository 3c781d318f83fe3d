// Shared by the files that read blueprints.
//
//   blueprint.c         names and `extends`
//   blueprint_order.c   the order in which their children are read
//   blueprint_child.c   the children
//   blueprint_part.c    the components of blueprints and children, with their values
#ifndef KIN_GENERATOR_READ_BLUEPRINT_H
#define KIN_GENERATOR_READ_BLUEPRINT_H

#include "read/private/reader.h"

// A use of another blueprint: the base of a blueprint, or the `of` of one of its children.
typedef struct blueprint_use {
    struct blueprint_draft *of;
    const tree_node *node; // where it is named
    const char *child;     // name of the child; NULL: `extends`
    struct blueprint_use *next;
} blueprint_use;

typedef struct blueprint_draft {
    blueprint blueprint;
    const tree_node *node;
    const char *what;
    draft_state state;
    size_t generation; // 1 if it extends none, else 1 more than its base
    bool is_child;     // the components of a child are being read
    draft_state children_state;
    blueprint_use *uses, *last_use;
} blueprint_draft;

typedef struct blueprint_scope {
    reader *reader;
    dictionary names; // blueprint name to blueprint_draft
    blueprint_draft **drafts;
    size_t count;
    size_t ordered; // the number of blueprints whose children are read
} blueprint_scope;

// Returns the blueprint of that name; NULL after reporting that it is unknown. `key` and `what` describe the place.
blueprint_draft *find_blueprint(blueprint_scope *scope, const tree_node *node, const char *key, const char *what);

// Reads the components that the mapping gives, then adds the base's other components unchanged.
void read_blueprint_parts(blueprint_scope *scope, blueprint_draft *draft, const tree_node *mapping);

// Reads the children of all blueprints, each after those of the blueprints that it uses. Reports blueprints that would
// be below themselves.
void read_all_children(blueprint_scope *scope);

// Reads the children of a blueprint, after those of all blueprints that it uses.
void read_children(blueprint_scope *scope, blueprint_draft *draft);

// Numbers the children of all blueprints, which are in order, and lists them in the package.
#define UNNUMBERED UINT32_MAX
void publish_children(reader *reader);

// Returns the mapping of names to children; NULL after reporting an error, if there is a `report`.
const tree_node *find_child_nodes(reader *reader, const tree_node *children, const char *report);

#endif

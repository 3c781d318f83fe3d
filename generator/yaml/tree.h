// Tree: a YAML document as nodes with spans, in the strict subset that schemas use.
//
// One document, UTF-8, a mapping at the root, at most TREE_DEPTH_LIMIT deep, indented with spaces; no anchors, aliases,
// merge keys, tags, directives (except %YAML 1.1 and 1.2), no collections as keys, no duplicate keys, no scalar longer
// than TREE_TEXT_LIMIT. Each violation is reported at its place. All scalars are strings: their spelling does not
// determine a type.
//
// Invariants of a tree that tree_parse returned:
//
//   1. the root is a mapping
//   2. the keys of a mapping are distinct scalars, whether quoted or not
//   3. scalars are UTF-8 without control characters except '\t' and '\n', followed by a NUL that `size` does not count
//   4. a node is TREE_BROKEN if an error in it has been reported already: readers skip it silently
#ifndef KIN_GENERATOR_YAML_TREE_H
#define KIN_GENERATOR_YAML_TREE_H

#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"
#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    TREE_DEPTH_LIMIT = 64,
    TREE_TEXT_LIMIT = 64 * 1024 // bytes of a scalar, including keys
};

typedef enum tree_kind { TREE_SCALAR, TREE_SEQUENCE, TREE_MAPPING, TREE_BROKEN } tree_kind;

typedef struct tree_node tree_node;

// A key of a mapping, and its value.
typedef struct tree_pair {
    const tree_node *key;
    const tree_node *value;
    struct tree_pair *next;
} tree_pair;

struct tree_node {
    tree_kind kind;
    span span;
    const char *text; // TREE_SCALAR
    size_t size;
    bool is_plain;                // TREE_SCALAR: neither quoted nor a block
    size_t count;                 // pairs or items in the file, including refused ones
    const tree_pair *pairs;       // TREE_MAPPING: the first, in order of the file
    const tree_node *items;       // TREE_SEQUENCE: the first
    const struct tree_node *next; // next item of its sequence
};

// Parses a source. The arena owns the tree. If the source is not such a document, reports why and returns NULL; other
// errors are reported too, and leave TREE_BROKEN nodes.
const tree_node *tree_parse(arena *arena, diagnostics *diagnostics, const source *source);

// Returns the value of a key, and the key itself; NULL if the mapping does not have it.
const tree_node *tree_find(const tree_node *mapping, const char *key);
const tree_node *tree_find_key(const tree_node *mapping, const char *key);

// Returns the place of a part of the scalar; that of the whole node if its spelling differs from its value.
span tree_part(const tree_node *scalar, size_t offset, size_t size);

// Returns whether the value is missing, as after the colon of `a:`.
bool tree_is_empty(const tree_node *node);

// Returns whether the node is a scalar that is not empty.
bool tree_is_text(const tree_node *node);

#endif

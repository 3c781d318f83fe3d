// Tree: a YAML document as marked nodes, of the strict subset that schemas are written in.
//
// One document, UTF-8, a mapping at the root, at most TREE_DEPTH_LIMIT deep, indented with spaces; no anchors, aliases,
// merge keys, tags, directives (but %YAML 1.1 and 1.2), no collections as keys, no key twice, no text that is longer than
// TREE_TEXT_LIMIT. What breaks one of these rules is reported where it stands. Nothing is guessed from a scalar's
// spelling: all scalars are texts.
//
// Invariants of a tree that tree_parse returned:
//   1. the root is a mapping
//   2. the keys of a mapping are scalars and all different, whether quoted or not
//   3. texts are UTF-8 without control characters but '\t' and '\n', and end in a NUL that `size` does not count
//   4. TREE_BROKEN stands where something was reported already: readers pass it over in silence
#ifndef KIN_GENERATOR_YAML_TREE_H
#define KIN_GENERATOR_YAML_TREE_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    TREE_DEPTH_LIMIT = 64,
    TREE_TEXT_LIMIT = 64 * 1024 // bytes of a text, a key among them
};

typedef enum tree_kind { TREE_SCALAR, TREE_SEQUENCE, TREE_MAPPING, TREE_BROKEN } tree_kind;

typedef struct tree_node tree_node;

// A key of a mapping with its value.
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
    size_t count;                 // pairs or items in the file, those that were refused among them
    const tree_pair *pairs;       // TREE_MAPPING: the first, in order of the file
    const tree_node *items;       // TREE_SEQUENCE: the first
    const struct tree_node *next; // the item behind it in its sequence
};

// NULL when the source is no such document; that, and everything else that is wrong with it, has been reported.
const tree_node *tree_parse(arena *arena, diagnostics *diagnostics, const source *source);

// The value of a key, and the key itself; NULL when the mapping has none.
const tree_node *tree_find(const tree_node *mapping, const char *key);
const tree_node *tree_find_key(const tree_node *mapping, const char *key);

// Where that part of the text stands; all of the node where it is written in another way than it is read.
span tree_part(const tree_node *scalar, size_t offset, size_t size);

// Nothing at all stands where a value could, as behind the colon of `a:`.
bool tree_is_empty(const tree_node *node);

// A scalar that is not nothing.
bool tree_is_text(const tree_node *node);

#endif

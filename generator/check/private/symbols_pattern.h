// Patterns of generated names, one row for each name, by the element that generates it: a package, a context, a type
// and so on.
//
// A placeholder in a pattern stands for a part of the subject, in the case of the placeholder: {component} is in
// snake_case, {COMPONENT} in upper case, {Component} as in the schema. A file's pattern has no prefix; a member's
// pattern is "type.member".
#ifndef KIN_GENERATOR_CHECK_SYMBOLS_PATTERN_H
#define KIN_GENERATOR_CHECK_SYMBOLS_PATTERN_H

#include "check/symbols.h"
#include "generator/base/base.h"

#include <stddef.h>

typedef enum symbol_scope {
    SCOPE_PACKAGE,
    SCOPE_HEADERS,    // in addition, for a package whose opaque types are in headers of the user
    SCOPE_MIGRATIONS, // in addition, for a package with a component that has `migrate: true`
    SCOPE_CONTEXT,
    SCOPE_COMMANDS,        // in addition, for a context with `commands: true`; so are the next ones, for each
    SCOPE_COMMANDS_FIELDS, // component with fields, also for functions that a call may not have
    SCOPE_COMMANDS_STASH,  // component with `stash: true`
    SCOPE_COMMANDS_FLAG,   // flag
    SCOPE_COMMANDS_SPAWN,  // blueprint
    SCOPE_READER, // in addition, for a context whose function to read a file does not have the name of the world's
    SCOPE_TYPE,
    SCOPE_CONTEXT_TYPE,          // for each context, whose tables may mention the type
    SCOPE_WORLD_TYPE,            // once for a package with a world, whose messages may mention the type
    SCOPE_VALUE,                 // for each value of an enum
    SCOPE_COMPONENT,             // once for a component with fields, for all its contexts
    SCOPE_SHARED,                // in addition, for a component of several contexts
    SCOPE_EDIT_TYPE,             // in addition, for a component with its own edit type
    SCOPE_SOA,                   // in addition, for a component with `layout: soa`
    SCOPE_MIGRATION,             // in addition, for a component with `migrate: true`
    SCOPE_CONTEXT_COMPONENT,     // for each context of any component
    SCOPE_CONTEXT_FIELDS,        // for each context of a component with fields
    SCOPE_CONTEXT_GET,           // in addition, for each context of a component with contiguous values
    SCOPE_CONTEXT_SOA,           // in addition, for each context of a component with `layout: soa`
    SCOPE_CONTEXT_LIST,          // for each context of a field that is a list
    SCOPE_CONTEXT_ELEMENT,       // in addition, if a new element of it is not all zero
    SCOPE_CONTEXT_VALUES,        // in addition, for each context of a component with `storage: shared`
    SCOPE_CONTEXT_STASH,         // in addition, for each context of a component with `stash: true`
    SCOPE_CONTEXT_FLAG,          // for each context of a flag
    SCOPE_CONTEXT_RELATION,      // in addition, for each context of a component with relations
    SCOPE_FLAG_CHANGES,          // for each context of a flag whose prefix is neither `add` nor `remove`
    SCOPE_FLAG_HAS,              // for each context of a flag whose prefix is not `has`
    SCOPE_UNIQUE_FLAG_HAS,       // the same, for a unique flag
    SCOPE_COMMANDS_FLAG_CHANGES, // as SCOPE_FLAG_CHANGES, for a context with `commands: true`
    SCOPE_UNIQUE_FIELDS,         // in addition, for each context of a unique component with fields
    SCOPE_UNIQUE_FLAG,           // in addition, for each context of a unique flag
    SCOPE_EVENT,                 // for each event of any component, in each of its contexts
    SCOPE_GROUP,
    SCOPE_GROUP_MATCH, // in addition, for a group whose loops are inlined
    SCOPE_INDEX,
    SCOPE_MULTI_INDEX,
    SCOPE_INDEX_FUNCTION, // in addition, for an index whose keys a function gives
    SCOPE_REVERSE,        // for each relation with a reverse
    SCOPE_TREE,           // in addition, for a relation with `tree: true`
    SCOPE_GROUP_MEMBER,   // for each component with fields in a group's `all`
    SCOPE_BLUEPRINT,
    SCOPE_BLUEPRINT_VALUES,   // in addition, for each blueprint that has components with fields
    SCOPE_BLUEPRINT_MEMBER,   // for each of those components
    SCOPE_BLUEPRINT_PARTS,    // for each blueprint with children, and each that a child is of
    SCOPE_BLUEPRINT_CHILDREN, // in addition, for each with children
    SCOPE_WORLD,              // once for a package with systems, messages or a schedule
    SCOPE_WORLD_OF_JOBS,      // in addition, if a system is parallel
    SCOPE_MANUAL_NODE,        // for each node that the program runs
    SCOPE_MESSAGE,
    SCOPE_MESSAGE_FIELDS, // in addition, for each message with fields
    SCOPE_SYSTEM,
    SCOPE_JOB,             // in addition, for a parallel system
    SCOPE_SYSTEM_ROLE,     // for each role of a system
    SCOPE_ROLE,            // for each role with one function
    SCOPE_ROLE_OF_CONTEXT, // for each context of a role with one function per context
    SCOPE_SYSTEM_ITERATOR, // in addition, for a system that iterates its group
    SCOPE_SYSTEM_TREE,     // instead, for a system that iterates its group in the order of a tree
    SCOPE_SYSTEM_MATCH,    // in addition, if its loops are inlined
    SCOPE_SYSTEM_VIEW,     // in addition, for a system that iterates a declared group
    SCOPE_SYSTEM_MEMBER,   // for each component with fields in that group's `all`
    SCOPE_SYSTEM_PARENT,   // in addition, with a tree
    SCOPE_SYSTEM_LEFT,     // the same, for a system with `on_leave: keep`
    SCOPE_SYSTEM_INBOX     // for each message of a system's inbox
} symbol_scope;

typedef struct symbol_pattern {
    symbol_scope scope;
    symbol_kind kind;
    const char *pattern;
} symbol_pattern;

// The table ends with a row without a pattern.
extern const symbol_pattern symbol_patterns[];

// The values of placeholders; NULL for those that the scope does not have.
typedef struct symbol_subject {
    const char *prefix, *package, *stem, *context, *type, *value, *component, *flag_prefix, *event, *group, *index,
        *reverse, *list;
    const char *blueprint, *message, *system, *role, *node;
} symbol_subject;

typedef enum symbol_case { SYMBOL_AS_WRITTEN, SYMBOL_LOWER, SYMBOL_UPPER, SYMBOL_CASES } symbol_case;
enum { SYMBOL_PART_LIMIT = 32 }; // maximum parts of a subject

// A subject's parts and their spellings in each case, converted at first use.
typedef struct symbol_words {
    arena *arena;
    symbol_subject subject;
    const char *spelled[SYMBOL_PART_LIMIT][SYMBOL_CASES];
} symbol_words;

symbol_words symbol_words_create(arena *arena, const symbol_subject *subject);

// Returns the pattern with all placeholders replaced.
const char *symbol_expand(symbol_words *words, const char *pattern);

#endif

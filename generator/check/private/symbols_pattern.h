// The patterns of generated names, one row a name: what is generated once for a package, a context, a type and so on.
//
// A placeholder in a pattern is a part of the subject, in the case in which it is spelled: {component} is in
// snake_case, {COMPONENT} in upper case, {Component} as the schema has it. A file's pattern has no prefix; a member's
// pattern is "type.member".
#ifndef KIN_GENERATOR_CHECK_SYMBOLS_PATTERN_H
#define KIN_GENERATOR_CHECK_SYMBOLS_PATTERN_H

#include "base/arena.h"
#include "check/symbols.h"

#include <stddef.h>

typedef enum symbol_scope {
    SCOPE_PACKAGE,
    SCOPE_CONTEXT,
    SCOPE_TYPE,
    SCOPE_VALUE,             // of an enum
    SCOPE_COMPONENT,         // once for a component with fields, whatever its contexts
    SCOPE_SHARED,            // more for one of several contexts
    SCOPE_EDIT_TYPE,         // more for one that `edit` shows as another struct
    SCOPE_SOA,               // more for one whose fields have columns
    SCOPE_CONTEXT_COMPONENT, // for each context of any component
    SCOPE_CONTEXT_FIELDS,    // for each context of a component with fields
    SCOPE_CONTEXT_GET,       // more for each context of one whose values stand in one place
    SCOPE_CONTEXT_SOA,       // more for each context of one whose fields have columns
    SCOPE_CONTEXT_EDIT,      // more for each context of one whose values can be written in place
    SCOPE_CONTEXT_STASH,     // more for each context of one whose values can be stashed
    SCOPE_CONTEXT_FLAG,      // for each context of a flag
    SCOPE_UNIQUE_FIELDS,     // more for each context of a unique component with fields
    SCOPE_UNIQUE_FLAG,       // more for each context of a unique flag
    SCOPE_EVENT,             // for each event of any component, for each of its contexts
    SCOPE_GROUP,
    SCOPE_PRIMARY_INDEX,
    SCOPE_MULTI_INDEX,
    SCOPE_GROUP_MEMBER, // for each component with fields in `all` of a group
    SCOPE_BLUEPRINT,
    SCOPE_BLUEPRINT_VALUES, // more for each blueprint that has components with fields
    SCOPE_BLUEPRINT_MEMBER, // for each of those
    SCOPE_WORLD,            // once for a package with systems, messages or a schedule
    SCOPE_MESSAGE,
    SCOPE_MESSAGE_FIELDS, // more for each message with fields
    SCOPE_SYSTEM,
    SCOPE_SYSTEM_ROLE,     // for each role of a system
    SCOPE_ROLE,            // for each role that is there once
    SCOPE_ROLE_OF_CONTEXT, // for each context of a role that is there once for each
    SCOPE_SYSTEM_ITERATOR, // more for a system that walks its group
    SCOPE_SYSTEM_MEMBER,   // for each component with fields in `all` of that group
    SCOPE_SYSTEM_LEFT,     // likewise, where the system keeps what leaves
    SCOPE_SYSTEM_INBOX     // for each message of a system's inbox
} symbol_scope;

typedef struct symbol_pattern {
    symbol_scope scope;
    symbol_kind kind;
    const char *pattern;
} symbol_pattern;

// The table, its last row has no pattern.
extern const symbol_pattern symbol_patterns[];

// The parts that placeholders name; those that a scope does not have are NULL.
typedef struct symbol_subject {
    const char *prefix, *package, *context, *type, *value, *component, *flag_prefix, *event, *group, *index, *blueprint;
    const char *message, *system, *role;
} symbol_subject;

typedef enum symbol_case { SYMBOL_AS_WRITTEN, SYMBOL_LOWER, SYMBOL_UPPER, SYMBOL_CASES } symbol_case;
enum { SYMBOL_PART_LIMIT = 32 }; // how many parts a subject may have

// A subject's parts, and how they are spelled in each case, as soon as a pattern has asked for that.
typedef struct symbol_words {
    arena *arena;
    symbol_subject subject;
    const char *spelled[SYMBOL_PART_LIMIT][SYMBOL_CASES];
} symbol_words;

symbol_words symbol_words_create(arena *arena, const symbol_subject *subject);

// The pattern with every placeholder replaced.
const char *symbol_expand(symbol_words *words, const char *pattern);

#endif

// How the tables of the language are written.
#ifndef KIN_GENERATOR_SCHEMA_INTERNAL_H
#define KIN_GENERATOR_SCHEMA_INTERNAL_H

#include "generator/schema/schema.h"

#include <stddef.h>

// Macros for the tables of the language: values without a name are written in place.

// A list of at most `most` distinct items; 0: any number.
#define SET_OF(item, most)                                                                                             \
    &(const language_value)                                                                                            \
    {                                                                                                                  \
        .kind = LANGUAGE_LIST, .items = (item), .is_set = true, .limit = (most)                                        \
    }

// A mapping with names that the user chooses.
#define MAP_OF(name, item)                                                                                             \
    &(const language_value)                                                                                            \
    {                                                                                                                  \
        .kind = LANGUAGE_MAP, .names = (name), .items = (item)                                                         \
    }

// Names of keys, which end in NULL.
#define NAMES(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

// The offset of a member; does not compile if the member has another type.
#define OFFSET(owner, member, type) _Generic(((owner *)0)->member, type : offsetof(owner, member))

// The member of a key in the struct of its element.
#define TEXT_IN(owner, member)   .kind = MEMBER_TEXT, .offset = OFFSET(owner, member, const char *)
#define BOOL_IN(owner, member)   .kind = MEMBER_BOOL, .offset = OFFSET(owner, member, bool)
#define WORD_IN(owner, member)   .kind = MEMBER_WORD, .offset = offsetof(owner, member)
#define NUMBER_IN(owner, member) .kind = MEMBER_NUMBER, .offset = OFFSET(owner, member, int32_t)
#define COUNT_IN(owner, member)  .kind = MEMBER_COUNT, .offset = OFFSET(owner, member, uint32_t)

// A key with its value and its doc, and other members that it has: KEY("only", &language_only, "...", .needs = "tree").
#define KEY(key, of, ...)                                                                                              \
    {                                                                                                                  \
        .name = (key), .value = (of), .doc = __VA_ARGS__                                                               \
    }

// The keys of a mapping.
#define KEYS(...)                                                                                                      \
    (const language_key[])                                                                                             \
    {                                                                                                                  \
        __VA_ARGS__,                                                                                                   \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

// Keys that several elements have.
#define DOC_OF(owner)                                                                                                  \
    {                                                                                                                  \
        .name = "doc", .value = &language_text, .doc = "A description. Becomes a comment in the generated C.",         \
        .member = {TEXT_IN(owner, doc), .json = "doc"},                                                                \
    }
#define CONTEXT                                                                                                        \
    {                                                                                                                  \
        .name = "context", .value = &language_snake_name, .refers_to = REFERS_TO_CONTEXT,                              \
        .doc = "The context. Default: the default context.",                                                           \
    }
#define SAVED_IN(owner)         .kind = MEMBER_SAVED, .offset = OFFSET(owner, saved, saved_name), .json = "identity"
#define UNSAVED_IN(owner)       .kind = MEMBER_UNSAVED, .offset = OFFSET(owner, is_unsaved, bool), .json = "is_saved"
#define FALSE_IN(owner, member) .kind = MEMBER_FALSE, .offset = OFFSET(owner, member, bool)

// The components of a rule.
#define COMPONENTS SET_OF(&language_pascal_name, SCHEMA_RULE_COMPONENT_LIMIT)

#endif

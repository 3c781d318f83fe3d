// How the tables of the language are written.
#ifndef KIN_GENERATOR_SCHEMA_INTERNAL_H
#define KIN_GENERATOR_SCHEMA_INTERNAL_H

#include "generator/schema/schema.h"

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

// The components of a rule.
#define COMPONENTS SET_OF(&language_pascal_name, SCHEMA_RULE_COMPONENT_LIMIT)

#endif

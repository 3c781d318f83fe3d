// Macros for the tables of the language: values without a name are written in place.
#ifndef KIN_GENERATOR_LANGUAGE_MAKE_H
#define KIN_GENERATOR_LANGUAGE_MAKE_H

#include "language/language.h"

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

#endif

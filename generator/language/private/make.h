// How the tables of the language are written: values that have no name stand where they are.
#ifndef KIN_GENERATOR_LANGUAGE_MAKE_H
#define KIN_GENERATOR_LANGUAGE_MAKE_H

#include "language/language.h"

// Items of which none stands there twice, `most` of them at most; 0: any number.
#define SET_OF(item, most)                                                                                             \
    &(const language_value)                                                                                            \
    {                                                                                                                  \
        .kind = LANGUAGE_LIST, .items = (item), .is_set = true, .limit = (most)                                        \
    }

// Entries from names of the user's choice.
#define MAP_OF(name, item)                                                                                             \
    &(const language_value)                                                                                            \
    {                                                                                                                  \
        .kind = LANGUAGE_MAP, .names = (name), .items = (item)                                                         \
    }

#endif

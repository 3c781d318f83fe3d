// Types, components, and what both are made of.
#include "language/private/make.h"
#include "model/schema.h"

#include <stddef.h>

#define NAMES(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

const language_value language_fields = {
    .kind = LANGUAGE_MAP,
    .names = &language_snake_name,
    .items = &(const language_value){.kind = LANGUAGE_EITHER, .names = &language_type, .items = &language_field},
    .limit = SCHEMA_FIELD_LIMIT,
};

static const language_value enum_values = {
    .kind = LANGUAGE_EITHER,
    .names = SET_OF(&language_value_name, 0),
    .items = MAP_OF(&language_value_name, &language_int32),
};

const language_value language_definition = {
    .kind = LANGUAGE_MAPPING,
    .name = "definition",
    .title = "A type",
    .doc = "With `fields` a struct, with `values` an enum, with `opaque` a type of somebody else.",
    .forms = NAMES("fields", "values", "opaque"),
    .has_one_form = true,
    .keys =
        (const language_key[]){
            {.name = "doc", .value = &language_text, .doc = "What it is. Becomes a comment in the generated C."},
            {.name = "fields",
             .value = &language_fields,
             .doc = "The members of a struct, which may be structs as well. A struct holds no `string`, but may hold a "
                    "`string[31]`."},
            {.name = "values",
             .value = &enum_values,
             .doc = "The values of an enum: a list, numbered from 0, or a mapping to numbers. Without a default, a "
                    "field has the first."},
            {.name = "opaque",
             .value = &language_c_type,
             .doc =
                 "The C type that stands behind the name, such as `struct sprite *`; its values are passed by value."},
            {.name = "header",
             .value = &language_path,
             .needs = "opaque",
             .doc = "The header that declares the type and `drop`, included with quotes."},
            {.name = "drop",
             .value = &language_function,
             .needs = "opaque",
             .doc = "A function `void drop(T value)` that ends a value: the context then owns what it holds. "
                    "A component `Look` with such a field has its other fields edited through a struct `LookEdit`."},
            {0}},
};

// ---- components

static const language_value events = {.kind = LANGUAGE_LIST, .items = &language_event};

const language_value language_component = {
    .kind = LANGUAGE_MAPPING,
    .name = "component",
    .title = "A component",
    .doc = "A C struct that entities can have, or a flag where it has no fields.",
    .keys =
        (const language_key[]){
            {.name = "doc", .value = &language_text, .doc = "What it is. Becomes a comment in the generated C."},
            {.name = "contexts",
             .value = SET_OF(&language_snake_name, 0),
             .doc = "The contexts whose entities can have it. Without it, the default context."},
            {.name = "fields",
             .value = &language_fields,
             .doc = "The fields of its value. Without it the component is a flag."},
            {.name = "unique",
             .value = &language_bool,
             .fallback = "false",
             .doc = "Whether one entity of a context has it at most, with functions such as `game_get_unique_score`."},
            {.name = "flag_prefix",
             .value = &language_snake_name,
             .fallback = "\"is\"",
             .excludes = "fields",
             .doc = "How the question about a flag begins: with `can`, `game_can_movable`."},
            {.name = "cleanup",
             .value = &language_cleanup,
             .doc = "What happens at the end of a frame to the entities that have it: they lose it, or they are "
                    "destroyed."},
            {.name = "events",
             .value = &events,
             .doc = "What listeners are told of, once a frame, by the context's event systems."},
            {.name = "storage",
             .value = &language_storage,
             .needs = "fields",
             .doc = "`boxed`: the column keeps a pointer to each value, which pays where values are rare or large."},
            {.name = "layout",
             .value = &language_layout,
             .needs = "fields",
             .doc =
                 "`soa`: a column for each field, for loops over few fields of many, or that are vectorised. There is "
                 "no `get`, `edit` or `touch` then."},
            {.name = "stash",
             .value = &language_bool,
             .fallback = "false",
             .doc = "Whether its value can be kept aside while the entity does not have it: `game_stash_position` and "
                    "`game_restore_position`."},
            {0}},
};

const language_value language_field = {
    .kind = LANGUAGE_MAPPING,
    .name = "field",
    .title = "A field",
    .doc = "A member of a component, a struct or a message. The type alone is short for `{ type: ... }`.",
    .keys =
        (const language_key[]){
            {.name = "type", .value = &language_type, .is_required = true, .doc = "Its type."},
            {.name = "default",
             .value = &language_any,
             .doc =
                 "Its value where one is made without it: for a struct a mapping, for an array a list. Without it a "
                 "number is 0, an enum its first value, a text empty or `NULL`. Entities and opaque types have none."},
            {.name = "doc", .value = &language_text, .doc = "What it is. Becomes a comment in the generated C."},
            {.name = "unit", .value = &language_text, .doc = "What it is measured in, for people and tools."},
            {.name = "index",
             .value = &language_index_kind,
             .doc = "An index by this field of a component. `primary`: a value is one entity's at most, and another "
                    "one is "
                    "refused; `multi`: it may be several entities'."},
            {0}},
};

const language_value language_event = {
    .kind = LANGUAGE_MAPPING,
    .name = "event",
    .title = "An event",
    .doc = "Something about a component that listeners are told of.",
    .keys =
        (const language_key[]){
            {.name = "target",
             .value = &language_target,
             .is_required = true,
             .doc = "Whose component: `any` entity's, or only that of the entity which has the listener, `self`."},
            {.name = "type",
             .value = &language_event_type,
             .fallback = "\"added\"",
             .doc = "`added`: it was added or replaced; `removed`: it is gone, and its last value is told."},
            {.name = "priority",
             .value = &language_int32,
             .fallback = "0",
             .doc = "Which event is told of first: the one with the smaller number."},
            {0}},
};

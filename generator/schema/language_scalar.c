// Scalar values: names, types, numbers and choices.
#include "generator/schema/schema.h"

#include <stdint.h>

#define WORDS(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

const language_value language_version = {
    .kind = LANGUAGE_INTEGER,
    .phrase = "`1`",
    .minimum = 1,
    .maximum = 1,
};

const language_value language_own_version = {
    .kind = LANGUAGE_INTEGER, .phrase = "an integer of at least 0", .minimum = 0, .maximum = UINT32_MAX};

const language_value language_face = {.kind = LANGUAGE_TEXT, .words = WORDS("cpp"), .message = WORD_PLAIN};

const language_value language_removed = {
    .kind = LANGUAGE_TEXT,
    .phrase = "names, such as `Health.armor`",
    .pattern = "^[A-Za-z][A-Za-z0-9_]*([.][A-Za-z][A-Za-z0-9_]*)*$",
};

const language_value language_text = {.kind = LANGUAGE_TEXT, .phrase = "a string"};
const language_value language_bool = {.kind = LANGUAGE_BOOL, .phrase = "`true` or `false`"};
const language_value language_any = {.kind = LANGUAGE_ANY, .phrase = "a value of the field's type"};

// ---- names

const language_value language_snake_name = {
    .kind = LANGUAGE_TEXT,
    .name = "snake_case",
    .title = "A name in snake_case",
    .doc = "Lower-case letters, digits and single underscores. Must not be a keyword of C or C++ or a reserved name.",
    .pattern = "^[a-z][a-z0-9]*(_[a-z0-9]+)*$",
    .limit = SCHEMA_NAME_LIMIT,
};

const language_value language_pascal_name = {
    .kind = LANGUAGE_TEXT,
    .name = "PascalCase",
    .title = "A name in PascalCase",
    .doc = "Letters and digits, beginning with an upper-case letter. Must not be a keyword of C or C++ or a reserved "
           "name.",
    .pattern = "^[A-Z][A-Za-z0-9]*$",
    .limit = SCHEMA_NAME_LIMIT,
};

const language_value language_value_name = {
    .kind = LANGUAGE_TEXT,
    .name = "enum_value",
    .title = "The name of an enum value",
    .doc = "In PascalCase or snake_case. The enumerator in C is the name of the enum and this name in upper case: "
           "`SIDE_RED`.",
    .pattern = "^([A-Z][A-Za-z0-9]*|[a-z][a-z0-9]*(_[a-z0-9]+)*)$",
    .limit = SCHEMA_NAME_LIMIT,
};

const language_value language_prefix = {
    .kind = LANGUAGE_TEXT,
    .phrase = "the beginning of an identifier",
    .pattern = "^([A-Za-z][A-Za-z0-9_]*)?$",
    .limit = SCHEMA_NAME_LIMIT,
};

const language_value language_path = {.kind = LANGUAGE_TEXT, .phrase = "a path", .pattern = "^[A-Za-z0-9_+./-]+$"};
const language_value language_c_type = {
    .kind = LANGUAGE_TEXT, .phrase = "a C type", .pattern = "^[A-Za-z_][A-Za-z0-9_ *]*$"};
const language_value language_function = {
    .kind = LANGUAGE_TEXT, .phrase = "the name of a function", .pattern = "^[A-Za-z_][A-Za-z0-9_]*$"};

const language_value language_key_part = {
    .kind = LANGUAGE_TEXT,
    .name = "component_field",
    .title = "A field of a component",
    .doc = "`Cell.x` is the field `x` of component `Cell`.",
    .pattern = "^[A-Z][A-Za-z0-9]*\\.[a-z][a-z0-9_]*$",
};

const language_value language_index_part = {
    .kind = LANGUAGE_TEXT,
    .name = "index_field",
    .title = "A field of the key of an index",
    .doc = "`Cell.x` is the field `x` of component `Cell`; `-Cell.x`, in an ordered index, is the same in descending "
           "order.",
    .pattern = "^-?[A-Z][A-Za-z0-9]*\\.[a-z][a-z0-9_]*$",
};

const language_value language_index_name = {
    .kind = LANGUAGE_TEXT,
    .phrase = "the name of an index, such as `cell` or `Name.value`",
    .pattern = "^([a-z][a-z0-9]*(_[a-z0-9]+)*|[A-Z][A-Za-z0-9]*([.][a-z][a-z0-9_]*)?)$",
};

const language_value language_relation_name = {
    .kind = LANGUAGE_TEXT,
    .phrase = "the component of a relation, such as `PartOf`, or its field, such as `PartOf.whole`",
    .pattern = "^[A-Z][A-Za-z0-9]*([.][a-z][a-z0-9_]*)?$",
};

// ---- types

const language_value language_type = {
    .kind = LANGUAGE_TEXT,
    .name = "type",
    .title = "The type of a field",
    .doc =
        "A scalar type: `bool`; `int8`, `int16`, `int32` or `int64`; `uint8`, `uint16`, `uint32` or `uint64`, in C "
        "`int8_t` to `uint64_t`; `float` or `double`. Or `string`, which the context owns; `string[31]`, which "
        "stores up to 31 bytes in place; `entity` for any context, or `entity<game>`; a name from `types`; or `T[4]` "
        "for an array of any of these except strings. A field of a component can also be a list, `T[]`, whose number "
        "of "
        "elements changes: of any of these except strings and types with a `drop`.",
    .words = WORDS("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float", "double",
                   "string", "entity"),
    .pattern = "^(string(\\[[0-9]+\\])?|(bool|u?int(8|16|32|64)|float|double|entity(<[a-z][a-z0-9_]*>)?|"
               "[A-Z][A-Za-z0-9]*)(\\[[0-9]*\\])?)$",
};

// ---- numbers

const language_value language_int32 = {
    .kind = LANGUAGE_INTEGER, .phrase = "an integer", .minimum = INT32_MIN, .maximum = INT32_MAX};
const language_value language_count = {
    .kind = LANGUAGE_INTEGER, .phrase = "an integer of at least 1", .minimum = 1, .maximum = UINT32_MAX};
const language_value language_step = {.kind = LANGUAGE_NUMBER, .phrase = "a number greater than 0"};

const language_value language_range = {
    .kind = LANGUAGE_LIST,
    .phrase = "a list of two numbers of the field's type, or `~`",
    .items = &(const language_value){.kind = LANGUAGE_ANY},
    .least = 2,
    .limit = 2,
};

const language_value language_grain = {
    .kind = LANGUAGE_EITHER,
    .names = &(const language_value){.kind = LANGUAGE_INTEGER,
                                     .phrase = "a multiple of 512 up to 16777216",
                                     .minimum = SCHEMA_CHUNK_PLACES,
                                     .maximum = SCHEMA_GRAIN_LIMIT},
    .items = &(const language_value){.kind = LANGUAGE_TEXT, .words = WORDS("all")},
};

// ---- choices

const language_value language_index_kind = {.kind = LANGUAGE_TEXT,
                                            .words = WORDS("primary", "multi", "ordered", "grid"),
                                            .first_word = INDEX_PRIMARY,
                                            .message = WORD_MUST_BE};
const language_value language_field_index = {.kind = LANGUAGE_TEXT,
                                             .words = WORDS("primary", "multi", "ordered"),
                                             .first_word = INDEX_PRIMARY,
                                             .message = WORD_MUST_BE};
const language_value language_refresh = {
    .kind = LANGUAGE_TEXT, .words = WORDS("always"), .first_word = REFRESH_ALWAYS, .message = WORD_MUST_BE};
const language_value language_component_index = {
    .kind = LANGUAGE_TEXT, .words = WORDS("multi"), .first_word = INDEX_MULTI};
const language_value language_on_destroy = {
    .kind = LANGUAGE_TEXT,
    .words = WORDS("keep", "clear", "remove", "destroy", "refuse"),
    .message = WORD_MUST_BE,
};

const language_value language_cleanup = {.kind = LANGUAGE_TEXT,
                                         .words = WORDS("remove_component", "destroy_entity"),
                                         .first_word = CLEANUP_REMOVE_COMPONENT};
const language_value language_storage = {.kind = LANGUAGE_TEXT, .words = WORDS("boxed", "shared")};
const language_value language_layout = {.kind = LANGUAGE_TEXT, .words = WORDS("soa")};
const language_value language_inspect = {.kind = LANGUAGE_TEXT,
                                         .words = WORDS("read_only", "hidden"),
                                         .first_word = INSPECT_READ_ONLY,
                                         .message = WORD_OF_ELEMENT};
const language_value language_target = {.kind = LANGUAGE_TEXT, .words = WORDS("any", "self")};
const language_value language_event_type = {.kind = LANGUAGE_TEXT, .words = WORDS("added", "removed")};

const language_value language_trigger_event = {
    .kind = LANGUAGE_TEXT,
    .words = WORDS("added", "removed", "added_or_removed", "modified"),
    .message = WORD_PLAIN,
};

const language_value language_full = {
    .kind = LANGUAGE_TEXT, .words = WORDS("oldest", "newest", "error"), .message = WORD_PLAIN};
const language_value language_on_leave = {.kind = LANGUAGE_TEXT, .words = WORDS("keep"), .message = WORD_OF_ELEMENT};
const language_value language_only = {.kind = LANGUAGE_TEXT, .words = WORDS("changed"), .message = WORD_OF_ELEMENT};
const language_value language_tree_order = {
    .kind = LANGUAGE_TEXT, .words = WORDS("depth", "breadth"), .message = WORD_PLAIN};

const language_value language_replicate = {
    .kind = LANGUAGE_EITHER,
    .names = &(const language_value){.kind = LANGUAGE_TEXT, .words = WORDS("owner")},
    .items = &language_bool,
};
const language_value language_replica = {.kind = LANGUAGE_TEXT, .words = WORDS("replica"), .message = WORD_OF_ELEMENT};
const language_value language_runs = {.kind = LANGUAGE_TEXT,
                                      .words = WORDS("host", "replica", "predicted"),
                                      .first_word = RUNS_HOST,
                                      .message = WORD_OF_ELEMENT};

const language_value language_role = {
    .kind = LANGUAGE_TEXT,
    .words = WORDS("initialize", "start", "execute", "filter", "first_update", "enter", "update", "leave", "draw",
                   "cleanup", "tear_down", "dispose"),
};

// The file, its contexts, and what is made of their components.
#include "language/private/make.h"
#include "model/schema.h"

#include <string.h>

#define NAMES(...)                                                                                                     \
    (const char *const[])                                                                                              \
    {                                                                                                                  \
        __VA_ARGS__, NULL                                                                                              \
    }

// ---- the file

static const language_value includes = {
    .kind = LANGUAGE_LIST,
    .items = &(const language_value){.kind = LANGUAGE_TEXT, .phrase = "paths"},
    .limit = SCHEMA_INCLUDE_COUNT_LIMIT,
};
static const language_value contexts = {
    .kind = LANGUAGE_MAP, .names = &language_snake_name, .items = &language_context, .limit = SCHEMA_CONTEXT_LIMIT};

const language_value language_file = {
    .kind = LANGUAGE_MAPPING,
    .name = "file",
    .title = "A schema",
    .doc = "A file of a package: its root, or one that it includes.",
    .keys =
        (const language_key[]){
            {.name = "kin",
             .value = &language_version,
             .is_required = true,
             .doc = "The version of the schema language. The first key of every file."},
            {.name = "package",
             .value = &language_snake_name,
             .doc =
                 "The package's name, which names the output files and the struct of its contexts. The root file has "
                 "it; an included one does not."},
            {.name = "prefix",
             .value = &language_prefix,
             .fallback = "\"\"",
             .doc = "Put before every generated identifier: with `my_`, `my_Position`, `my_game_add_position` and "
                    "`MY_GAME_POSITION`. In the root file only."},
            {.name = "include",
             .value = &includes,
             .doc = "Files whose definitions belong to the package too, by paths relative to this one. Which of them "
                    "defines what does not matter; one that is included twice is read once."},
            {.name = "contexts",
             .value = &contexts,
             .doc = "The contexts, each a world of entities of its own. At least one in the package."},
            {.name = "types",
             .value = MAP_OF(&language_pascal_name, &language_definition),
             .doc = "Structs, enums and opaque types, for fields."},
            {.name = "components",
             .value = MAP_OF(&language_pascal_name, &language_component),
             .doc = "What entities can have. `{}` is a flag."},
            {.name = "groups",
             .value = MAP_OF(&language_snake_name, &language_group),
             .doc = "Entities that match rules, kept up to date and with typed iteration."},
            {.name = "indices",
             .value = MAP_OF(&language_snake_name, &language_index),
             .doc = "Entities by the values of one or several fields. For one field, `index` of the field is shorter."},
            {.name = "blueprints",
             .value = MAP_OF(&language_pascal_name, &language_blueprint),
             .doc = "What entities are made of, for spawning them."},
            {.name = "messages",
             .value = MAP_OF(&language_pascal_name, &language_message),
             .doc = "What systems send each other."},
            {.name = "schedule",
             .value = MAP_OF(&language_snake_name, &language_node),
             .doc = "The nodes that systems hang on, a tree that an update walks depth first in this order. Without it "
                    "they are `initialization`, `simulation` and `presentation`."},
            {.name = "systems",
             .value = MAP_OF(&language_pascal_name, &language_system),
             .doc = "The systems of the package's world."},
            {0}},
};

// ---- contexts

const language_value language_context = {
    .kind = LANGUAGE_MAPPING,
    .name = "context",
    .title = "A context",
    .doc = "Entities, the components that they have, and the groups and indices over them.",
    .keys =
        (const language_key[]){
            {.name = "doc", .value = &language_text, .doc = "What it is for. Becomes a comment in the generated C."},
            {.name = "default",
             .value = &language_bool,
             .fallback = "false",
             .doc = "Whether what does not say its context is of this one. Where there is one context only, it is."},
            {0}},
};

// ---- groups, indices, blueprints

#define COMPONENTS SET_OF(&language_pascal_name, SCHEMA_RULE_COMPONENT_LIMIT)

static const language_value component_sets = {
    .kind = LANGUAGE_LIST, .phrase = "a list of such lists", .items = COMPONENTS, .limit = SCHEMA_RULE_LIMIT};
static const language_value values = {
    .kind = LANGUAGE_MAP, .names = &language_snake_name, .items = &language_any, .may_be_empty = true};
static const language_value any_of = {.kind = LANGUAGE_EITHER, .names = COMPONENTS, .items = &component_sets};

const language_value language_group = {
    .kind = LANGUAGE_MAPPING,
    .name = "group",
    .title = "A group",
    .doc = "The entities of a context that match all of its rules.",
    .forms = NAMES("all", "any", "none", "only"),
    .keys =
        (const language_key[]){
            {.name = "context", .value = &language_snake_name, .doc = "Its context. Without it, the default one."},
            {.name = "doc", .value = &language_text, .doc = "What is in it. Becomes a comment in the generated C."},
            {.name = "all",
             .value = COMPONENTS,
             .doc = "Components that they have; those are columns of the iterator."},
            {.name = "any",
             .value = &any_of,
             .doc = "Components of which they have one at least. In a list of lists, one of each inner list."},
            {.name = "none", .value = COMPONENTS, .doc = "Components that they do not have."},
            {.name = "only", .value = COMPONENTS, .doc = "Components that they have, and no others."},
            {0}},
};

const language_value language_index = {
    .kind = LANGUAGE_MAPPING,
    .name = "index",
    .title = "An index",
    .doc = "Entities of a context by the values of fields.",
    .keys =
        (const language_key[]){
            {.name = "context", .value = &language_snake_name, .doc = "Its context. Without it, the default one."},
            {.name = "kind",
             .value = &language_index_kind,
             .is_required = true,
             .doc = "`primary`: a key is one entity's at most, and another one is refused; `multi`: it may be several "
                    "entities'."},
            {.name = "key",
             .value = SET_OF(&language_key_part, SCHEMA_KEY_LIMIT),
             .is_required = true,
             .doc = "The fields of the key, of one component or several, in the order of the arguments."},
            {.name = "all",
             .value = COMPONENTS,
             .doc = "Components that entities have to have to be in it, besides those of the key."},
            {.name = "none", .value = COMPONENTS, .doc = "Components that entities in it do not have."},
            {.name = "doc", .value = &language_text, .doc = "What it is for. Becomes a comment in the generated C."},
            {0}},
};

const language_value language_blueprint = {
    .kind = LANGUAGE_MAPPING,
    .name = "blueprint",
    .title = "A blueprint",
    .doc = "Components with values, for `game_spawn_bomb` and its like.",
    .forms = NAMES("components", "extends"),
    .keys =
        (const language_key[]){
            {.name = "context",
             .value = &language_snake_name,
             .doc = "Its context. Without it, that of the blueprint which it extends, or the default one."},
            {.name = "extends",
             .value = &language_pascal_name,
             .doc = "A blueprint whose components it has too, with the values that it does not give itself."},
            {.name = "components",
             .value = MAP_OF(&language_pascal_name, &values),
             .doc = "Its components with values of fields. What is left out has the default; `{}` leaves out all."},
            {.name = "doc", .value = &language_text, .doc = "What it makes. Becomes a comment in the generated C."},
            {0}},
};

// ---- all

const language_value *const language_values[] = {
    &language_file,       &language_context,     &language_definition, &language_component, &language_field,
    &language_event,      &language_group,       &language_index,      &language_blueprint, &language_message,
    &language_node,       &language_system,      &language_trigger,    &language_bounds,    &language_type,
    &language_snake_name, &language_pascal_name, &language_value_name, &language_key_part,  NULL,
};

const language_key *language_find(const language_value *mapping, const char *name)
{
    for (const language_key *key = mapping->keys; key->name != NULL; key++)
        if (strcmp(key->name, name) == 0)
            return key;
    return NULL;
}

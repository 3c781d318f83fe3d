// The keys of a file, of contexts, indices and blueprints, and all values with names.
#include "generator/schema/internal.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

// The file, contexts, indices and blueprints.

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
    .doc = "A file of a package: the root file, or an included file.",
    .keys = KEYS(
        KEY("kin", &language_version, "The version of the schema language. Must be the first key of every file.",
            .is_required = true),
        KEY("package", &language_snake_name,
            "The name of the package. Names the output files and the struct of all contexts. Required in the "
            "root file, not allowed in included files."),
        KEY("prefix", &language_prefix,
            "A prefix of every generated identifier: with `my_`, `my_Position`, `my_game_add_position` and "
            "`MY_GAME_POSITION`. Only allowed in the root file.",
            .fallback = "\"\""),
        KEY("version", &language_own_version,
            "The version of your saves: written into each, and available to functions of `migrate`. Only "
            "allowed in the root file.",
            .fallback = "0"),
        KEY("faces", SET_OF(&language_face, 1),
            "The languages besides C that have files of their own: `cpp` writes PACKAGE.hpp. Only allowed in the root "
            "file."),
        KEY("removed", SET_OF(&language_removed, 0),
            "Components, fields and enum values of earlier saves that the schema no longer has, such as "
            "`Mana`, `Health.armor` or `Team.side.Purple`. Reading a save drops them."),
        KEY("include", &includes,
            "More files of the package, as paths relative to this file. The order of definitions across files "
            "does not matter. A file that is included twice is read once."),
        KEY("contexts", &contexts, "The contexts. Each has its own entities. A package must have at least one.",
            .declares = REFERS_TO_CONTEXT),
        KEY("types", MAP_OF(&language_pascal_name, &language_definition), "Structs, enums and opaque types for fields.",
            .declares = REFERS_TO_TYPE),
        KEY("components", MAP_OF(&language_pascal_name, &language_component),
            "The components that entities can have. `{}` declares a flag.", .declares = REFERS_TO_COMPONENT),
        KEY("groups", MAP_OF(&language_snake_name, &language_group),
            "Groups of entities that match rules. Groups are always up to date and have typed iterators.",
            .declares = REFERS_TO_GROUP),
        KEY("indices", MAP_OF(&language_snake_name, &language_index),
            "Lookup of entities by the values of one or more fields. For a single field, `index` on the field "
            "is shorter.",
            .declares = REFERS_TO_INDEX),
        KEY("blueprints", MAP_OF(&language_pascal_name, &language_blueprint),
            "Components and values for spawning entities.", .declares = REFERS_TO_BLUEPRINT),
        KEY("messages", MAP_OF(&language_pascal_name, &language_message), "Messages that systems send to each other.",
            .declares = REFERS_TO_MESSAGE),
        KEY("schedule", MAP_OF(&language_snake_name, &language_node),
            "The nodes that systems run in. An update visits this tree depth first, in this order. Default: "
            "`initialization`, `simulation` and `presentation`.",
            .declares = REFERS_TO_NODE),
        KEY("systems", MAP_OF(&language_pascal_name, &language_system), "The systems of the package's world.",
            .declares = REFERS_TO_SYSTEM)),
};

// ---- contexts

const language_value language_context = {
    .kind = LANGUAGE_MAPPING,
    .name = "context",
    .title = "A context",
    .doc = "A set of entities with their components, groups and indices.",
    .keys = KEYS(
        DOC_OF(context),
        KEY("default", &language_bool,
            "Whether definitions without a context belong to this one. A single context is always the default.",
            .fallback = "false", .member = {BOOL_IN(context, is_default), .json = "is_default"}),
        KEY("label", &language_key_part,
            "A field of a component of the context, such as `Name.value`, which tools show beside the number of "
            "an entity: a string, an integer or an enum.",
            .refers_to = REFERS_TO_COMPONENT | REFERS_TO_FIELD),
        KEY("off", &language_pascal_name,
            "A flag of the context that switches entities off. Groups, indices, collectors and systems leave out "
            "entities with it, as if each had it in `none`, unless they name it.",
            .refers_to = REFERS_TO_COMPONENT, .member = {TEXT_IN(context, off_name), .json = "off", .fact = "Off"}),
        KEY("was", &language_snake_name, "The name of the context in earlier saves.",
            .member = {SAVED_IN(context), .fact = "Was"}),
        KEY("save", &language_bool, "Whether the context is in snapshots of the world, saves, hashes and recordings.",
            .fallback = "true", .member = {UNSAVED_IN(context), .fact = "Saved"}),
        KEY("commands", &language_bool,
            "Whether the context has command buffers: calls that a thread records and that are made later.",
            .fallback = "false",
            .member = {BOOL_IN(context, has_commands), .json = "has_commands", .fact = "Commands"}),
        KEY("content", &language_bool,
            "Whether content files can add prefabs, levels and values while the program runs. Adds the components "
            "`Origin`, which each entity of a blueprint has, and `Content`, and writes `PACKAGE_content.h`.",
            .fallback = "false", .member = {BOOL_IN(context, has_content), .json = "has_content", .fact = "Content"}),
        KEY("placed_by", &language_key_part,
            "The field that says where an entity is, such as `Local.at`: a number, or numbers. A level in a level adds "
            "its `at` to it.",
            .needs = "content", .refers_to = REFERS_TO_COMPONENT | REFERS_TO_FIELD),
        KEY("replicate", &language_bool,
            "Whether worlds that follow this one have the entities of the context, under the same handles. What is not "
            "saved is not sent.",
            .fallback = "false",
            .member = {BOOL_IN(context, is_replicated), .json = "is_replicated", .fact = "Replicated"})),
};

// ---- indices, blueprints

static const language_value values = {
    .kind = LANGUAGE_MAP, .names = &language_snake_name, .items = &language_any, .may_be_empty = true};

static const language_value index_key = {
    .kind = LANGUAGE_EITHER,
    .names = SET_OF(&language_index_part, SCHEMA_KEY_LIMIT),
    .items = &(
        const language_value){.kind = LANGUAGE_EITHER, .names = &language_key_part, .items = &language_index_function},
};

const language_value language_index = {
    .kind = LANGUAGE_MAPPING,
    .name = "index",
    .title = "An index",
    .doc = "Lookup of the entities of a context by the values of fields, or by keys that a C function gives.",
    .keys =
        KEYS(CONTEXT,
             KEY("kind", &language_index_kind,
                 "`primary`: at most one entity can have a key, and a second one is an error; `multi`: several "
                 "entities can have the same key; `ordered`: the same, and its entities are in order of their keys; "
                 "`grid`: the key is a point, and entities are found by where they are.",
                 .is_required = true, .member = {WORD_IN(entity_index, kind), .json = "kind"}),
             KEY("key", &index_key,
                 "The fields of the key, from one or more components, in the order of the arguments; in an ordered "
                 "index `-Cell.x` for descending order. Of a grid, two or three fields of one component that are "
                 "numbers, or one that is a struct of such: `Position.at`. Or the type of the keys that a C function "
                 "gives, and its name: `{ type: int32, function: cell_of }`.",
                 .is_required = true, .refers_to = REFERS_TO_COMPONENT | REFERS_TO_FIELD),
             KEY("cell", &language_step,
                 "Of a grid: the side of a cell. Look-ups are fastest with about two entities in a cell, and with a "
                 "radius of about its side."),
             KEY("refresh", &language_refresh,
                 "Of an ordered index or a grid. `always`: it follows the values that systems write in place, after "
                 "each batch with a system that has a component of the key in `writes`. Without it, only if a parallel "
                 "system has the index in `looks_up`.",
                 .member = {WORD_IN(entity_index, refresh), .json = "refresh"}),
             KEY("of", COMPONENTS,
                 "The components that the function of the key reads, in the order of its parameters. Entities must "
                 "have all of them to be in the index.",
                 .refers_to = REFERS_TO_COMPONENT),
             KEY("all", COMPONENTS,
                 "Entities must have all of these components to be in the index, in addition to those of the key.",
                 .refers_to = REFERS_TO_COMPONENT),
             KEY("none", COMPONENTS, "Entities in the index must not have any of these components.",
                 .refers_to = REFERS_TO_COMPONENT),
             DOC_OF(entity_index)),
};

const language_value language_index_function = {
    .kind = LANGUAGE_MAPPING,
    .name = "index_function",
    .title = "A key that a function gives",
    .doc = "The keys of an entity are those that a C function of yours gives, 0 to 16. It must depend on its arguments "
           "alone.",
    .keys = KEYS(KEY("type", &language_type,
                     "The type of a key: an integer, `bool`, an enum, an entity, a string such as `string[31]`, or a "
                     "struct of these.",
                     .is_required = true, .refers_to = REFERS_TO_TYPE | REFERS_TO_CONTEXT),
                 KEY("function", &language_function,
                     "The function. With `type: int32` and `of: [Position]` it is `uint32_t cell_of(const Position "
                     "*position, int32_t keys[KIN_INDEX_KEYS])`, and returns the number of keys that it wrote.",
                     .is_required = true)),
};

static const language_value knob_path = {
    .kind = LANGUAGE_TEXT,
    .phrase = "a path such as `Local.at` or `head.Gun.interval`",
    .pattern = "^([a-z][a-z0-9_]*\\.)*[A-Z][A-Za-z0-9]*(\\.[a-z][a-z0-9_]*)*$",
};
static const language_value knob_value = {
    .kind = LANGUAGE_EITHER, .names = &knob_path, .items = SET_OF(&knob_path, SCHEMA_KNOB_LIMIT)};

// The names of the children, or those with the name of a tree. language_child refers to it.
static const language_value children = {
    .kind = LANGUAGE_EITHER,
    .names = MAP_OF(&language_snake_name, &language_child),
    .items = &language_children,
};

const language_value language_blueprint = {
    .kind = LANGUAGE_MAPPING,
    .name = "blueprint",
    .title = "A blueprint",
    .doc = "Components with values for a new entity. Generates functions such as `game_spawn_bomb`.",
    .forms = NAMES("components", "extends"),
    .keys =
        KEYS(KEY("context", &language_snake_name,
                 "The context. Default: the context of the blueprint that it extends, or else the default context.",
                 .refers_to = REFERS_TO_CONTEXT),
             KEY("extends", &language_pascal_name,
                 "A blueprint to inherit components and values from. Values given here override inherited values.",
                 .refers_to = REFERS_TO_BLUEPRINT),
             KEY("components", MAP_OF(&language_pascal_name, &values),
                 "The components with values of their fields. Fields without a value have their default; `{}` uses "
                 "defaults for all fields.",
                 .refers_to = REFERS_TO_COMPONENT | REFERS_TO_FIELD),
             KEY("children", &children,
                 "Entities that are spawned below this one in the tree of the context, in this order. If the context "
                 "has several trees: `{ tree: parts, nodes: { ... } }`. Those of the extended blueprint come first; "
                 "a child of the same name changes one of them in its place."),
             KEY("knobs", MAP_OF(&language_snake_name, &knob_value),
                 "Short names for fields or components of its entities: `{ at: Local.at, interval: head.Gun.interval "
                 "}`. A list names several of one type. Content files and `game_spawn_named` take them.",
                 .refers_to = REFERS_TO_COMPONENT | REFERS_TO_FIELD),
             DOC_OF(blueprint)),
};

const language_value language_child = {
    .kind = LANGUAGE_MAPPING,
    .name = "child",
    .title = "A child of a blueprint",
    .doc = "An entity that is spawned below another one. Its component of the tree names that parent.",
    .keys =
        KEYS(KEY("of", &language_pascal_name,
                 "The blueprint of the child, whose components and children it has. Required, or else `components`, "
                 "unless an extended blueprint has the child. There it may name a blueprint that extends the one "
                 "that the child is of.",
                 .refers_to = REFERS_TO_BLUEPRINT),
             KEY("components", MAP_OF(&language_pascal_name, &values),
                 "More components with values of their fields. Values given here override those of `of`.",
                 .refers_to = REFERS_TO_COMPONENT | REFERS_TO_FIELD),
             KEY("children", &children,
                 "Entities below this one, after those of `of`; a child of the same name changes one of them.")),
};

const language_value language_children = {
    .kind = LANGUAGE_MAPPING,
    .name = "children",
    .title = "Children in one of several trees",
    .doc = "The children of a blueprint whose context has several trees.",
    .keys =
        KEYS(KEY("tree", &language_snake_name,
                 "The `reverse` of the tree. Default: the tree of the children of the extended blueprint; below a "
                 "child, the tree of that child; or the only tree of the context.",
                 .refers_to = REFERS_TO_TREE),
             KEY("nodes", MAP_OF(&language_snake_name, &language_child), "The children by name.", .is_required = true)),
};

// ---- all

const language_value *const language_values[] = {
    &language_file,
    &language_context,
    &language_definition,
    &language_component,
    &language_field,
    &language_event,
    &language_listed_enumerator,
    &language_enumerator,
    &language_group,
    &language_question,
    &language_index,
    &language_index_function,
    &language_blueprint,
    &language_child,
    &language_children,
    &language_message,
    &language_node,
    &language_system,
    &language_pieces,
    &language_trigger,
    &language_bounds,
    &language_type,
    &language_snake_name,
    &language_pascal_name,
    &language_value_name,
    &language_key_part,
    &language_index_part,
    NULL,
};

// ---- rows

const language_key *language_find(const language_value *mapping, const char *name)
{
    assert(mapping->kind == LANGUAGE_MAPPING);
    for (const language_key *key = mapping->keys; key->name != NULL; key++)
        if (strcmp(key->name, name) == 0)
            return key;
    return NULL;
}

const char *language_word(const language_value *value, unsigned number)
{
    assert(value->words != NULL);
    for (unsigned i = 0; value->words[i] != NULL; i++)
        if (value->first_word + i == number)
            return value->words[i];
    return NULL;
}

// ---- members of the model

const char *language_spelling(arena *arena, const language_key *key, const void *element, const char *name)
{
    const void *member = (const char *)element + key->member.offset;
    const char *identity = NULL;
    unsigned word = 0;
    switch (key->member.kind) {
    case MEMBER_TEXT:
        return *(const char *const *)member;
    case MEMBER_BOOL:
        if (!*(const bool *)member)
            return NULL;
        if (key->value->words != NULL)
            return key->value->words[0];
        return "true";
    case MEMBER_UNSAVED:
    case MEMBER_FALSE:
        if (!*(const bool *)member)
            return NULL;
        return "false";
    case MEMBER_WORD: // enums of the model have the size of an int, and no negative values
        memcpy(&word, member, sizeof word);
        return language_word(key->value, word);
    case MEMBER_NUMBER:
        return arena_format(arena, "%" PRId32, *(const int32_t *)member);
    case MEMBER_COUNT:
        if (*(const uint32_t *)member == 0)
            return NULL;
        return arena_format(arena, "%" PRIu32, *(const uint32_t *)member);
    case MEMBER_SAVED:
        identity = ((const saved_name *)member)->identity;
        assert(name != NULL && identity != NULL);
        if (strcmp(name, identity) == 0)
            return NULL;
        return identity;
    case MEMBER_NONE:
        break;
    }
    assert(false);
    return NULL;
}

// The keys of types, components, fields, events and groups.
#include "generator/schema/internal.h"

#include <stddef.h>

// Types, components, fields and events.

const language_value language_fields = {
    .kind = LANGUAGE_MAP,
    .names = &language_snake_name,
    .items = &(const language_value){.kind = LANGUAGE_EITHER, .names = &language_type, .items = &language_field},
    .limit = SCHEMA_FIELD_LIMIT,
};

const language_value language_listed_enumerator = {
    .kind = LANGUAGE_MAPPING,
    .name = "listed_enumerator",
    .title = "A value in the list of an enum",
    .doc = "What `[Green, Crimson: { was: Red }]` says of a value.",
    .keys = KEYS(
        KEY("was", &language_value_name, "The name of the value in earlier saves.", .member = {SAVED_IN(enumerator)})),
};

const language_value language_enumerator = {
    .kind = LANGUAGE_MAPPING,
    .name = "enumerator",
    .title = "A value in the mapping of an enum",
    .doc = "What `{ Crimson: { value: 1, was: Red } }` says of a value. A plain number is short for `{ value: ... }`.",
    .keys = KEYS(
        KEY("value", &language_int32, "The number.", .is_required = true),
        KEY("was", &language_value_name, "The name of the value in earlier saves.", .member = {SAVED_IN(enumerator)})),
};

// A name, or `{ Crimson: { was: Red } }`.
static const language_value listed_value = {
    .kind = LANGUAGE_EITHER,
    .names = &language_value_name,
    .items = &(const language_value){
        .kind = LANGUAGE_MAP, .names = &language_value_name, .items = &language_listed_enumerator, .limit = 1}};

static const language_value mapped_value = {
    .kind = LANGUAGE_EITHER, .names = &language_int32, .items = &language_enumerator};

static const language_value enum_values = {
    .kind = LANGUAGE_EITHER,
    .names = SET_OF(&listed_value, 0),
    .items = MAP_OF(&language_value_name, &mapped_value),
};

const language_value language_definition = {
    .kind = LANGUAGE_MAPPING,
    .name = "definition",
    .title = "A type",
    .doc = "With `fields` a struct, with `values` an enum, with `opaque` a type of your own C code.",
    .forms = NAMES("fields", "values", "opaque"),
    .has_one_form = true,
    .keys =
        KEYS(DOC_OF(definition),
             KEY("fields", &language_fields,
                 "The members of a struct, which can be structs too. A struct cannot hold a `string`, but it can "
                 "hold a `string[31]`.",
                 .refers_to = REFERS_TO_TYPE | REFERS_TO_CONTEXT, .declares = REFERS_TO_FIELD),
             KEY("values", &enum_values,
                 "The values of an enum: a list, numbered from 0, or a mapping from names to numbers. A field "
                 "without a default begins as the first value. A value may say more: `[Green, Crimson: { was: "
                 "Red }]` or `{ Crimson: { value: 1, was: Red } }`.",
                 .declares = REFERS_TO_VALUE),
             KEY("opaque", &language_c_type,
                 "The C type, such as `struct sprite *`. Its values are passed by value, and need at most the "
                 "alignment of `max_align_t`.",
                 .member = {TEXT_IN(definition, opaque), .is_read_by_code = true, .json = "c_type"}),
             KEY("header", &language_path,
                 "The header that declares the type and `drop`. It is included with quotes. It may include "
                 "`arena_types_plain.h` of the package, which has the entities and all types without opaque "
                 "values.",
                 .needs = "opaque", .member = {TEXT_IN(definition, header), .is_read_by_code = true, .json = "header"}),
             KEY("drop", &language_function,
                 "A function `void drop(T value)` that releases a value. The context owns values of such a type. "
                 "The other fields of a component `Look` with such a field are edited through a struct `LookEdit`.",
                 .needs = "opaque", .member = {TEXT_IN(definition, drop), .is_read_by_code = true, .json = "drop"}),
             KEY("save", &language_function,
                 "A function `size_t save(T value, void *bytes, size_t capacity)` that writes a value as bytes, if "
                 "there is room, and returns how many it needs, up to 65,536. Without it a component with such a "
                 "value is in no save.",
                 .needs = "load", .member = {TEXT_IN(definition, save), .is_read_by_code = true, .json = "save"}),
             KEY("load", &language_function,
                 "A function `bool load(T *value, const void *bytes, size_t size)` that makes a value from what "
                 "`save` wrote, or returns false.",
                 .needs = "save", .member = {TEXT_IN(definition, load), .is_read_by_code = true, .json = "load"})),
};

// ---- components

static const language_value events = {.kind = LANGUAGE_LIST, .items = &language_event};

const language_value language_component = {
    .kind = LANGUAGE_MAPPING,
    .name = "component",
    .title = "A component",
    .doc = "A C struct that entities can have. Without fields it is a flag.",
    .keys = KEYS(
        DOC_OF(component),
        KEY("contexts", SET_OF(&language_snake_name, 0),
            "The contexts whose entities can have the component. Default: the default context.",
            .refers_to = REFERS_TO_CONTEXT),
        KEY("fields", &language_fields, "The fields of the value. A component without fields is a flag.",
            .refers_to = REFERS_TO_TYPE | REFERS_TO_CONTEXT, .declares = REFERS_TO_FIELD),
        KEY("unique", &language_bool,
            "Whether at most one entity of a context can have the component. Adds functions such as "
            "`game_get_unique_score`.",
            .fallback = "false", .member = {BOOL_IN(component, is_unique), .json = "is_unique"}),
        KEY("flag_prefix", &language_snake_name,
            "The first word of the function that tests a flag: with `can`, `game_can_movable`.", .fallback = "\"is\"",
            .excludes = "fields"),
        KEY("cleanup", &language_cleanup,
            "What happens at the end of a frame to entities that have the component: the component is removed, "
            "or the entity is destroyed.",
            .member = {WORD_IN(component, cleanup), .json = "cleanup", .fact = "Cleanup"}),
        KEY("events", &events, "The events that the event systems of the context deliver to listeners once a frame."),
        KEY("storage", &language_storage,
            "`boxed`: the column stores a pointer to each value, which saves memory if values are rare or large. "
            "`shared`: the same, and equal values are stored once. Shared values are replaced, not edited.",
            .needs = "fields", .omitted = " for a column of values"),
        KEY("index", &language_component_index,
            "`multi`: an index over all fields, which finds the entities whose value equals a given one.",
            .needs = "fields", .omitted = " for no index over all fields",
            .member = {WORD_IN(component, index), .is_read_by_code = true}),
        KEY("layout", &language_layout,
            "`soa`: one column for each field, for loops that use few of many fields or are vectorised. Such a "
            "component has no `get`, `edit` or `touch`.",
            .needs = "fields", .omitted = " for a column of whole values",
            .member = {BOOL_IN(component, is_soa), .is_read_by_code = true}),
        KEY("stash", &language_bool,
            "Whether the value can be stashed while the entity does not have the component: "
            "`game_stash_position` and `game_restore_position`.",
            .fallback = "false",
            .member = {BOOL_IN(component, is_stashable), .is_read_by_code = true, .json = "is_stashable"}),
        KEY("inspect", &language_inspect,
            "What tools should do with the component and its fields: `read_only`: show it, but not let it be "
            "edited, added or removed; `hidden`: not show it. The runtime treats all components alike. "
            "Default: show and edit it.",
            .omitted = "", .member = {WORD_IN(component, inspect), .json = "inspect", .fact = "Inspect"}),
        KEY("was", &language_pascal_name, "The name of the component in earlier saves.",
            .member = {SAVED_IN(component), .fact = "Was"}),
        KEY("save", &language_bool,
            "Whether the component is in saves, hashes and recordings. Snapshots in memory contain it anyway.",
            .fallback = "true", .member = {UNSAVED_IN(component), .fact = "Saved"}),
        KEY("migrate", &language_bool,
            "Whether a C function of yours, such as `armor_migrate`, decides about the component of each entity "
            "when a save is read in which the component has another shape or is missing.",
            .fallback = "false", .needs = "fields",
            .member = {BOOL_IN(component, migrates), .is_read_by_code = true, .json = "migrates", .fact = "Migrates"}),
        KEY("content", &language_bool,
            "Whether content files can set values of the component. `false` for what is state of the game.",
            .fallback = "true",
            .member = {FALSE_IN(component, is_not_content), .json = "is_content", .fact = "Content"}),
        KEY("replicate", &language_replicate,
            "In a context with `replicate: true`, which replicas have the component. `owner`: only the peer that owns "
            "the entity; `false`: none. Default: all that see the entity.")),
};

const language_value language_field = {
    .kind = LANGUAGE_MAPPING,
    .name = "field",
    .title = "A field",
    .doc = "A member of a component, a struct or a message. A plain type is short for `{ type: ... }`.",
    .keys = KEYS(
        KEY("type", &language_type, "The type.", .is_required = true, .refers_to = REFERS_TO_TYPE | REFERS_TO_CONTEXT),
        KEY("default", &language_any,
            "The initial value: a mapping for a struct, a list for an array; also `.inf`, `-.inf` or `.nan` for "
            "a `float` or `double`. Without it a number is 0, an enum "
            "its first value, a `string[31]` empty and a `string` `NULL`. Entities and opaque types cannot "
            "have one."),
        DOC_OF(field),
        KEY("unit", &language_text, "The unit of the value, for readers and tools.",
            .member = {TEXT_IN(field, unit), .json = "unit"}),
        KEY("range", &language_range,
            "The lowest and the highest value of a number, or of each number in an array, for tools: "
            "`[0, 100]`. `~` stands for no bound: `[0, ~]`. Values in the schema must be in the range; the "
            "runtime does not check it."),
        KEY("inspect", &language_inspect,
            "What tools should do with the field: `read_only`: show it, but not let it be edited; `hidden`: "
            "not show it. The runtime treats all fields alike. Default: show and edit it.",
            .omitted = "", .member = {WORD_IN(field, inspect), .json = "inspect", .fact = "Inspect"}),
        KEY("index", &language_field_index,
            "An index on this field of a component. `primary`: at most one entity can have a value, and a "
            "second one is an error; `multi`: several entities can have the same value.",
            .member = {WORD_IN(field, index), .is_read_by_code = true, .json = "index", .fact = "Indexed",
                       .has_own_table = true}),
        KEY("on_destroy", &language_on_destroy,
            "What becomes of the entity that has this field of type `entity<game>` when the entity that the "
            "field names is destroyed. `clear`: the field names no entity; `remove`: the component is removed; "
            "`destroy`: the entity is destroyed too; `refuse`: the named entity cannot be destroyed; `keep`: "
            "nothing, the field keeps a dead handle. Default: `keep`, `remove` with `reverse`, or `destroy` "
            "with `tree`.",
            .member = {WORD_IN(field, on_destroy), .is_read_by_code = true}),
        KEY("reverse", &language_snake_name,
            "The name for all entities whose field names one entity. Adds functions such as "
            "`game_children_count` and `game_children_first` for `children`.",
            .member = {TEXT_IN(field, reverse), .is_read_by_code = true, .json = "reverse"},
            .declares = REFERS_TO_TREE),
        KEY("tree", &language_bool,
            "Whether the field names the parent in a tree, in which no entity can be below itself. Requires "
            "`reverse`, and adds functions such as `game_children_root`. A component can have one such field.",
            .fallback = "false", .member = {BOOL_IN(field, is_tree), .is_read_by_code = true, .json = "is_tree"}),
        KEY("was", &language_snake_name, "The name of the field in earlier saves.",
            .member = {SAVED_IN(field), .fact = "Was"}),
        KEY("save", &language_bool,
            "Whether the field is in saves, hashes and recordings. If not, it has its default after reading a "
            "save.",
            .fallback = "true", .member = {UNSAVED_IN(field), .fact = "Saved"}),
        KEY("content", &language_bool,
            "Whether content files can set the field. `false` for what is state of the game.", .fallback = "true",
            .member = {FALSE_IN(field, is_not_content), .json = "is_content", .fact = "Content"}),
        KEY("replicate", &language_bool,
            "Whether replicas have the field. If not, it has its default there. Not in messages.", .fallback = "true",
            .member = {FALSE_IN(field, is_local), .json = "is_sent", .fact = "Replicated"}),
        KEY("precision", &language_step,
            "Replicas get the nearest multiple of this number, which takes fewer bytes. For `float`, `double`, and "
            "arrays and structs of them."),
        KEY("blend", &language_bool,
            "Whether a function such as `game_blend_position` gives values between the last two frames. For `float`, "
            "`double`, and arrays and structs of them, in components.",
            .fallback = "false", .member = {BOOL_IN(field, is_blended), .json = "is_blended", .fact = "Blended"}),
        KEY("zone", &language_bool,
            "Whether the field, an `int32`, says which replicas see the entity, or receive the message. All see an "
            "entity without it. A context can have one such field.",
            .fallback = "false", .member = {BOOL_IN(field, is_zone), .json = "is_zone", .fact = "Zone"}),
        KEY("peer", &language_bool,
            "Whether the field, a `uint32`, is the number of a peer: of a component, who owns the entity; of a "
            "message, who sent it, which the host writes. A context can have one such field, and a message.",
            .fallback = "false", .member = {BOOL_IN(field, is_peer), .json = "is_peer", .fact = "Peer"})),
};

const language_value language_event = {
    .kind = LANGUAGE_MAPPING,
    .name = "event",
    .title = "An event",
    .doc = "A change of a component that listeners are notified of.",
    .keys = KEYS(KEY("target", &language_target,
                     "The entities to watch: `any` entity, or only the entity that has the listener, `self`.",
                     .is_required = true,
                     .member = {WORD_IN(component_event, target), .is_read_by_code = true, .json = "target"}),
                 KEY("type", &language_event_type,
                     "`added`: the component was added or replaced; `removed`: it was removed, and listeners receive "
                     "its last value.",
                     .fallback = "\"added\"",
                     .member = {WORD_IN(component_event, type), .is_read_by_code = true, .json = "type"}),
                 KEY("priority", &language_int32, "The order of delivery: smaller numbers first.", .fallback = "0",
                     .member = {NUMBER_IN(component_event, priority), .json = "priority"})),
};

// ---- groups

// Groups: declared, or written in a system.

static const language_value component_sets = {
    .kind = LANGUAGE_LIST, .phrase = "a list of such lists", .items = COMPONENTS, .limit = SCHEMA_RULE_LIMIT};
static const language_value any_of = {.kind = LANGUAGE_EITHER, .names = COMPONENTS, .items = &component_sets};

static const language_key rules[] = {
    KEY("all", COMPONENTS, "It must have all of these components.", .refers_to = REFERS_TO_COMPONENT),
    KEY("any", &any_of,
        "It must have at least one of these components. In a list of lists, at least one of each inner list.",
        .refers_to = REFERS_TO_COMPONENT),
    KEY("none", COMPONENTS, "It must not have any of these components.", .refers_to = REFERS_TO_COMPONENT),
    KEY("only", COMPONENTS, "It must have all of these components and no others.", .refers_to = REFERS_TO_COMPONENT),
    {0},
};

const language_value language_question = {
    .kind = LANGUAGE_MAPPING,
    .name = "question",
    .title = "A rule of another entity",
    .doc = "What the target or a holder of a relation must match. `{}` for any entity.",
    .keys = rules,
};

const language_value language_group = {
    .kind = LANGUAGE_MAPPING,
    .name = "group",
    .title = "A group",
    .doc = "The entities of a context that match all rules.",
    .forms = NAMES("all", "any", "none", "only"),
    .keys = KEYS(
        CONTEXT, DOC_OF(group),
        KEY("all", COMPONENTS, "Entities must have all of these components. They are columns of the iterator.",
            .refers_to = REFERS_TO_COMPONENT),
        KEY("any", &any_of,
            "Entities must have at least one of these components. In a list of lists, at least one of each "
            "inner list.",
            .refers_to = REFERS_TO_COMPONENT),
        KEY("none", COMPONENTS, "Entities must not have any of these components.", .refers_to = REFERS_TO_COMPONENT),
        KEY("only", COMPONENTS, "Entities must have all of these components and no others.",
            .refers_to = REFERS_TO_COMPONENT),
        KEY("maybe", COMPONENTS,
            "Components with fields that some entities have: optional columns of the iterator, which are `NULL` "
            "in a run or block without the component. They do not change which entities match.",
            .refers_to = REFERS_TO_COMPONENT),
        KEY("order", &language_index_name,
            "An ordered index in whose order loops visit the members, one at a time. It must contain them all: "
            "what it requires is in `all`.",
            .refers_to = REFERS_TO_INDEX),
        KEY("holder_of", MAP_OF(&language_relation_name, &language_question),
            "Relations of the members, with a rule that the entity that the member names must match: "
            "`{ PartOf: { all: [Frozen] } }`. Loops test it for each member, so nothing can listen to the group.",
            .refers_to = REFERS_TO_COMPONENT),
        KEY("held_by", MAP_OF(&language_relation_name, &language_question),
            "Relations, with a rule that at least one entity that names the member must match: `{ PartOf: {} }`. "
            "Loops test it for each member, so nothing can listen to the group.",
            .refers_to = REFERS_TO_COMPONENT)),
};

#include "random_schema.h"

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { FEW_WORDS = 16 };

// The words of names, for snake_case; a component or type has the same words with upper-case first letters.
static const char *const words[] = {
    "count",   "mask",    "at",       "next",     "context", "entity",   "entities",  "value",   "user",    "listener",
    "base",    "self",    "it",       "index",    "null",    "contexts", "component", "type",    "field",   "info",
    "end",     "made",    "owned",    "options",  "status",  "reset",    "create",    "destroy", "group",   "iter",
    "iterate", "place",   "copy",     "memcpy",   "memset",  "key",      "bytes",     "part",    "typed",   "cleanups",
    "owner",   "source",  "matcher",  "function", "on",      "a",        "b",         "i",       "id",      "event",
    "events",  "unique",  "set",      "is",       "add",     "remove",   "removed",   "any",     "get",     "edit",
    "default", "no",      "of",       "with",     "fields",  "drop",     "kin",       "block",   "systems", "cleanup",
    "alive",   "all",     "clone",    "retain",   "release", "max",      "int",       "size",    "linux",   "errno",
    "std",     "aligned", "alloc",    "types",    "has",     "replace",  "touch",     "write",   "values",  "unchecked",
    "row",     "number",  "uint8",    "strict",   "h",       "c",        "x1",        "http",    "node2",   "offset",
    "world",   "tick",    "message",  "messages", "update",  "draw",     "publish",   "time",    "push",    "pop",
    "left",    "enter",   "leave",    "execute",  "filter",  "start",    "dispose",   "tear",    "first",   "inbox",
    "down",    "delta",   "frame",    "roles",    "step",    "run",      "call",      "nodes",   "trigger", "keep",
    "parent",  "depth",   "tree",     "skip",     "above",   "changes",  "columns",   "save",    "load",    "restore",
    "merge",   "read",    "rehearse",
};

enum { WORD_COUNT = sizeof words / sizeof *words };

typedef struct builder {
    arena *arena;
    uint64_t state;
    text text;
    const char *contexts[3], *types[3], *components[5], *groups[3], *messages[2];
    size_t context_count, type_count, component_count, group_count, message_count;
    const char *valued[5]; // the components with fields in the first context, which may be optional columns
    size_t valued_count;
    size_t first_word, word_count; // of the words for this schema
    const char *tree;              // of the first context; NULL if there is none
    const char *label;             // of the first context; NULL if there is none
    const char *tree_component;    // whose only relation is the tree, in the first context; NULL if there is none
    const char *ordered;           // a component of the first context with an ordered index `index`; NULL if none
    bool asks[3];                  // of each group: it has questions, so that nothing reacts to it
    const char *index;             // over two fields, in the first context; NULL if there is none
    const char *blueprint;         // of the first context; NULL if there is none
    const char *off;               // a flag of the first context that is not unique; NULL if there is none
    const char *label_field;       // a field of the newest component that can be a label; NULL if there is none
    size_t old_names;              // given as `was`, each once
} builder;

static size_t below(builder *builder, size_t limit)
{
    builder->state ^= builder->state << 13;
    builder->state ^= builder->state >> 7;
    builder->state ^= builder->state << 17;
    return (size_t)(builder->state >> 11) % limit;
}

static bool one_in(builder *builder, size_t count)
{
    return below(builder, count) == 0;
}

static const char *word(builder *builder)
{
    return words[(builder->first_word + below(builder, builder->word_count)) % WORD_COUNT];
}

static const char *snake(builder *builder)
{
    const char *first = word(builder);
    return one_in(builder, 3) ? arena_format(builder->arena, "%s_%s", first, word(builder)) : first;
}

// Sometimes all in upper case: names that differ only in case make equal generated names.
static const char *pascal(builder *builder)
{
    const char *name = snake(builder);
    bool is_upper = one_in(builder, 8), begins = true;
    text converted = text_create(builder->arena);
    for (; *name != '\0'; name++) {
        char letter = *name;
        if ((begins || is_upper) && letter >= 'a' && letter <= 'z')
            letter = (char)(letter - 'a' + 'A');
        begins = *name == '_';
        if (!begins)
            text_append(&converted, &letter, 1);
    }
    return converted.bytes;
}

// Sometimes the name that something had before: one that nothing else has.
static const char *was(builder *builder, const char *pattern)
{
    if (!one_in(builder, 6))
        return "";
    return arena_format(builder->arena, ", was: %s%zu", pattern, builder->old_names++);
}

static const char *one_of(builder *builder, const char *const *names, size_t count)
{
    return names[below(builder, count)];
}

static const char *type_of_field(builder *builder)
{
    static const char *const plain[] = {"int32", "bool", "double", "string", "\"string[9]\"", "entity", "\"uint8[3]\""};
    static const char *const lists[] = {"\"int32[]\"", "\"entity[]\"", "\"bool[]\""};
    size_t choice = below(builder, 12);
    if (choice >= 10)
        return choice == 11 && builder->type_count > 0
                   ? arena_format(builder->arena, "\"%s[]\"", one_of(builder, builder->types, builder->type_count))
                   : one_of(builder, lists, sizeof lists / sizeof *lists);
    if (choice == 0)
        return arena_format(builder->arena, "entity<%s>", one_of(builder, builder->contexts, builder->context_count));
    if (choice <= 2 && builder->type_count > 0)
        return one_of(builder, builder->types, builder->type_count);
    return one_of(builder, plain, sizeof plain / sizeof *plain);
}

static bool is_number(const char *type)
{
    return strcmp(type, "int32") == 0 || strcmp(type, "double") == 0 || strcmp(type, "\"uint8[3]\"") == 0;
}

static bool is_label(const char *type)
{
    return strcmp(type, "int32") == 0 || strcmp(type, "string") == 0 || strcmp(type, "\"string[9]\"") == 0;
}

// Returns the keys of a relation for a field that names entities of the component's context; sometimes none.
static const char *relation_of(builder *builder, const char *type, const char *context)
{
    static const char *const actions[] = {"", "", ", on_destroy: clear", ", on_destroy: refuse"};
    if (strcmp(type, arena_format(builder->arena, "entity<%s>", context)) != 0)
        return "";
    const char *action = one_of(builder, actions, sizeof actions / sizeof *actions);
    if (one_in(builder, 3))
        return action;
    const char *reverse = snake(builder);
    bool is_tree = one_in(builder, 2);
    if (is_tree && context == builder->contexts[0])
        builder->tree = reverse;
    return arena_format(builder->arena, "%s, reverse: %s, tree: %s", action, reverse, is_tree ? "true" : "false");
}

// Appends the fields of a component of a context, or of a struct, which has no context.
static void append_fields(builder *builder, const char *context)
{
    static const char *const indices[] = {"", "", "", ", index: primary", ", index: multi", ", index: ordered"};
    static const char *const ranges[] = {
        "", "", ", inspect: hidden", ", range: [0, 0]", ", range: [~, 100]", ", range: [0, ~]"};
    size_t count = 1 + below(builder, 3);
    text_append_string(&builder->text, "fields: { ");
    for (size_t i = 0; i < count; i++) {
        const char *index = context != NULL ? one_of(builder, indices, sizeof indices / sizeof *indices) : "";
        const char *type = context != NULL ? type_of_field(builder) : "int32";
        if (strstr(type, "[]") != NULL)
            index = "";
        const char *range = is_number(type) ? one_of(builder, ranges, sizeof ranges / sizeof *ranges) : "";
        const char *name = snake(builder);
        const char *relation = context != NULL ? relation_of(builder, type, context) : "";
        text_append_format(&builder->text, "%s%s: { type: %s%s%s%s%s%s }", i > 0 ? ", " : "", name, type, index, range,
                           relation, was(builder, "old"), one_in(builder, 8) ? ", save: false" : "");
        if (is_label(type))
            builder->label_field = name;
    }
    text_append_string(&builder->text, " }");
}

static void draw_contexts(builder *builder)
{
    builder->context_count = 1 + below(builder, 3);
    for (size_t i = 0; i < builder->context_count; i++)
        builder->contexts[i] = snake(builder);
}

static void append_contexts(builder *builder)
{
    text_append_string(&builder->text, "contexts:\n");
    for (size_t i = 0; i < builder->context_count; i++) {
        text_append_format(&builder->text, "  %s: { default: %s", builder->contexts[i], i == 0 ? "true" : "false");
        if (i == 0 && builder->label != NULL && one_in(builder, 2))
            text_append_format(&builder->text, ", label: %s", builder->label);
        if (i == 0 && builder->off != NULL && one_in(builder, 2))
            text_append_format(&builder->text, ", off: %s", builder->off);
        if (i > 0 && one_in(builder, 4))
            text_append_string(&builder->text, ", save: false");
        text_append_format(&builder->text, "%s }\n", was(builder, "old"));
    }
}

static void append_types(builder *builder)
{
    size_t count = below(builder, 4);
    if (count > 0)
        text_append_string(&builder->text, "types:\n");
    for (; builder->type_count < count; builder->type_count++) {
        const char *name = pascal(builder);
        text_append_format(&builder->text, "  %s: { ", name);
        if (one_in(builder, 2))
            text_append_format(&builder->text, "values: [%s, %s: { was: Older }]", pascal(builder), pascal(builder));
        else if (one_in(builder, 3))
            text_append_string(&builder->text,
                               "opaque: struct sprite *, header: schemas/sprite.h, drop: sprite_release, "
                               "save: sprite_save, load: sprite_load");
        else
            append_fields(builder, NULL);
        text_append_string(&builder->text, " }\n");
        builder->types[builder->type_count] = name;
    }
}

static void append_component(builder *builder)
{
    static const char *const events[] = {"", "", ", events: [{ target: any }]", ", events: [{ target: self }]",
                                         ", events: [{ target: self, type: removed }, { target: any }]"};
    const char *name = pascal(builder);
    bool is_unique = one_in(builder, 4);
    text_append_format(&builder->text, "  %s: { unique: %s, cleanup: remove_component", name,
                       is_unique ? "true" : "false");
    text_append_string(&builder->text, one_of(builder, events, sizeof events / sizeof *events));
    if (one_in(builder, 4))
        text_append_string(&builder->text, ", inspect: read_only");
    text_append_format(&builder->text, "%s%s", was(builder, "Old"), one_in(builder, 6) ? ", save: false" : "");
    bool is_listed = one_in(builder, 2);
    const char *context = is_listed ? one_of(builder, builder->contexts, builder->context_count) : builder->contexts[0];
    if (is_listed)
        text_append_format(&builder->text, ", contexts: [%s]", context);
    builder->label_field = NULL;
    if (one_in(builder, 3)) {
        if (one_in(builder, 3))
            text_append_format(&builder->text, ", flag_prefix: %s", snake(builder));
        if (!is_unique && context == builder->contexts[0])
            builder->off = name;
    } else {
        text_append_string(&builder->text, ", ");
        append_fields(builder, context);
        if (context == builder->contexts[0])
            builder->valued[builder->valued_count++] = name;
    }
    text_append_string(&builder->text, " }\n");
    builder->components[builder->component_count++] = name;
    if (builder->label_field != NULL && context == builder->contexts[0])
        builder->label = arena_format(builder->arena, "%s.%s", name, builder->label_field);
}

// A component of the first context that places its entities in a tree.
static void append_tree(builder *builder)
{
    const char *name = pascal(builder);
    builder->tree = snake(builder);
    text_append_format(&builder->text, "  %s: { fields: { %s: { type: entity<%s>, reverse: %s, tree: true } } }\n",
                       name, snake(builder), builder->contexts[0], builder->tree);
    builder->components[builder->component_count++] = name;
    builder->valued[builder->valued_count++] = name;
    builder->tree_component = name;
}

// Sometimes a question about the tree.
static const char *question(builder *builder)
{
    static const char *const keys[] = {"holder_of", "held_by"};
    if (builder->tree_component == NULL || !one_in(builder, 4))
        return "";
    const char *rule = arena_format(builder->arena, "all: [%s]", builder->components[0]);
    return arena_format(builder->arena, ", %s: { %s: { %s } }", keys[below(builder, 2)], builder->tree_component,
                        one_in(builder, 2) ? rule : "");
}

// Sometimes an optional column, which is not a component that the rule names.
static const char *maybe(builder *builder, const char *named)
{
    if (builder->valued_count == 0 || one_in(builder, 2))
        return "";
    const char *name = one_of(builder, builder->valued, builder->valued_count);
    return name == named ? "" : arena_format(builder->arena, ", maybe: [%s]", name);
}

static void append_groups(builder *builder)
{
    builder->group_count = below(builder, 4);
    if (builder->group_count > 0)
        text_append_string(&builder->text, "groups:\n");
    for (size_t i = 0; i < builder->group_count; i++) {
        builder->groups[i] = snake(builder);
        const char *rule = one_in(builder, 4) ? "none" : "all";
        const char *named = one_of(builder, builder->components, builder->component_count);
        const char *asked = question(builder);
        builder->asks[i] = asked[0] != '\0';
        if (builder->ordered != NULL && one_in(builder, 2)) {
            text_append_format(&builder->text, "  %s: { context: %s, all: [%s], order: %s%s }\n", builder->groups[i],
                               builder->contexts[0], builder->ordered, builder->index, asked);
            continue;
        }
        text_append_format(&builder->text, "  %s: { context: %s, %s: [%s]%s%s }\n", builder->groups[i],
                           builder->contexts[0], rule, named, maybe(builder, named), asked);
    }
}

static void append_messages(builder *builder)
{
    builder->message_count = below(builder, 3);
    if (builder->message_count > 0)
        text_append_string(&builder->text, "messages:\n");
    for (size_t i = 0; i < builder->message_count; i++) {
        builder->messages[i] = pascal(builder);
        text_append_format(&builder->text, "  %s: { ", builder->messages[i]);
        if (!one_in(builder, 3))
            append_fields(builder, NULL);
        text_append_string(&builder->text, " }\n");
    }
}

// The rules of a group that only the system has.
static const char *own_group(builder *builder)
{
    const char *named = one_of(builder, builder->components, builder->component_count);
    return arena_format(builder->text.arena, "{ context: %s, all: [%s]%s }", builder->contexts[0], named,
                        maybe(builder, named));
}

// Rules with an order, or none if no component has an ordered index of its own.
static const char *ordered_group(builder *builder)
{
    if (builder->ordered == NULL)
        return own_group(builder);
    return arena_format(builder->text.arena, "{ context: %s, all: [%s], order: %s%s }", builder->contexts[0],
                        builder->ordered, builder->index, question(builder));
}

// Sometimes the order of a tree, for a system with a group.
static const char *tree_order(builder *builder)
{
    static const char *const orders[] = {"", ", order: breadth", ", order: depth"};
    if (builder->tree == NULL || one_in(builder, 3))
        return "";
    const char *order = one_of(builder, orders, sizeof orders / sizeof *orders);
    const char *only = builder->valued_count > 0 && one_in(builder, 3)
                           ? arena_format(builder->arena, ", only: changed, reads: [%s]", builder->valued[0])
                           : "";
    return arena_format(builder->arena, ", tree: %s%s%s", builder->tree, order, only);
}

// Sometimes what makes a system parallel, which one with a tree cannot be.
static const char *parallel(builder *builder, const char *tree)
{
    static const char *const pieces[] = {"true", "{ grain: 1024 }", "{ grain: all }"};
    if (tree[0] != '\0' || !one_in(builder, 3))
        return "";
    const char *grain = one_of(builder, pieces, sizeof pieces / sizeof *pieces);
    const char *read = one_of(builder, builder->components, builder->component_count);
    const char *published = builder->message_count == 0
                                ? ""
                                : arena_format(builder->arena, ", publishes: [%s]",
                                               one_of(builder, builder->messages, builder->message_count));
    const char *looked_up =
        builder->index == NULL ? "" : arena_format(builder->arena, ", looks_up: [%s]", builder->index);
    const char *spawned =
        builder->blueprint == NULL ? "" : arena_format(builder->arena, ", spawns: [%s]", builder->blueprint);
    return arena_format(builder->arena, ", parallel: %s, reads: [%s], destroys: true%s%s%s", grain, read, published,
                        one_in(builder, 2) ? looked_up : "", one_in(builder, 3) ? "" : spawned);
}

// The keys of a kind of system, with the roles that it may have.
static void append_kind(builder *builder)
{
    static const char *const of_all[] = {"", ", roles: [initialize, start, draw]",
                                         ", roles: [cleanup, tear_down, dispose]"};
    static const char *const of_groups[] = {"", ", roles: [update, first_update, draw]",
                                            ", roles: [enter, leave], on_leave: keep"};
    static const char *const events[] = {"added", "removed", "added_or_removed", "modified"};
    size_t number = builder->group_count == 0 ? 0 : below(builder, builder->group_count);
    const char *group = builder->group_count == 0 ? NULL : builder->groups[number];
    if (group == NULL || one_in(builder, 3)) {
        text_append_string(&builder->text, one_of(builder, of_all, sizeof of_all / sizeof *of_all));
    } else if (builder->asks[number] || (builder->ordered != NULL && one_in(builder, 2))) {
        text_append_format(&builder->text, ", group: %s, roles: [update, first_update, draw]",
                           builder->asks[number] ? group : ordered_group(builder));
    } else if (one_in(builder, 2)) {
        const char *tree = tree_order(builder);
        text_append_format(&builder->text, ", group: %s%s%s%s%s", one_in(builder, 3) ? own_group(builder) : group,
                           one_of(builder, of_groups, sizeof of_groups / sizeof *of_groups),
                           one_in(builder, 4) ? maybe(builder, NULL) : "", tree, parallel(builder, tree));
    } else {
        text_append_format(&builder->text, ", react: [{ group: %s, event: %s }], filter: %s%s", group,
                           one_of(builder, events, sizeof events / sizeof *events),
                           one_in(builder, 2) ? "true" : "false",
                           one_of(builder, of_all, sizeof of_all / sizeof *of_all));
    }
}

static void append_systems(builder *builder)
{
    const char *node = snake(builder);
    text_append_format(&builder->text, "schedule: { %s: { %s%s } }\nsystems:\n", node,
                       one_in(builder, 2) ? "fixed: 0.5" : "manual: false",
                       one_in(builder, 3) ? ", children: { leaf_of_schedule: {} }" : "");
    for (size_t i = 1 + below(builder, 3); i > 0; i--) {
        text_append_format(&builder->text, "  %s: { in: %s", pascal(builder), node);
        append_kind(builder);
        if (one_in(builder, 4))
            text_append_string(&builder->text, ", random: true");
        if (builder->message_count > 0 && one_in(builder, 2))
            text_append_format(&builder->text, ", inbox: [%s]",
                               one_of(builder, builder->messages, builder->message_count));
        text_append_string(&builder->text, " }\n");
    }
}

// An index whose keys a function gives for a component that only it uses.
static void append_given_index(builder *builder, const char *component)
{
    static const char *const types[] = {"int32", "uint8", "bool", "\"string[9]\"", "entity"};
    const char *type = builder->type_count > 0 && one_in(builder, 3)
                           ? one_of(builder, builder->types, builder->type_count)
                           : one_of(builder, types, sizeof types / sizeof *types);
    text_append_format(&builder->text, "  %s: { kind: %s, of: [%s], key: { type: %s, function: %s } }\n",
                       snake(builder), one_in(builder, 2) ? "primary" : "multi", component, type, snake(builder));
}

// A blueprint of a component with fields.
static void append_blueprint(builder *builder)
{
    if (builder->valued_count == 0)
        return;
    builder->blueprint = pascal(builder);
    text_append_format(&builder->text, "blueprints:\n  %s: { context: %s, components: { %s: {} } }\n",
                       builder->blueprint, builder->contexts[0], builder->valued[0]);
}

// An index over two fields of a component that only it uses, or one with a function, or both.
static void append_indices(builder *builder)
{
    static const char *const kinds[] = {"kind: primary, key: [", "kind: multi, key: [", "kind: grid, cell: 2.5, key: [",
                                        "kind: ordered, key: [", "kind: ordered, key: [-"};
    enum { FIRST_ORDERED = 3 };
    const char *field = snake(builder), *name = pascal(builder), *given = pascal(builder);
    size_t choice = below(builder, 3);
    text_append_format(&builder->text, "  %s: { fields: { %s: int32, key: int32 } }\n", name, field);
    if (choice > 0)
        text_append_format(&builder->text, "  %s: { fields: { %s: float } }\n", given, snake(builder));
    text_append_string(&builder->text, "indices:\n");
    if (choice != 1) {
        size_t kind = below(builder, sizeof kinds / sizeof *kinds);
        builder->index = snake(builder);
        text_append_format(&builder->text, "  %s: { %s%s.%s, %s.key] }\n", builder->index, kinds[kind], name, field,
                           name);
        builder->ordered = kind >= FIRST_ORDERED ? name : NULL;
    }
    if (choice > 0)
        append_given_index(builder, given);
}

const char *random_schema(arena *arena, uint64_t number)
{
    builder builder = {.arena = arena, .state = (number + 1) * UINT64_C(0x9e3779b97f4a7c15)};
    builder.text = text_create(arena);
    builder.first_word = below(&builder, WORD_COUNT);
    builder.word_count = one_in(&builder, 3) ? FEW_WORDS : WORD_COUNT;
    text_append_format(&builder.text, "kin: 1\npackage: %s\n%s", snake(&builder),
                       one_in(&builder, 4) ? "version: 3\nremoved: [Gone, Gone.away]\n" : "");
    if (one_in(&builder, 4))
        text_append_format(&builder.text, "prefix: %s%s\n", snake(&builder), one_in(&builder, 2) ? "_" : "");
    draw_contexts(&builder);
    append_types(&builder);
    text_append_string(&builder.text, "components:\n");
    for (size_t i = 1 + below(&builder, 4); i > 0; i--)
        append_component(&builder);
    if (one_in(&builder, 2))
        append_tree(&builder);
    if (one_in(&builder, 3))
        append_indices(&builder);
    append_groups(&builder);
    append_messages(&builder);
    if (one_in(&builder, 2))
        append_blueprint(&builder);
    if (one_in(&builder, 2))
        append_systems(&builder);
    append_contexts(&builder);
    return builder.text.bytes;
}

#include "random_content.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { COMPONENTS = 7, FIELDS = 4, BLUEPRINTS = 5, CHILDREN = 3, DEPTH = 3, PATHS = 200, PART_NAMES = 30 };

typedef struct drawn_field {
    const char *type;
    const char *keys; // of the field besides its type: ", default: 3"
} drawn_field;

typedef struct drawn_component {
    const char *keys; // of the component: "storage: boxed, "
    drawn_field fields[FIELDS];
    size_t field_count; // 0: a flag
    bool is_hidden;     // no blueprint has it before content is edited
} drawn_component;

// A component of an entity, with what is said of its fields.
typedef struct drawn_part {
    bool is_there;
    const char *values[FIELDS]; // NULL: nothing is said
} drawn_part;

// An entity, or what is said of one that a base has.
typedef struct drawn_node {
    const char *name;
    bool is_new;
    size_t of; // 1 + the blueprint that a new child is of; 0: none
    drawn_part parts[COMPONENTS];
    struct drawn_node *children[CHILDREN];
    size_t child_count;
} drawn_node;

typedef struct drawn_blueprint {
    size_t extends;      // 1 + a blueprint before; 0: none
    bool is_plain;       // it only changes values of its base
    const char *without; // in content alone: a part or component of the base that it lacks; NULL: none
    drawn_node *root;
    const char *paths[PATHS]; // of all parts, "" for the first
    size_t path_count;
} drawn_blueprint;

struct random_content {
    arena *arena;
    uint64_t state;
    drawn_component components[COMPONENTS];
    size_t component_count;
    drawn_blueprint blueprints[BLUEPRINTS];
    size_t blueprint_count;
    size_t part_names; // that are in use, each once, so that no new part is taken for one of the base
    text schema;
};

static size_t below(random_content *content, size_t limit)
{
    content->state ^= content->state << 13;
    content->state ^= content->state >> 7;
    content->state ^= content->state << 17;
    return (size_t)(content->state >> 11) % limit;
}

static bool one_in(random_content *content, size_t count)
{
    return below(content, count) == 0;
}

// ---- values

// A field type, and the keys that it may have. Its values are drawn by its name.
static const drawn_field kinds[] = {
    {"int32", ""},
    {"int32", ", default: 7"},
    {"int32", ", index: multi"},
    {"int8", ""},
    {"uint16", ", default: 9"},
    {"int64", ""},
    {"float", ", default: 0.5"},
    {"double", ""},
    {"bool", ""},
    {"bool", ", default: true"},
    {"string", ""},
    {"string", ", default: begun"},
    {"string[7]", ", default: short"},
    {"Side", ""},
    {"Side", ", default: Green"},
    {"Vec", ""},
    {"Vec", ", default: { y: 4 }"},
    {"Deep", ""},
    {"Aim", ""},
    {"int32[3]", ""},
    {"int32[3]", ", default: [1, 2, 3]"},
    {"Vec[2]", ""},
    {"Aim[2]", ""},
    {"int32[]", ""},
    {"int32[]", ", default: [4, 5]"},
    {"Vec[]", ""},
    {"Deep[]", ""},
    {"bool[]", ""},
    {"entity<game>", ""},
    {"entity<game>", ", on_destroy: clear"},
};

// What a value is drawn for.
typedef struct drawing {
    const drawn_blueprint *blueprint;
    bool is_element; // of an array or a list, whose structs have all of their fields
} drawing;

static const char *draw_value(random_content *content, const char *type, drawing drawing);

// Some of the fields of a struct.
static const char *draw_struct(random_content *content, const drawn_field *fields, size_t count, drawing drawing)
{
    text text = text_create(content->arena);
    for (size_t i = 0; i < count; i++)
        if (drawing.is_element || !one_in(content, 3))
            text_append_format(&text, "%s%s: %s", text.size == 0 ? "{ " : ", ", fields[i].keys,
                               draw_value(content, fields[i].type, drawing));
    text_append_string(&text, text.size == 0 ? "{}" : " }");
    return text.bytes;
}

static const char *draw_elements(random_content *content, const char *type, size_t count, drawing drawing)
{
    text text = text_create(content->arena);
    drawing.is_element = true;
    text_append_string(&text, "[");
    for (size_t i = 0; i < count; i++)
        text_append_format(&text, "%s%s", i == 0 ? "" : ", ", draw_value(content, type, drawing));
    text_append_string(&text, "]");
    return text.bytes;
}

static const char *draw_scalar(random_content *content, const char *type, const drawn_blueprint *blueprint)
{
    static const char *const strings[] = {"one", "two words", "'3: x'", "tab", "''", "last"};
    static const char *const sides[] = {"Red", "Green", "Blue"};
    if (strcmp(type, "bool") == 0)
        return one_in(content, 2) ? "true" : "false";
    if (strcmp(type, "Side") == 0)
        return sides[below(content, 3)];
    if (strcmp(type, "string") == 0)
        return strings[below(content, 6)];
    if (strcmp(type, "string[7]") == 0)
        return arena_format(content->arena, "w%zu", below(content, 5));
    if (strcmp(type, "float") == 0 || strcmp(type, "double") == 0)
        return arena_format(content->arena, "%zu.25", below(content, 9));
    if (strcmp(type, "entity<game>") == 0)
        return arena_format(content->arena, ".%s", blueprint->paths[below(content, blueprint->path_count)]);
    return arena_format(content->arena, "%zu", below(content, 9));
}

static const char *draw_value(random_content *content, const char *type, drawing drawing)
{
    static const drawn_field vec[] = {{"float", "x"}, {"float", "y"}, {"int32", "n"}};
    static const drawn_field deep[] = {{"Vec", "at"}, {"string[7]", "word"}, {"Side", "side"}};
    static const drawn_field aim[] = {{"entity<game>", "target"}, {"float", "range"}};
    const char *bracket = strchr(type, '[');
    if (bracket != NULL && strncmp(type, "string", 6) != 0) {
        const char *element = arena_copy(content->arena, type, (size_t)(bracket - type));
        size_t count = bracket[1] == ']' ? below(content, 4) : (size_t)(bracket[1] - '0');
        return draw_elements(content, element, count, drawing);
    }
    if (strcmp(type, "Vec") == 0)
        return draw_struct(content, vec, 3, drawing);
    if (strcmp(type, "Deep") == 0)
        return draw_struct(content, deep, 3, drawing);
    if (strcmp(type, "Aim") == 0)
        return draw_struct(content, aim, 2, drawing);
    return draw_scalar(content, type, drawing.blueprint);
}

// ---- schemas

static bool names_parts(const char *type)
{
    return strncmp(type, "entity", 6) == 0 || strncmp(type, "Aim", 3) == 0;
}

// What keys of a component its fields allow.
static const char *draw_component_keys(random_content *content, const drawn_component *component)
{
    static const char *const keys[] = {"storage: boxed, ", "stash: true, ", "layout: soa, ", "storage: shared, "};
    size_t choice = below(content, 9);
    bool is_plain = component->field_count > 0;
    bool owns = false, has_key = false;
    for (size_t i = 0; i < component->field_count; i++) {
        const char *type = component->fields[i].type;
        owns = owns || strstr(type, "[]") != NULL || strcmp(type, "string") == 0;
        has_key = has_key || strchr(component->fields[i].keys, ':') != NULL;
        is_plain = is_plain && !names_parts(type);
    }
    bool allows[] = {component->field_count > 0, component->field_count > 0 && !owns,
                     component->field_count > 0 && !owns && !has_key, is_plain && !owns && !has_key};
    return choice < 4 && allows[choice] ? keys[choice] : "";
}

static void draw_component(random_content *content, drawn_component *component)
{
    component->field_count = one_in(content, 4) ? 0 : 1 + below(content, FIELDS);
    for (size_t i = 0; i < component->field_count; i++)
        component->fields[i] = kinds[below(content, sizeof kinds / sizeof *kinds)];
    component->keys = draw_component_keys(content, component);
}

static void append_component(random_content *content, size_t number)
{
    const drawn_component *component = &content->components[number];
    text_append_format(&content->schema, "  C%zu: { %s", number, component->keys);
    for (size_t i = 0; i < component->field_count; i++)
        text_append_format(&content->schema, "%sf%zu: { type: '%s'%s }", i == 0 ? "fields: { " : ", ", i,
                           component->fields[i].type, component->fields[i].keys);
    text_append_string(&content->schema, component->field_count == 0 ? "}\n" : " } }\n");
}

static void append_groups(random_content *content)
{
    static const char *const rules[] = {"all: [C%zu], any: [C%zu, ChildOf]", "any: [C%zu, C%zu]",
                                        "all: [C%zu], none: [C%zu]", "all: [C%zu, ChildOf], any: [C%zu]"};
    text_append_string(&content->schema, "groups:\n");
    for (size_t i = 0, count = 1 + below(content, 4); i < count; i++) {
        const char *rule = arena_format(content->arena, rules[below(content, 4)], i % content->component_count,
                                        (i + 1) % content->component_count);
        text_append_format(&content->schema, "  g%zu: { %s }\n", i, rule);
    }
}

static void draw_schema(random_content *content)
{
    static const char head[] =
        "kin: 1\npackage: drawn\ncontexts: { game: { content: true } }\n"
        "types:\n  Vec: { fields: { x: float, y: float, n: int32 } }\n"
        "  Side: { values: [Red, Green, Blue] }\n"
        "  Deep: { fields: { at: Vec, word: 'string[7]', side: Side } }\n"
        "  Aim: { fields: { target: entity<game>, range: float } }\n"
        "components:\n"
        "  ChildOf: { fields: { parent: { type: entity<game>, reverse: below, tree: true } } }\n";
    content->schema = text_create(content->arena);
    text_append_string(&content->schema, head);
    content->component_count = 2 + below(content, COMPONENTS - 1);
    for (size_t i = 0; i < content->component_count; i++) {
        draw_component(content, &content->components[i]);
        content->components[i].is_hidden = i > 1 && one_in(content, 3);
        append_component(content, i);
    }
    append_groups(content);
}

// ---- blueprints

static drawn_node *new_node(random_content *content, const char *name, bool is_new)
{
    drawn_node *node = arena_allocate(content->arena, sizeof *node);
    *node = (drawn_node){.name = name, .is_new = is_new};
    return node;
}

static const char *draw_name(random_content *content)
{
    static const char *const names[PART_NAMES] = {
        "anchor", "barrel", "castle", "drawer", "engine",  "flagpole", "gutter", "hammock", "inkwell", "jacket",
        "kettle", "ladder", "mirror", "napkin", "orchard", "pillar",   "quiver", "rudder",  "saddle",  "trumpet",
        "urn",    "violin", "window", "xylem",  "yoke",    "zipper",   "bow",    "chimney", "disk",    "elbow"};
    return content->part_names == PART_NAMES ? NULL : names[content->part_names++];
}

static void add_path(drawn_blueprint *blueprint, const char *path)
{
    for (size_t i = 0; i < blueprint->path_count; i++)
        if (strcmp(blueprint->paths[i], path) == 0)
            return;
    if (blueprint->path_count < PATHS)
        blueprint->paths[blueprint->path_count++] = path;
}

static const char *join(random_content *content, const char *above, const char *name)
{
    if (above[0] == '\0' || name[0] == '\0')
        return above[0] == '\0' ? name : above;
    return arena_format(content->arena, "%s.%s", above, name);
}

// Adds the paths of the parts of another blueprint below a path.
static void add_paths(random_content *content, drawn_blueprint *blueprint, const char *above, size_t of)
{
    const drawn_blueprint *from = &content->blueprints[of];
    for (size_t i = 0; i < from->path_count; i++)
        add_path(blueprint, join(content, above, from->paths[i]));
}

// Draws components that an entity has. `rate`: one in so many.
static void draw_parts(random_content *content, drawn_node *node, size_t rate)
{
    for (size_t i = 0; i < content->component_count; i++)
        node->parts[i].is_there = !content->components[i].is_hidden && one_in(content, rate);
    if (node->of == 0)
        node->parts[0].is_there = true; // an entity that is of no blueprint has a component
}

static void draw_child(random_content *content, drawn_blueprint *blueprint, drawn_node *node, const char *path,
                       size_t number, size_t depth)
{
    const char *name = draw_name(content);
    if (name == NULL || node->child_count == CHILDREN)
        return;
    drawn_node *child = new_node(content, name, true);
    const char *whole = join(content, path, name);
    node->children[node->child_count++] = child;
    add_path(blueprint, whole);
    if (number > 0 && one_in(content, 2)) {
        child->of = 1 + below(content, number);
        add_paths(content, blueprint, whole, child->of - 1);
    }
    draw_parts(content, child, 3);
    while (depth > 0 && one_in(content, 3))
        draw_child(content, blueprint, child, whole, number, depth - 1);
}

// Adds something about a part of the base, at a path below the node.
static drawn_node *reach(random_content *content, drawn_node *node, const char *path)
{
    while (path[0] != '\0') {
        size_t size = strcspn(path, ".");
        drawn_node *found = NULL;
        for (size_t i = 0; i < node->child_count; i++)
            if (strncmp(node->children[i]->name, path, size) == 0 && node->children[i]->name[size] == '\0')
                found = node->children[i];
        if (found == NULL && node->child_count == CHILDREN)
            return NULL;
        if (found == NULL)
            found = node->children[node->child_count++] =
                new_node(content, arena_copy(content->arena, path, size), false);
        node = found;
        path += size + (path[size] == '.');
    }
    return node;
}

// Whether the entity at a path of a blueprint has a component.
static bool has_component(const random_content *content, size_t number, const char *path, size_t component);

static bool node_has(const random_content *content, const drawn_node *node, const char *path, size_t component)
{
    size_t size = strcspn(path, ".");
    if (size == 0 && node->parts[component].is_there)
        return true;
    if (node->of > 0 && has_component(content, node->of - 1, path, component))
        return true;
    for (size_t i = 0; size > 0 && i < node->child_count; i++) {
        const drawn_node *child = node->children[i];
        if (strncmp(child->name, path, size) == 0 && child->name[size] == '\0')
            return node_has(content, child, path + size + (path[size] == '.'), component);
    }
    return false;
}

static bool has_component(const random_content *content, size_t number, const char *path, size_t component)
{
    const drawn_blueprint *blueprint = &content->blueprints[number];
    return node_has(content, blueprint->root, path, component) ||
           (blueprint->extends > 0 && has_component(content, blueprint->extends - 1, path, component));
}

// A blueprint without children has no part that a value could name.
static bool may_say(const random_content *content, const drawn_blueprint *blueprint, size_t component, size_t field)
{
    return blueprint->path_count > 1 || !names_parts(content->components[component].fields[field].type);
}

static void draw_values(random_content *content, const drawn_blueprint *blueprint, drawn_node *node)
{
    for (size_t i = 0; i < content->component_count; i++)
        for (size_t k = 0; node->parts[i].is_there && k < content->components[i].field_count; k++)
            if (one_in(content, 2) && may_say(content, blueprint, i, k))
                node->parts[i].values[k] =
                    draw_value(content, content->components[i].fields[k].type, (drawing){blueprint, false});
    for (size_t i = 0; i < node->child_count; i++)
        draw_values(content, blueprint, node->children[i]);
}

// Changes components that parts of the base have, and adds some if the blueprint is not plain.
static void draw_changes(random_content *content, drawn_blueprint *blueprint, size_t number)
{
    for (size_t i = 1 + below(content, 4); i > 0; i--) {
        const char *path = blueprint->paths[below(content, blueprint->path_count)];
        size_t component = below(content, content->component_count);
        bool has = has_component(content, blueprint->extends - 1, path, component);
        bool may_add = !blueprint->is_plain && !content->components[component].is_hidden;
        drawn_node *node = has || may_add ? reach(content, blueprint->root, path) : NULL;
        if (node != NULL)
            node->parts[component].is_there = true;
    }
    while (!blueprint->is_plain && one_in(content, 2))
        draw_child(content, blueprint, blueprint->root, "", number, DEPTH);
}

static void draw_blueprint(random_content *content, size_t number)
{
    drawn_blueprint *blueprint = &content->blueprints[number];
    blueprint->extends = number > 0 && !one_in(content, 3) ? 1 + below(content, number) : 0;
    blueprint->root = new_node(content, "", false);
    add_path(blueprint, "");
    if (blueprint->extends > 0) {
        blueprint->is_plain = one_in(content, 2);
        add_paths(content, blueprint, "", blueprint->extends - 1);
        draw_changes(content, blueprint, number);
    } else {
        draw_parts(content, blueprint->root, 2);
        for (size_t i = below(content, CHILDREN + 1); i > 0; i--)
            draw_child(content, blueprint, blueprint->root, "", number, DEPTH);
    }
    draw_values(content, blueprint, blueprint->root);
}

// ---- as YAML

static void append_values(const random_content *content, text *yaml, const drawn_part *part, size_t number)
{
    size_t count = 0;
    text_append_format(yaml, "C%zu: {", number);
    for (size_t i = 0; i < content->components[number].field_count; i++)
        if (part->values[i] != NULL)
            text_append_format(yaml, "%s f%zu: %s", count++ == 0 ? "" : ",", i, part->values[i]);
    text_append_string(yaml, count == 0 ? "}" : " }");
}

// Appends a key after what a mapping has already.
static void append_key(text *yaml, const char *key)
{
    text_append_format(yaml, "%s%s: ", yaml->bytes[yaml->size - 1] == '{' ? " " : ", ", key);
}

static void append_components(const random_content *content, text *yaml, const drawn_node *node)
{
    for (size_t i = 0; i < content->component_count; i++) {
        if (!node->parts[i].is_there)
            continue;
        text_append_string(yaml, yaml->bytes[yaml->size - 1] == '{' ? " " : ", ");
        append_values(content, yaml, &node->parts[i], i);
    }
}

static bool has_parts(const random_content *content, const drawn_node *node)
{
    bool has = false;
    for (size_t i = 0; i < content->component_count; i++)
        has = has || node->parts[i].is_there;
    return has;
}

// What the schema has of an entity, in a mapping that the caller begins.
static void append_blueprint(const random_content *content, text *yaml, const drawn_node *node)
{
    if (has_parts(content, node)) {
        append_key(yaml, "components");
        text_append_string(yaml, "{");
        append_components(content, yaml, node);
        text_append_string(yaml, " }");
    }
    if (node->child_count == 0)
        return;
    append_key(yaml, "children");
    text_append_string(yaml, "{");
    for (size_t i = 0; i < node->child_count; i++) {
        append_key(yaml, node->children[i]->name);
        text_append_string(yaml, "{");
        if (node->children[i]->of > 0)
            text_append_format(yaml, " of: B%zu", node->children[i]->of - 1);
        append_blueprint(content, yaml, node->children[i]);
        text_append_string(yaml, " }");
    }
    text_append_string(yaml, " }");
}

static void append_children(const random_content *content, text *yaml, const drawn_node *node, bool are_new);

// The same in content.
static void append_prefab(const random_content *content, text *yaml, const drawn_node *node)
{
    size_t new_count = 0;
    for (size_t i = 0; i < node->child_count; i++)
        new_count += node->children[i]->is_new;
    append_components(content, yaml, node);
    append_children(content, yaml, node, false);
    if (new_count == 0)
        return;
    append_key(yaml, "parts");
    text_append_string(yaml, "{");
    append_children(content, yaml, node, true);
    text_append_string(yaml, " }");
}

static void append_children(const random_content *content, text *yaml, const drawn_node *node, bool are_new)
{
    for (size_t i = 0; i < node->child_count; i++) {
        const drawn_node *child = node->children[i];
        if (child->is_new != are_new)
            continue;
        append_key(yaml, child->name);
        text_append_string(yaml, "{");
        if (are_new && child->of > 0)
            text_append_format(yaml, " of: LikeB%zu", child->of - 1);
        else if (are_new)
            text_append_string(yaml, " of: Nothing");
        append_prefab(content, yaml, child);
        text_append_string(yaml, " }");
    }
}

static void append_blueprints(random_content *content)
{
    text *yaml = &content->schema;
    text_append_string(yaml, "blueprints:\n");
    for (size_t i = 0; i < content->blueprint_count; i++) {
        const drawn_blueprint *blueprint = &content->blueprints[i];
        text_append_format(yaml, "  B%zu: {", i);
        if (blueprint->extends > 0)
            text_append_format(yaml, " extends: B%zu", blueprint->extends - 1);
        append_blueprint(content, yaml, blueprint->root);
        text_append_string(yaml, " }\n");
    }
}

static void append_prefabs(const random_content *content, text *yaml)
{
    text_append_string(yaml, "prefabs:\n  Nothing: { context: game }\n");
    for (size_t i = 0; i < content->blueprint_count; i++) {
        const drawn_blueprint *blueprint = &content->blueprints[i];
        text_append_format(yaml, "  SameB%zu: { extends: B%zu }\n  LikeB%zu: {", i, i, i);
        if (blueprint->extends > 0)
            text_append_format(yaml, " extends: LikeB%zu", blueprint->extends - 1);
        else
            text_append_string(yaml, " context: game");
        if (blueprint->without != NULL)
            text_append_format(yaml, ", without: [%s]", blueprint->without);
        append_prefab(content, yaml, blueprint->root);
        text_append_string(yaml, " }\n");
    }
}

// A blueprint that only changes values is an instance of its base that says them.
static void append_instance(const random_content *content, text *yaml, size_t number)
{
    const drawn_blueprint *blueprint = &content->blueprints[number];
    if (!blueprint->is_plain) {
        text_append_format(yaml, "      - LikeB%zu: {}\n", number);
        return;
    }
    text_append_format(yaml, "      - LikeB%zu: {", blueprint->extends - 1);
    append_prefab(content, yaml, blueprint->root);
    text_append_string(yaml, " }\n");
}

static void append_levels(const random_content *content, text *yaml)
{
    text_append_string(yaml, "levels:\n  same:\n    place:\n");
    for (size_t i = 0; i < content->blueprint_count; i++)
        text_append_format(yaml, "      - SameB%zu: [{}, {}, {}]\n", i);
    text_append_string(yaml, "  like:\n    place:\n");
    for (size_t i = 0; i < content->blueprint_count; i++)
        text_append_format(yaml, "      - LikeB%zu: [{}, {}, {}]\n", i);
    text_append_string(yaml, "  said:\n    place:\n");
    for (size_t i = 0; i < content->blueprint_count; i++)
        append_instance(content, yaml, i);
    text_append_string(yaml, "  named:\n    place:\n");
    for (size_t i = 0; i < 2 * content->blueprint_count; i++)
        text_append_format(yaml, "      - LikeB%zu: { as: n%zu }\n", i / 2, i);
}

// ---- all of it

random_content *random_content_draw(arena *arena, uint64_t number)
{
    random_content *content = arena_allocate(arena, sizeof *content);
    *content = (random_content){.arena = arena, .state = (number + 1) * UINT64_C(0x9e3779b97f4a7c15)};
    draw_schema(content);
    content->blueprint_count = 2 + below(content, BLUEPRINTS - 1);
    for (size_t i = 0; i < content->blueprint_count; i++)
        draw_blueprint(content, i);
    append_blueprints(content);
    return content;
}

const char *random_content_schema(const random_content *content)
{
    return content->schema.bytes;
}

const char *random_content_text(const random_content *content)
{
    text yaml = text_create(content->arena);
    text_append_string(&yaml, "content: 1\n");
    append_prefabs(content, &yaml);
    append_levels(content, &yaml);
    return yaml.bytes;
}

static void edit_value(random_content *content, drawn_blueprint *blueprint, drawn_part *part, size_t component)
{
    size_t count = content->components[component].field_count;
    size_t field = count == 0 ? 0 : below(content, count);
    if (!part->is_there || count == 0 || !may_say(content, blueprint, component, field))
        return;
    const char *type = content->components[component].fields[field].type;
    part->values[field] = one_in(content, 3) ? NULL : draw_value(content, type, (drawing){blueprint, false});
}

static void edit_without(random_content *content, drawn_blueprint *blueprint)
{
    const char *path = blueprint->paths[below(content, blueprint->path_count)];
    bool is_component = path[0] == '\0' || one_in(content, 2);
    const char *component = arena_format(content->arena, "C%zu", below(content, content->component_count));
    blueprint->without = is_component ? join(content, path, component) : path;
    blueprint->without = one_in(content, 3) ? NULL : blueprint->without;
}

static void edit(random_content *content)
{
    size_t number = below(content, content->blueprint_count);
    drawn_blueprint *blueprint = &content->blueprints[number];
    drawn_node *node = blueprint->root;
    while (node->child_count > 0 && !one_in(content, 3))
        node = node->children[below(content, node->child_count)];
    size_t component = below(content, content->component_count);
    size_t kind = below(content, 10);
    if (kind == 0)
        node->parts[component].is_there = !node->parts[component].is_there;
    else if (kind == 1 && blueprint->extends > 0)
        edit_without(content, blueprint);
    else if (kind == 2)
        draw_child(content, blueprint, blueprint->root, "", number, DEPTH);
    else if (kind == 3 && node->child_count > 0)
        node->child_count--;
    else
        edit_value(content, blueprint, &node->parts[component], component);
}

void random_content_edit(random_content *content, uint64_t number)
{
    content->state ^= (number + 1) * UINT64_C(0xbf58476d1ce4e5b9);
    for (size_t i = 1 + below(content, 6); i > 0; i--)
        edit(content);
}

// What content adds to a package: the components Origin and Content of a context with `content`, `placed_by`, the knobs
// of blueprints, and the parts that their values name.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- Origin and Content

static const char content_schema[] = "Origin:\n"
                                     "  doc: >\n"
                                     "    Where an entity comes from, as hashes of names: its prefab or blueprint, its "
                                     "place in a level (0 for none), and\n"
                                     "    its part of the prefab (0 for the first).\n"
                                     "  contexts: [%s]\n"
                                     "  inspect: read_only\n"
                                     "  content: false\n"
                                     "  fields: { prefab: uint32, place: uint32, part: uint32 }\n"
                                     "Content:\n"
                                     "  doc: The content that the context has, as a hash of its pack.\n"
                                     "  contexts: [%s]\n"
                                     "  inspect: read_only\n"
                                     "  content: false\n"
                                     "  unique: true\n"
                                     "  fields: { version: uint64 }\n";

// Returns the names of the contexts with content, as the items of a list; NULL if there are none. A name that is no
// identifier was reported.
static const char *list_contexts(reader *reader)
{
    text list = text_create(reader->arena);
    for (size_t i = 0; i < reader->context_count; i++) {
        const char *name = reader->contexts[i]->name;
        if (reader->contexts[i]->has_content && name_is_identifier(name))
            text_append_item(&list, ", ", arena_format(reader->arena, "\"%s\"", name));
    }
    return list.size == 0 ? NULL : list.bytes;
}

entry_list content_components(reader *reader)
{
    entry_list list = {.is_given = false};
    const char *contexts = list_contexts(reader);
    if (contexts == NULL)
        return list;
    const char *text = arena_format(reader->arena, content_schema, contexts, contexts);
    const source *source = source_from_bytes(reader->arena, "content: true", text, strlen(text));
    const tree_node *root = tree_parse(reader->arena, reader->diagnostics, source);
    assert(root != NULL);
    const tree_pair **pairs = arena_allocate(reader->arena, root->count * sizeof *pairs);
    for (const tree_pair *pair = root->pairs; pair != NULL; pair = pair->next)
        pairs[list.count++] = pair;
    list.pairs = pairs;
    return list;
}

// ---- placed_by

static bool is_number(const field_type *type)
{
    return !type->is_list && type->kind >= TYPE_INT8 && type->kind <= TYPE_DOUBLE;
}

// A struct of a place has numbers alone.
static bool is_place(const field_type *type)
{
    if (type->kind != TYPE_STRUCT || type->array_count > 0 || type->is_list)
        return is_number(type);
    for (size_t i = 0; i < type->definition->fields.count; i++)
        if (!is_number(&type->definition->fields.fields[i].type))
            return false;
    return true;
}

static void read_place(reader *reader, const tree_node *node, context *context)
{
    field_path path = {.where = arena_format(reader->arena, "'placed_by' of context '%s'", context->name),
                       .owner = "'placed_by'",
                       .context = context,
                       .code = CODE_KNOB};
    component *component = NULL;
    const field *field = read_field_path(reader, node, &path, &component);
    if (field == NULL || field->type.is_unknown || field->default_value == NULL)
        return;
    if (!is_place(&field->type)) {
        diagnostic_error(reader->diagnostics, CODE_KNOB, node->span, "'%s' cannot be a place: it is of type %s",
                         node->text, schema_type_name(reader->arena, &field->type));
        diagnostic_hint(reader->diagnostics, "a place is a number, an array of numbers, or a struct of numbers");
        return;
    }
    key_part *place = arena_allocate(reader->arena, sizeof *place);
    *place = (key_part){.component = component, .field = field};
    context->placed_by = place;
}

void read_places(reader *reader)
{
    for (size_t i = 0; i < reader->context_count; i++) {
        const tree_node *mapping = reader->context_nodes[i];
        const tree_node *node = mapping == NULL ? NULL : tree_find(mapping, "placed_by");
        if (node != NULL)
            read_place(reader, node, reader->contexts[i]);
    }
}

// ---- parts
//
// An entity of a blueprint: its number, counted depth first, what it is of, and the entity above it.

typedef struct part_place {
    size_t number;
    const blueprint *of; // NULL: nothing
    const blueprint_part *parts;
    size_t part_count;
    const child_list *children;
    const struct part_place *above; // NULL for the entity of the blueprint
} part_place;

static part_place first_place(const blueprint *blueprint)
{
    return (part_place){.of = blueprint,
                        .parts = blueprint->parts,
                        .part_count = blueprint->part_count,
                        .children = &blueprint->children};
}

// Moves to the child `name`. False if there is none.
static bool find_child(part_place *place, const char *name, size_t size)
{
    size_t number = place->number + 1;
    for (size_t i = 0; i < place->children->count; i++) {
        const blueprint_child *child = place->children->children[i];
        if (strlen(child->name) == size && memcmp(child->name, name, size) == 0) {
            *place = (part_place){number, child->of, child->parts, child->part_count, &child->children, NULL};
            return true;
        }
        number += 1 + child->children.node_count;
    }
    return false;
}

// Offers the paths of all entities below, each after `prefix`. Recursive, at most SCHEMA_CHILD_DEPTH_LIMIT deep.
static void offer_paths(arena *arena, name_search *search, const child_list *children, const char *prefix,
                        const char *suffix)
{
    for (size_t i = 0; i < children->count; i++) {
        const char *path = arena_format(arena, "%s%s", prefix, children->children[i]->name);
        name_search_offer(search, arena_format(arena, "%s%s", path, suffix));
        offer_paths(arena, search, &children->children[i]->children, arena_format(arena, "%s.", path), suffix);
    }
}

// ---- slots

typedef struct slot_list {
    reader *reader;
    blueprint *blueprint;
    blueprint_slot *slots;
    size_t count, capacity;
} slot_list;

static bool extends(const blueprint *blueprint, const struct blueprint *wanted)
{
    while (blueprint != NULL && blueprint != wanted)
        blueprint = blueprint->base;
    return blueprint != NULL;
}

static void append_slot(slot_list *list, blueprint_slot slot)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity == 0 ? 8 : 2 * list->capacity;
        blueprint_slot *slots = arena_allocate(list->reader->arena, list->capacity * sizeof *slots);
        if (list->count > 0)
            memcpy(slots, list->slots, list->count * sizeof *slots);
        list->slots = slots;
    }
    list->slots[list->count++] = slot;
}

static void report_no_part(slot_list *list, const slot *slot)
{
    reader *reader = list->reader;
    const char *text = arena_format(reader->arena, ".%s", slot->path);
    diagnostic_error(reader->diagnostics, CODE_NO_SUCH_PART, slot->span, "blueprint '%s' has no part '%s'",
                     slot->blueprint->name, slot->path);
    name_search search = name_search_begin(text);
    if (reader_is_hinting(reader))
        offer_paths(reader->arena, &search, &slot->blueprint->children, ".", "");
    reader_hint(reader, search);
}

// Finds the part from the nearest entity that has what the blueprint of the slot says. Reports a part that is missing
// in that blueprint alone, since those that extend it have its parts too.
static void add_slot(slot_list *list, const part_place *place, blueprint_slot slot, const struct slot *named)
{
    const part_place *root = place;
    if (list->blueprint == named->blueprint && list->blueprint->children.count == 0) {
        diagnostic_error(list->reader->diagnostics, CODE_NO_SUCH_PART, named->span,
                         "blueprint '%s' has no children, so that no part can be named", list->blueprint->name);
        return;
    }
    while (root->above != NULL && !extends(root->of, named->blueprint))
        root = root->above;
    part_place part = {.number = root->number, .children = root->children};
    for (const char *name = named->path; *name != '\0';) {
        size_t size = strcspn(name, ".");
        if (!find_child(&part, name, size)) {
            if (named->blueprint == list->blueprint)
                report_no_part(list, named);
            return;
        }
        name += size + (name[size] == '.');
    }
    slot.part = part.number;
    append_slot(list, slot);
}

// Adds the slots of a value. Recursive over structs in structs, which end.
static void add_slots_of_value(slot_list *list, const part_place *place, blueprint_slot slot, const field *field,
                               const constant *value)
{
    arena *arena = list->reader->arena;
    const char *path = slot.path;
    if (value == NULL || (value->kind == CONSTANT_ENTITY && value->slot == NULL))
        return;
    if (value->kind == CONSTANT_ENTITY && field->is_tree) {
        diagnostic_error(list->reader->diagnostics, CODE_NO_SUCH_PART, value->slot->span,
                         "'%s' of component '%s' names the parent in a tree, which no part can be", field->name,
                         slot.component->name);
    } else if (value->kind == CONSTANT_ENTITY && slot.component->is_shared) {
        diagnostic_error(list->reader->diagnostics, CODE_NO_SUCH_PART, value->slot->span,
                         "component '%s' has 'storage: shared', so that its values cannot name parts",
                         slot.component->name);
    } else if (value->kind == CONSTANT_ENTITY) {
        add_slot(list, place, slot, value->slot);
    } else if (value->kind == CONSTANT_STRUCT) {
        const field_list *fields = &field->type.definition->fields;
        for (size_t i = 0; i < fields->count; i++) {
            slot.path = arena_format(arena, "%s.%s", path, fields->fields[i].name);
            add_slots_of_value(list, place, slot, &fields->fields[i], schema_constant_item(value, i));
        }
    } else if (value->kind == CONSTANT_ARRAY && !value->is_uniform) {
        for (size_t i = 0; i < value->count; i++) {
            slot.path = arena_format(arena, "%s[%zu]", path, i);
            add_slots_of_value(list, place, slot, field, schema_constant_item(value, i));
        }
    }
}

// Recursive, at most SCHEMA_CHILD_DEPTH_LIMIT deep.
static void add_slots(slot_list *list, const part_place *place)
{
    for (size_t i = 0; i < place->part_count; i++) {
        const blueprint_part *part = &place->parts[i];
        for (size_t k = 0; part->values != NULL && k < part->component->fields.count; k++) {
            const field *field = &part->component->fields.fields[k];
            blueprint_slot slot = {.holder = place->number, .component = part->component, .path = field->name};
            add_slots_of_value(list, place, slot, field, part->values[k]);
        }
    }
    for (size_t i = 0; i < place->children->count; i++) {
        const blueprint_child *child = place->children->children[i];
        part_place below = {.number = place->number, .children = place->children};
        bool found = find_child(&below, child->name, strlen(child->name));
        assert(found);
        (void)found;
        below.above = place;
        add_slots(list, &below);
    }
}

void read_slots(reader *reader)
{
    for (size_t i = 0; i < reader->package->blueprint_count; i++) {
        blueprint *blueprint = (struct blueprint *)reader->package->blueprints[i];
        slot_list list = {.reader = reader, .blueprint = blueprint};
        part_place first = first_place(blueprint);
        add_slots(&list, &first);
        blueprint->slots = list.slots;
        blueprint->slot_count = list.count;
    }
}

// ---- knobs

// What a path of a knob names: a component, or a field in it.
typedef struct knob_target {
    const component *component;
    const field *field; // NULL: the whole component
} knob_target;

typedef struct knob_draft {
    blueprint_scope *scope;
    const blueprint_draft *owner;
    const char *name;
    const tree_node *node; // of the path
} knob_draft;

static void report_knob(const knob_draft *draft, const char *what, name_search search)
{
    reader *reader = draft->scope->reader;
    diagnostic_error(reader->diagnostics, CODE_KNOB, draft->node->span, "knob '%s' of %s: %s", draft->name,
                     draft->owner->what, what);
    reader_hint(reader, search);
}

// Follows the parts at the beginning of the path. Returns the rest of it; NULL after reporting an error.
static const char *find_knob_part(const knob_draft *draft, part_place *place)
{
    reader *reader = draft->scope->reader;
    const char *path = draft->node->text;
    while (path[0] >= 'a' && path[0] <= 'z') {
        size_t size = strcspn(path, ".");
        const child_list *children = place->children;
        const char *name = arena_copy(reader->arena, path, size);
        bool is_part = find_child(place, path, size);
        if (is_part && path[size] == '\0') {
            report_knob(draft, arena_format(reader->arena, "'%s' is a part", name), name_search_begin(""));
            diagnostic_hint(reader->diagnostics, "add a component of it, such as '%s.%s'", draft->node->text,
                            place->parts[0].component->name);
            return NULL;
        }
        if (!is_part) {
            name_search search = name_search_begin(name);
            for (size_t i = 0; i < children->count; i++)
                name_search_offer(&search, children->children[i]->name);
            report_knob(draft, arena_format(reader->arena, "there is no part '%s'", name), search);
            return NULL;
        }
        path += size + 1;
    }
    return path;
}

static const component *find_knob_component(const knob_draft *draft, const part_place *place, const char *path)
{
    reader *reader = draft->scope->reader;
    const char *name = arena_copy(reader->arena, path, strcspn(path, "."));
    name_search search = name_search_begin(name);
    for (size_t i = 0; i < place->part_count; i++) {
        if (strcmp(place->parts[i].component->name, name) == 0)
            return place->parts[i].component;
        name_search_offer(&search, place->parts[i].component->name);
    }
    report_knob(draft, arena_format(reader->arena, "the entity has no component '%s'", name), search);
    return NULL;
}

// Follows the fields of a path. NULL after reporting an error.
static const field *find_knob_field(const knob_draft *draft, const component *component, const char *path)
{
    reader *reader = draft->scope->reader;
    const field_list *fields = &component->fields;
    const field *found = NULL;
    for (size_t size; *path != '\0'; path += size + (path[size] == '.')) {
        size = strcspn(path, ".");
        const char *name = arena_copy(reader->arena, path, size);
        name_search search = name_search_begin(name);
        found = NULL;
        for (size_t i = 0; i < fields->count && found == NULL; i++) {
            if (strcmp(fields->fields[i].name, name) == 0)
                found = &fields->fields[i];
            name_search_offer(&search, fields->fields[i].name);
        }
        if (found == NULL) {
            report_knob(draft, arena_format(reader->arena, "there is no field '%s'", name), search);
            return NULL;
        }
        static const field_list nothing;
        bool is_struct = found->type.kind == TYPE_STRUCT && found->type.array_count == 0 && !found->type.is_list;
        fields = is_struct ? &found->type.definition->fields : &nothing;
    }
    return found;
}

static bool may_be_set(const knob_draft *draft, knob_target target)
{
    reader *reader = draft->scope->reader;
    const char *why = NULL;
    bool is_opaque = target.field != NULL && target.field->type.kind == TYPE_OPAQUE;
    bool is_shut = target.component->is_not_content || (target.field != NULL && target.field->is_not_content);
    if (is_shut)
        why = "it has 'content: false'";
    else if (is_opaque)
        why = "it is opaque";
    else if (target.field != NULL && target.field->is_tree)
        why = "it names the parent";
    if (why != NULL)
        report_knob(draft, arena_format(reader->arena, "'%s' cannot be set: %s", draft->node->text, why),
                    name_search_begin(""));
    return why == NULL;
}

// False after reporting an error.
static bool find_knob_target(const knob_draft *draft, knob_target *target)
{
    reader *reader = draft->scope->reader;
    const blueprint *owner = &draft->owner->blueprint;
    part_place place = first_place(owner);
    if (!reader_expect_text(reader, draft->node, arena_format(reader->arena, "knob '%s'", draft->name)))
        return false;
    const char *path = find_knob_part(draft, &place);
    if (path == NULL)
        return false;
    target->component = find_knob_component(draft, &place, path);
    if (target->component == NULL)
        return false;
    path += strcspn(path, ".");
    if (*path == '.') {
        target->field = find_knob_field(draft, target->component, path + 1);
        if (target->field == NULL)
            return false;
    }
    return may_be_set(draft, *target);
}

// Returns NULL for an unknown type, which was reported.
static const char *target_type(reader *reader, knob_target target)
{
    if (target.field == NULL)
        return target.component->name;
    return target.field->type.is_unknown ? NULL : schema_type_name(reader->arena, &target.field->type);
}

static const struct knob *find_knob(const blueprint *blueprint, const char *name)
{
    for (size_t i = 0; i < blueprint->knob_count; i++)
        if (strcmp(blueprint->knobs[i].name, name) == 0)
            return &blueprint->knobs[i];
    return NULL;
}

// Reports a name that content files could not give: that of a key, or of a part.
static bool check_knob_name(blueprint_scope *scope, const blueprint_draft *owner, const tree_node *name)
{
    static const char *const keys[] = {"extends", "of", "doc", "context", "knobs", "parts", "without", "as", "was"};
    reader *reader = scope->reader;
    part_place place = first_place(&owner->blueprint);
    const char *meaning = NULL;
    if (!reader_check_composed_name(reader, name, CASE_SNAKE, "a knob"))
        return false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i], name->text) == 0)
            meaning = "a key of content files";
    if (find_child(&place, name->text, name->size))
        meaning = "a part";
    if (meaning != NULL)
        diagnostic_error(reader->diagnostics, CODE_KNOB, name->span, "knob '%s' of %s has the name of %s", name->text,
                         owner->what, meaning);
    return meaning == NULL;
}

// Appends the path. `type` is that of the paths before it, or of the inherited knob; NULL: any.
static bool read_knob_path(const knob_draft *draft, const char **paths, struct knob *knob, const char **type)
{
    reader *reader = draft->scope->reader;
    knob_target target = {.component = NULL};
    if (!find_knob_target(draft, &target))
        return false;
    const char *own = target_type(reader, target);
    bool is_other = *type != NULL && own != NULL && strcmp(*type, own) != 0;
    if (is_other) {
        report_knob(draft, arena_format(reader->arena, "'%s' is of type %s, not %s", draft->node->text, own, *type),
                    name_search_begin(""));
        return false;
    }
    if (own != NULL)
        *type = own;
    paths[knob->path_count++] = draft->node->text;
    return true;
}

// Returns the type of an inherited knob; NULL if it is broken.
static const char *inherited_type(blueprint_scope *scope, const blueprint_draft *owner, const struct knob *inherited)
{
    tree_node path = {.kind = TREE_SCALAR, .text = inherited->paths[0], .size = strlen(inherited->paths[0])};
    knob_draft draft = {scope, owner, inherited->name, &path};
    knob_target target = {.component = NULL};
    part_place place = first_place(&owner->blueprint);
    const char *rest = find_knob_part(&draft, &place);
    target.component = find_knob_component(&draft, &place, rest);
    const char *field = strchr(rest, '.');
    if (field != NULL)
        target.field = find_knob_field(&draft, target.component, field + 1);
    return target_type(scope->reader, target);
}

static bool read_knob(blueprint_scope *scope, const blueprint_draft *owner, const tree_pair *pair, struct knob *knob)
{
    reader *reader = scope->reader;
    const tree_node *value = pair->value;
    const struct knob *inherited = find_knob(&owner->blueprint, pair->key->text);
    const char *type = inherited == NULL ? NULL : inherited_type(scope, owner, inherited);
    bool is_list = value->kind == TREE_SEQUENCE;
    *knob = (struct knob){.name = pair->key->text, .span = pair->key->span};
    if (is_list && !reader_expect_items(reader, value, arena_format(reader->arena, "knob '%s'", knob->name)))
        return false;
    const char **paths = arena_allocate(reader->arena, (1 + value->count) * sizeof *paths);
    knob->paths = paths;
    bool is_read = true;
    for (const tree_node *item = is_list ? value->items : value; item != NULL; item = is_list ? item->next : NULL) {
        knob_draft draft = {scope, owner, knob->name, item};
        is_read = read_knob_path(&draft, paths, knob, &type) && is_read;
    }
    return is_read;
}

// Reads the knobs after those of the base, whose names they may have.
static void read_knobs_of(blueprint_scope *scope, blueprint_draft *draft)
{
    reader *reader = scope->reader;
    const blueprint *base = draft->blueprint.base;
    const tree_node *node = draft->node->kind == TREE_MAPPING ? tree_find(draft->node, "knobs") : NULL;
    if (draft->has_knobs)
        return;
    draft->has_knobs = true;
    if (base != NULL) {
        read_knobs_of(scope, (blueprint_draft *)base);
        draft->blueprint.knobs = base->knobs;
        draft->blueprint.knob_count = base->knob_count;
    }
    if (node == NULL || !reader_expect_entries(reader, node, arena_format(reader->arena, "'knobs' of %s", draft->what)))
        return;
    size_t capacity = draft->blueprint.knob_count + node->count;
    struct knob *knobs = arena_allocate(reader->arena, capacity * sizeof *knobs);
    size_t count = draft->blueprint.knob_count;
    if (count > 0)
        memcpy(knobs, draft->blueprint.knobs, count * sizeof *knobs);
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
        struct knob knob;
        if (!check_knob_name(scope, draft, pair->key) || !read_knob(scope, draft, pair, &knob))
            continue;
        const struct knob *inherited = find_knob(&draft->blueprint, knob.name);
        knobs[inherited == NULL ? count++ : (size_t)(inherited - draft->blueprint.knobs)] = knob;
    }
    draft->blueprint.knobs = knobs;
    draft->blueprint.knob_count = count;
}

void read_knobs(blueprint_scope *scope)
{
    for (size_t i = 0; i < scope->count; i++)
        read_knobs_of(scope, scope->drafts[i]);
}

// ---- origins

// FNV-1a; Fowler, Noll and Vo, 1991. Never 0, which is no name.
static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash == 0 ? 1 : hash;
}

static const constant *number_constant(reader *reader, uint32_t number)
{
    constant *value = arena_allocate(reader->arena, sizeof *value);
    *value = (constant){.kind = CONSTANT_NUMBER,
                        .literal = arena_format(reader->arena, "%" PRIu32 "u", number),
                        .is_zero = number == 0};
    return value;
}

// Returns the parts with Origin, in order of the names of their components.
static const blueprint_part *add_origin(reader *reader, const component *origin, const blueprint_part *parts,
                                        size_t *count, const uint32_t numbers[3])
{
    blueprint_part *all = arena_allocate(reader->arena, (*count + 1) * sizeof *all);
    const constant **values = arena_allocate(reader->arena, 3 * sizeof *values);
    size_t place = 0;
    for (size_t i = 0; i < 3; i++)
        values[i] = number_constant(reader, numbers[i]);
    while (place < *count && strcmp(parts[place].component->name, origin->name) < 0)
        place++;
    bool is_given = place < *count && parts[place].component == origin;
    for (size_t i = 0; i < *count; i++)
        all[i + (i >= place && !is_given)] = parts[i];
    all[place] = (blueprint_part){.component = origin, .values = values};
    *count += !is_given;
    return all;
}

// Copies the children of a blueprint, with Origin. `path` is that of their parent below the blueprint. Recursive, at
// most SCHEMA_CHILD_DEPTH_LIMIT deep.
static child_list copy_children(reader *reader, const component *origin, const blueprint *blueprint,
                                const child_list *list, const char *path)
{
    child_list copied = *list;
    const blueprint_child **children = arena_allocate(reader->arena, (list->count + 1) * sizeof *children);
    for (size_t i = 0; i < list->count; i++) {
        blueprint_child *child = arena_allocate(reader->arena, sizeof *child);
        *child = *list->children[i];
        const char *below = arena_format(reader->arena, "%s%s", path, child->name);
        const uint32_t numbers[] = {hash_name(blueprint->name), 0, hash_name(below)};
        child->is_whole = schema_is_whole(list->children[i]);
        child->path = arena_format(reader->arena, "%s.%s", blueprint->name, below);
        child->parts = add_origin(reader, origin, child->parts, &child->part_count, numbers);
        child->children =
            copy_children(reader, origin, blueprint, &child->children, arena_format(reader->arena, "%s.", below));
        children[i] = child;
    }
    copied.children = list->count == 0 ? NULL : children;
    return copied;
}

void add_origins(reader *reader)
{
    const component_draft *origin = dictionary_find(&reader->component_names, "Origin");
    size_t count = reader->package->blueprint_count;
    if (origin == NULL)
        return; // no context with content has a name
    child_list *copies = arena_allocate(reader->arena, (count + 1) * sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        const blueprint *blueprint = reader->package->blueprints[i];
        if (blueprint->context != NULL && blueprint->context->has_content)
            copies[i] = copy_children(reader, &origin->component, blueprint, &blueprint->children, "");
    }
    for (size_t i = 0; i < count; i++) {
        blueprint *blueprint = (struct blueprint *)reader->package->blueprints[i];
        const uint32_t numbers[] = {hash_name(blueprint->name), 0, 0};
        if (blueprint->context == NULL || !blueprint->context->has_content)
            continue;
        blueprint->children = copies[i];
        blueprint->parts = add_origin(reader, &origin->component, blueprint->parts, &blueprint->part_count, numbers);
    }
}

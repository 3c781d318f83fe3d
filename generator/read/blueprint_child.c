// Reads `children`: the entities that are spawned below that of a blueprint.
//
// A child is read in layers: what it is of, then its mapping in each blueprint that has it, from the most extended one
// on. If a later one names another `of`, the layers before it are read again on top of that.
#include "generator/read/internal.h"

#include <string.h>

// A mapping that describes a child.
typedef struct layer {
    const tree_node *node;
    const struct layer *previous; // of an extended blueprint; NULL: the first
    size_t number;                // from 1 on
} layer;

typedef struct child_draft {
    blueprint_child child;
    const layer *layers; // the last one
    bool is_broken;      // an error was reported, which reading its layers again would repeat
} child_draft;

// The entity that has children: that of a blueprint or of a child.
typedef struct holder {
    const char *what; // "blueprint 'Car'"
    const char *path; // "Car"
    const context *context;
    const relation *tree; // of a child: in which it names its parent
} holder;

// ---- the two forms

// The form with a tree has the key `nodes`. Children cannot have the names of its keys, so there is no other meaning.
const tree_node *find_child_nodes(reader *reader, const tree_node *children, const char *report)
{
    if (children->kind != TREE_MAPPING)
        return NULL;
    const tree_node *nodes = tree_find(children, "nodes");
    const tree_node *tree = tree_find(children, "tree");
    if (nodes == NULL && tree == NULL)
        return children;
    if (report == NULL)
        return nodes;
    if (nodes != NULL || reader_is_misspelled(children, &language_children, "nodes")) {
        reader_check_keys(reader, children, &language_children, report);
    } else {
        diagnostic_error(reader->diagnostics, CODE_CHILDREN, tree_find_key(children, "tree")->span,
                         "%s has 'tree' but no 'nodes'", report);
        diagnostic_hint(reader->diagnostics, "write { tree: NAME, nodes: { ... } }; no child can be named 'tree'");
    }
    bool is_usable =
        nodes != NULL && reader_expect_entries(reader, nodes, arena_format(reader->arena, "'nodes' of %s", report));
    return is_usable ? nodes : NULL;
}

// ---- the tree

static const relation *find_tree(const package *package, const context *context, const char *name)
{
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *relation = &package->relations[i];
        const field *field = relation->field;
        bool is_tree = relation->context == context && field->is_tree && field->reverse != NULL;
        if (is_tree && (name == NULL || strcmp(field->reverse, name) == 0))
            return relation;
    }
    return NULL;
}

static const relation *find_last_tree(const package *package, const context *context)
{
    const relation *found = NULL;
    for (size_t i = 0; i < package->relation_count; i++)
        if (package->relations[i].context == context && package->relations[i].field->is_tree)
            found = &package->relations[i];
    return found;
}

static const relation *find_only_tree(reader *reader, const holder *holder, const tree_node *place)
{
    const relation *first = find_tree(reader->package, holder->context, NULL);
    const relation *last = find_last_tree(reader->package, holder->context);
    if (first != NULL && first == last)
        return first;
    if (reader_is_elsewhere(reader, "components") || reader_misses_tree(reader))
        return NULL;
    if (first == NULL) {
        diagnostic_error(reader->diagnostics, CODE_CHILDREN, place->span,
                         "%s has children, but context '%s' has no tree to place them in", holder->what,
                         holder->context->name);
        diagnostic_hint(reader->diagnostics,
                        "add a component: ChildOf: { fields: { parent: { type: entity<%s>, reverse: children, tree: "
                        "true } } }",
                        holder->context->name);
        return NULL;
    }
    diagnostic_error(reader->diagnostics, CODE_CHILDREN, place->span,
                     "%s has children, and context '%s' has several trees, such as '%s' and '%s'", holder->what,
                     holder->context->name, first->field->reverse, last->field->reverse);
    diagnostic_hint(reader->diagnostics, "name one of them: children: { tree: %s, nodes: { ... } }",
                    first->field->reverse);
    return NULL;
}

static void report_unknown_tree(reader *reader, const holder *holder, const tree_node *node)
{
    diagnostic_error(reader->diagnostics, CODE_CHILDREN, node->span,
                     "context '%s' has no tree '%s' for the children of %s", holder->context->name, node->text,
                     holder->what);
    name_search search = name_search_begin(node->text);
    for (size_t i = 0; i < reader->package->relation_count; i++) {
        const relation *relation = &reader->package->relations[i];
        if (relation->context == holder->context && relation->field->is_tree && relation->field->reverse != NULL)
            name_search_offer(&search, relation->field->reverse);
    }
    reader_hint(reader, search);
}

static const relation *find_default_tree(reader *reader, const holder *holder, const tree_node *place,
                                         const child_list *before)
{
    if (before->tree != NULL)
        return before->tree;
    return holder->tree != NULL ? holder->tree : find_only_tree(reader, holder, place);
}

// Returns the tree that `tree` names; else that of the children before, or that of the holder itself, or the only one.
// NULL after reporting an error.
static const relation *read_tree(reader *reader, const holder *holder, const tree_node *children,
                                 const child_list *before)
{
    const tree_node *node = tree_find(children, "tree");
    if (node == NULL)
        return find_default_tree(reader, holder, children, before);
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'tree' of the children of %s", holder->what)))
        return NULL;
    const relation *tree = find_tree(reader->package, holder->context, node->text);
    if (tree == NULL) {
        if (!reader_is_elsewhere(reader, "components") && !reader_misses_tree(reader))
            report_unknown_tree(reader, holder, node);
        return NULL;
    }
    if (before->tree == NULL || before->tree == tree)
        return tree;
    diagnostic_error(reader->diagnostics, CODE_CHILDREN, node->span,
                     "%s takes over children in tree '%s', and cannot have others in tree '%s'", holder->what,
                     before->tree->field->reverse, node->text);
    return NULL;
}

// ---- `of`

static bool extends(const blueprint *blueprint, const struct blueprint *wanted)
{
    while (blueprint != NULL && blueprint != wanted)
        blueprint = blueprint->base;
    return blueprint != NULL;
}

static bool check_of(reader *reader, const holder *child, const tree_node *node, const blueprint *of,
                     const child_draft *before)
{
    if (of->context != child->context && of->context != NULL) {
        diagnostic_error(reader->diagnostics, CODE_BLUEPRINT_CONTEXT, node->span,
                         "%s is in context '%s', but blueprint '%s' is in context '%s'", child->what,
                         child->context->name, of->name, of->context->name);
        return false;
    }
    if (before == NULL || before->child.of == NULL || extends(of, before->child.of))
        return true;
    diagnostic_error(reader->diagnostics, CODE_CHILDREN, node->span,
                     "%s is of blueprint '%s', which does not extend '%s'", child->what, of->name,
                     before->child.of->name);
    diagnostic_note(reader->diagnostics, before->child.span, "the child that it changes is declared here, of '%s'",
                    before->child.of->name);
    return false;
}

// Reads the blueprint that the child is of. False after an error. A blueprint whose children are not read yet is below
// itself, which was reported.
static bool read_of(blueprint_scope *scope, const holder *child, const tree_node *mapping, const child_draft *before,
                    const blueprint **of)
{
    const tree_node *node = tree_find(mapping, "of");
    *of = before == NULL ? NULL : before->child.of;
    if (node == NULL)
        return true;
    if (!reader_expect_text(scope->reader, node, arena_format(scope->reader->arena, "'of' of %s", child->what)))
        return false;
    blueprint_draft *found = find_blueprint(scope, node, "of", child->what);
    if (found == NULL || found->children_state != DRAFT_DONE ||
        !check_of(scope->reader, child, node, &found->blueprint, before))
        return false;
    found->blueprint.is_of_child = true;
    *of = &found->blueprint;
    return true;
}

// ---- one child

static child_list merge_children(blueprint_scope *scope, const holder *holder, const tree_node *node,
                                 const child_list *before);

static void read_components_of(blueprint_scope *scope, const holder *holder, blueprint_child *child,
                               const tree_node *mapping)
{
    blueprint base = {.context = holder->context, .parts = child->parts, .part_count = child->part_count};
    blueprint_draft draft = {.blueprint = {.context = holder->context, .base = &base}, .is_child = true};
    if (mapping == NULL ||
        !reader_expect_entries(scope->reader, mapping,
                               arena_format(scope->reader->arena, "'components' of %s", holder->what)))
        return;
    draft.what = holder->what;
    read_blueprint_parts(scope, &draft, mapping);
    child->parts = draft.blueprint.parts;
    child->part_count = draft.blueprint.part_count;
}

static void read_layer(blueprint_scope *scope, const holder *holder, blueprint_child *child, const tree_node *mapping)
{
    const tree_node *children = tree_find(mapping, "children");
    read_components_of(scope, holder, child, tree_find(mapping, "components"));
    if (children != NULL)
        child->children = merge_children(scope, holder, children, &child->children);
}

// Reads the layers from the first to the last. There are few: one for each blueprint that changes the child.
static void read_layers(blueprint_scope *scope, const holder *holder, blueprint_child *child, const layer *last)
{
    for (size_t number = 1; last != NULL && number <= last->number; number++) {
        const layer *each = last;
        while (each->number != number)
            each = each->previous;
        read_layer(scope, holder, child, each->node);
    }
}

// Adds the component of the tree, unless what the child is of has it.
static void add_tree_part(arena *arena, blueprint_child *child, const component *component)
{
    size_t place = 0;
    while (place < child->part_count && strcmp(child->parts[place].component->name, component->name) < 0)
        place++;
    if (place < child->part_count && child->parts[place].component == component)
        return;
    blueprint_part *parts = arena_allocate(arena, (child->part_count + 1) * sizeof *parts);
    for (size_t i = 0; i < child->part_count; i++)
        parts[i + (i >= place)] = child->parts[i];
    parts[place] = (blueprint_part){.component = component};
    child->parts = parts;
    child->part_count++;
}

static void start_from(blueprint_child *child, const blueprint *of)
{
    static const blueprint nothing;
    const blueprint *start = of == NULL ? &nothing : of;
    child->of = of;
    child->parts = start->parts;
    child->part_count = start->part_count;
    child->children = start->children;
}

// Returns whether the mapping says what the child is; it need not if it changes one.
static bool check_forms(reader *reader, const holder *child, const tree_node *mapping)
{
    if (tree_find(mapping, "of") != NULL || tree_find(mapping, "components") != NULL)
        return true;
    if (reader_is_misspelled(mapping, &language_child, "of") ||
        reader_is_misspelled(mapping, &language_child, "components"))
        return false;
    diagnostic_error(reader->diagnostics, CODE_NO_COMPONENTS, mapping->span, "%s has neither 'of' nor 'components'",
                     child->what);
    diagnostic_hint(reader->diagnostics, "add 'of: Blueprint' or 'components: { ... }'");
    return false;
}

static bool check_keys(reader *reader, const holder *child, const tree_node *mapping, const relation *tree, bool is_new)
{
    const tree_node *components = tree_find(mapping, "components");
    const char *own = tree->component->name;
    reader_check_keys(reader, mapping, &language_child, child->what);
    if (is_new && !check_forms(reader, child, mapping))
        return false;
    if (components == NULL || components->kind != TREE_MAPPING || tree_find(components, own) == NULL)
        return true;
    diagnostic_error(reader->diagnostics, CODE_CHILDREN, tree_find_key(components, own)->span,
                     "%s gives component '%s', in which it names its parent", child->what, own);
    diagnostic_hint(reader->diagnostics, "remove it; its other fields can have values in the blueprint of 'of'");
    return false;
}

// Appends the mapping to the layers of the child that it changes.
static const layer *append_layer(arena *arena, const child_draft *before, const tree_node *mapping)
{
    const layer *previous = before == NULL ? NULL : before->layers;
    layer *appended = arena_allocate(arena, sizeof *appended);
    *appended = (layer){mapping, previous, previous == NULL ? 1 : previous->number + 1};
    return appended;
}

// Reads a child that is of the blueprint, and changes the one before.
static void read_draft(blueprint_scope *scope, const holder *self, const blueprint *of, const child_draft *before,
                       child_draft *draft)
{
    const layer *own = draft->layers;
    bool is_other = before == NULL || before->child.of != of;
    if (before != NULL)
        draft->child = before->child;
    if (is_other)
        start_from(&draft->child, of);
    draft->child.path = self->path;
    draft->child.context = self->context;
    draft->child.number = UNNUMBERED;
    if (is_other && before != NULL && !before->is_broken)
        read_layers(scope, self, &draft->child, own->previous);
    read_layer(scope, self, &draft->child, own->node);
}

// Hints at a child named `nodes`, which looks like the form with a tree.
static bool expect_child(reader *reader, const tree_pair *pair, const char *what)
{
    if (reader_expect_mapping(reader, pair->value, what))
        return true;
    if (tree_is_text(pair->value) && language_find(&language_child, pair->key->text) != NULL)
        diagnostic_hint(reader->diagnostics, "'nodes' contains the children by name; no child can be named 'nodes'");
    return false;
}

// Returns the child that the pair describes or changes; NULL after reporting an error.
static const blueprint_child *read_child(blueprint_scope *scope, const holder *parent, const relation *tree,
                                         const tree_pair *pair, const child_draft *before)
{
    reader *reader = scope->reader;
    size_t errors = diagnostics_error_count(reader->diagnostics);
    const char *name = pair->key->text;
    holder self = {.what = arena_format(reader->arena, "child '%s' of %s", name, parent->what),
                   .path = arena_format(reader->arena, "%s.%s", parent->path, name),
                   .context = parent->context,
                   .tree = tree};
    const blueprint *of;
    if (!expect_child(reader, pair, self.what) || !check_keys(reader, &self, pair->value, tree, before == NULL) ||
        !read_of(scope, &self, pair->value, before, &of))
        return NULL;
    child_draft *draft = arena_allocate(reader->arena, sizeof *draft);
    draft->layers = append_layer(reader->arena, before, pair->value);
    read_draft(scope, &self, of, before, draft);
    draft->child.name = name;
    draft->child.span = pair->key->span;
    draft->child.tree = tree;
    add_tree_part(reader->arena, &draft->child, tree->component);
    draft->is_broken = diagnostics_error_count(reader->diagnostics) > errors;
    return &draft->child;
}

// ---- all children of a blueprint or child

static bool check_name(reader *reader, const tree_node *name)
{
    static const char *const taken[] = {"entity", "tree", "nodes"};
    static const char *const meanings[] = {"the member for the parent itself", "a key of 'children'",
                                           "a key of 'children'"};
    if (!reader_check_composed_name(reader, name, CASE_SNAKE, "a child"))
        return false;
    reader_warn_of_header(reader, name, "a child");
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(name->text, taken[i]) == 0) {
            diagnostic_error(reader->diagnostics, CODE_NAME_RESERVED, name->span,
                             "'%s' cannot be the name of a child: it is %s", name->text, meanings[i]);
            diagnostic_hint(reader->diagnostics, "add a word, such as 'my_%s'", name->text);
            return false;
        }
    return true;
}

// Counts the entities below, and their levels. False after reporting that they are too many.
static bool measure(reader *reader, const holder *holder, const tree_node *node, child_list *list)
{
    list->node_count = list->height = 0;
    for (size_t i = 0; i < list->count; i++) {
        const child_list *below = &list->children[i]->children;
        list->node_count += 1 + below->node_count;
        list->height = list->height > below->height ? list->height : below->height + 1;
    }
    if (list->height > SCHEMA_CHILD_DEPTH_LIMIT)
        diagnostic_error(reader->diagnostics, CODE_CHILDREN, node->span,
                         "the children of %s are %zu levels deep; at most %d are allowed", holder->what, list->height,
                         SCHEMA_CHILD_DEPTH_LIMIT);
    else if (list->node_count >= SCHEMA_CHILD_LIMIT)
        diagnostic_error(reader->diagnostics, CODE_CHILDREN, node->span,
                         "%s would spawn %zu entities; at most %d are allowed", holder->what, 1 + list->node_count,
                         SCHEMA_CHILD_LIMIT);
    else
        return true;
    return false;
}

// Reports a new child that almost has the name of one that is inherited, unless that one is changed here, too. False
// after reporting it: its values were meant for the other one.
static bool check_spelling(reader *reader, const holder *holder, const tree_node *nodes, const tree_node *name,
                           const child_list *before)
{
    for (size_t i = 0; i < before->count; i++) {
        const blueprint_child *inherited = before->children[i];
        if (!name_is_misspelled(name->text, inherited->name) || tree_find(nodes, inherited->name) != NULL)
            continue;
        diagnostic_error(reader->diagnostics, CODE_MISSPELLED_CHILD, name->span,
                         "new child '%s' of %s almost has the name of the inherited child '%s'", name->text,
                         holder->what, inherited->name);
        diagnostic_meant(reader->diagnostics, inherited->name);
        diagnostic_note(reader->diagnostics, inherited->span, "the inherited child is declared here");
        return false;
    }
    return true;
}

static child_list merge_nodes(blueprint_scope *scope, const holder *holder, const tree_node *nodes,
                              const child_list *before, const relation *tree)
{
    arena *arena = scope->reader->arena;
    const blueprint_child **children = arena_allocate(arena, (before->count + nodes->count) * sizeof *children);
    dictionary places = dictionary_create(arena);
    child_list list = {.children = children, .count = before->count, .tree = tree};
    for (size_t i = 0; i < before->count; i++) {
        children[i] = before->children[i];
        dictionary_add(&places, children[i]->name, &children[i]);
    }
    for (const tree_pair *pair = nodes->pairs; pair != NULL; pair = pair->next) {
        if (!check_name(scope->reader, pair->key))
            continue;
        const blueprint_child **place = (const blueprint_child **)dictionary_find(&places, pair->key->text);
        const blueprint_child *earlier = place == NULL ? NULL : *place;
        if (earlier == NULL && !check_spelling(scope->reader, holder, nodes, pair->key, before))
            continue;
        const blueprint_child *child = read_child(scope, holder, tree, pair, (const child_draft *)earlier);
        if (child != NULL)
            *(place == NULL ? &children[list.count++] : place) = child;
    }
    return list;
}

// Returns the children before, changed and followed by those of the mapping.
static child_list merge_children(blueprint_scope *scope, const holder *holder, const tree_node *node,
                                 const child_list *before)
{
    reader *reader = scope->reader;
    const char *what = arena_format(reader->arena, "'children' of %s", holder->what);
    if (!reader_expect_entries(reader, node, what))
        return *before;
    const tree_node *nodes = find_child_nodes(reader, node, what);
    const relation *tree = nodes == NULL ? NULL : read_tree(reader, holder, node, before);
    if (tree == NULL)
        return *before;
    child_list list = merge_nodes(scope, holder, nodes, before, tree);
    return list.count > 0 && measure(reader, holder, node, &list) ? list : *before;
}

void read_children(blueprint_scope *scope, blueprint_draft *draft)
{
    const tree_node *node = draft->node->kind == TREE_MAPPING ? tree_find(draft->node, "children") : NULL;
    blueprint *blueprint = &draft->blueprint;
    holder holder = {.what = draft->what, .path = blueprint->name, .context = blueprint->context};
    const blueprint_draft *base = (const blueprint_draft *)blueprint->base;
    if (base != NULL && base->children_state == DRAFT_DONE)
        blueprint->children = base->blueprint.children;
    scope->reader->slots_of = blueprint;
    if (node != NULL && blueprint->context != NULL)
        blueprint->children = merge_children(scope, &holder, node, &blueprint->children);
    scope->reader->slots_of = NULL;
    if (blueprint->children.count > 0)
        constant_may_hold(scope->reader, blueprint->children.node_count, blueprint->span);
    blueprint->order = scope->ordered++;
}

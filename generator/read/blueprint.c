// Reads `blueprints`, in an order in which each follows those that it uses.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---- order

// Orders blueprints so that the children of one are read after those of all blueprints that it uses: its base, and the
// `of` of its children. Reports a blueprint that would be below itself. Then numbers the children.
//
// The walk has a stack of its own, as the number of blueprints that use each other is not limited.

// ---- the blueprints that one uses

static void append_use(blueprint_scope *scope, blueprint_draft *draft, blueprint_use use)
{
    blueprint_use *appended = arena_allocate(scope->reader->arena, sizeof *appended);
    *appended = use;
    if (draft->uses == NULL)
        draft->uses = appended;
    else
        draft->last_use->next = appended;
    draft->last_use = appended;
}

// Recursive, as deep as the YAML is nested, which is limited.
static void append_uses_of_children(blueprint_scope *scope, blueprint_draft *draft, const tree_node *children)
{
    const tree_node *nodes = find_child_nodes(scope->reader, children, NULL);
    for (const tree_pair *pair = nodes == NULL ? NULL : nodes->pairs; pair != NULL; pair = pair->next) {
        if (pair->value->kind != TREE_MAPPING)
            continue;
        const tree_node *of = tree_find(pair->value, "of");
        const tree_node *below = tree_find(pair->value, "children");
        blueprint_draft *found = NULL;
        if (of != NULL && tree_is_text(of))
            found = (blueprint_draft *)dictionary_find(&scope->names, of->text);
        if (found != NULL)
            append_use(scope, draft, (blueprint_use){.of = found, .node = of, .child = pair->key->text});
        if (below != NULL)
            append_uses_of_children(scope, draft, below);
    }
}

static void list_uses(blueprint_scope *scope, blueprint_draft *draft)
{
    if (draft->node->kind != TREE_MAPPING)
        return;
    const tree_node *extends = tree_find(draft->node, "extends");
    const tree_node *children = tree_find(draft->node, "children");
    if (draft->blueprint.base != NULL)
        append_use(scope, draft, (blueprint_use){.of = (blueprint_draft *)draft->blueprint.base, .node = extends});
    if (children != NULL)
        append_uses_of_children(scope, draft, children);
}

// ---- walking

typedef struct frame {
    blueprint_draft *draft;
    const blueprint_use *use; // the current one; those before it are done
} frame;

static void note_use(reader *reader, const frame *frame)
{
    const blueprint_use *use = frame->use;
    if (use->child == NULL)
        diagnostic_note(reader->diagnostics, use->node->span, "%s extends '%s' here", frame->draft->what,
                        use->node->text);
    else
        diagnostic_note(reader->diagnostics, use->node->span, "the child '%s' of %s is of '%s'", use->child,
                        frame->draft->what, use->node->text);
}

// The last frame uses the blueprint of an earlier one: reports the way from there.
static void report_circle(reader *reader, const frame *frames, size_t count)
{
    const frame *last = &frames[count - 1];
    const frame *first = frames;
    while (first->draft != last->use->of)
        first++;
    diagnostic_error(reader->diagnostics, CODE_CHILDREN, last->use->node->span, "%s would be below itself",
                     first->draft->what);
    for (const frame *each = first; each <= last; each++)
        note_use(reader, each);
}

static void enter(blueprint_scope *scope, frame *frame, blueprint_draft *draft)
{
    list_uses(scope, draft);
    draft->children_state = DRAFT_ENTERED;
    frame->draft = draft;
    frame->use = draft->uses;
}

// A blueprint that extends itself was reported: it has no base.
static void walk(blueprint_scope *scope, frame *frames, blueprint_draft *draft)
{
    size_t count = 1;
    enter(scope, &frames[0], draft);
    while (count > 0) {
        frame *top = &frames[count - 1];
        if (top->use == NULL) {
            read_children(scope, top->draft);
            top->draft->children_state = DRAFT_DONE;
            count--;
            if (count > 0)
                frames[count - 1].use = frames[count - 1].use->next;
        } else if (top->use->of->children_state == DRAFT_UNSEEN) {
            assert(count < scope->count);
            enter(scope, &frames[count++], top->use->of);
        } else {
            if (top->use->of->children_state == DRAFT_ENTERED)
                report_circle(scope->reader, frames, count);
            top->use = top->use->next;
        }
    }
}

void read_all_children(blueprint_scope *scope)
{
    frame *frames = arena_allocate(scope->reader->arena, (scope->count + 1) * sizeof *frames);
    for (size_t i = 0; i < scope->count; i++)
        if (scope->drafts[i]->children_state == DRAFT_UNSEEN)
            walk(scope, frames, scope->drafts[i]);
}

// ---- numbers

typedef struct numbering {
    reader *reader;
    const blueprint_child **list;
    size_t count, capacity;
    size_t *next; // by order of the context: the number of its next child
} numbering;

static void number_child(numbering *numbering, blueprint_child *child)
{
    if (numbering->count == numbering->capacity) {
        size_t capacity = numbering->capacity == 0 ? 16 : 2 * numbering->capacity;
        const blueprint_child **list = arena_allocate(numbering->reader->arena, capacity * sizeof *list);
        if (numbering->count > 0)
            memcpy(list, numbering->list, numbering->count * sizeof *list);
        numbering->list = list;
        numbering->capacity = capacity;
    }
    child->number = numbering->next[child->context->order]++;
    numbering->list[numbering->count++] = child;
}

// Children that blueprints share are numbered once. Recursive, at most SCHEMA_CHILD_DEPTH_LIMIT deep.
static void number_children(numbering *numbering, const child_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        blueprint_child *child = (blueprint_child *)list->children[i];
        if (child->number != UNNUMBERED)
            continue;
        number_child(numbering, child);
        number_children(numbering, &child->children);
    }
}

void publish_children(reader *reader)
{
    package *package = reader->package;
    numbering numbering = {.reader = reader};
    numbering.next = arena_allocate(reader->arena, (reader->context_count + 1) * sizeof *numbering.next);
    for (size_t i = 0; i < package->blueprint_count; i++)
        number_children(&numbering, &package->blueprints[i]->children);
    package->children = numbering.list;
    package->child_count = numbering.count;
}

// ---- blueprints

// Reads `blueprints`: the components and initial values of an entity, and its children.

// ---- `extends`

static const tree_node *extends_of(const blueprint_draft *draft)
{
    const tree_node *node = draft->node->kind == TREE_MAPPING ? tree_find(draft->node, "extends") : NULL;
    return node != NULL && node->kind == TREE_SCALAR ? node : NULL;
}

// Reports the chain of blueprints from the draft back to itself, with a note at each `extends`.
static void report_cycle(blueprint_scope *scope, const blueprint_draft *draft)
{
    const tree_node *node = extends_of(draft);
    diagnostic_error(scope->reader->diagnostics, CODE_BLUEPRINT_CYCLE, node->span, "%s extends itself", draft->what);
    for (const blueprint_draft *each = dictionary_find(&scope->names, node->text); each != draft;
         each = dictionary_find(&scope->names, extends_of(each)->text))
        diagnostic_note(scope->reader->diagnostics, extends_of(each)->span, "%s extends '%s' here", each->what,
                        extends_of(each)->text);
}

static void read_draft(blueprint_scope *scope, blueprint_draft *draft, size_t depth);

static void report_too_deep(blueprint_scope *scope, const blueprint_draft *draft)
{
    diagnostic_error(scope->reader->diagnostics, CODE_BLUEPRINTS_TOO_DEEP, extends_of(draft)->span,
                     "blueprints extend each other too deep; at most %d levels are allowed", SCHEMA_EXTENDS_LIMIT);
}

// Returns NULL if the draft extends none, or after reporting an invalid `extends`.
static const blueprint_draft *read_base(blueprint_scope *scope, blueprint_draft *draft, size_t depth)
{
    reader *reader = scope->reader;
    const tree_node *node = tree_find(draft->node, "extends");
    if (node == NULL)
        return NULL;
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'extends' of %s", draft->what)))
        return NULL;
    blueprint_draft *base = find_blueprint(scope, node, "extends", draft->what);
    if (base == NULL)
        return NULL;
    if (base->state == DRAFT_ENTERED) {
        report_cycle(scope, draft);
        return NULL;
    }
    if (depth == SCHEMA_EXTENDS_LIMIT) {
        report_too_deep(scope, draft);
        return NULL;
    }
    read_draft(scope, base, depth + 1);
    draft->generation = base->generation + 1;
    if (draft->generation == SCHEMA_EXTENDS_LIMIT + 1)
        report_too_deep(scope, draft);
    return draft->generation > SCHEMA_EXTENDS_LIMIT ? NULL : base;
}

// A blueprint that extends another inherits its context, so `context` is optional.
static void read_context(blueprint_scope *scope, blueprint_draft *draft, const blueprint_draft *base)
{
    reader *reader = scope->reader;
    const tree_node *node = tree_find(draft->node, "context");
    context_owner owner = {draft->what, draft->blueprint.span, &language_blueprint};
    const context *of_base = base == NULL ? NULL : base->blueprint.context;
    draft->blueprint.context = of_base;
    if (node != NULL || tree_find(draft->node, "extends") == NULL)
        draft->blueprint.context = read_context_of(reader, draft->node, owner);
    const context *context = draft->blueprint.context;
    if (of_base == NULL || context == NULL || context == of_base)
        return;
    diagnostic_error(reader->diagnostics, CODE_BLUEPRINT_CONTEXT, node->span,
                     "%s is in context '%s', but extends '%s' of context '%s'", draft->what, context->name,
                     base->blueprint.name, of_base->name);
}

// ---- `components`

static void read_components_of(blueprint_scope *scope, blueprint_draft *draft)
{
    reader *reader = scope->reader;
    const tree_node *mapping = tree_find(draft->node, "components");
    const blueprint *base = draft->blueprint.base;
    if (mapping != NULL) {
        if (reader_expect_entries(reader, mapping, arena_format(reader->arena, "'components' of %s", draft->what)))
            read_blueprint_parts(scope, draft, mapping);
    } else if (base != NULL) {
        draft->blueprint.parts = base->parts;
        draft->blueprint.part_count = base->part_count;
    } else if (tree_find(draft->node, "extends") == NULL &&
               !reader_is_misspelled(draft->node, &language_blueprint, "components") &&
               !reader_is_misspelled(draft->node, &language_blueprint, "extends")) {
        diagnostic_error(reader->diagnostics, CODE_NO_COMPONENTS, draft->blueprint.span, "%s has no 'components'",
                         draft->what);
        diagnostic_hint(reader->diagnostics, "add 'components: { ... }'");
    }
}

// ---- all

// Recursive along `extends`, at most SCHEMA_EXTENDS_LIMIT deep.
static void read_draft(blueprint_scope *scope, blueprint_draft *draft, size_t depth)
{
    if (draft->state != DRAFT_UNSEEN)
        return;
    draft->state = DRAFT_ENTERED;
    draft->generation = 1;
    if (reader_expect_mapping(scope->reader, draft->node, draft->what)) {
        reader_read_keys(scope->reader, draft->node, &language_blueprint, draft->what, &draft->blueprint);
        const blueprint_draft *base = read_base(scope, draft, depth);
        draft->blueprint.base = base == NULL ? NULL : &base->blueprint;
        read_context(scope, draft, base);
        scope->reader->slots_of = &draft->blueprint;
        read_components_of(scope, draft);
        scope->reader->slots_of = NULL;
    }
    draft->state = DRAFT_DONE;
}

static void declare(blueprint_scope *scope, const tree_pair *pair)
{
    reader *reader = scope->reader;
    if (!reader_check_name(reader, pair->key, CASE_PASCAL, "a blueprint"))
        return;
    blueprint_draft *draft = arena_allocate(reader->arena, sizeof *draft);
    draft->blueprint = (blueprint){.name = pair->key->text, .span = pair->key->span};
    draft->node = pair->value;
    draft->what = arena_format(reader->arena, "blueprint '%s'", pair->key->text);
    const blueprint_draft *earlier = dictionary_add(&scope->names, pair->key->text, draft);
    if (earlier != NULL)
        reader_report_duplicate(reader, pair->key, "blueprint", earlier->blueprint.span);
    else
        scope->drafts[scope->count++] = draft;
}

static int compare(const void *a, const void *b)
{
    const blueprint *left = *(const blueprint *const *)a;
    const blueprint *right = *(const blueprint *const *)b;
    return strcmp(left->name, right->name);
}

void read_blueprints(reader *reader)
{
    entry_list entries = reader_entries(reader, "blueprints");
    blueprint_scope scope = {.reader = reader, .names = dictionary_create(reader->arena)};
    scope.drafts = arena_allocate(reader->arena, (entries.count + 1) * sizeof(blueprint_draft *));
    const blueprint **blueprints = arena_allocate(reader->arena, (entries.count + 1) * sizeof *blueprints);
    for (size_t i = 0; i < entries.count; i++)
        declare(&scope, entries.pairs[i]);
    for (size_t i = 0; i < scope.count; i++) {
        read_draft(&scope, scope.drafts[i], 1);
        blueprints[i] = &scope.drafts[i]->blueprint;
    }
    read_all_children(&scope);
    read_knobs(&scope);
    qsort(blueprints, scope.count, sizeof *blueprints, compare);
    reader->package->blueprints = blueprints;
    reader->package->blueprint_count = scope.count;
    read_slots(reader);
    add_origins(reader);
    publish_children(reader);
}

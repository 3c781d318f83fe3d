// Orders blueprints so that the children of one are read after those of all blueprints that it uses: its base, and the
// `of` of its children. Reports a blueprint that would be below itself. Then numbers the children.
//
// The walk has a stack of its own, as the number of blueprints that use each other is not limited.
#include "read/private/blueprint.h"
#include "read/private/constant.h"

#include <assert.h>
#include <string.h>

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
        const tree_node *of = tree_find(pair->value, "of"), *below = tree_find(pair->value, "children");
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
    const tree_node *extends = tree_find(draft->node, "extends"), *children = tree_find(draft->node, "children");
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
    const frame *last = &frames[count - 1], *first = frames;
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

// Reads `on_destroy`, `reverse` and `tree` of fields: relations between the entities of a context.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <string.h>

// A field with a key of relations, while it is read.
typedef struct relation_draft {
    reader *reader;
    const component *component;
    field *field;
    const tree_node *on_destroy, *reverse, *tree; // the keys' values; NULL if missing
    const char *what;                             // "field 'parent' of component 'ChildOf'"
} relation_draft;

static relation_draft draft_of_field(reader *reader, const field_draft_list *list, size_t index, const char *what)
{
    const tree_node *node = list->drafts[index].node;
    relation_draft draft = {.reader = reader, .field = &list->fields[index]};
    if (node == NULL)
        return draft;
    draft.on_destroy = tree_find(node, "on_destroy");
    draft.reverse = tree_find(node, "reverse");
    draft.tree = tree_find(node, "tree");
    draft.what = arena_format(reader->arena, "field '%s' of %s", draft.field->name, what);
    return draft;
}

// Returns the first key of relations that the field has; NULL if it has none.
static const tree_node *find_first_key(const field_draft_list *list, size_t index)
{
    static const char *const names[] = {"on_destroy", "reverse", "tree"};
    const tree_node *node = list->drafts[index].node;
    for (const tree_pair *pair = node == NULL ? NULL : node->pairs; pair != NULL; pair = pair->next)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (strcmp(pair->key->text, names[i]) == 0)
                return pair->key;
    return NULL;
}

void refuse_relations(reader *reader, const field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const tree_node *key = find_first_key(list, i);
        if (key == NULL)
            continue;
        diagnostic_error(reader->diagnostics, CODE_RELATION_TYPE, key->span,
                         "field '%s' of %s cannot have '%s'; only fields of components can", list->fields[i].name, what,
                         key->text);
        diagnostic_hint(reader->diagnostics, "remove '%s', or move the field to a component", key->text);
    }
}

// ---- the type

// Returns the type that a relation of the component has: "entity<game>".
static const char *expected_type(const relation_draft *draft)
{
    return draft->component->context_count == 0
               ? "entity<game>"
               : arena_format(draft->reader->arena, "entity<%s>", draft->component->contexts[0]->name);
}

static bool check_relation_type(const relation_draft *draft, const tree_node *key)
{
    const field_type *type = &draft->field->type;
    diagnostics *diagnostics = draft->reader->diagnostics;
    if (type->kind == TYPE_CONTEXT_ENTITY && type->array_count == 0 && !type->is_list)
        return true;
    diagnostic_error(diagnostics, CODE_RELATION_TYPE, key->span, "%s cannot have '%s': its type is %s", draft->what,
                     key->text, schema_type_name(draft->reader->arena, type));
    if (type->kind == TYPE_CONTEXT_ENTITY)
        diagnostic_hint(diagnostics, "a relation names one entity; for several, give each its own field or make an "
                                     "entity for each pair");
    else
        diagnostic_hint(diagnostics, "write 'type: %s', or remove '%s'", expected_type(draft), key->text);
    return false;
}

// Without contexts the component has an error that was reported.
static bool check_relation_context(const relation_draft *draft)
{
    const component *component = draft->component;
    const char *target = draft->field->type.context->name;
    diagnostics *diagnostics = draft->reader->diagnostics;
    if (component->context_count == 0)
        return false;
    if (component->context_count == 1 && component->contexts[0] == draft->field->type.context)
        return true;
    if (component->context_count > 1)
        diagnostic_error(diagnostics, CODE_RELATION_CONTEXT, draft->field->type.span,
                         "%s cannot be a relation: the component is in %zu contexts", draft->what,
                         component->context_count);
    else
        diagnostic_error(diagnostics, CODE_RELATION_CONTEXT, draft->field->type.span,
                         "%s cannot be a relation: it names entities of context '%s', and the component is in '%s'",
                         draft->what, target, component->contexts[0]->name);
    diagnostic_hint(diagnostics, "contexts share nothing; remove 'on_destroy', 'reverse' and 'tree' to keep a handle");
    return false;
}

// ---- the keys

static bool is_keep(const tree_node *node)
{
    return node->kind == TREE_SCALAR && strcmp(node->text, "keep") == 0;
}

// Reports `keep` together with a key that only a relation can have.
static bool check_keep(const relation_draft *draft)
{
    const tree_node *node = draft->on_destroy;
    const char *key = draft->reverse != NULL ? "reverse" : "tree";
    if (node == NULL || !is_keep(node) || (draft->reverse == NULL && !draft->field->is_tree))
        return true;
    diagnostic_error(draft->reader->diagnostics, CODE_RELATION_KEYS, node->span,
                     "%s cannot have both 'on_destroy: keep' and '%s'", draft->what, key);
    diagnostic_hint(draft->reader->diagnostics, "a field with '%s' never names a dead entity; remove 'on_destroy'",
                    key);
    return false;
}

static bool check_tree(const relation_draft *draft, const tree_node *mapping)
{
    if (!draft->field->is_tree || draft->reverse != NULL)
        return true;
    if (reader_is_misspelled(mapping, &language_field, "reverse"))
        return false;
    diagnostic_error(draft->reader->diagnostics, CODE_RELATION_KEYS, draft->tree->span,
                     "%s has 'tree' but no 'reverse'", draft->what);
    diagnostic_hint(draft->reader->diagnostics, "add 'reverse: children', a name for the entities below one");
    return false;
}

// Reads the name, and reports it if another relation of the context has it.
static void read_reverse(const relation_draft *draft)
{
    reader *reader = draft->reader;
    const tree_node *node = draft->reverse;
    field *field = draft->field;
    if (node == NULL || !reader_check_name(reader, node, CASE_SNAKE, "a reverse"))
        return;
    const char *key = arena_format(reader->arena, "%s %s", field->type.context->name, node->text);
    const struct field *earlier = dictionary_add(&reader->reverse_names, key, field);
    if (earlier != NULL) {
        diagnostic_error(reader->diagnostics, CODE_DUPLICATE_REVERSE, node->span,
                         "context '%s' has two relations with 'reverse: %s'", field->type.context->name, node->text);
        diagnostic_note(reader->diagnostics, earlier->reverse_span, "'%s' is declared here", node->text);
        diagnostic_hint(reader->diagnostics, "give each relation of a context a name of its own");
        return;
    }
    field->reverse = node->text;
    field->reverse_span = node->span;
}

// Returns what a field without `on_destroy` does. A reverse that was reported counts too.
static on_destroy_kind implied_on_destroy(const relation_draft *draft)
{
    if (draft->field->is_tree)
        return ON_DESTROY_DESTROY;
    return draft->reverse != NULL ? ON_DESTROY_REMOVE : ON_DESTROY_KEEP;
}

// Returns whether the field is no relation, whatever it names.
static bool is_handle(const relation_draft *draft)
{
    bool is_kept = draft->on_destroy == NULL || is_keep(draft->on_destroy);
    return is_kept && draft->reverse == NULL && !draft->field->is_tree;
}

static void read_relation(const relation_draft *draft, const tree_node *mapping)
{
    draft->field->is_tree = reader_find_bool(draft->reader, mapping, "tree");
    bool is_valid = is_handle(draft) || check_relation_context(draft);
    is_valid = check_keep(draft) && check_tree(draft, mapping) && is_valid;
    if (!is_valid) {
        draft->field->is_tree = false;
        return;
    }
    if (draft->on_destroy == NULL)
        draft->field->on_destroy = implied_on_destroy(draft);
    reader_read_key(draft->reader, mapping, language_find(&language_field, "on_destroy"), draft->what, draft->field);
    read_reverse(draft);
    if (draft->field->reverse == NULL)
        draft->field->is_tree = false; // its reverse was reported
}

// ---- the relations of a component

static void check_trees(reader *reader, const field_draft_list *list, const char *what)
{
    const field *first = NULL;
    for (size_t i = 0; i < list->count; i++) {
        field *field = &list->fields[i];
        if (field->is_tree && first != NULL) {
            diagnostic_error(reader->diagnostics, CODE_TWO_TREES, tree_find_key(list->drafts[i].node, "tree")->span,
                             "%s has two fields with 'tree': '%s' and '%s'", what, first->name, field->name);
            diagnostic_note(reader->diagnostics, first->span, "'%s' is declared here", first->name);
            diagnostic_hint(reader->diagnostics, "put '%s' into a component of its own", field->name);
        }
        if (field->is_tree && first == NULL)
            first = field;
    }
}

void read_relations(reader *reader, component *component, field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const tree_node *key = find_first_key(list, i);
        relation_draft draft = draft_of_field(reader, list, i, what);
        draft.component = component;
        if (key == NULL || list->drafts[i].is_broken || !check_relation_type(&draft, key))
            continue;
        read_relation(&draft, list->drafts[i].node);
        component->has_relations = component->has_relations || schema_is_relation(draft.field);
    }
    check_trees(reader, list, what);
}

static size_t append_relations(const package *package, relation *list)
{
    size_t count = 0;
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        for (size_t k = 0; component->has_relations && k < component->fields.count; k++) {
            const field *field = &component->fields.fields[k];
            if (!schema_is_relation(field))
                continue;
            if (list != NULL)
                list[count] = (relation){component->contexts[0], component, field};
            count++;
        }
    }
    return count;
}

void publish_relations(reader *reader)
{
    package *package = reader->package;
    package->relation_count = append_relations(package, NULL);
    relation *list = arena_allocate(reader->arena, (package->relation_count + 1) * sizeof *list);
    size_t count = append_relations(package, list);
    assert(count == package->relation_count);
    (void)count;
    package->relations = list;
}

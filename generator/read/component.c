// Reads `components`.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void declare(reader *reader, const tree_pair *pair)
{
    if (!reader_check_name(reader, pair->key, CASE_PASCAL, "a component"))
        return;
    component_draft *draft = arena_allocate(reader->arena, sizeof *draft);
    const component_draft *earlier = dictionary_add(&reader->component_names, pair->key->text, draft);
    if (earlier != NULL) {
        reader_report_duplicate(reader, pair->key, "component", earlier->component.span);
        return;
    }
    draft->component.name = pair->key->text;
    draft->component.span = pair->key->span;
    draft->component.flag_prefix = "is";
    draft->component.saved = read_no_was(pair->key->text);
    draft->node = pair->value;
    reader->components[reader->component_count++] = draft;
}

void declare_components(reader *reader)
{
    entry_list entries = reader_entries(reader, "components");
    entry_list added = content_components(reader);
    size_t count = entries.count + added.count;
    reader->components = arena_allocate(reader->arena, (count + 1) * sizeof *reader->components);
    for (size_t i = 0; i < added.count; i++)
        declare(reader, added.pairs[i]);
    for (size_t i = 0; i < entries.count; i++)
        declare(reader, entries.pairs[i]);
}

static void report_context(reader *reader, const tree_node *node, const char *what)
{
    if (reader_is_elsewhere(reader, "contexts"))
        return;
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_CONTEXT, node->span, "unknown context '%s' in %s", node->text,
                     what);
    reader_hint(reader, reader_search_contexts(reader, node->text));
}

static void append_context(reader *reader, const tree_node *node, const char *what, component_draft *draft)
{
    component *component = &draft->component;
    const char *name = arena_format(reader->arena, "a context of %s", what);
    if (!reader_expect_text(reader, node, name))
        return;
    const context *context = dictionary_find(&reader->context_names, node->text);
    if (context == NULL)
        report_context(reader, node, what);
    else if (reader->context_marks[context->order] == component)
        diagnostic_error(reader->diagnostics, CODE_DUPLICATE_CONTEXT, node->span, "context '%s' is listed twice",
                         node->text);
    else
        draft->contexts[component->context_count++] = context;
    if (context != NULL)
        reader->context_marks[context->order] = component;
}

static int compare_contexts(const void *a, const void *b)
{
    size_t left = (*(const context *const *)a)->order;
    size_t right = (*(const context *const *)b)->order;
    return (left > right) - (left < right);
}

static void read_contexts_of(reader *reader, component_draft *draft, const char *what)
{
    const tree_node *node = tree_find(draft->node, "contexts");
    component *component = &draft->component;
    if (node != NULL) {
        if (!reader_expect_items(reader, node, arena_format(reader->arena, "'contexts' of %s", what)))
            return;
        component->contexts = draft->contexts = arena_allocate(reader->arena, node->count * sizeof *draft->contexts);
        for (const tree_node *item = node->items; item != NULL; item = item->next)
            append_context(reader, item, what, draft);
        qsort(draft->contexts, component->context_count, sizeof *draft->contexts, compare_contexts);
    } else if (reader->default_context != NULL) {
        const context **contexts = arena_allocate(reader->arena, sizeof *contexts);
        contexts[0] = reader->default_context;
        component->contexts = contexts;
        component->context_count = 1;
    } else if (reader->context_count > 0 && !reader_is_elsewhere(reader, "contexts") &&
               !reader_is_misspelled(draft->node, &language_component, "contexts")) {
        diagnostic_error(reader->diagnostics, CODE_NO_DEFAULT_CONTEXT, component->span,
                         "%s has no 'contexts', and no context is the default", what);
        diagnostic_hint(reader->diagnostics, "add 'contexts: [%s]', or add 'default: true' to a context",
                        reader->contexts[0]->name);
    }
}

static bool check_flag_prefix(reader *reader, const tree_node *node, const char *what)
{
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'flag_prefix' of %s", what)))
        return false;
    if (node->size > SCHEMA_NAME_LIMIT) {
        diagnostic_error(reader->diagnostics, CODE_NAME_TOO_LONG, node->span,
                         "'flag_prefix' of %s is too long; at most %d letters are allowed", what, SCHEMA_NAME_LIMIT);
        return false;
    }
    if (name_is_snake_case(node->text))
        return true;
    diagnostic_error(reader->diagnostics, CODE_NAME_CASE, node->span,
                     "'flag_prefix' of %s must be in snake_case, such as 'can'", what);
    const char *suggested = name_suggest_snake_case(reader->arena, node->text);
    if (suggested != NULL)
        diagnostic_replace(reader->diagnostics, suggested);
    return false;
}

static void read_flag_prefix(reader *reader, component_draft *draft, const char *what)
{
    const tree_node *node = tree_find(draft->node, "flag_prefix");
    if (node == NULL)
        return;
    if (tree_find(draft->node, "fields") != NULL)
        diagnostic_error(reader->diagnostics, CODE_FLAG_PREFIX, tree_find_key(draft->node, "flag_prefix")->span,
                         "'flag_prefix' is only allowed on flags, and %s has fields", what);
    else if (check_flag_prefix(reader, node, what))
        draft->component.flag_prefix = node->text;
}

// Returns whether the component has fields; if not, reports an error at the key.
static bool check_has_fields(reader *reader, const component_draft *draft, const char *key, const char *what)
{
    if (tree_find(draft->node, "fields") != NULL || reader_is_misspelled(draft->node, &language_component, "fields"))
        return true;
    diagnostic_error(reader->diagnostics, CODE_NOTHING_TO_STORE, tree_find_key(draft->node, key)->span,
                     "'%s' requires 'fields', and %s is a flag", key, what);
    diagnostic_hint(reader->diagnostics, "remove it, or add 'fields' to the component");
    return false;
}

static bool asks_for_shared(const component_draft *draft)
{
    const tree_node *node = tree_find(draft->node, "storage");
    return node != NULL && node->kind == TREE_SCALAR && strcmp(node->text, "shared") == 0;
}

static void report_not_shared(reader *reader, const component_draft *draft, const char *what, const char *fault)
{
    diagnostic_error(reader->diagnostics, CODE_NOT_SHARED, tree_find(draft->node, "storage")->span,
                     "%s cannot have 'storage: shared': %s", what, fault);
}

static bool check_shared_has_fields(reader *reader, const component_draft *draft, const char *what)
{
    if (tree_find(draft->node, "fields") != NULL || reader_is_misspelled(draft->node, &language_component, "fields"))
        return true;
    report_not_shared(reader, draft, what, "it is a flag, which has no value");
    diagnostic_hint(reader->diagnostics, "remove 'storage', or add 'fields' to the component");
    return false;
}

static void read_storage(reader *reader, component_draft *draft, const char *what)
{
    const tree_node *node = tree_find(draft->node, "storage");
    if (node == NULL)
        return;
    bool has_fields = asks_for_shared(draft) ? check_shared_has_fields(reader, draft, what)
                                             : check_has_fields(reader, draft, "storage", what);
    if (!has_fields)
        return;
    int word = reader_read_word(reader, node, language_find(&language_component, "storage"), what);
    draft->component.is_boxed = word == 0;
    draft->component.is_shared = word == 1;
}

// Reads the keys that only components with fields can have.
static void read_traits_of_values(reader *reader, component_draft *draft, const char *what)
{
    for (const language_key *key = language_component.keys; key->name != NULL; key++) {
        assert(key->member.offset < sizeof draft->component);
        bool *is_set = (bool *)((char *)&draft->component + key->member.offset);
        if (!key->member.is_read_by_code || tree_find(draft->node, key->name) == NULL)
            continue;
        bool is_word = key->value->words != NULL;
        if (is_word && !check_has_fields(reader, draft, key->name, what))
            continue;
        reader_read_key(reader, draft->node, key, what, &draft->component);
        if (!is_word && *is_set)
            *is_set = check_has_fields(reader, draft, key->name, what);
    }
}

static void check_migration(reader *reader, const component_draft *draft, const char *what)
{
    const tree_node *key = tree_find_key(draft->node, "migrate");
    if (!draft->component.migrates)
        return;
    reader->package->has_saves = true;
    if (!draft->component.is_unsaved)
        return;
    diagnostic_error(reader->diagnostics, CODE_NEVER_MIGRATES, key->span,
                     "%s has both 'migrate' and 'save: false', but only what is saved migrates", what);
    diagnostic_hint(reader->diagnostics, "remove one of them");
}

// Returns the first reason why the component cannot use `layout: soa`; NULL if it can.
static const char *find_soa_fault(reader *reader, const component *component, const field_draft_list *list)
{
    if (component->is_unique)
        return "it is unique, so it has at most one value";
    if (component->is_boxed)
        return "'storage: boxed' stores its values outside of columns";
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        if (field->type.kind == TYPE_STRING)
            return arena_format(reader->arena, "field '%s' is a string that the context owns", field->name);
        if (field->type.definition != NULL && field->type.definition->has_drops)
            return arena_format(reader->arena, "field '%s' has a 'drop', so the context owns it", field->name);
    }
    return NULL;
}

static void check_soa(reader *reader, const component_draft *draft, const field_draft_list *list, const char *what)
{
    if (!draft->component.is_soa || draft->component.is_shared)
        return; // what is shared is reported as such
    const char *fault = find_soa_fault(reader, &draft->component, list);
    if (fault == NULL)
        return;
    diagnostic_error(reader->diagnostics, CODE_NOT_SOA, tree_find_key(draft->node, "layout")->span,
                     "%s cannot have 'layout: soa': %s", what, fault);
    diagnostic_hint(reader->diagnostics, "remove 'layout'");
}

// Returns the key that cannot stand beside `storage: shared`, and why; NULL if there is none.
static const char *find_unshared_key(const component *component, const char **fault)
{
    if (component->is_unique) {
        *fault = "it is unique, so no other entity could have an equal value";
        return "unique";
    }
    if (component->is_soa) {
        *fault = "'layout: soa' stores each field of a value apart";
        return "layout";
    }
    *fault = "a stashed value belongs to one entity";
    return component->is_stashable ? "stash" : NULL;
}

static void check_shared_field(reader *reader, const component_draft *draft, const field *field, const char *what)
{
    const definition *definition = field->type.definition;
    if (definition != NULL && definition->has_drops) {
        report_not_shared(reader, draft, what,
                          arena_format(reader->arena,
                                       "values of '%s' in '%s' have a 'drop', so each belongs to one component",
                                       definition->name, field->name));
        diagnostic_hint(reader->diagnostics, "remove 'storage', or move '%s' to a component of its own", field->name);
    } else if (field->on_destroy == ON_DESTROY_CLEAR) {
        report_not_shared(reader, draft, what,
                          arena_format(reader->arena,
                                       "'on_destroy: clear' of field '%s' would need memory for another value",
                                       field->name));
        diagnostic_hint(reader->diagnostics, "write 'on_destroy: remove', or move '%s' to a component of its own",
                        field->name);
    }
}

static void check_shared(reader *reader, const component_draft *draft, const field_draft_list *list, const char *what)
{
    const char *fault;
    const char *key;
    if (!draft->component.is_shared)
        return;
    key = find_unshared_key(&draft->component, &fault);
    if (key != NULL) {
        report_not_shared(reader, draft, what, fault);
        diagnostic_hint(reader->diagnostics, "remove '%s', or 'storage'", key);
    }
    for (size_t i = 0; i < list->count; i++)
        if (!list->drafts[i].is_broken)
            check_shared_field(reader, draft, &list->fields[i], what);
}

// Expects a mapping. Hints at the correct form for `Speed: float`.
static bool expect_component(reader *reader, const tree_node *node, const char *what)
{
    if (reader_expect_mapping(reader, node, what))
        return true;
    if (tree_is_text(node) && scalar_type_find(node->text) != NULL)
        diagnostic_hint(reader->diagnostics, "write { fields: { value: %s } }", node->text);
    return false;
}

static void read_traits(reader *reader, component_draft *draft, const char *what)
{
    const tree_node *events = tree_find(draft->node, "events");
    if (events != NULL)
        read_events(reader, events, what, &draft->component);
    read_flag_prefix(reader, draft, what);
    read_storage(reader, draft, what);
    read_traits_of_values(reader, draft, what);
    check_migration(reader, draft, what);
    read_replicate(reader, draft->node, what, &draft->component);
}

static void read_fields_of(reader *reader, component_draft *draft, const tree_node *fields, const char *what)
{
    component *component = &draft->component;
    field_draft_list list = read_fields(reader, fields, what);
    check_lists(reader, component, &list, what);
    read_defaults(reader, &list);
    component->has_drops = fields_have_drops(&list);
    for (size_t i = 0; i < list.count; i++) {
        component->has_strings = component->has_strings || list.fields[i].type.kind == TYPE_STRING;
        component->has_lists = component->has_lists || list.fields[i].type.is_list;
    }
    check_soa(reader, draft, &list, what);
    read_field_indices(reader, &list, what);
    if (component->index != INDEX_NONE)
        read_component_index(reader, &list, tree_find(draft->node, "index"), what);
    read_relations(reader, component, &list, what);
    read_field_replication(reader, &list, FIELDS_OF_COMPONENT, what);
    check_shared(reader, draft, &list, what);
    component->fields = (field_list){.fields = list.fields, .count = list.count};
    component->layout = read_layout(&list);
    if (component->layout.size > SCHEMA_VALUE_SIZE_LIMIT)
        diagnostic_error(reader->diagnostics, CODE_TOO_LARGE, component->span,
                         "a value of %s is too large; at most %d bytes are allowed", what, SCHEMA_VALUE_SIZE_LIMIT);
}

static void read_component(reader *reader, component_draft *draft)
{
    const char *what = arena_format(reader->arena, "component '%s'", draft->component.name);
    if (!expect_component(reader, draft->node, what))
        return;
    reader_read_keys(reader, draft->node, &language_component, what, &draft->component);
    read_contexts_of(reader, draft, what);
    read_traits(reader, draft, what);
    const tree_node *fields = tree_find(draft->node, "fields");
    if (fields != NULL)
        read_fields_of(reader, draft, fields, what);
}

void read_components(reader *reader)
{
    for (size_t i = 0; i < reader->component_count; i++)
        read_component(reader, reader->components[i]);
}

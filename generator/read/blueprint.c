// Reads `blueprints`: the components and initial values of an entity.
//
// A part starts as a copy of the same part in the extended blueprint, or with the defaults of its component. Fields
// that the schema gives then replace those values, member by member in nested structs.
#include "language/language.h"
#include "read/private/constant.h"

#include <stdlib.h>
#include <string.h>

// ---- one part: the values of one component

// Reports a component whose name cannot be a C struct member: spawning with values takes a struct with a member for
// each component, and `given`.
static void check_member(reader *reader, const tree_node *key, const component *component, const char *what)
{
    const char *member = name_to_snake_case(reader->arena, component->name);
    const char *reserved = strcmp(member, "given") == 0 ? "a built-in member" : name_reserved_as(member);
    if (reserved != NULL && component->fields.count > 0)
        diagnostic_error(reader->diagnostics, CODE_BLUEPRINT_MEMBER, key->span,
                         "component '%s' cannot be in %s: its member '%s' would be %s", component->name, what, member,
                         reserved);
}

static void report_field(reader *reader, const tree_node *key, const component *component, const char *what)
{
    diagnostic_error(reader->diagnostics, CODE_UNKNOWN_FIELD, key->span, "component '%s' in %s has no field '%s'",
                     component->name, what, key->text);
    name_search search = name_search_begin(key->text);
    for (size_t i = 0; reader_is_hinting(reader) && i < component->fields.count; i++)
        name_search_offer(&search, component->fields.fields[i].name);
    reader_hint(reader, search);
}

static bool has_field(const component *component, const char *name)
{
    for (size_t i = 0; i < component->fields.count; i++)
        if (strcmp(component->fields.fields[i].name, name) == 0)
            return true;
    return false;
}

// Returns one value per field: from the mapping, else from `base`, else the field's default.
static const constant *const *read_values(reader *reader, const tree_node *mapping, const blueprint_part *base)
{
    const field_list *fields = &base->component->fields;
    constant_list list = constant_list_begin(reader, CONSTANT_STRUCT, fields->count, mapping->span);
    for (size_t i = 0; i < fields->count; i++) {
        const field *field = &fields->fields[i];
        const tree_node *given = tree_find(mapping, field->name);
        const constant *former = base->values == NULL ? field->default_value : base->values[i];
        if (given != NULL)
            former = check_in_range(reader, field, given, read_override(reader, &field->type, given, former));
        constant_list_append(&list, former);
    }
    return list.is_broken ? NULL : list.items;
}

// Expects the value of a part: a mapping of fields, or `true` for a flag. Hints at the correct form for `Health: 3`.
static bool expect_values(reader *reader, const tree_node *node, const component *component, const char *what)
{
    if (reader_expect_mapping(reader, node, what))
        return true;
    if (tree_is_text(node) && component->fields.count == 1)
        diagnostic_hint(reader->diagnostics, "write { %s: %s }", component->fields.fields[0].name, node->text);
    else if (tree_is_text(node) && component->fields.count == 0)
        diagnostic_hint(reader->diagnostics, "write {}; a flag has no fields");
    return false;
}

static void read_blueprint_part(reader *reader, const tree_pair *pair, const char *what, blueprint_part *part)
{
    const component *component = part->component;
    const tree_node *mapping = pair->value;
    const char *name = arena_format(reader->arena, "component '%s' in %s", component->name, what);
    check_member(reader, pair->key, component, what);
    if (!expect_values(reader, mapping, component, name))
        return;
    for (const tree_pair *field = mapping->pairs; field != NULL; field = field->next)
        if (!has_field(component, field->key->text))
            report_field(reader, field->key, component, what);
    if (mapping->count > 0 && component->fields.count > 0)
        part->values = read_values(reader, mapping, part);
}

// ---- blueprints

typedef struct blueprint_draft {
    blueprint blueprint;
    const tree_node *node;
    const char *what;
    draft_state state;
    size_t generation; // 1 if it extends none, else 1 more than its base
} blueprint_draft;

typedef struct scope {
    reader *reader;
    dictionary names; // blueprint name to blueprint_draft
    blueprint_draft **drafts;
    size_t count;
} scope;

// ---- `extends`

static void report_unknown(scope *scope, const tree_node *node, const char *what)
{
    if (reader_is_elsewhere(scope->reader, "blueprints"))
        return;
    diagnostic_error(scope->reader->diagnostics, CODE_UNKNOWN_BLUEPRINT, node->span,
                     "unknown blueprint '%s' in 'extends' of %s", node->text, what);
    name_search search = name_search_begin(node->text);
    for (size_t i = 0; reader_is_hinting(scope->reader) && i < scope->count; i++)
        name_search_offer(&search, scope->drafts[i]->blueprint.name);
    reader_hint(scope->reader, search);
}

static const tree_node *extends_of(const blueprint_draft *draft)
{
    const tree_node *node = draft->node->kind == TREE_MAPPING ? tree_find(draft->node, "extends") : NULL;
    return node != NULL && node->kind == TREE_SCALAR ? node : NULL;
}

// Reports the chain of blueprints from the draft back to itself, with a note at each `extends`.
static void report_cycle(scope *scope, const blueprint_draft *draft)
{
    const tree_node *node = extends_of(draft);
    diagnostic_error(scope->reader->diagnostics, CODE_BLUEPRINT_CYCLE, node->span, "%s extends itself", draft->what);
    for (const blueprint_draft *each = dictionary_find(&scope->names, node->text); each != draft;
         each = dictionary_find(&scope->names, extends_of(each)->text))
        diagnostic_note(scope->reader->diagnostics, extends_of(each)->span, "%s extends '%s' here", each->what,
                        extends_of(each)->text);
}

static void read_draft(scope *scope, blueprint_draft *draft, size_t depth);

static void report_too_deep(scope *scope, const blueprint_draft *draft)
{
    diagnostic_error(scope->reader->diagnostics, CODE_BLUEPRINTS_TOO_DEEP, extends_of(draft)->span,
                     "blueprints extend each other too deep; at most %d levels are allowed", SCHEMA_EXTENDS_LIMIT);
}

// Returns NULL if the draft extends none, or after reporting an invalid `extends`.
static const blueprint_draft *read_base(scope *scope, blueprint_draft *draft, size_t depth)
{
    reader *reader = scope->reader;
    const tree_node *node = tree_find(draft->node, "extends");
    if (node == NULL)
        return NULL;
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'extends' of %s", draft->what)))
        return NULL;
    blueprint_draft *base = (blueprint_draft *)dictionary_find(&scope->names, node->text);
    if (base == NULL) {
        report_unknown(scope, node, draft->what);
        return NULL;
    }
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
static void read_context(scope *scope, blueprint_draft *draft, const blueprint_draft *base)
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

// Returns a component of the draft's context, or NULL after reporting an error.
static const component *find_component(scope *scope, const blueprint_draft *draft, const tree_node *key)
{
    reader *reader = scope->reader;
    const context *context = draft->blueprint.context;
    const component_draft *found = dictionary_find(&reader->component_names, key->text);
    if (found == NULL && reader_is_elsewhere(reader, "components"))
        return NULL;
    if (found == NULL) {
        diagnostic_error(reader->diagnostics, CODE_UNKNOWN_COMPONENT, key->span, "unknown component '%s' in %s",
                         key->text, draft->what);
        reader_hint(reader, reader_search_components(reader, key->text, context));
        return NULL;
    }
    // A component without contexts had invalid ones, already reported.
    if (context == NULL || found->component.context_count == 0 || component_is_in(&found->component, context))
        return &found->component;
    diagnostic_error(reader->diagnostics, CODE_OTHER_CONTEXT, key->span, "component '%s' is not in context '%s' of %s",
                     key->text, context->name, draft->what);
    diagnostic_note(reader->diagnostics, found->component.span, "'%s' is declared here for context '%s'", key->text,
                    found->component.contexts[0]->name);
    return NULL;
}

static int compare_parts(const void *a, const void *b)
{
    const blueprint_part *left = a, *right = b;
    return strcmp(left->component->name, right->component->name);
}

static blueprint_part part_of(const blueprint *base, const component *component)
{
    const blueprint_part wanted = {.component = component}, *found = NULL;
    if (base != NULL && base->part_count > 0)
        found = bsearch(&wanted, base->parts, base->part_count, sizeof wanted, compare_parts);
    return found == NULL ? wanted : *found;
}

static bool is_given(const tree_node *mapping, const component *component)
{
    return tree_find(mapping, component->name) != NULL;
}

// Collects the parts that the mapping gives, then the base's other parts unchanged.
static void read_parts(scope *scope, blueprint_draft *draft, const tree_node *mapping)
{
    const blueprint *base = draft->blueprint.base;
    size_t capacity = mapping->count + (base == NULL ? 0 : base->part_count), count = 0;
    if (!constant_may_hold(scope->reader, capacity, mapping->span))
        return;
    blueprint_part *parts = arena_allocate(scope->reader->arena, capacity * sizeof *parts);
    for (const tree_pair *pair = mapping->pairs; pair != NULL; pair = pair->next) {
        const component *component = find_component(scope, draft, pair->key);
        if (component == NULL)
            continue;
        parts[count] = part_of(base, component);
        read_blueprint_part(scope->reader, pair, draft->what, &parts[count++]);
    }
    for (size_t i = 0; base != NULL && i < base->part_count; i++)
        if (!is_given(mapping, base->parts[i].component))
            parts[count++] = base->parts[i];
    qsort(parts, count, sizeof *parts, compare_parts);
    draft->blueprint.parts = parts;
    draft->blueprint.part_count = count;
}

static void read_components_of(scope *scope, blueprint_draft *draft)
{
    reader *reader = scope->reader;
    const tree_node *mapping = tree_find(draft->node, "components");
    const blueprint *base = draft->blueprint.base;
    if (mapping != NULL) {
        if (reader_expect_entries(reader, mapping, arena_format(reader->arena, "'components' of %s", draft->what)))
            read_parts(scope, draft, mapping);
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
static void read_draft(scope *scope, blueprint_draft *draft, size_t depth)
{
    if (draft->state != DRAFT_UNSEEN)
        return;
    draft->state = DRAFT_ENTERED;
    draft->generation = 1;
    if (reader_expect_mapping(scope->reader, draft->node, draft->what)) {
        reader_check_keys(scope->reader, draft->node, &language_blueprint, draft->what);
        draft->blueprint.doc = reader_find_text(scope->reader, draft->node, "doc", draft->what);
        const blueprint_draft *base = read_base(scope, draft, depth);
        draft->blueprint.base = base == NULL ? NULL : &base->blueprint;
        read_context(scope, draft, base);
        read_components_of(scope, draft);
    }
    draft->state = DRAFT_DONE;
}

static void declare(scope *scope, const tree_pair *pair)
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
    const blueprint *left = *(const blueprint *const *)a, *right = *(const blueprint *const *)b;
    return strcmp(left->name, right->name);
}

void read_blueprints(reader *reader)
{
    entry_list entries = reader_entries(reader, "blueprints");
    scope scope = {.reader = reader, .names = dictionary_create(reader->arena)};
    scope.drafts = arena_allocate(reader->arena, (entries.count + 1) * sizeof(blueprint_draft *));
    const blueprint **blueprints = arena_allocate(reader->arena, (entries.count + 1) * sizeof *blueprints);
    for (size_t i = 0; i < entries.count; i++)
        declare(&scope, entries.pairs[i]);
    for (size_t i = 0; i < scope.count; i++) {
        read_draft(&scope, scope.drafts[i], 1);
        blueprints[i] = &scope.drafts[i]->blueprint;
    }
    qsort(blueprints, scope.count, sizeof *blueprints, compare);
    reader->package->blueprints = blueprints;
    reader->package->blueprint_count = scope.count;
}

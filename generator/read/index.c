// Reads `indices`, and `index` of fields: the keys for entity lookups.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// ---- keys of fields

// ---- types allowed in keys

// Returns why a type cannot be in a key; NULL if it can. Recursive over nested structs, whose depth is limited.
static const char *find_type_fault(const field_type *type)
{
    if (type->is_list)
        return "a list";
    if (type->array_count > 0)
        return "an array";
    if (type->kind == TYPE_OPAQUE)
        return "an opaque value";
    if (type->kind != TYPE_STRUCT)
        return NULL;
    const field_list *fields = &type->definition->fields;
    if (draft_of(type->definition)->is_broken)
        return NULL; // already reported
    for (size_t i = 0; i < fields->count; i++)
        if (find_type_fault(&fields->fields[i].type) != NULL)
            return "a struct with an array or an opaque value";
    return NULL;
}

void check_key_type(reader *reader, const field *field, span place, const char *what)
{
    const char *fault = find_type_fault(&field->type);
    if (fault == NULL)
        return;
    diagnostic_error(reader->diagnostics, field->type.is_list ? CODE_LIST : CODE_KEY_TYPE, place,
                     "field '%s' cannot be a key of %s: it is %s", field->name, what, fault);
    diagnostic_hint(reader->diagnostics,
                    "a key can hold numbers, bools, strings, enums, entities and structs of these");
}

// Returns whether nothing was reported in a type. Recursive over nested structs, whose depth is limited.
static bool is_sound(const field_type *type)
{
    if (type->is_unknown || find_type_fault(type) != NULL)
        return false;
    if (type->kind != TYPE_STRUCT)
        return true;
    const field_list *fields = &type->definition->fields;
    bool sound = !draft_of(type->definition)->is_broken;
    for (size_t i = 0; sound && i < fields->count; i++)
        sound = is_sound(&fields->fields[i].type);
    return sound;
}

// Reports the key of an ordered index that takes too much memory. Each string counts with its first bytes.
static void check_ordered_size(reader *reader, const entity_index *index, span place, const char *what)
{
    for (size_t i = 0; i < index->key_count; i++)
        if (index->kind != INDEX_ORDERED || !is_sound(&index->key[i].field->type))
            return;
    size_t size = schema_ordered_size(index);
    if (size <= SCHEMA_ORDERED_LIMIT)
        return;
    diagnostic_error(reader->diagnostics, CODE_ORDERED_KEY, place,
                     "the key of %s takes %zu bytes; at most %d can be ordered", what, size, SCHEMA_ORDERED_LIMIT);
    diagnostic_hint(reader->diagnostics, "remove fields from its end, or shorten its strings");
}

void refuse_field_indices(reader *reader, const field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->drafts[i].index_node == NULL)
            continue;
        diagnostic_error(reader->diagnostics, CODE_INDEX_IN_STRUCT, list->drafts[i].index_node->span,
                         "field '%s' of %s cannot have an index; only fields of components can", list->fields[i].name,
                         what);
        diagnostic_hint(reader->diagnostics, "add it to the component field that holds the struct");
    }
}

void read_field_indices(reader *reader, field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const tree_node *node = list->drafts[i].index_node;
        field *field = &list->fields[i];
        if (node == NULL)
            continue;
        reader_read_key(reader, list->drafts[i].node, language_find(&language_field, "index"),
                        arena_format(reader->arena, "field '%s' of %s", field->name, what), field);
        if (field->index != INDEX_NONE && !list->drafts[i].is_broken)
            check_key_type(reader, field, node->span, "an index");
        key_part part = {.field = field};
        entity_index index = {.kind = field->index, .key = &part, .key_count = 1};
        if (!list->drafts[i].is_broken)
            check_ordered_size(reader, &index, node->span, "an index");
    }
}

// Returns whether the keys of an index may be written in place: a refresh brings it up to date.
static bool is_refreshed(index_kind kind)
{
    return kind == INDEX_ORDERED || kind == INDEX_GRID;
}

// The field is of the component, whose fields were read.
static void mark_key(component *component, const field *field, index_kind kind)
{
    component->is_keyed = true;
    ((struct field *)field)->is_keyed = field->is_keyed || !is_refreshed(kind);
}

static void mark_all_keys(component *component)
{
    for (size_t i = 0; i < component->fields.count; i++)
        mark_key(component, &component->fields.fields[i], component->index);
}

// ---- indices over one component

void read_component_index(reader *reader, const field_draft_list *list, const tree_node *node, const char *what)
{
    for (size_t i = 0; i < list->count; i++)
        if (!list->drafts[i].is_broken)
            check_key_type(reader, &list->fields[i], node->span, arena_format(reader->arena, "the index of %s", what));
}

// ---- `key` of an entry of `indices`

typedef struct index_draft {
    reader *reader;
    entity_index *index;
    key_part *key;
    const char *what;
} index_draft;

static bool has_part(const index_draft *draft, const field *field)
{
    for (size_t i = 0; i < draft->index->key_count; i++)
        if (draft->key[i].field == field)
            return true;
    return false;
}

// Returns whether a part of a key begins with a minus; reports one that means nothing.
static bool is_descending(const index_draft *draft, const tree_node *node)
{
    bool is_minus = tree_is_text(node) && node->text[0] == '-';
    if (!is_minus || draft->index->kind == INDEX_ORDERED || draft->index->kind == INDEX_NONE)
        return is_minus;
    diagnostic_error(draft->reader->diagnostics, CODE_ORDERED_KEY, tree_part(node, 0, 1),
                     "'%s' in the key of %s has an order, which only keys of ordered indices have", node->text,
                     draft->what);
    diagnostic_hint(draft->reader->diagnostics, "remove the '-', or write 'kind: ordered'");
    return true;
}

// Appends a part of a key, such as `Cell.x`.
static void append_part(index_draft *draft, const tree_node *node)
{
    reader *reader = draft->reader;
    field_path path = {.where = arena_format(reader->arena, "the key of %s", draft->what),
                       .owner = draft->what,
                       .context = draft->index->context,
                       .code = CODE_KEY_FIELD,
                       .start = is_descending(draft, node)};
    component *component = NULL;
    const field *field = read_field_path(reader, node, &path, &component);
    if (field == NULL)
        return;
    if (has_part(draft, field)) {
        diagnostic_error(reader->diagnostics, CODE_DUPLICATE_KEY_FIELD, node->span, "field '%s' is listed twice",
                         node->text);
        return;
    }
    check_key_type(reader, field, node->span, draft->what);
    mark_key(component, field, draft->index->kind);
    if (draft->index->key_count < SCHEMA_KEY_LIMIT)
        draft->key[draft->index->key_count++] = (key_part){component, field, path.start > 0};
}

// ---- grids

static bool is_number(const field_type *type)
{
    bool is_one = type->array_count == 0 && !type->is_list;
    return is_one && type->kind >= TYPE_INT8 && type->kind <= TYPE_DOUBLE;
}

// Returns how many coordinates a field of the key has: those of a struct, or itself; 0 if it has what is no number.
static size_t count_coordinates(const field_type *type)
{
    if (type->kind != TYPE_STRUCT)
        return is_number(type);
    const field_list *fields = &type->definition->fields;
    for (size_t i = 0; i < fields->count; i++)
        if (!is_number(&fields->fields[i].type))
            return 0;
    return type->array_count > 0 || type->is_list ? 0 : fields->count;
}

static void report_point(const index_draft *draft, span place, const char *why)
{
    diagnostic_error(draft->reader->diagnostics, CODE_POINT, place, "the key of grid '%s' is not a point: %s",
                     draft->index->name, why);
    diagnostic_hint(draft->reader->diagnostics,
                    "name two or three fields of one component that are numbers, or one that is a struct of such");
}

// Reports the key of a grid that is not a point with two or three coordinates.
static void check_point(const index_draft *draft, const tree_node *node)
{
    const entity_index *index = draft->index;
    size_t coordinates = 0;
    for (size_t i = 0; i < index->key_count; i++) {
        const field *field = index->key[i].field;
        if (!is_sound(&field->type))
            return; // already reported
        size_t count = count_coordinates(&field->type);
        if (count == 0) {
            report_point(draft, node->span, arena_format(draft->reader->arena, "field '%s' is no number", field->name));
            return;
        }
        if (index->key[i].component != index->key[0].component) {
            report_point(draft, node->span, "its fields are of several components");
            return;
        }
        if (index->key_count > 1 && field->type.kind == TYPE_STRUCT) {
            report_point(draft, node->span,
                         arena_format(draft->reader->arena, "field '%s' is a struct beside others", field->name));
            return;
        }
        coordinates += count;
    }
    if (index->key_count > 0 && coordinates != 2 && coordinates != 3)
        report_point(draft, node->span,
                     arena_format(draft->reader->arena, "it has %zu coordinate%s, not two or three", coordinates,
                                  text_if(coordinates != 1, "s")));
}

static bool is_kind_known(const entity_index *index)
{
    return index->kind != INDEX_NONE;
}

// Reads `cell`, which grids have alone.
static void read_cell(const index_draft *draft, const tree_node *mapping)
{
    static const field_type type = {.kind = TYPE_DOUBLE};
    reader *reader = draft->reader;
    const tree_node *given = tree_find(mapping, "cell");
    if (given == NULL)
        return;
    if (is_kind_known(draft->index) && draft->index->kind != INDEX_GRID) {
        diagnostic_error(reader->diagnostics, CODE_CELL, tree_find_key(mapping, "cell")->span,
                         "'cell' is only allowed for grids, and %s is %s", draft->what,
                         language_word(&language_index_kind, draft->index->kind));
        diagnostic_hint(reader->diagnostics, "remove it, or write 'kind: grid'");
        return;
    }
    if (read_constant(reader, &type, given) == NULL)
        return;
    draft->index->cell = strtod(given->text, NULL); // reads .inf and .nan as 0
    bool has_inverse = draft->index->cell > 0 && 1 / draft->index->cell <= DBL_MAX;
    if (has_inverse)
        return;
    draft->index->cell = 1;
    diagnostic_error(reader->diagnostics, CODE_CELL, given->span, "'cell' of %s must be a finite number greater than 0",
                     draft->what);
    diagnostic_hint(reader->diagnostics, "write the side of a cell, such as 4");
}

// Reports `refresh` of an index whose keys are const where values are written in place.
static void check_refresh(const index_draft *draft, const tree_node *mapping)
{
    const entity_index *index = draft->index;
    if (index->refresh == REFRESH_NEEDED || !is_kind_known(index) || is_refreshed(index->kind))
        return;
    diagnostic_error(draft->reader->diagnostics, CODE_REFRESH, tree_find_key(mapping, "refresh")->span,
                     "'refresh' is only allowed for ordered indices and grids, and %s is %s", draft->what,
                     language_word(&language_index_kind, index->kind));
    diagnostic_hint(draft->reader->diagnostics, "remove it: its keys are const where values are written in place");
}

static void read_key(index_draft *draft, const tree_node *node)
{
    draft->index->key = draft->key = arena_allocate(draft->reader->arena, SCHEMA_KEY_LIMIT * sizeof *draft->key);
    if (draft->index->kind == INDEX_GRID && tree_is_text(node)) {
        append_part(draft, node);
        check_point(draft, node);
        return;
    }
    if (!reader_expect_items(draft->reader, node, arena_format(draft->reader->arena, "'key' of %s", draft->what)))
        return;
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        append_part(draft, item);
    if (node->count > SCHEMA_KEY_LIMIT)
        diagnostic_error(draft->reader->diagnostics, CODE_KEY_TOO_LONG, node->span,
                         "key of %s has too many fields; at most %d are allowed, found %zu", draft->what,
                         SCHEMA_KEY_LIMIT, node->count);
    check_ordered_size(draft->reader, draft->index, node->span, draft->what);
    if (draft->index->kind == INDEX_GRID)
        check_point(draft, node);
}

// Returns the key of the schema that requires the component, "key" or "of"; NULL if none does.
static const char *find_requirement(const entity_index *index, const component *component)
{
    for (size_t i = 0; i < index->key_count; i++)
        if (index->key[i].component == component)
            return "key";
    for (size_t i = 0; i < index->of_count; i++)
        if (index->of[i] == component)
            return "of";
    return NULL;
}

// Reports a component in both `key` or `of` and `none`: no entity could be in the index.
static void check_none(const index_draft *draft)
{
    const entity_index *index = draft->index;
    for (size_t i = 0; i < index->rule_count; i++)
        for (size_t k = 0; index->rules[i].kind == RULE_NONE && k < index->rules[i].count; k++) {
            const component *component = index->rules[i].components[k];
            const char *key = find_requirement(index, component);
            if (key == NULL)
                continue;
            diagnostic_error(draft->reader->diagnostics, CODE_CONTRADICTION, index->rules[i].span,
                             "component '%s' is in both '%s' and 'none' of %s", component->name, key, draft->what);
            return;
        }
}

static void expect_key(reader *reader, const tree_node *mapping, const entity_index *index, const char *key,
                       const char *example)
{
    if (tree_find(mapping, key) != NULL || reader_is_misspelled(mapping, &language_index, key))
        return;
    diagnostic_error(reader->diagnostics, CODE_INCOMPLETE_INDEX, index->span, "index '%s' has no '%s'", index->name,
                     key);
    diagnostic_hint(reader->diagnostics, "add '%s'", example);
}

// `key`, and `of`, which stands beside a function.
static void read_keys(index_draft *draft, const tree_node *mapping)
{
    const tree_node *key = tree_find(mapping, "key");
    const tree_node *of = tree_find(mapping, "of");
    bool is_mapping = key != NULL && key->kind == TREE_MAPPING;
    bool is_scalar = key != NULL && key->kind == TREE_SCALAR;
    bool has_function = is_mapping || (is_scalar && of != NULL);
    if (has_function && draft->index->kind == INDEX_ORDERED) {
        diagnostic_error(draft->reader->diagnostics, CODE_ORDERED_KEY, key->span,
                         "a function cannot give the keys of %s, which is ordered", draft->what);
        diagnostic_hint(draft->reader->diagnostics, "write 'key: [Component.field]', or 'kind: multi'");
    }
    if (has_function && draft->index->kind == INDEX_GRID)
        report_point(draft, key->span, "a function gives it");
    if (has_function)
        read_key_function(draft->reader, key, draft->index, draft->what);
    else if (key != NULL)
        read_key(draft, key);
    if (has_function)
        expect_key(draft->reader, mapping, draft->index, "of", "of: [Component]");
    if (of != NULL && has_function)
        read_index_of(draft->reader, of, draft->index, draft->what);
    else if (of != NULL && key != NULL)
        refuse_index_of(draft->reader, of, draft->what);
}

static void read_index(reader *reader, const tree_pair *pair, entity_index *index)
{
    const char *what = arena_format(reader->arena, "index '%s'", pair->key->text);
    index_draft draft = {.reader = reader, .index = index, .what = what};
    index->name = index->symbol_name = pair->key->text;
    index->span = pair->key->span;
    index->is_custom = true;
    if (!reader_expect_mapping(reader, pair->value, what))
        return;
    reader_read_keys(reader, pair->value, &language_index, what, index);
    group rules = {.name = index->name, .span = index->span};
    read_index_rules(reader, pair->value, what, &rules);
    index->context = rules.context;
    index->rules = rules.rules;
    index->rule_count = rules.rule_count;
    expect_key(reader, pair->value, index, "kind", "kind: primary");
    expect_key(reader, pair->value, index, "key",
               tree_find(pair->value, "of") == NULL ? "key: [Component.field]"
                                                    : "key: { type: int32, function: NAME }");
    if (index->kind == INDEX_GRID)
        expect_key(reader, pair->value, index, "cell", "cell: 4");
    read_cell(&draft, pair->value);
    check_refresh(&draft, pair->value);
    read_keys(&draft, pair->value);
    check_none(&draft);
}

// ---- all indices

// Indices that give several entities for a key leave out those that are switched off. In a primary index they stay, so
// that their keys stay taken.
static void add_off(reader *reader, entity_index *index)
{
    if (index->kind != INDEX_PRIMARY)
        index->rules = read_off_rule(reader, index->context, index->rules, &index->rule_count);
}

static entity_index *index_of_field(reader *reader, const component *component, const field *field, size_t context)
{
    entity_index *index = arena_allocate(reader->arena, sizeof *index);
    key_part *part = arena_allocate(reader->arena, sizeof *part);
    *part = (key_part){.component = component, .field = field};
    index->name = arena_format(reader->arena, "%s.%s", component->name, field->name);
    index->symbol_name =
        arena_format(reader->arena, "%s_%s", name_to_snake_case(reader->arena, component->name), field->name);
    index->span = field->span;
    index->context = component->contexts[context];
    index->kind = field->index;
    index->key = part;
    index->key_count = 1;
    add_off(reader, index);
    return index;
}

static entity_index *index_of_component(reader *reader, const component *component, size_t context)
{
    entity_index *index = arena_allocate(reader->arena, sizeof *index);
    key_part *key = arena_allocate(reader->arena, component->fields.count * sizeof *key);
    for (size_t i = 0; i < component->fields.count; i++)
        key[i] = (key_part){.component = component, .field = &component->fields.fields[i]};
    index->name = component->name;
    index->symbol_name = name_to_snake_case(reader->arena, component->name);
    index->span = component->span;
    index->context = component->contexts[context];
    index->kind = component->index;
    index->is_whole = true;
    index->key = key;
    index->key_count = component->fields.count;
    add_off(reader, index);
    return index;
}

static size_t append_component_indices(reader *reader, component *component, const entity_index **list)
{
    size_t count = 0;
    if (component->index == INDEX_NONE || component->fields.count == 0)
        return 0;
    mark_all_keys(component);
    for (; count < component->context_count; count++)
        if (list != NULL)
            list[count] = index_of_component(reader, component, count);
    return count;
}

static size_t append_field_indices(reader *reader, component *component, const entity_index **list)
{
    size_t count = 0;
    for (size_t i = 0; i < component->fields.count; i++) {
        const field *field = &component->fields.fields[i];
        if (field->index == INDEX_NONE)
            continue;
        mark_key(component, field, field->index);
        for (size_t k = 0; k < component->context_count; k++, count++)
            if (list != NULL)
                list[count] = index_of_field(reader, component, field, k);
    }
    return count;
}

static int compare(const void *a, const void *b)
{
    const entity_index *left = *(const entity_index *const *)a;
    const entity_index *right = *(const entity_index *const *)b;
    int order = strcmp(left->name, right->name);
    if (order != 0 || left->context == NULL || right->context == NULL)
        return order;
    return strcmp(left->context->name, right->context->name);
}

static size_t append_custom_indices(reader *reader, entry_list entries, const entity_index **list)
{
    dictionary names = dictionary_create(reader->arena);
    size_t count = 0;
    for (size_t i = 0; i < entries.count; i++) {
        const tree_pair *pair = entries.pairs[i];
        if (!reader_check_name(reader, pair->key, CASE_SNAKE, "an index"))
            continue;
        entity_index *index = arena_allocate(reader->arena, sizeof *index);
        const entity_index *earlier = dictionary_add(&names, pair->key->text, index);
        if (earlier != NULL) {
            reader_report_duplicate(reader, pair->key, "index", earlier->span);
            continue;
        }
        read_index(reader, pair, index);
        add_off(reader, index);
        list[count++] = index;
    }
    return count;
}

void read_indices(reader *reader)
{
    entry_list entries = reader_entries(reader, "indices");
    size_t count = 0;
    size_t capacity = entries.count;
    for (size_t i = 0; i < reader->component_count; i++)
        capacity += append_field_indices(reader, &reader->components[i]->component, NULL) +
                    append_component_indices(reader, &reader->components[i]->component, NULL);
    const entity_index **list = arena_allocate(reader->arena, (capacity + 1) * sizeof *list);
    for (size_t i = 0; i < reader->component_count; i++) {
        count += append_field_indices(reader, &reader->components[i]->component, list + count);
        count += append_component_indices(reader, &reader->components[i]->component, list + count);
    }
    count += append_custom_indices(reader, entries, list + count);
    qsort(list, count, sizeof *list, compare);
    reader->package->indices = list;
    reader->package->index_count = count;
}

// ---- relations that indices keep from ending

// Checks that indices cannot keep a relation from ending. When the target of a relation is destroyed, the holder loses
// the component, or its field is cleared. An index can forbid either, since the holder would get a key that another
// entity has, or an invalid one; if indices can forbid both, the target could not be destroyed.

// Returns whether the index can forbid a change because another entity has the key, or a function gives too many.
static bool can_forbid(const entity_index *index)
{
    return index->kind == INDEX_PRIMARY || index->function != NULL;
}

// Returns whether the index can forbid to clear the field.
static bool forbids_clearing(const entity_index *index, const relation *relation)
{
    for (size_t i = 0; can_forbid(index) && i < index->key_count; i++)
        if (index->key[i].field == relation->field)
            return true;
    for (size_t i = 0; i < index->of_count; i++)
        if (index->of[i] == relation->component)
            return true;
    return false;
}

// Returns whether the index can forbid to remove the component. A key with a floating-point number may be a NaN.
static bool forbids_removing(const entity_index *index, const component *component)
{
    bool forbids = can_forbid(index);
    for (size_t i = 0; i < index->key_count; i++)
        forbids = forbids || (!is_refreshed(index->kind) && schema_has_floating_point(&index->key[i].field->type));
    for (size_t i = 0; forbids && i < index->rule_count; i++)
        for (size_t k = 0; index->rules[i].kind == RULE_NONE && k < index->rules[i].count; k++)
            if (index->rules[i].components[k] == component)
                return true;
    return false;
}

static void check_pair(reader *reader, const relation *relation, const entity_index *clearing,
                       const entity_index *removing)
{
    if (!forbids_clearing(clearing, relation) || !forbids_removing(removing, relation->component))
        return;
    const char *component = relation->component->name;
    diagnostic_error(reader->diagnostics, CODE_ENDLESS_RELATION, removing->span,
                     "indices could forbid to destroy what '%s' names in '%s': '%s' that '%s' is removed, and '%s' "
                     "that '%s' is cleared",
                     component, relation->field->name, removing->name, component, clearing->name,
                     relation->field->name);
    diagnostic_note(reader->diagnostics, clearing->span, "'%s' is declared here", clearing->name);
    diagnostic_hint(reader->diagnostics, "remove '%s' from 'none'; or exclude a flag that you set with it", component);
}

void check_index_relations(reader *reader)
{
    const package *package = reader->package;
    for (size_t i = 0; i < package->relation_count; i++)
        for (size_t k = 0; k < package->index_count; k++)
            for (size_t n = 0; n < package->index_count; n++)
                check_pair(reader, &package->relations[i], package->indices[k], package->indices[n]);
}

// ---- keys of functions

// Reading of an index whose keys a C function gives: `key: { type: int32, function: cell_of }` and `of`.

// ---- the type of a key

// Returns why a function cannot give keys of a type; NULL if it can. A function writes its keys into an array, so they
// cannot own memory, and equal keys must have equal bytes. Recursive over structs, whose depth the reader has limited.
static const char *find_given_fault(const field_type *type)
{
    if (type->is_list)
        return "a list";
    if (type->array_count > 0)
        return "an array";
    switch (type->kind) {
    case TYPE_OPAQUE:
        return "an opaque value";
    case TYPE_STRING:
        return "a string of any length";
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return "a floating-point number";
    default:
        break;
    }
    for (size_t i = 0; type->kind == TYPE_STRUCT && i < type->definition->fields.count; i++)
        if (find_given_fault(&type->definition->fields.fields[i].type) != NULL)
            return "a struct with an array, an opaque value or a floating-point number";
    return NULL;
}

static void read_key_type(reader *reader, const tree_node *node, entity_index *index, const char *what)
{
    if (!read_type(reader, node, arena_format(reader->arena, "the key of %s", what), &index->key_type))
        return;
    const char *fault = find_given_fault(&index->key_type);
    if (fault == NULL)
        return;
    diagnostic_error(reader->diagnostics, index->key_type.is_list ? CODE_LIST : CODE_GIVEN_KEY_TYPE, node->span,
                     "the key of %s cannot be %s", what, fault);
    if (index->key_type.kind == TYPE_STRING)
        diagnostic_hint(reader->diagnostics, "write string[31]; the function copies the text into the key");
    else
        diagnostic_hint(reader->diagnostics, "a function can give integers, bools, enums, entities, strings such as "
                                             "string[31], and structs of these");
}

// ---- the function

static void read_function(reader *reader, const tree_node *node, entity_index *index, const char *what)
{
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'function' of the key of %s", what)))
        return;
    index->function = node->text;
    index->function_span = node->span;
    bool is_of_others = strncmp(node->text, "kin_", strlen("kin_")) == 0 || name_is_of_library(node->text);
    if (name_is_function(node->text) && !is_of_others)
        return;
    diagnostic_error(reader->diagnostics, CODE_KEY_FUNCTION, node->span,
                     "'function' of the key of %s must be the name of a C function, found '%s'", what, node->text);
    diagnostic_hint(reader->diagnostics, "write a name such as %s_of", index->name);
}

static const tree_node *expect_part(reader *reader, const tree_node *key, const entity_index *index, const char *part,
                                    const char *example)
{
    const tree_node *node = tree_find(key, part);
    if (node != NULL || reader_is_misspelled(key, &language_index_function, part))
        return node;
    diagnostic_error(reader->diagnostics, CODE_INCOMPLETE_INDEX, key->span, "the key of index '%s' has no '%s'",
                     index->name, part);
    diagnostic_hint(reader->diagnostics, "add '%s'", example);
    return NULL;
}

void read_key_function(reader *reader, const tree_node *key, entity_index *index, const char *what)
{
    if (!reader_expect_mapping(reader, key, arena_format(reader->arena, "'key' of %s", what))) {
        if (tree_is_text(key))
            diagnostic_hint(reader->diagnostics, "write { type: int32, function: %s }", key->text);
        return;
    }
    reader_check_keys(reader, key, &language_index_function, arena_format(reader->arena, "the key of %s", what));
    const tree_node *type = expect_part(reader, key, index, "type", "type: int32");
    const tree_node *function = expect_part(reader, key, index, "function", "function: NAME");
    if (type != NULL)
        read_key_type(reader, type, index, what);
    if (function != NULL)
        read_function(reader, function, index, what);
}

// ---- `of`

// A flag has no value to pass; a component whose fields have columns has no `touch`, so that its values must not be
// written in place.
static void check_component(reader *reader, const entity_index *index, component *component, span place)
{
    if (component->is_soa)
        mark_all_keys(component);
    if (component->fields.count > 0)
        return;
    diagnostic_error(reader->diagnostics, CODE_INDEX_OF, place, "component '%s' in 'of' of index '%s' has no fields",
                     component->name, index->name);
    diagnostic_hint(reader->diagnostics, "a function reads values; put the flag into 'all'");
}

void read_index_of(reader *reader, const tree_node *node, entity_index *index, const char *what)
{
    rule rule = read_index_components(reader, node, what, index->context);
    index->of = rule.components;
    index->of_count = rule.count;
    for (const tree_node *item = node->items; rule.count > 0 && item != NULL; item = item->next) {
        const void *found = item->kind == TREE_SCALAR ? dictionary_find(&reader->component_names, item->text) : NULL;
        if (found != NULL)
            check_component(reader, index, &((component_draft *)found)->component, item->span);
    }
}

void refuse_index_of(reader *reader, const tree_node *node, const char *what)
{
    diagnostic_error(reader->diagnostics, CODE_INDEX_OF, node->span, "'of' of %s has no function to read it", what);
    diagnostic_hint(reader->diagnostics, "write 'key: { type: int32, function: NAME }', or replace 'of' by 'all'");
}

// Reads how loops over a group visit its members: `order`, an ordered index, and `holder_of` and `held_by`, questions
// about a relation that a loop asks of each member.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <stdlib.h>
#include <string.h>

// ---- `order`

// Returns the index with the name in the context, else the first in any other context; NULL if there is none.
static const entity_index *find_index(const package *package, const context *context, const char *name)
{
    const entity_index *found = NULL;
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *each = package->indices[i];
        bool is_better = found == NULL || each->context == context;
        if (strcmp(each->name, name) == 0 && is_better)
            found = each;
    }
    return found;
}

bool names_index(reader *reader, const context *context, const char *name)
{
    bool found = find_index(reader->package, context, name) != NULL;
    for (const schema_file *file = reader->files; file != NULL && !found; file = file->next) {
        const tree_node *indices = tree_find(file->root, "indices");
        bool has_entries = indices != NULL && indices->kind == TREE_MAPPING;
        found = has_entries && tree_find(indices, name) != NULL; // it may be no index, which was reported
    }
    return found;
}

// Suggests a similar ordered index of the context.
static void hint_indices(reader *reader, const context *context, const char *name)
{
    const package *package = reader->package;
    name_search search = name_search_begin(name);
    size_t count = 0;
    for (size_t i = 0; i < package->index_count; i++) {
        const entity_index *index = package->indices[i];
        if (index->context != context || index->kind != INDEX_ORDERED)
            continue;
        name_search_offer(&search, index->name);
        count++;
    }
    if (search.nearest != NULL && reader_is_hinting(reader))
        reader_hint(reader, search);
    else if (count == 0)
        diagnostic_hint(reader->diagnostics,
                        "context '%s' has no ordered index; declare one, such as "
                        "by_depth: { kind: ordered, key: [Sprite.depth] }",
                        context->name);
}

const entity_index *read_order_index(reader *reader, const tree_node *node, const char *what, const context *context)
{
    diagnostics *diagnostics = reader->diagnostics;
    if (!reader_expect_text(reader, node, arena_format(reader->arena, "'order' of %s", what)) || context == NULL)
        return NULL;
    const entity_index *index = find_index(reader->package, context, node->text);
    if (index == NULL) {
        if (reader_is_elsewhere(reader, "indices") || names_index(reader, context, node->text))
            return NULL;
        diagnostic_error(diagnostics, CODE_INDEX_ORDER, node->span, "unknown index '%s' in 'order' of %s", node->text,
                         what);
        hint_indices(reader, context, node->text);
        return NULL;
    }
    if (index->context == context && index->kind == INDEX_ORDERED)
        return index;
    if (index->context == NULL)
        return NULL; // already reported
    if (index->context != context) {
        diagnostic_error(diagnostics, CODE_INDEX_ORDER, node->span,
                         "index '%s' cannot order %s: it is in context '%s', and not in '%s'", node->text, what,
                         index->context->name, context->name);
    } else {
        diagnostic_error(diagnostics, CODE_INDEX_ORDER, node->span, "index '%s' cannot order %s: it is not ordered",
                         node->text, what);
        diagnostic_hint(diagnostics, "write 'ordered' as its kind, or name an ordered index");
    }
    diagnostic_note(diagnostics, index->span, "'%s' is declared here", index->name);
    return NULL;
}

static bool names(const rule *rule, const component *component)
{
    return schema_lists((component_list){rule->components, rule->count}, component);
}

// Returns whether all members have the component.
static bool all_have(const group *group, const component *component)
{
    for (size_t i = 0; i < group->rule_count; i++) {
        const rule *rule = &group->rules[i];
        bool requires_all = rule->kind == RULE_ALL || rule->kind == RULE_ONLY || rule->count == 1;
        if (rule->kind != RULE_NONE && requires_all && names(rule, component))
            return true;
    }
    return false;
}

// Returns whether no member has the component.
static bool none_has(const group *group, const component *component)
{
    for (size_t i = 0; i < group->rule_count; i++) {
        const rule *rule = &group->rules[i];
        if (rule->kind == RULE_NONE && names(rule, component))
            return true;
        if (rule->kind == RULE_ONLY && !names(rule, component))
            return true;
    }
    return false;
}

// Returns a component without which an entity is not in the index, and that members may lack; NULL if there is none.
static const component *find_lacking(const group *group, const entity_index *index)
{
    for (size_t i = 0; i < index->key_count; i++)
        if (!all_have(group, index->key[i].component))
            return index->key[i].component;
    for (size_t i = 0; i < index->rule_count; i++)
        for (size_t k = 0; index->rules[i].kind == RULE_ALL && k < index->rules[i].count; k++)
            if (!all_have(group, index->rules[i].components[k]))
                return index->rules[i].components[k];
    return NULL;
}

// Returns a component with which an entity is not in the index, and that members may have; NULL if there is none.
static const component *find_excluded(const group *group, const entity_index *index)
{
    for (size_t i = 0; i < index->rule_count; i++)
        for (size_t k = 0; index->rules[i].kind == RULE_NONE && k < index->rules[i].count; k++)
            if (!none_has(group, index->rules[i].components[k]))
                return index->rules[i].components[k];
    return NULL;
}

bool check_index_order(reader *reader, const tree_node *node, const entity_index *index, const group *group,
                       const char *owner)
{
    const component *lacking = find_lacking(group, index);
    const component *excluded = find_excluded(group, index);
    diagnostics *diagnostics = reader->diagnostics;
    if (lacking == NULL && excluded == NULL)
        return true;
    if (lacking != NULL)
        diagnostic_error(diagnostics, CODE_INDEX_ORDER, node->span,
                         "index '%s' may not contain all members of %s: it has only entities with '%s'", index->name,
                         owner, lacking->name);
    else
        diagnostic_error(diagnostics, CODE_INDEX_ORDER, node->span,
                         "index '%s' may not contain all members of %s: it has no entities with '%s'", index->name,
                         owner, excluded->name);
    diagnostic_hint(diagnostics, "add '%s' to '%s' of the group", lacking != NULL ? lacking->name : excluded->name,
                    lacking != NULL ? "all" : "none");
    diagnostic_note(diagnostics, index->span, "'%s' is declared here", index->name);
    return false;
}

void read_group_order(reader *reader, const tree_node *mapping, const char *what, group *group)
{
    const tree_node *node = tree_find(mapping, "order");
    if (node == NULL || group->rule_count == 0)
        return;
    const entity_index *index = read_order_index(reader, node, what, group->context);
    if (index != NULL && check_index_order(reader, node, index, group, what))
        group->order = index;
}

static int compare_name(const void *name, const void *group)
{
    return strcmp(name, (*(const struct group *const *)group)->name);
}

static void read_order_of(reader *reader, const tree_pair *pair)
{
    const package *package = reader->package;
    if (pair->value->kind != TREE_MAPPING || tree_find(pair->value, "order") == NULL || package->group_count == 0)
        return;
    const group *const *found =
        bsearch(pair->key->text, package->groups, package->group_count, sizeof *package->groups, compare_name);
    bool is_own = found != NULL && (*found)->span.start == pair->key->span.start; // and not of the same name
    if (is_own)
        read_group_order(reader, pair->value, arena_format(reader->arena, "group '%s'", (*found)->name),
                         (group *)*found);
}

void read_group_orders(reader *reader)
{
    for (const schema_file *file = reader->files; file != NULL; file = file->next) {
        const tree_node *groups = tree_find(file->root, "groups");
        bool has_entries = groups != NULL && groups->kind == TREE_MAPPING;
        for (const tree_pair *pair = has_entries ? groups->pairs : NULL; pair != NULL; pair = pair->next)
            read_order_of(reader, pair);
    }
}

// ---- `holder_of` and `held_by`

// Where a question is written: "'holder_of' of group 'parts'".
typedef struct question_place {
    reader *reader;
    const group *group;
    const tree_node *name;
    const char *what;
} question_place;

// Returns whether a field of the component has a key of relations. If it is no relation, that was reported.
static bool is_written(const reader *reader, const component *component)
{
    static const char *const keys[] = {"on_destroy", "reverse", "tree"};
    const component_draft *draft = dictionary_find(&reader->component_names, component->name);
    const tree_node *fields = draft == NULL ? NULL : tree_find(draft->node, "fields");
    for (const tree_pair *pair = fields == NULL ? NULL : fields->pairs; pair != NULL; pair = pair->next)
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (pair->value->kind == TREE_MAPPING && tree_find(pair->value, keys[i]) != NULL)
                return true;
    return false;
}

// Appends "Link.from, Link.to": the relations of the component.
static size_t list_relations(const package *package, const component *component, text *list)
{
    size_t count = 0;
    for (size_t i = 0; i < package->relation_count; i++) {
        if (package->relations[i].component != component)
            continue;
        text_separate(list, count++, ", ");
        text_append_format(list, "%s.%s", component->name, package->relations[i].field->name);
    }
    return count;
}

static void report_relation(const question_place *place, const component *component, const char *field)
{
    diagnostics *diagnostics = place->reader->diagnostics;
    text list = text_create(place->reader->arena);
    size_t count = list_relations(place->reader->package, component, &list);
    if (count == 0 && is_written(place->reader, component))
        return;
    if (field != NULL)
        diagnostic_error(diagnostics, CODE_QUESTION, place->name->span, "'%s' in %s is no relation", place->name->text,
                         place->what);
    else if (count == 0)
        diagnostic_error(diagnostics, CODE_QUESTION, place->name->span, "component '%s' in %s has no relation",
                         component->name, place->what);
    else
        diagnostic_error(diagnostics, CODE_QUESTION, place->name->span, "component '%s' in %s has several relations",
                         component->name, place->what);
    if (count == 0)
        diagnostic_hint(diagnostics,
                        "a relation is a field of type 'entity<%s>' with 'on_destroy', 'reverse' or "
                        "'tree'",
                        place->group->context->name);
    else
        diagnostic_hint(diagnostics, count == 1 ? "write '%s'" : "name one of them: %s", list.bytes);
    diagnostic_note(diagnostics, component->span, "'%s' is declared here", component->name);
}

// Returns the relation that is named as `PartOf`, if it is the only one of the component, or as `PartOf.whole`; NULL
// after reporting an error.
static const relation *find_relation(const question_place *place)
{
    const package *package = place->reader->package;
    tree_node name = *place->name;
    const char *dot = strchr(name.text, '.');
    if (dot != NULL)
        name.text = arena_format(place->reader->arena, "%.*s", (int)(dot - name.text), name.text);
    const component *component = find_group_component(place->reader, &name, place->what, place->group);
    const relation *found = NULL;
    size_t count = 0;
    if (component == NULL || place->group->context == NULL)
        return NULL;
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *each = &package->relations[i];
        bool is_named = dot == NULL || strcmp(each->field->name, dot + 1) == 0;
        if (each->component != component || !is_named)
            continue;
        found = each;
        count++;
    }
    if (count == 1)
        return found;
    report_relation(place, component, dot);
    return NULL;
}

static void read_question(const question_place *place, const tree_node *rules, question_kind kind, question *questions,
                          size_t *count)
{
    reader *reader = place->reader;
    question question = {.kind = kind, .relation = find_relation(place), .span = place->name->span};
    const char *what = arena_format(reader->arena, "'%s' in %s", place->name->text, place->what);
    if (!reader_expect_mapping(reader, rules, what))
        return;
    reader_check_keys(reader, rules, &language_question, what);
    read_question_rules(reader, rules, what, place->group->context, &question);
    if (question.relation != NULL && *count < SCHEMA_QUESTION_LIMIT)
        questions[(*count)++] = question;
}

void read_questions(reader *reader, const tree_node *mapping, const char *what, group *group)
{
    static const char *const keys[] = {[QUESTION_HOLDER_OF] = "holder_of", [QUESTION_HELD_BY] = "held_by"};
    question *questions = NULL;
    size_t written = 0;
    for (size_t kind = 0; kind < sizeof keys / sizeof *keys; kind++) {
        const tree_node *node = tree_find(mapping, keys[kind]);
        question_place place = {.reader = reader, .group = group};
        place.what = arena_format(reader->arena, "'%s' of %s", keys[kind], what);
        if (node == NULL || !reader_expect_entries(reader, node, place.what))
            continue;
        if (questions == NULL)
            questions = arena_allocate(reader->arena, SCHEMA_QUESTION_LIMIT * sizeof *questions);
        for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next) {
            place.name = pair->key;
            read_question(&place, pair->value, (question_kind)kind, questions, &group->question_count);
            if (++written == SCHEMA_QUESTION_LIMIT + 1)
                diagnostic_error(reader->diagnostics, CODE_TOO_MANY_RULES, pair->key->span,
                                 "%s has too many questions; at most %d are allowed", what, SCHEMA_QUESTION_LIMIT);
        }
    }
    group->questions = questions;
}

// ---- what needs to know when members come and go

void refuse_questions(reader *reader, const group *group, span place, const char *problem, const char *hint)
{
    diagnostic_error(reader->diagnostics, CODE_UNHEARD_GROUP, place, "%s", problem);
    diagnostic_hint(reader->diagnostics, "%s", hint);
    diagnostic_note(reader->diagnostics, group->questions[0].span, "%s asks here",
                    group->is_of_system ? "its group" : arena_format(reader->arena, "group '%s'", group->name));
}

void check_system_questions(reader *reader, const system_draft *draft)
{
    static const system_role roles[] = {ROLE_ENTER, ROLE_LEAVE};
    const group *group = draft->system.group;
    if (group == NULL || group->question_count == 0)
        return;
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        const char *role = schema_role_name(roles[i]);
        if (!draft->system.roles[roles[i]])
            continue;
        const tree_node *item = tree_find(draft->node, "roles")->items;
        while (item->next != NULL && strcmp(item->text, role) != 0)
            item = item->next;
        refuse_questions(reader, group, item->span,
                         arena_format(reader->arena,
                                      "%s cannot have role '%s': its group asks about a relation, so "
                                      "it is not known when an entity enters or leaves it",
                                      draft->what, role),
                         "remove the role, or test the relation in 'update'");
    }
    if (draft->system.tree == NULL)
        return;
    refuse_questions(reader, group, tree_find_key(draft->node, "tree")->span,
                     arena_format(reader->arena, "%s cannot have 'tree': its group asks about a relation", draft->what),
                     "remove 'tree', or test the relation in 'update'");
}

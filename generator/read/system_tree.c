// Reads `tree`, `only` and `order` of a system: the order in which it visits the members of its group, or receives
// entities.
//
// `order` is a word with `tree`, and names an index without.
#include "generator/read/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <string.h>

// ---- the tree

static void report(reader *reader, const system_draft *draft, const char *key, const char *problem, const char *hint)
{
    diagnostic_error(reader->diagnostics, CODE_TREE_SYSTEM, tree_find_key(draft->node, key)->span, "%s has %s",
                     draft->what, problem);
    diagnostic_hint(reader->diagnostics, "%s", hint);
}

// Returns the relation with this reverse: that of the context, else that of any other context; NULL if there is none.
static const relation *find_reverse(const package *package, const context *context, const char *name)
{
    const relation *found = NULL;
    for (size_t i = 0; i < package->relation_count; i++) {
        const relation *each = &package->relations[i];
        if (each->field->reverse == NULL || strcmp(each->field->reverse, name) != 0)
            continue;
        if (found == NULL || each->context == context)
            found = each;
    }
    return found;
}

// Returns whether a field is written with this reverse. If it is no relation, that was reported.
static bool is_written(const reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->component_count; i++) {
        const tree_node *fields = tree_find(reader->components[i]->node, "fields");
        for (const tree_pair *pair = fields == NULL ? NULL : fields->pairs; pair != NULL; pair = pair->next) {
            const tree_node *reverse = tree_find(pair->value, "reverse");
            if (reverse != NULL && reverse->kind == TREE_SCALAR && strcmp(reverse->text, name) == 0)
                return true;
        }
    }
    return false;
}

// Suggests a similar tree of the context, or lists all.
static void hint_trees(reader *reader, const context *context, const char *name)
{
    name_search search = name_search_begin(name);
    text list = text_create(reader->arena);
    size_t count = 0;
    for (size_t i = 0; i < reader->package->relation_count; i++) {
        const relation *relation = &reader->package->relations[i];
        if (relation->context != context || !relation->field->is_tree || relation->field->reverse == NULL)
            continue;
        name_search_offer(&search, relation->field->reverse);
        text_separate(&list, count++, ", ");
        text_append_string(&list, relation->field->reverse);
    }
    if (search.nearest != NULL && reader_is_hinting(reader))
        reader_hint(reader, search);
    else if (count == 0)
        diagnostic_hint(reader->diagnostics,
                        "context '%s' has no tree; a tree is the 'reverse' of a field with 'tree: true'",
                        context->name);
    else
        diagnostic_hint(reader->diagnostics,
                        count == 1 ? "the only tree of context '%s' is %s" : "the trees of context '%s' are %s",
                        context->name, list.bytes);
}

static void report_no_tree(reader *reader, const system_draft *draft, const tree_node *node, const relation *found)
{
    const context *context = draft->system.group->context;
    diagnostics *diagnostics = reader->diagnostics;
    if (found == NULL)
        diagnostic_error(diagnostics, CODE_TREE_SYSTEM, node->span, "unknown tree '%s' of context '%s' in %s",
                         node->text, context->name, draft->what);
    else if (found->context != context)
        diagnostic_error(diagnostics, CODE_TREE_SYSTEM, node->span,
                         "'%s' in %s is in context '%s', and the group of the system is in '%s'", node->text,
                         draft->what, found->context->name, context->name);
    else
        diagnostic_error(diagnostics, CODE_TREE_SYSTEM, node->span, "'%s' in %s is not a tree", node->text,
                         draft->what);
    if (found != NULL && found->context == context)
        diagnostic_hint(diagnostics, "add 'tree: true' to field '%s' of component '%s', or name a tree",
                        found->field->name, found->component->name);
    else
        hint_trees(reader, context, node->text);
    if (found != NULL)
        diagnostic_note(diagnostics, found->field->reverse_span, "'%s' is declared here", node->text);
}

// Returns NULL after reporting an error, and if an error that was reported makes the name unknown.
static const relation *find_tree(reader *reader, const system_draft *draft, const tree_node *node)
{
    const context *context = draft->system.group->context;
    if (context == NULL || !reader_expect_text(reader, node, arena_format(reader->arena, "'tree' of %s", draft->what)))
        return NULL;
    const relation *found = find_reverse(reader->package, context, node->text);
    if (found != NULL && found->context == context && found->field->is_tree)
        return found;
    bool is_reported = reader_misses_tree(reader) || is_written(reader, node->text);
    if (found == NULL && (reader_is_elsewhere(reader, "components") || is_reported))
        return NULL;
    report_no_tree(reader, draft, node, found);
    return NULL;
}

// Returns whether the system has a group; reports an error if not, unless that was reported.
static bool check_kind(reader *reader, const system_draft *draft)
{
    if (tree_find_key(draft->node, "react") != NULL) {
        if (tree_find_key(draft->node, "group") == NULL)
            report(reader, draft, "tree", "both 'tree' and 'react'",
                   "remove one; a reactive system receives entities in the order of their changes");
        return false;
    }
    if (draft->system.group != NULL || tree_find_key(draft->node, "group") != NULL ||
        reader_is_misspelled(draft->node, &language_system, "group"))
        return draft->system.group != NULL;
    report(reader, draft, "tree", "'tree' without 'group'",
           "add 'group', such as { all: [Position] }: the entities that the system visits in the order of the tree");
    return false;
}

// ---- how it is walked

static bool reads_of_context(const declared_system *system)
{
    const context *context = system->group->context;
    for (size_t i = 0; i < system->read_count; i++)
        if (context == NULL || component_is_in(system->reads[i], context))
            return true;
    return false;
}

static void check_reads(reader *reader, const system_draft *draft)
{
    const tree_node *reads = tree_find_key(draft->node, "reads");
    if (reads == NULL && reader_is_misspelled(draft->node, &language_system, "reads"))
        return;
    if (reads == NULL)
        report(reader, draft, "only", "'only: changed' without 'reads'",
               "add 'reads' with the components whose changes count");
    else if (draft->system.read_count > 0 && !reads_of_context(&draft->system))
        report(reader, draft, "only",
               arena_format(reader->arena, "'only: changed', but no component of context '%s' in 'reads'",
                            draft->system.group->context->name),
               "add the components whose changes count to 'reads'");
}

static void read_only(reader *reader, system_draft *draft)
{
    reader_read_key(reader, draft->node, language_find(&language_system, "only"), draft->what, &draft->system);
    if (draft->system.only_changed)
        check_reads(reader, draft);
}

// Reports a key that needs `tree`.
static void refuse_without_tree(reader *reader, const system_draft *draft, const char *key)
{
    if (tree_find_key(draft->node, key) != NULL)
        report(reader, draft, key, arena_format(reader->arena, "'%s' without 'tree'", key),
               "add 'tree', the tree in whose order the system visits its group, or remove it");
}

// ---- `order` without a tree

// Reports at `node` if the system reacts to a group that the index cannot order.
static bool check_trigger(reader *reader, const system_draft *draft, const tree_node *node, const entity_index *index,
                          const system_trigger *trigger)
{
    const group *group = trigger->group;
    if (group->context == index->context)
        return check_index_order(reader, node, index, group, group_text(reader, group));
    diagnostic_error(reader->diagnostics, CODE_INDEX_ORDER, node->span,
                     "index '%s' cannot order %s, which reacts in several contexts", index->name, draft->what);
    diagnostic_hint(reader->diagnostics, "split it into one system for each context");
    if (group->context != NULL)
        diagnostic_note(reader->diagnostics, trigger->span, "this group is in context '%s'", group->context->name);
    return false;
}

// Reads the index in whose order a reactive system receives entities.
static void read_order_of_triggers(reader *reader, system_draft *draft, const tree_node *node)
{
    const declared_system *system = &draft->system;
    if (system->trigger_count == 0)
        return; // already reported
    const entity_index *index = read_order_index(reader, node, draft->what, system->triggers[0].group->context);
    if (index == NULL)
        return;
    for (size_t i = 0; i < system->trigger_count; i++)
        if (!check_trigger(reader, draft, node, index, &system->triggers[i]))
            return;
    draft->system.index_order = index;
}

// Reads an index of the context of the system's group or triggers.
static void read_index_order(reader *reader, system_draft *draft, const tree_node *node)
{
    const group *group = draft->system.group;
    if (draft->system.kind == SYSTEM_REACTIVE) {
        read_order_of_triggers(reader, draft, node);
        return;
    }
    if (group == NULL &&
        (tree_find_key(draft->node, "group") != NULL || reader_is_misspelled(draft->node, &language_system, "group") ||
         reader_is_misspelled(draft->node, &language_system, "react")))
        return;
    if (group == NULL) {
        diagnostic_error(reader->diagnostics, CODE_INDEX_ORDER, tree_find_key(draft->node, "order")->span,
                         "%s has 'order' without 'group' or 'react'", draft->what);
        diagnostic_hint(reader->diagnostics,
                        "add 'group', whose members the system visits in this order, or remove it");
        return;
    }
    const entity_index *index = read_order_index(reader, node, draft->what, group->context);
    bool is_whole = index != NULL && group->rule_count > 0;
    if (is_whole && check_index_order(reader, node, index, group, group_text(reader, group)))
        draft->system.index_order = index;
}

static bool is_word_of_trees(const tree_node *node)
{
    return node->kind == TREE_SCALAR && (strcmp(node->text, "depth") == 0 || strcmp(node->text, "breadth") == 0);
}

static const context *context_of(const declared_system *system)
{
    if (system->group != NULL)
        return system->group->context;
    return system->trigger_count > 0 ? system->triggers[0].group->context : NULL;
}

static void read_order_without_tree(reader *reader, system_draft *draft)
{
    const tree_node *order = tree_find(draft->node, "order");
    if (order == NULL)
        return;
    if (is_word_of_trees(order) && !names_index(reader, context_of(&draft->system), order->text))
        refuse_without_tree(reader, draft, "order");
    else
        read_index_order(reader, draft, order);
}

void refuse_parallel_order(reader *reader, const system_draft *draft)
{
    const declared_system *system = &draft->system;
    const entity_index *index = schema_order_of(system);
    if (index == NULL)
        return;
    diagnostic_error(reader->diagnostics, CODE_PARALLEL_ORDER, system->job.span,
                     "%s cannot be parallel: it works in the order of index '%s'", draft->what, index->name);
    if (system->index_order != NULL) {
        diagnostic_hint(reader->diagnostics, "remove 'parallel', or 'order'");
        diagnostic_note(reader->diagnostics, tree_find_key(draft->node, "order")->span, "'order' is declared here");
        return;
    }
    diagnostic_hint(reader->diagnostics, "remove 'parallel', or name a group without 'order'");
    diagnostic_note(reader->diagnostics, system->group->span, "its group is ordered here");
}

// ---- all

// Reads the word with which a tree is ordered.
static void read_order_of_tree(reader *reader, system_draft *draft)
{
    const tree_node *node = tree_find(draft->node, "order");
    const language_key key = {.name = "order", .value = &language_tree_order};
    if (node == NULL)
        return;
    bool is_index = node->kind == TREE_SCALAR && !is_word_of_trees(node) &&
                    names_index(reader, draft->system.group->context, node->text);
    if (is_index) {
        report(reader, draft, "order", "both 'tree' and the order of an index",
               "remove one of them: with 'tree', 'order' is depth or breadth");
        return;
    }
    int word = reader_read_word(reader, node, &key, draft->what);
    if (word >= 0)
        draft->system.order = (tree_order)word;
}

void read_system_tree(system_scope *scope, system_draft *draft)
{
    reader *reader = scope->reader;
    const tree_node *tree = tree_find(draft->node, "tree");
    if (tree == NULL) {
        if (reader_is_misspelled(draft->node, &language_system, "tree"))
            return;
        refuse_without_tree(reader, draft, "only");
        read_order_without_tree(reader, draft);
        return;
    }
    if (!check_kind(reader, draft))
        return;
    draft->system.tree = find_tree(reader, draft, tree);
    read_only(reader, draft);
    read_order_of_tree(reader, draft);
}

// Reads `schedule` and `messages`.
#include "generator/read/internal.h"

#include "generator/schema/schema.h"

#include <stdlib.h>
#include <string.h>

// ---- nodes

// Reads `schedule`: a tree of nodes, published depth first, each after its parent.
//
// Recursion follows the tree, which is at most TREE_DEPTH_LIMIT deep.

enum { DEFAULT_MAX_STEPS = 5 };

typedef struct scope {
    reader *reader;
    dictionary names; // node names to schedule_node
    const schedule_node **nodes;
    size_t count, capacity;
} scope;

static void append(scope *scope, schedule_node *node)
{
    if (scope->count == scope->capacity) {
        size_t capacity = scope->capacity == 0 ? 16 : 2 * scope->capacity;
        const schedule_node **nodes = arena_allocate(scope->reader->arena, capacity * sizeof *nodes);
        for (size_t i = 0; i < scope->count; i++)
            nodes[i] = scope->nodes[i];
        scope->nodes = nodes;
        scope->capacity = capacity;
    }
    node->number = scope->count;
    scope->nodes[scope->count++] = node;
}

static void read_step(scope *scope, const tree_node *mapping, const char *what, schedule_node *node)
{
    static const field_type type = {.kind = TYPE_DOUBLE};
    const tree_node *given = tree_find(mapping, "fixed");
    if (given == NULL || read_constant(scope->reader, &type, given) == NULL)
        return;
    // The generator never calls setlocale, so the decimal separator is a dot. strtod reads .inf and .nan as 0.
    node->step = strtod(given->text, NULL);
    if (node->step > 0)
        return;
    diagnostic_error(scope->reader->diagnostics, CODE_STEP, given->span,
                     "'fixed' of %s must be a finite number greater than 0", what);
    diagnostic_hint(scope->reader->diagnostics, "write the length of a step, such as 0.02");
}

static void check_max_steps(scope *scope, const tree_node *mapping, const char *what, const schedule_node *node)
{
    diagnostics *diagnostics = scope->reader->diagnostics;
    const tree_node *given = tree_find(mapping, "max_steps");
    if (given == NULL)
        return;
    if (node->max_steps == 0) {
        diagnostic_error(diagnostics, CODE_STEP, given->span, "'max_steps' of %s must be at least 1", what);
    } else if (tree_find(mapping, "fixed") == NULL && !reader_is_misspelled(mapping, &language_node, "fixed")) {
        diagnostic_error(diagnostics, CODE_STEP, tree_find_key(mapping, "max_steps")->span,
                         "'max_steps' is only allowed with 'fixed', and %s runs once an update", what);
        diagnostic_hint(diagnostics, "add 'fixed: 0.02', or remove it");
    }
}

static void check_manual(scope *scope, const tree_node *mapping, const char *what, schedule_node *node)
{
    diagnostics *diagnostics = scope->reader->diagnostics;
    if (!node->is_manual || node->parent == NULL)
        return;
    node->is_manual = false;
    diagnostic_error(diagnostics, CODE_MANUAL, tree_find_key(mapping, "manual")->span,
                     "%s is manual inside node '%s'; only nodes at the top of 'schedule' can be", what,
                     node->parent->name);
    diagnostic_hint(diagnostics, "move it out of '%s', or remove 'manual'", node->parent->name);
}

static void read_nodes(scope *scope, const tree_pair *pairs, const schedule_node *parent);

static void read_node(scope *scope, const tree_pair *pair, schedule_node *node)
{
    reader *reader = scope->reader;
    const char *what = arena_format(reader->arena, "node '%s'", node->name);
    append(scope, node);
    if (!reader_expect_mapping(reader, pair->value, what))
        return;
    node->max_steps = DEFAULT_MAX_STEPS;
    reader_read_keys(reader, pair->value, &language_node, what, node);
    read_step(scope, pair->value, what, node);
    check_max_steps(scope, pair->value, what, node);
    check_manual(scope, pair->value, what, node);
    if (tree_find(pair->value, "fixed") == NULL)
        node->max_steps = 0;
    const tree_node *children = tree_find(pair->value, "children");
    const char *name = arena_format(reader->arena, "'children' of %s", what);
    if (children != NULL && reader_expect_entries(reader, children, name))
        read_nodes(scope, children->pairs, node);
}

static void declare(scope *scope, const tree_pair *pair, const schedule_node *parent)
{
    if (!reader_check_name(scope->reader, pair->key, CASE_SNAKE, "a node"))
        return;
    schedule_node *node = arena_allocate(scope->reader->arena, sizeof *node);
    *node = (schedule_node){.name = pair->key->text, .span = pair->key->span, .parent = parent};
    const schedule_node *earlier = dictionary_add(&scope->names, node->name, node);
    if (earlier != NULL)
        reader_report_duplicate(scope->reader, pair->key, "node", earlier->span);
    read_node(scope, pair, node);
    node->last = scope->count - 1;
}

static void read_nodes(scope *scope, const tree_pair *pairs, const schedule_node *parent)
{
    for (const tree_pair *pair = pairs; pair != NULL; pair = pair->next)
        declare(scope, pair, parent);
}

static void append_defaults(scope *scope)
{
    for (size_t i = 0; i < SCHEMA_DEFAULT_NODE_COUNT; i++) {
        schedule_node *node = arena_allocate(scope->reader->arena, sizeof *node);
        *node = (schedule_node){.name = schema_default_nodes[i], .last = i};
        append(scope, node);
    }
}

void read_schedule(reader *reader)
{
    entry_list entries = reader_entries(reader, "schedule");
    scope scope = {.reader = reader, .names = dictionary_create(reader->arena)};
    for (size_t i = 0; i < entries.count; i++)
        declare(&scope, entries.pairs[i], NULL);
    if (!entries.is_given)
        append_defaults(&scope);
    reader->package->nodes = scope.nodes;
    reader->package->node_count = scope.count;
}

// ---- messages

// Reads `messages`, which systems send to each other. Messages are copied bytewise, so they cannot own memory.

static bool is_owned(const field_type *type)
{
    return type->kind == TYPE_STRING || (type->definition != NULL && type->definition->has_drops);
}

// Each inbox has a copy of the message, so no single copy could own a string or an opaque value.
static void refuse_owned(reader *reader, field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        if (list->drafts[i].is_broken || !is_owned(&field->type))
            continue;
        list->drafts[i].is_broken = true;
        diagnostic_error(reader->diagnostics, CODE_MESSAGE_FIELD, field->type.span,
                         "field '%s' of %s owns its value, but messages are copied", field->name, what);
        diagnostic_hint(reader->diagnostics, field->type.kind == TYPE_STRING
                                                 ? "write string[31] to store up to 31 bytes in place"
                                                 : "send the entity that has the value");
    }
}

static void refuse_indices(reader *reader, const field_draft_list *list, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->drafts[i].index_node == NULL)
            continue;
        diagnostic_error(reader->diagnostics, CODE_MESSAGE_FIELD, list->drafts[i].index_node->span,
                         "field '%s' of %s cannot have an index; only fields of components can", list->fields[i].name,
                         what);
        diagnostic_hint(reader->diagnostics, "remove it");
    }
}

static void read_fields_of(reader *reader, const tree_node *node, const char *what, message *message)
{
    field_draft_list list = read_fields(reader, node, what);
    refuse_lists(reader, &list, what);
    refuse_owned(reader, &list, what);
    refuse_indices(reader, &list, what);
    refuse_relations(reader, &list, what);
    read_defaults(reader, &list);
    read_field_replication(reader, &list, FIELDS_OF_MESSAGE, what);
    message->fields = (field_list){.fields = list.fields, .count = list.count};
    message->layout = read_layout(&list);
    if (message->layout.size > SCHEMA_VALUE_SIZE_LIMIT)
        diagnostic_error(reader->diagnostics, CODE_TOO_LARGE, message->span,
                         "a value of %s is too large; at most %d bytes are allowed", what, SCHEMA_VALUE_SIZE_LIMIT);
}

static void read_message(reader *reader, const tree_pair *pair, message *message)
{
    const char *what = arena_format(reader->arena, "message '%s'", pair->key->text);
    message->name = pair->key->text;
    message->span = pair->key->span;
    message->saved = read_no_was(message->name);
    if (!reader_expect_mapping(reader, pair->value, what))
        return;
    reader_read_keys(reader, pair->value, &language_message, what, message);
    const tree_node *fields = tree_find(pair->value, "fields");
    if (fields != NULL)
        read_fields_of(reader, fields, what, message);
    check_message_replication(reader, message, what);
}

static int compare(const void *a, const void *b)
{
    const message *left = *(const message *const *)a;
    const message *right = *(const message *const *)b;
    return strcmp(left->name, right->name);
}

static void publish(reader *reader, message **messages, size_t count)
{
    const message **list = arena_allocate(reader->arena, (count + 1) * sizeof *list);
    qsort(messages, count, sizeof *messages, compare);
    for (size_t i = 0; i < count; i++) {
        messages[i]->number = i;
        list[i] = messages[i];
    }
    reader->package->messages = list;
    reader->package->message_count = count;
}

void read_messages(reader *reader)
{
    entry_list entries = reader_entries(reader, "messages");
    dictionary names = dictionary_create(reader->arena);
    message **messages = arena_allocate(reader->arena, (entries.count + 1) * sizeof *messages);
    size_t count = 0;
    for (size_t i = 0; i < entries.count; i++) {
        const tree_pair *pair = entries.pairs[i];
        if (!reader_check_name(reader, pair->key, CASE_PASCAL, "a message"))
            continue;
        message *message = arena_allocate(reader->arena, sizeof *message);
        const struct message *earlier = dictionary_add(&names, pair->key->text, message);
        if (earlier != NULL) {
            reader_report_duplicate(reader, pair->key, "message", earlier->span);
            continue;
        }
        read_message(reader, pair, message);
        messages[count++] = message;
    }
    publish(reader, messages, count);
}

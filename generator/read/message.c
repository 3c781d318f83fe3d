// Reads `messages`, which systems send to each other. Messages are copied bytewise, so they cannot own memory.
#include "generator/schema/schema.h"
#include "read/private/reader.h"

#include <stdlib.h>
#include <string.h>

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
    reader_check_keys(reader, pair->value, &language_message, what);
    message->doc = reader_find_text(reader, pair->value, "doc", what);
    message->saved = read_was(reader, pair->value, CASE_PASCAL, what, message->name);
    const tree_node *fields = tree_find(pair->value, "fields");
    if (fields != NULL)
        read_fields_of(reader, fields, what, message);
}

static int compare(const void *a, const void *b)
{
    const message *left = *(const message *const *)a, *right = *(const message *const *)b;
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

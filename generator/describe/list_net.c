// What of a package is sent over the network, to whom, and in how many bytes.
#include "generator/describe/internal.h"

#include "generator/schema/schema.h"

#include <inttypes.h>

// The most bytes of what has no limit: a string or a list.
#define NO_LIMIT UINT64_MAX

// ---- bytes

// Returns the most bytes of an integer whose difference has that many bits, as a varint.
static uint64_t varint_size(unsigned bits)
{
    return (bits + 6) / 7;
}

static uint64_t size_of_one(const field_type *type, bool has_precision);

static uint64_t size_of_fields(const field_list *list, bool has_precision)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        const field *field = &list->fields[i];
        if (!schema_field_is_sent(field))
            continue;
        uint64_t size = size_of_one(&field->type, has_precision || field->precision > 0);
        if (size == NO_LIMIT || field->type.is_list)
            return NO_LIMIT;
        sum += size * (field->type.array_count > 0 ? field->type.array_count : 1);
    }
    return sum;
}

// Recursive over nested structs. Integers are sent as differences, which have one bit more than the type and a sign.
static uint64_t size_of_one(const field_type *type, bool has_precision)
{
    enum { STEP_BITS = 54, ENTITY_BITS = 64 };
    switch (type->kind) {
    case TYPE_BOOL:
        return 1;
    case TYPE_INT8:
    case TYPE_UINT8:
        return varint_size(9);
    case TYPE_INT16:
    case TYPE_UINT16:
        return varint_size(17);
    case TYPE_INT32:
    case TYPE_UINT32:
    case TYPE_ENUM:
        return varint_size(33);
    case TYPE_INT64:
    case TYPE_UINT64:
    case TYPE_ENTITY:
    case TYPE_CONTEXT_ENTITY:
        return varint_size(ENTITY_BITS);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        if (has_precision)
            return varint_size(STEP_BITS) + 1;
        return scalar_type_of(type->kind)->size;
    case TYPE_INLINE_STRING:
        return type->string_size + varint_size(17);
    case TYPE_STRUCT:
        return size_of_fields(&type->definition->fields, has_precision);
    default:
        return NO_LIMIT;
    }
}

static const char *size_text(arena *arena, uint64_t size)
{
    if (size == NO_LIMIT)
        return "any";
    return arena_format(arena, "%" PRIu64, size);
}

static const char *field_size(arena *arena, const field *field)
{
    const field_list one = {field, 1};
    return size_text(arena, size_of_fields(&one, false));
}

// ---- tables

static const char *to_text(const component *component, const field *field)
{
    if (field != NULL && !schema_field_is_sent(field))
        return "nobody";
    if (component->is_unsaved || component->replicate == REPLICATE_NONE)
        return "nobody";
    return component->replicate == REPLICATE_OWNER ? "its owner" : "all";
}

static const char *facts_text(arena *arena, const field *field)
{
    text text = text_create(arena);
    if (field->precision > 0)
        text_append_format(&text, "precision %s", list_number_text(arena, field->precision));
    if (field->is_blended) {
        text_separate(&text, text.size, ", ");
        text_append_string(&text, "blended");
    }
    if (field->is_zone || field->is_peer) {
        text_separate(&text, text.size, ", ");
        text_append_string(&text, field->is_zone ? "zone" : "peer");
    }
    return text.bytes;
}

static void append_field(table *table, arena *arena, const component *component, const field *field)
{
    const char *to = to_text(component, field);
    bool is_sent = schema_is_sent(component) && schema_field_is_sent(field);
    const char *path = arena_format(arena, "%s.%s", component->name, field->name);
    table_append(table, (table_row){.cells = {path, to, is_sent ? field_size(arena, field) : "0",
                                              schema_type_name(arena, &field->type), facts_text(arena, field)}});
}

static void append_context(text *out, const context *context)
{
    static const table_column columns[] = {
        {"field", false}, {"to", false}, {"bytes at most", true}, {"type", false}, {"", false}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < context->component_count; i++) {
        const component *component = context->components[i];
        if (component->fields.count == 0)
            table_append(&table, (table_row){.cells = {component->name, to_text(component, NULL), "0", "flag", NULL}});
        for (size_t k = 0; k < component->fields.count; k++)
            append_field(&table, out->arena, component, &component->fields.fields[k]);
    }
    text_append_format(out, "\ncontext %s\n", context->name);
    list_append_table(out, table);
}

static void append_messages(text *out, const package *package)
{
    static const table_column columns[] = {{"message", false}, {"from", false}, {"to", false}, {"bytes at most", true}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        const char *to = NULL;
        bool has_zone = false;
        for (size_t k = 0; k < message->fields.count; k++)
            has_zone = has_zone || message->fields.fields[k].is_zone;
        if (message->is_to_replica)
            to = has_zone ? "who sees its zone" : "all";
        if (message->is_from_replica)
            to = message->is_to_replica ? "the host, and all" : "the host";
        if (message->is_from_replica || message->is_to_replica)
            table_append(&table,
                         (table_row){.cells = {message->name, message->is_from_replica ? "replicas" : "the host", to,
                                               size_text(out->arena, size_of_fields(&message->fields, false))}});
    }
    text_append_string(out, "\n");
    list_append_table(out, table);
}

static void append_systems(text *out, const package *package)
{
    static const table_column columns[] = {{"system", false}, {"runs", false}};
    table table = TABLE_CREATE(out->arena, columns);
    for (size_t i = 0; i < package->system_count; i++)
        table_append(&table, (table_row){.cells = {package->systems[i]->name,
                                                   language_word(&language_runs, schema_runs(package->systems[i]))}});
    text_append_string(out, "\n");
    list_append_table(out, table);
}

void list_append_net(text *out, const package *package)
{
    size_t count = 0;
    for (size_t i = 0; i < package->context_count; i++)
        count += package->contexts[i]->is_replicated;
    text_append_format(out, "package %s: ", package->name);
    text_append_count(out, count, "context that replicates", "contexts that replicate");
    text_append_string(out, "\n");
    for (size_t i = 0; i < package->context_count; i++)
        if (package->contexts[i]->is_replicated)
            append_context(out, package->contexts[i]);
    append_messages(out, package);
    if (count > 0)
        append_systems(out, package);
}

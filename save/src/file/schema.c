#include "file/file.h"

#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// ---- writing

// Writes the length of a list. Notes a fault if files cannot have so many.
static void write_count(kin__block_writer *writer, uint32_t count, const char *what, const char *name)
{
    if (count > UINT16_MAX)
        kin__fault_note(writer->output->fault, KIN_ERROR_LIMIT,
                        "'%.80s' has %" PRIu32 " %s, and files have up to 65535; leave some out with 'save: false'",
                        name, count, what);
    kin__write_16(writer, (uint16_t)count);
}

// Writes the names of an enum, sorted. Searches for each next name, as enums have few.
static void write_names(kin__block_writer *writer, const kin_type_info *type)
{
    const char *previous = NULL;
    write_count(writer, type->value_count, "values", type->name);
    for (uint32_t i = 0; i < type->value_count; i++) {
        const kin_enum_value_info *next = NULL;
        for (uint32_t k = 0; k < type->value_count; k++) {
            const char *name = kin__enum_value_identity(&type->values[k]);
            bool is_after = previous == NULL || strcmp(name, previous) > 0;
            bool is_nearer = next == NULL || strcmp(name, kin__enum_value_identity(next)) < 0;
            if (is_after && is_nearer)
                next = &type->values[k];
        }
        if (next == NULL)
            return;
        KIN_ASSERT(previous == NULL || strcmp(previous, kin__enum_value_identity(next)) < 0);
        previous = kin__enum_value_identity(next);
        kin__write_text(writer, previous);
        kin__write_64(writer, (uint64_t)next->value);
    }
}

// Contexts that are not in the snapshot have their current names.
static const char *identity_of(const kin__written_parts *parts, const char *context)
{
    for (uint32_t i = 0; i < parts->count; i++)
        if (strcmp(parts->parts[i].shape->info->name, context) == 0)
            return kin__context_identity(parts->parts[i].shape->info);
    return context;
}

static void write_leaf(kin__block_writer *writer, const kin__written_parts *parts, const kin__value_leaf *leaf)
{
    kin__write_text(writer, leaf->path);
    uint8_t type = (uint8_t)leaf->field->type;
    if (leaf->is_list)
        type |= KIN__LEAF_IS_LIST;
    kin__write_8(writer, type);
    kin__write_32(writer, leaf->elements);
    if (leaf->field->type == KIN_TYPE_ENUM) {
        write_names(writer, leaf->field->of);
    } else if (leaf->field->type == KIN_TYPE_ENTITY && leaf->field->target != NULL) {
        kin__write_16(writer, 1);
        kin__write_text(writer, identity_of(parts, leaf->field->target));
        kin__write_64(writer, 0);
    } else {
        kin__write_16(writer, 0);
    }
}

static void write_leaves(kin__block_writer *writer, const kin__written_parts *parts, const kin__leaves *leaves,
                         const char *name)
{
    write_count(writer, leaves->count, "fields", name);
    for (uint32_t i = 0; i < leaves->count; i++)
        write_leaf(writer, parts, &leaves->leaves[i]);
}

// In the order of their numbers.
static void write_messages(kin__block_writer *writer, const kin__written_parts *parts)
{
    uint32_t count = 0;
    if (parts->world != NULL)
        count = parts->world->message_count;
    kin__write_32(writer, count);
    for (uint32_t number = 0; number < count; number++)
        for (uint32_t i = 0; i < count; i++)
            if (kin__message_number(parts->world, i) == number) {
                kin__write_text(writer, kin__message_identity(&parts->world->messages[i]));
                write_leaves(writer, parts, &parts->messages.of[i], parts->world->messages[i].name);
            }
}

void kin__schema_write(kin__block_writer *writer, const kin__written_parts *parts)
{
    uint64_t components = 0;
    KIN_ASSERT(writer->size == 0 || writer->output->fault->status != KIN_OK);
    kin__write_32(writer, parts->count);
    for (uint32_t i = 0; i < parts->count; i++) {
        const kin__shape *shape = parts->parts[i].shape;
        components += shape->count;
        kin__write_text(writer, kin__context_identity(shape->info));
        kin__write_32(writer, shape->count);
        for (uint32_t k = 0; k < shape->count; k++) {
            const kin__component_shape *component = &shape->components[k];
            kin__write_text(writer, component->identity);
            kin__write_8(writer, component->info->is_unique ? KIN__COMPONENT_IS_UNIQUE : 0);
            write_leaves(writer, parts, &component->leaves, component->info->name);
        }
    }
    if (components > KIN__FILE_COMPONENTS)
        kin__fault_note(writer->output->fault, KIN_ERROR_LIMIT,
                        "its contexts have %" PRIu64 " components, and a file has up to 65535; leave some out with "
                        "'save: false'",
                        components);
    write_messages(writer, parts);
    kin__block_writer_put(writer, "SHAP");
}

// ---- reading

// The least bytes of each thing in the block.
enum { LEAST_LEAF = 9, LEAST_COMPONENT = 5, LEAST_MESSAGE = 4, LEAST_VALUE = 10 };

enum { MOST_ELEMENTS = 1 << 24 };

typedef struct parse {
    kin__decoder decoder;
    kin__block_reader *reader;
    kin__heap *heap;
    uint32_t component_count; // of all contexts that were read
} parse;

static bool wrong(parse *parse, const char *what)
{
    return kin__block_reader_fault(parse->reader, 1307, "%s", what);
}

// Reads a name, which must be greater than the previous one. NULL, with a fault noted, if it is invalid.
static const char *read_name(parse *parse, const char *previous)
{
    size_t size;
    const char *letters = kin__decode_text(&parse->decoder, &size);
    bool is_there = !parse->decoder.is_short && size > 0;
    if (!is_there || !kin__is_name(letters, size)) {
        wrong(parse, "a name is not UTF-8");
        return NULL;
    }
    char *name = kin__heap_take(parse->heap, size + 1, 1);
    if (name == NULL)
        return NULL;
    memcpy(name, letters, size);
    if (previous != NULL && strcmp(previous, name) >= 0) {
        kin__block_reader_fault(parse->reader, 1308, "'%.100s' is a duplicate, or out of order", name);
        return NULL;
    }
    return name;
}

// Returns memory for `count` elements, each of which needs at least `least` bytes of the block: a small block cannot
// claim much memory.
static void *take(parse *parse, uint32_t count, size_t least, size_t size)
{
    if (count > kin__decoder_left(&parse->decoder) / least) {
        wrong(parse, "its counts exceed its size");
        return NULL;
    }
    return kin__heap_take(parse->heap, count, size);
}

static bool read_values(parse *parse, kin__file_leaf *leaf)
{
    const char *previous = NULL;
    leaf->value_count = kin__decode_16(&parse->decoder);
    leaf->values = take(parse, leaf->value_count, LEAST_VALUE, sizeof *leaf->values);
    for (uint32_t i = 0; leaf->values != NULL && i < leaf->value_count; i++) {
        leaf->values[i].name = previous = read_name(parse, previous);
        leaf->values[i].number = (int64_t)kin__decode_64(&parse->decoder);
        if (previous == NULL)
            return false;
    }
    return leaf->values != NULL;
}

// Returns how many names a leaf of this type may have.
static uint32_t most_values(kin_type type)
{
    if (type == KIN_TYPE_ENUM)
        return UINT16_MAX;
    return type == KIN_TYPE_ENTITY;
}

static bool read_leaf(parse *parse, kin__file_leaf *leaf, const char *previous)
{
    leaf->path = read_name(parse, previous);
    if (leaf->path == NULL)
        return false;
    uint8_t type = kin__decode_8(&parse->decoder);
    leaf->type = (kin_type)(type & ~KIN__LEAF_IS_LIST);
    leaf->is_list = (type & KIN__LEAF_IS_LIST) != 0;
    leaf->elements = kin__decode_32(&parse->decoder);
    if (leaf->type > KIN_TYPE_OPAQUE || leaf->type == KIN_TYPE_STRUCT)
        return wrong(parse, "a field has an unknown type");
    if (leaf->elements == 0 || leaf->elements > MOST_ELEMENTS)
        return wrong(parse, "a field has no elements, or too many");
    if (!read_values(parse, leaf))
        return false;
    if (leaf->value_count > most_values(leaf->type))
        return wrong(parse, "a field has names, but its type cannot have any");
    return true;
}

static bool read_leaves(parse *parse, uint32_t *count, kin__file_leaf **leaves)
{
    *count = kin__decode_16(&parse->decoder);
    *leaves = take(parse, *count, LEAST_LEAF, sizeof **leaves);
    const char *previous = NULL;
    for (uint32_t i = 0; *leaves != NULL && i < *count; i++) {
        if (!read_leaf(parse, &(*leaves)[i], previous))
            return false;
        previous = (*leaves)[i].path;
    }
    return *leaves != NULL;
}

static bool read_context(parse *parse, kin__file_context *context, const char *previous)
{
    context->name = read_name(parse, previous);
    if (context->name == NULL)
        return false;
    context->component_count = kin__decode_32(&parse->decoder);
    parse->component_count += context->component_count;
    if (context->component_count > KIN__FILE_COMPONENTS || parse->component_count > KIN__FILE_COMPONENTS)
        return wrong(parse, "there are more than 65535 components");
    context->components = take(parse, context->component_count, LEAST_COMPONENT, sizeof *context->components);
    const char *last = NULL;
    for (uint32_t i = 0; context->components != NULL && i < context->component_count; i++) {
        kin__file_component *component = &context->components[i];
        component->name = last = read_name(parse, last);
        uint8_t flags = kin__decode_8(&parse->decoder);
        if (component->name == NULL || !read_leaves(parse, &component->leaf_count, &component->leaves))
            return false;
        component->is_unique = flags == KIN__COMPONENT_IS_UNIQUE;
        if (flags > KIN__COMPONENT_IS_UNIQUE)
            return wrong(parse, "a component has an unknown flag");
    }
    return context->components != NULL;
}

static bool read_messages(parse *parse, kin__file_schema *schema)
{
    schema->message_count = kin__decode_32(&parse->decoder);
    schema->messages = take(parse, schema->message_count, LEAST_MESSAGE, sizeof *schema->messages);
    const char *previous = NULL;
    for (uint32_t i = 0; schema->messages != NULL && i < schema->message_count; i++) {
        kin__file_component *message = &schema->messages[i];
        message->name = previous = read_name(parse, previous);
        if (message->name == NULL || !read_leaves(parse, &message->leaf_count, &message->leaves))
            return false;
    }
    return schema->messages != NULL;
}

bool kin__file_schema_read(kin__file_schema *schema, kin__block_reader *reader, kin__heap *heap)
{
    KIN_ASSERT(kin__block_reader_is(reader, "SHAP"));
    parse parse = {.decoder = kin__decoder_of(reader), .reader = reader, .heap = heap};
    schema->context_count = kin__decode_32(&parse.decoder);
    schema->contexts = take(&parse, schema->context_count, LEAST_COMPONENT, sizeof *schema->contexts);
    const char *previous = NULL;
    for (uint32_t i = 0; schema->contexts != NULL && i < schema->context_count; i++) {
        if (!read_context(&parse, &schema->contexts[i], previous))
            return false;
        previous = schema->contexts[i].name;
    }
    if (schema->contexts == NULL || !read_messages(&parse, schema))
        return false;
    return kin__decoder_end(&parse.decoder, reader);
}

#include "read/schema.h"

#include "write/schema.h"

#include <string.h>

enum {
    LEAST_LEAF = 9,      // bytes of a leaf, at least
    LEAST_COMPONENT = 5, // the same of a component
    LEAST_MESSAGE = 4,   // of a message
    LEAST_VALUE = 10,    // of a value
    MOST_ELEMENTS = 1 << 24
};

typedef struct parse {
    kin__decoder decoder;
    kin__block_reader *reader;
    kin__heap *heap;
    uint32_t components; // so far
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
    if (parse->decoder.is_short || size == 0 || !kin__is_name(letters, size)) {
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
    if (leaf->value_count > (leaf->type == KIN_TYPE_ENUM ? UINT16_MAX : leaf->type == KIN_TYPE_ENTITY ? 1 : 0))
        return wrong(parse, "a field has names, but its type cannot have any");
    return true;
}

static bool read_leaves(parse *parse, uint32_t *count, kin__file_leaf **leaves)
{
    *count = kin__decode_16(&parse->decoder);
    *leaves = take(parse, *count, LEAST_LEAF, sizeof **leaves);
    for (uint32_t i = 0; *leaves != NULL && i < *count; i++)
        if (!read_leaf(parse, &(*leaves)[i], i == 0 ? NULL : (*leaves)[i - 1].path))
            return false;
    return *leaves != NULL;
}

static bool read_context(parse *parse, kin__file_context *context, const char *previous)
{
    context->name = read_name(parse, previous);
    if (context->name == NULL)
        return false;
    context->component_count = kin__decode_32(&parse->decoder);
    parse->components += context->component_count;
    if (context->component_count > KIN__FILE_COMPONENTS || parse->components > KIN__FILE_COMPONENTS)
        return wrong(parse, "there are more than 65535 components");
    context->components = take(parse, context->component_count, LEAST_COMPONENT, sizeof *context->components);
    for (uint32_t i = 0; context->components != NULL && i < context->component_count; i++) {
        kin__file_component *component = &context->components[i];
        component->name = read_name(parse, i == 0 ? NULL : component[-1].name);
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
    for (uint32_t i = 0; schema->messages != NULL && i < schema->message_count; i++) {
        kin__file_component *message = &schema->messages[i];
        message->name = read_name(parse, i == 0 ? NULL : message[-1].name);
        if (message->name == NULL || !read_leaves(parse, &message->leaf_count, &message->leaves))
            return false;
    }
    return schema->messages != NULL;
}

bool kin__file_schema_read(kin__file_schema *schema, kin__block_reader *reader, kin__heap *heap)
{
    parse parse = {.decoder = kin__decoder_of(reader), .reader = reader, .heap = heap};
    schema->context_count = kin__decode_32(&parse.decoder);
    schema->contexts = take(&parse, schema->context_count, LEAST_COMPONENT, sizeof *schema->contexts);
    for (uint32_t i = 0; schema->contexts != NULL && i < schema->context_count; i++)
        if (!read_context(&parse, &schema->contexts[i], i == 0 ? NULL : schema->contexts[i - 1].name))
            return false;
    return schema->contexts != NULL && read_messages(&parse, schema) && kin__decoder_end(&parse.decoder, reader);
}

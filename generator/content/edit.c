// Changes one value in the text of a content file. All other bytes stay: comments, order, quotes and line ends.
//
//   { at: [3, 0, 4] }        a value that is there is replaced, at its place
//   { at: [3, 0, 4], … }     a key that is missing is added after the last one, in the style of its mapping
//   Health:                  a value that is missing becomes a mapping
#include "generator/content/content.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void append(text *out, const source *source, size_t start, size_t end)
{
    assert(start <= end && end <= source->size);
    text_append(out, source->bytes + start, end - start);
}

// ---- walking

static const tree_node *item_at(const tree_node *list, const char *number)
{
    char *end;
    unsigned long index = strtoul(number, &end, 10);
    const tree_node *item = list->items;
    if (end == number || *end != '\0')
        return NULL;
    for (; item != NULL && index > 0; index--)
        item = item->next;
    return item;
}

static const tree_node *below(const tree_node *node, const char *key)
{
    if (node->kind == TREE_MAPPING)
        return tree_find(node, key);
    if (node->kind == TREE_SEQUENCE)
        return item_at(node, key);
    return NULL;
}

// ---- adding

// Appends the value with the keys that are missing around it, as flow mappings.
static void append_nested(text *out, const char *const *keys, size_t count, const char *value)
{
    for (size_t i = 0; i < count; i++)
        text_append_format(out, "{ %s: ", keys[i]);
    text_append_string(out, value);
    for (size_t i = 0; i < count; i++)
        text_append_string(out, " }");
}

static bool follows(const source *source, size_t at, char byte)
{
    return at > 0 && source->bytes[at - 1] == byte;
}

static size_t line_start(const source *source, size_t at)
{
    while (at > 0 && source->bytes[at - 1] != '\n')
        at--;
    return at;
}

static size_t line_end(const source *source, size_t at)
{
    while (at < source->size && source->bytes[at] != '\n')
        at++;
    if (at < source->size && follows(source, at, '\r'))
        at--;
    return at;
}

// Returns how the first line ends, and so the others.
static const char *line_break(const source *source)
{
    const char *first = memchr(source->bytes, '\n', source->size);
    if (first != NULL && follows(source, (size_t)(first - source->bytes), '\r'))
        return "\r\n";
    return "\n";
}

static const tree_pair *last_pair(const tree_node *mapping)
{
    const tree_pair *last = mapping->pairs;
    while (last != NULL && last->next != NULL)
        last = last->next;
    return last;
}

static bool is_block(const tree_node *node)
{
    char first = node->span.source->bytes[node->span.start];
    bool is_flow = first == '{' || first == '[';
    return node->kind != TREE_SCALAR && !is_flow;
}

// Returns the end of a node. A block ends where its last value does: what follows may be comments.
static size_t end_of(const tree_node *node)
{
    const tree_node *last = NULL;
    if (!is_block(node))
        return node->span.end;
    for (const tree_pair *pair = node->pairs; pair != NULL; pair = pair->next)
        last = tree_is_empty(pair->value) ? pair->key : pair->value;
    for (const tree_node *item = node->items; item != NULL; item = item->next)
        last = item;
    if (last == NULL)
        return node->span.end;
    return end_of(last);
}

static void add_to_flow(text *out, const tree_node *mapping, const char *const *keys, size_t count, const char *value)
{
    const source *source = mapping->span.source;
    const tree_pair *last = last_pair(mapping);
    size_t at = mapping->span.start + 1;
    assert(count > 0);
    if (last != NULL)
        at = size_max(last->key->span.end, last->value->span.end);
    append(out, source, 0, at);
    text_append_string(out, text_if(last != NULL, ","));
    text_append_format(out, " %s: ", keys[0]);
    append_nested(out, keys + 1, count - 1, value);
    bool needs_space = last == NULL && source->bytes[at] == '}';
    text_append_string(out, text_if(needs_space, " "));
    append(out, source, at, source->size);
}

// The new line follows the line in which the last value ends, and begins as deep as its key.
static void add_to_block(text *out, const tree_node *mapping, const char *const *keys, size_t count, const char *value)
{
    const source *source = mapping->span.source;
    const tree_pair *last = last_pair(mapping);
    assert(count > 0 && last != NULL); // a block has a key
    size_t at = line_end(source, end_of(mapping));
    size_t column = last->key->span.start - line_start(source, last->key->span.start);
    append(out, source, 0, at);
    text_append_string(out, line_break(source));
    for (size_t i = 0; i < column; i++) // a key may follow the dash of an item
        text_append_string(out, " ");
    text_append_format(out, "%s: ", keys[0]);
    append_nested(out, keys + 1, count - 1, value);
    append(out, source, at, source->size);
}

static bool add(text *out, const tree_node *node, const char *const *keys, size_t count, const char *value)
{
    const source *source = node->span.source;
    if (tree_is_empty(node)) {
        size_t at = node->span.start;
        append(out, source, 0, at);
        text_append_string(out, text_if(follows(source, at, ':'), " "));
        append_nested(out, keys, count, value);
        append(out, source, node->span.end, source->size);
        return true;
    }
    if (node->kind != TREE_MAPPING)
        return false;
    if (source->bytes[node->span.start] == '{')
        add_to_flow(out, node, keys, count, value);
    else
        add_to_block(out, node, keys, count, value);
    return true;
}

bool content_edit(diagnostics *diagnostics, const source *source, content_path path, const char *value, text *out)
{
    const tree_node *node = tree_parse(out->arena, diagnostics, source);
    size_t depth = 0;
    if (node == NULL)
        return false;
    for (; depth < path.count; depth++) {
        const tree_node *next = below(node, path.keys[depth]);
        if (next == NULL)
            break;
        node = next;
    }
    if (depth < path.count)
        return add(out, node, path.keys + depth, path.count - depth, value);
    append(out, source, 0, node->span.start);
    bool needs_space = tree_is_empty(node) && follows(source, node->span.start, ':');
    text_append_string(out, text_if(needs_space, " "));
    text_append_string(out, value);
    append(out, source, node->span.end, source->size);
    return true;
}

// ---- files

static bool is_unchanged(const source *source)
{
    FILE *file = fopen(source->path, "rb");
    if (file == NULL)
        return false;
    bool is_same = true;
    for (size_t i = 0; is_same && i < source->size; i++)
        is_same = getc(file) == (unsigned char)source->bytes[i];
    is_same = is_same && getc(file) == EOF;
    fclose(file);
    return is_same;
}

bool content_replace(diagnostics *diagnostics, const source *source, const text *text)
{
    const char *beside = arena_format(text->arena, "%s.kin-new", source->path);
    if (!is_unchanged(source)) {
        diagnostic_system_error(diagnostics, CODE_OUTPUT_EDITED,
                                "'%s' has changed since it was read; nothing was saved", source->path);
        return false;
    }
    FILE *file = fopen(beside, "wbx");
    bool is_written = file != NULL && fwrite(text->bytes, 1, text->size, file) == text->size;
    if (file != NULL)
        is_written = fclose(file) == 0 && is_written;
    is_written = is_written && rename(beside, source->path) == 0;
    if (is_written)
        return true;
    diagnostic_system_error(diagnostics, CODE_UNWRITABLE, "cannot write '%s': %s", source->path, strerror(errno));
    if (file != NULL)
        remove(beside);
    return false;
}

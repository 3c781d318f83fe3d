// One line of JSON as a tree with places.
#include "generator/save/save.h"

#include "generator/base/base.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

typedef struct reader {
    arena *arena;
    const char *line;
    size_t at, size;
    size_t depth;
    json_fault *fault;
} reader;

static json_node *read_value(reader *reader);

static json_node *fail(reader *reader, size_t at, const char *message)
{
    if (reader->fault->message == NULL)
        *reader->fault = (json_fault){message, at};
    return NULL;
}

static char peek(const reader *reader)
{
    return reader->at < reader->size ? reader->line[reader->at] : '\0';
}

static char next_after_space(reader *reader)
{
    while (reader->at < reader->size && byte_is_space(reader->line[reader->at]))
        reader->at++;
    return peek(reader);
}

static json_node *make(reader *reader, json_kind kind)
{
    json_node *node = arena_allocate(reader->arena, sizeof *node);
    node->kind = kind;
    node->start = reader->at;
    return node;
}

// ---- strings

static void append_code_point(text *out, uint32_t point)
{
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    static const uint32_t limits[] = {0x80, 0x800, 0x10000}; // code points below them take 1, 2 and 3 bytes
    char bytes[4];
    size_t size = 1;
    assert(point < 0x110000);
    while (size < sizeof bytes && point >= limits[size - 1])
        size++;
    for (size_t i = size; i-- > 1; point >>= 6)
        bytes[i] = (char)(0x80 | (point & 0x3f));
    bytes[0] = (char)(heads[size] | point);
    text_append(out, bytes, size);
}

static bool read_hex(reader *reader, uint32_t *number)
{
    *number = 0;
    for (int i = 0; i < 4; i++, reader->at++) {
        static const char digits[] = "0123456789abcdef";
        char letter = byte_to_lower(peek(reader));
        const char *digit = strchr(digits, letter);
        if (letter == '\0' || digit == NULL)
            return false;
        *number = *number << 4 | (uint32_t)(digit - digits);
    }
    return true;
}

// Reads what follows `\u`; two of them can be one character.
static bool read_unicode(reader *reader, text *out)
{
    uint32_t point;
    uint32_t low;
    if (!read_hex(reader, &point))
        return false;
    if (point >= 0xd800 && point < 0xdc00) {
        if (reader->size - reader->at < 6 || memcmp(reader->line + reader->at, "\\u", 2) != 0)
            return false;
        reader->at += 2;
        if (!read_hex(reader, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    } else if (point >= 0xdc00 && point < 0xe000) {
        return false;
    }
    append_code_point(out, point);
    return true;
}

static bool read_escape(reader *reader, text *out)
{
    static const char letters[] = "\"\\/bfnrt";
    static const char meanings[] = "\"\\/\b\f\n\r\t";
    size_t start = reader->at++;
    char letter = peek(reader);
    const char *found = letter == '\0' ? NULL : strchr(letters, letter);
    reader->at++;
    if (found != NULL)
        text_append(out, &meanings[found - letters], 1);
    else if (letter != 'u' || !read_unicode(reader, out))
        return fail(reader, start, "unknown escape");
    return true;
}

static json_node *read_text(reader *reader)
{
    json_node *node = make(reader, JSON_TEXT);
    text out = text_create(reader->arena);
    assert(peek(reader) == '"');
    reader->at++;
    for (;;) {
        size_t plain = json_plain_size(reader->line + reader->at, reader->size - reader->at);
        text_append(&out, reader->line + reader->at, plain);
        reader->at += plain;
        if (peek(reader) == '"')
            break;
        if (reader->at == reader->size)
            return fail(reader, node->start, "unclosed quote");
        if ((unsigned char)peek(reader) < ' ')
            return fail(reader, reader->at, "control character in a string; use an escape");
        if (peek(reader) == '\\') {
            if (!read_escape(reader, &out))
                return NULL;
            continue;
        }
        utf8_step step = utf8_next(reader->line + reader->at, reader->size - reader->at);
        if (step.code_point == UTF8_BROKEN)
            return fail(reader, reader->at, "invalid UTF-8");
        text_append(&out, reader->line + reader->at, step.size);
        reader->at += step.size;
    }
    node->end = ++reader->at;
    node->text = out.bytes;
    node->size = out.size;
    return node;
}

// ---- numbers and words

static size_t count_digits(reader *reader)
{
    size_t start = reader->at;
    while (byte_is_digit(peek(reader)))
        reader->at++;
    return reader->at - start;
}

static bool skip(reader *reader, const char *letters)
{
    bool is_there = peek(reader) != '\0' && strchr(letters, peek(reader)) != NULL;
    reader->at += is_there;
    return is_there;
}

static json_node *read_number(reader *reader)
{
    json_node *node = make(reader, JSON_NUMBER);
    skip(reader, "-");
    bool is_zero = peek(reader) == '0';
    size_t digits = count_digits(reader);
    bool is_valid = digits == 1 || (digits > 1 && !is_zero);
    if (is_valid && skip(reader, "."))
        is_valid = count_digits(reader) > 0;
    if (is_valid && skip(reader, "eE")) {
        skip(reader, "+-");
        is_valid = count_digits(reader) > 0;
    }
    if (!is_valid)
        return fail(reader, node->start, "expected a value");
    node->end = reader->at;
    node->size = node->end - node->start;
    node->text = arena_copy(reader->arena, reader->line + node->start, node->size);
    return node;
}

static json_node *read_word(reader *reader)
{
    static const struct {
        const char *word;
        json_kind kind;
        bool boolean;
    } words[] = {{"null", JSON_NULL, false}, {"true", JSON_BOOL, true}, {"false", JSON_BOOL, false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t size = strlen(words[i].word);
        if (reader->size - reader->at < size || memcmp(reader->line + reader->at, words[i].word, size) != 0)
            continue;
        json_node *node = make(reader, words[i].kind);
        node->boolean = words[i].boolean;
        node->end = reader->at += size;
        return node;
    }
    return fail(reader, reader->at, "expected a value");
}

// ---- lists and maps

static json_node *read_item(reader *reader, bool is_map)
{
    if (!is_map)
        return read_value(reader);
    if (next_after_space(reader) != '"')
        return fail(reader, reader->at, "expected a key in quotes");
    json_node *key = read_text(reader);
    if (key == NULL)
        return NULL;
    if (memchr(key->text, 0, key->size) != NULL)
        return fail(reader, key->start, "a key has a NUL");
    if (next_after_space(reader) != ':')
        return fail(reader, reader->at, "expected ':' after a key");
    reader->at++;
    json_node *value = read_value(reader);
    if (value == NULL)
        return NULL;
    value->key = key->text;
    value->key_start = key->start;
    value->key_end = key->end;
    return value;
}

static json_node *read_items(reader *reader, json_kind kind)
{
    char end = kind == JSON_MAP ? '}' : ']';
    json_node *node = make(reader, kind);
    json_node **last = &node->first;
    assert(kind == JSON_MAP || kind == JSON_LIST);
    reader->at++;
    if (next_after_space(reader) != end)
        do {
            json_node *item = read_item(reader, kind == JSON_MAP);
            if (item == NULL)
                return NULL;
            *last = item;
            last = &item->next;
            node->size++;
        } while (next_after_space(reader) == ',' && ++reader->at > 0);
    if (peek(reader) != end)
        return fail(reader, reader->at, kind == JSON_MAP ? "expected ',' or '}'" : "expected ',' or ']'");
    node->end = ++reader->at;
    return node;
}

// Recursive, up to the limit.
static json_node *read_value(reader *reader)
{
    char first = next_after_space(reader);
    assert(reader->depth <= JSON_DEPTH_LIMIT);
    if (first == '"')
        return read_text(reader);
    if (first == '-' || byte_is_digit(first))
        return read_number(reader);
    if (first != '{' && first != '[')
        return read_word(reader);
    if (reader->depth == JSON_DEPTH_LIMIT)
        return fail(reader, reader->at, "nested too deep");
    reader->depth++;
    json_node *node = read_items(reader, first == '{' ? JSON_MAP : JSON_LIST);
    reader->depth--;
    return node;
}

json_node *json_read(arena *arena, const char *line, size_t size, json_fault *fault)
{
    reader reader = {.arena = arena, .line = line, .size = size, .fault = fault};
    *fault = (json_fault){0};
    json_node *node = read_value(&reader);
    next_after_space(&reader);
    if (node != NULL && reader.at < size)
        return fail(&reader, reader.at, "unexpected content after the value");
    return node;
}

json_node *json_find(const json_node *map, const char *key, size_t size)
{
    assert(map->kind == JSON_MAP);
    for (json_node *item = map->first; item != NULL; item = item->next)
        if (strncmp(item->key, key, size) == 0 && item->key[size] == '\0') {
            item->is_used = true;
            return item;
        }
    return NULL;
}

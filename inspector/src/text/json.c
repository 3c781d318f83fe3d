#include "text/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

kin__json kin__json_make(kin__bounded_heap *heap, size_t limit)
{
    KIN_ASSERT(limit > 0);
    return (kin__json){.heap = heap, .limit = limit};
}

void kin__json_release(kin__json *json)
{
    kin__bounded_release(json->heap, json->at, json->capacity);
    *json = (kin__json){0};
}

void kin__json_clear(kin__json *json)
{
    kin__json_cut(json, 0, false);
}

void kin__json_cut(kin__json *json, size_t size, bool needs_comma)
{
    KIN_ASSERT(size <= json->size);
    json->size = size;
    json->needs_comma = needs_comma;
    json->is_full = false;
    json->lacks_memory = false;
    if (json->at != NULL)
        json->at[size] = '\0';
}

// Makes room for `size` bytes and a NUL.
static bool reserve(kin__json *json, size_t size)
{
    size_t needed = json->size + size + 1;
    size_t capacity = kin__max_size(json->capacity, 256);
    if (json->is_full || needed > json->limit) {
        json->is_full = true;
        return false;
    }
    while (capacity < needed)
        capacity *= 2;
    if (capacity == json->capacity)
        return true;
    char *larger = kin__bounded_allocate(json->heap, capacity);
    if (larger == NULL) {
        json->is_full = true;
        json->lacks_memory = true;
        return false;
    }
    if (json->size > 0)
        memcpy(larger, json->at, json->size);
    kin__bounded_release(json->heap, json->at, json->capacity);
    json->at = larger;
    json->capacity = capacity;
    return true;
}

static void append(kin__json *json, const char *bytes, size_t size)
{
    if (!reserve(json, size))
        return;
    KIN_ASSERT(json->size + size < json->capacity && json->size + size < json->limit);
    memcpy(json->at + json->size, bytes, size);
    json->size += size;
    json->at[json->size] = '\0';
}

void kin__json_raw(kin__json *json, const char *value, size_t size)
{
    if (json->needs_comma)
        append(json, ",", 1);
    json->needs_comma = true;
    append(json, value, size);
}

void kin__json_begin(kin__json *json, char bracket)
{
    KIN_ASSERT(bracket == '{' || bracket == '[');
    kin__json_raw(json, &bracket, 1);
    json->needs_comma = false;
}

void kin__json_end(kin__json *json, char bracket)
{
    KIN_ASSERT(bracket == '}' || bracket == ']');
    append(json, &bracket, 1);
    json->needs_comma = true;
}

// ---- strings

// Returns the length of the UTF-8 sequence at `text`, or 0.
static size_t sequence(const unsigned char *text, size_t size)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } kinds[] = {{0x80, 0, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    for (size_t n = 1; n <= 4; n++) {
        if ((text[0] & kinds[n - 1].mask) != kinds[n - 1].lead)
            continue;
        uint32_t code = text[0] & (unsigned char)~kinds[n - 1].mask;
        for (size_t i = 1; i < n; i++) {
            if (i >= size || (text[i] & 0xC0) != 0x80)
                return 0;
            code = code << 6 | (text[i] & 0x3F);
        }
        bool is_surrogate = code >= 0xD800 && code < 0xE000;
        bool is_in_range = code >= kinds[n - 1].least && code <= 0x10FFFF;
        if (is_surrogate || !is_in_range)
            return 0;
        return n;
    }
    return 0;
}

size_t kin__control_size(const char *text, size_t size, uint32_t *code)
{
    const unsigned char *at = (const unsigned char *)text;
    *code = at[0];
    if (at[0] < 0x20 || at[0] == 0x7F)
        return 1;
    if (size >= 2 && at[0] == 0xC2) {
        *code = at[1];
        if (at[1] < 0x80 || at[1] >= 0xA0)
            return 0;
        return 2;
    }
    if (size < 3 || at[0] != 0xE2)
        return 0;
    *code = 0x2000u | (at[1] & 0x3Fu) << 6 | (at[2] & 0x3Fu);
    static const struct {
        uint32_t first, last;
    } obeyed[] = {{0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}}; // marks, ends of lines and marks, isolates
    for (size_t i = 0; i < sizeof obeyed / sizeof *obeyed; i++)
        if (*code >= obeyed[i].first && *code <= obeyed[i].last)
            return 3;
    return 0;
}

static void append_escape(kin__json *json, uint32_t code)
{
    char text[8];
    int size = snprintf(text, sizeof text, "\\u%04" PRIx32, code);
    append(json, text, (size_t)size);
}

static void append_sequence(kin__json *json, const unsigned char *text, size_t size)
{
    const char escaped[] = {'\\', (char)text[0]};
    uint32_t code;
    if (text[0] == '"' || text[0] == '\\')
        append(json, escaped, 2);
    else if (kin__control_size((const char *)text, size, &code) > 0 || text[0] == '<')
        append_escape(json, code);
    else
        append(json, (const char *)text, size);
}

void kin__json_bytes(kin__json *json, const char *text, size_t size)
{
    const unsigned char *at = (const unsigned char *)text;
    kin__json_raw(json, "\"", 1);
    for (size_t i = 0; i < size && !json->is_full;) {
        size_t n = sequence(at + i, size - i);
        if (n == 0)
            append(json, "\xEF\xBF\xBD", 3);
        else
            append_sequence(json, at + i, n);
        i += kin__max_size(n, 1);
    }
    append(json, "\"", 1);
}

void kin__json_string(kin__json *json, const char *text)
{
    if (text == NULL)
        kin__json_null(json);
    else
        kin__json_bytes(json, text, strlen(text));
}

void kin__json_key(kin__json *json, const char *key)
{
    kin__json_string(json, key);
    append(json, ":", 1);
    json->needs_comma = false;
}

// ---- other values

void kin__json_null(kin__json *json)
{
    kin__json_raw(json, "null", 4);
}

void kin__json_bool(kin__json *json, bool value)
{
    if (value)
        kin__json_raw(json, "true", 4);
    else
        kin__json_raw(json, "false", 5);
}

void kin__json_integer(kin__json *json, int64_t value)
{
    char text[32];
    int size = snprintf(text, sizeof text, "%" PRId64, value);
    kin__json_raw(json, text, (size_t)size);
}

void kin__json_natural(kin__json *json, uint64_t value)
{
    char text[32];
    int size = snprintf(text, sizeof text, "%" PRIu64, value);
    kin__json_raw(json, text, (size_t)size);
}

void kin__json_digits(kin__json *json, int64_t value)
{
    char text[32];
    int size = snprintf(text, sizeof text, "\"%" PRId64 "\"", value);
    kin__json_raw(json, text, (size_t)size);
}

void kin__json_natural_digits(kin__json *json, uint64_t value)
{
    char text[32];
    int size = snprintf(text, sizeof text, "\"%" PRIu64 "\"", value);
    kin__json_raw(json, text, (size_t)size);
}

void kin__json_entity(kin__json *json, kin_entity entity)
{
    char text[48];
    int size = snprintf(text, sizeof text, "\"%" PRIu64 ":%" PRIu32 "\"", kin_entity_creation_index(entity),
                        kin_entity_slot(entity));
    if (entity == 0)
        kin__json_null(json);
    else
        kin__json_raw(json, text, (size_t)size);
}

// The C library writes and reads numbers with the decimal point of the locale, which may be several bytes.
size_t kin__format_number(char *text, size_t size, double value, bool is_float)
{
    static const struct {
        double smallest;
        int least, most; // digits
    } types[] = {{DBL_MIN, 15, 17}, {(double)FLT_MIN, 6, 9}};
    int length = 0;
    size_t kept = 0;
    int digits = types[is_float].least;
    if (fabs(value) < types[is_float].smallest) // has fewer digits than others
        digits = 1;
    for (; digits <= types[is_float].most; digits++) {
        length = snprintf(text, size, "%.*g", digits, value);
        bool reads_back = is_float ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value;
        if (reads_back)
            break;
    }
    KIN_ASSERT(length > 0 && (size_t)length < size);
    for (int i = 0; i < length; i++)
        if (strchr("0123456789-+e", text[i]) != NULL)
            text[kept++] = text[i];
        else if (kept == 0 || text[kept - 1] != '.')
            text[kept++] = '.';
    text[kept] = '\0';
    return kept;
}

void kin__json_number(kin__json *json, double value, bool is_float)
{
    char text[48] = "";
    if (isnan(value))
        kin__json_string(json, "NaN");
    else if (isinf(value) && value > 0)
        kin__json_string(json, "Infinity");
    else if (isinf(value))
        kin__json_string(json, "-Infinity");
    else if (value == 0 && signbit(value))
        kin__json_raw(json, "-0.0", 4);
    else if (value == 0)
        kin__json_raw(json, "0", 1);
    else
        kin__json_raw(json, text, kin__format_number(text, sizeof text, value, is_float));
}

void kin__json_put_string(kin__json *json, const char *key, const char *text)
{
    kin__json_key(json, key);
    kin__json_string(json, text);
}

void kin__json_put_text(kin__json *json, const char *key, const char *text)
{
    kin__json_key(json, key);
    if (text[0] == '\0')
        kin__json_null(json);
    else
        kin__json_string(json, text);
}

void kin__json_put_bool(kin__json *json, const char *key, bool value)
{
    kin__json_key(json, key);
    kin__json_bool(json, value);
}

void kin__json_put_natural(kin__json *json, const char *key, uint64_t value)
{
    kin__json_key(json, key);
    kin__json_natural(json, value);
}

void kin__json_put_digits(kin__json *json, const char *key, uint64_t value)
{
    kin__json_key(json, key);
    kin__json_natural_digits(json, value);
}

void kin__json_put_number(kin__json *json, const char *key, double value)
{
    kin__json_key(json, key);
    kin__json_number(json, value, false);
}

void kin__json_put_entity(kin__json *json, const char *key, kin_entity entity)
{
    kin__json_key(json, key);
    kin__json_entity(json, entity);
}

void kin__json_begin_member(kin__json *json, const char *key, char bracket)
{
    kin__json_key(json, key);
    kin__json_begin(json, bracket);
}

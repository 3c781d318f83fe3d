// JSON: writes a document into a text that grows up to a limit.
//
// Strings may be any bytes: what is no UTF-8 becomes U+FFFD, and `<`, control characters and U+2028 and U+2029 are
// escaped, so that a page cannot take a string for markup (INS-25). The caller closes what it opens, and writes a key
// before each value of an object. What does not fit is left out, and `is_full` is set.
#ifndef KIN_INSPECT_JSON_H
#define KIN_INSPECT_JSON_H

#include "text/bounded_heap.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct kin__json {
    kin__bounded_heap *heap;
    char *at; // terminated by a NUL, unless NULL
    size_t size, capacity, limit;
    bool is_full;      // memory is missing, or the limit was met: the document is not complete
    bool lacks_memory; // that is why it is full
    bool needs_comma;
} kin__json;

kin__json kin__json_make(kin__bounded_heap *heap, size_t limit);
void kin__json_release(kin__json *json);

// Empties the document, or cuts it to an earlier size; and what comes then may fit again.
void kin__json_clear(kin__json *json);
void kin__json_cut(kin__json *json, size_t size, bool needs_comma);

void kin__json_begin(kin__json *json, char bracket); // '{' or '['
void kin__json_end(kin__json *json, char bracket);   // '}' or ']'
void kin__json_key(kin__json *json, const char *key);

void kin__json_string(kin__json *json, const char *text); // NULL: null
void kin__json_bytes(kin__json *json, const char *text, size_t size);
void kin__json_bool(kin__json *json, bool value);
void kin__json_integer(kin__json *json, int64_t value);
void kin__json_natural(kin__json *json, uint64_t value);
// Writes the shortest text of a number that reads back the same, and a NUL, into 48 bytes. Returns its length.
size_t kin__format_number(char *text, size_t size, double value, bool is_float);

void kin__json_number(kin__json *json, double value, bool is_float); // the shortest text that reads back the same
void kin__json_null(kin__json *json);
void kin__json_digits(kin__json *json, int64_t value);          // as a string
void kin__json_natural_digits(kin__json *json, uint64_t value); // as a string
void kin__json_entity(kin__json *json, kin_entity entity);      // "creation:slot", or null
void kin__json_raw(kin__json *json, const char *value, size_t size);

// Write a key and its value.
void kin__json_put_string(kin__json *json, const char *key, const char *text);
void kin__json_put_bool(kin__json *json, const char *key, bool value);
void kin__json_put_natural(kin__json *json, const char *key, uint64_t value);

#endif

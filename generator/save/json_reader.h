// JSON reader: one line of JSON as a tree, whose nodes have their places in the line.
//
// Strict: no comments, no trailing commas, strings in UTF-8. Numbers stay text, so that none loses digits. Not jansson,
// as that does not say where a value is.
#ifndef KIN_GENERATOR_SAVE_JSON_READER_H
#define KIN_GENERATOR_SAVE_JSON_READER_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>

enum { JSON_DEPTH_LIMIT = 64 }; // lists and maps inside of each other

typedef enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_MAP } json_kind;

typedef struct json_node {
    json_kind kind;
    size_t start, end;         // in the line
    const char *key;           // of an item of a map; NULL otherwise. It has no NUL
    size_t key_start, key_end; // with its quotes
    const char *text;          // of a text, without its quotes and escapes; of a number as it is written
    size_t size;               // bytes of the text, or items
    bool boolean;
    bool is_used; // for who looks items up
    struct json_node *first, *next;
} json_node;

typedef struct json_fault {
    const char *message; // NULL: none
    size_t at;
} json_fault;

// Returns the value that is the whole line; NULL if it is none.
json_node *json_read(arena *arena, const char *line, size_t size, json_fault *fault);

// Returns the first item with a key, and marks it as used; NULL if there is none. The size is that of the key.
json_node *json_find(const json_node *map, const char *key, size_t size);

#endif

// base: memory, strings and numbers that all other rooms use
//
// Owns no state: the caller's arena holds all memory.
#ifndef KIN_GENERATOR_BASE_H
#define KIN_GENERATOR_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- status
//
// The exit statuses of the program.
//
// STATUS_SYSTEM takes precedence over STATUS_SCHEMA.

enum {
    STATUS_DONE = 0,
    STATUS_SCHEMA = 1,    // the schema or a template is invalid
    STATUS_USAGE = 2,     // the command line is invalid
    STATUS_SYSTEM = 3,    // a file cannot be read or written, or an output was not written by kin
    STATUS_DIFFERENCE = 4 // `generate --check` found outputs that are not up to date
};

// ---- arena
//
// The memory of one run of the generator.
//
// Everything that a run makes (sources, trees, models, views, rendered texts) lives until the run ends, so it is
// allocated from growing blocks and freed all at once. Nothing is freed on its own.
//
// arena_allocate never returns NULL. A run without memory cannot continue, and it has written nothing before all files
// are rendered; so arena_allocate calls `give_up`, or prints one line on stderr, and ends the program with status 3.

typedef struct arena_block arena_block;

// What is open outside of the arena while something is allocated, such as a file: undone before `give_up` is called,
// which may leave by longjmp. It is in the frame of the function that has opened it.
typedef struct arena_guard {
    void (*undo)(void *data);
    void *data;
    struct arena_guard *outer;
} arena_guard;

// All zero is an empty arena.
typedef struct arena {
    arena_block *blocks;
    size_t used, capacity;        // of the newest block, in bytes
    void (*give_up)(size_t size); // reports that `size` bytes could not be allocated; NULL: prints a line of text
    arena_guard *guards;          // the innermost first
} arena;

// Returns an empty arena for part of the work, with the same `give_up`.
arena arena_beside(const arena *other);

// Begins and ends a guard, innermost last and first.
void arena_open(arena *arena, arena_guard *guard, void (*undo)(void *data), void *data);
void arena_close(arena *arena, const arena_guard *guard);

// Frees all memory of the arena and leaves it empty.
void arena_release(arena *arena);

// Returns `size` bytes, all zero, aligned for any type.
void *arena_allocate(arena *arena, size_t size);

// Returns a copy of `size` bytes with a NUL after them.
char *arena_copy(arena *arena, const char *bytes, size_t size);

// Formats like printf, into the arena.
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
arena_format(arena *arena, const char *format, ...);

// Returns an array with room for one item after `count`: `items`, or a copy of twice the capacity, which is 0 at first.
void *arena_grow(arena *arena, void *items, size_t count, size_t *capacity, size_t item_size);

// ---- numbers

size_t size_min(size_t a, size_t b);
size_t size_max(size_t a, size_t b);
int size_compare(size_t a, size_t b); // less than 0 if a < b, greater if a > b

// ---- text
//
// A growing string in an arena, for messages and rendered files. A NUL that `size` does not count always follows.

typedef struct text {
    arena *arena;
    char *bytes;
    size_t size, capacity;
} text;

text text_create(arena *arena);
void text_clear(text *text); // keeps its memory
void text_append(text *text, const char *bytes, size_t size);
void text_append_string(text *text, const char *string);

// Appends the separator before the item at the index of a list, unless it is the first.
void text_separate(text *text, size_t index, const char *separator);

// Appends the item of a list that is all of the text so far: after the separator, unless it is the first.
void text_append_item(text *text, const char *separator, const char *item);

// Appends the string with spaces for line breaks.
void text_append_line(text *text, const char *string);

// Appends "1 index" or "2 indices".
void text_append_count(text *text, size_t count, const char *one, const char *many);

// Return what stands in a format: the string, or "" without the condition, and "" for NULL.
const char *text_if(bool condition, const char *string);
const char *text_or_empty(const char *string);

// Appends bytes escaped for a terminal: each byte of a character that is not printable (below) becomes `\x1b`, so that
// file names and arguments cannot move the cursor, break lines or hide text. All output for people is escaped, except
// text from the schema's checked names only.
void text_append_escaped(text *text, const char *bytes, size_t size);

// Returns the escaped string.
const char *text_escaped(arena *arena, const char *string);

// Returns whether the string ends so, and has something before that.
bool text_ends_in(const char *string, const char *ending);

// Removes the '\r' of each line if all lines end with "\r\n", as git writes text files where users want that. Returns
// the new size.
size_t text_without_returns(char *bytes, size_t size);

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_append_format(text *text, const char *format, ...);

// ---- bytes
//
// Classes and cases of ASCII, whatever the locale.

bool byte_is_upper(char byte);
bool byte_is_lower(char byte);
bool byte_is_letter(char byte);
bool byte_is_digit(char byte);
bool byte_is_word(char byte);  // a letter, a digit or '_'
bool byte_is_blank(char byte); // a space or a tab
bool byte_is_space(char byte); // a space, a tab or part of a line break
char byte_to_lower(char byte);
char byte_to_upper(char byte);

// ---- UTF-8
//
// Decodes code points one at a time, and classifies them for output and schemas.

#define UTF8_BROKEN UINT32_MAX // a byte that begins no code point

typedef struct utf8_step {
    uint32_t code_point; // UTF8_BROKEN for an invalid byte
    size_t size;         // bytes of the code point, at least 1
} utf8_step;

// Decodes the first code point; `size` must be at least 1.
utf8_step utf8_next(const char *bytes, size_t size);

// Returns whether the byte continues a code point.
bool utf8_continues(char byte);

// Returns the number of code points, counting each invalid byte as one.
size_t utf8_count(const char *bytes, size_t size);

// Returns the number of bytes at the start that are printable ASCII or line feeds: a fast path for most of a schema.
size_t utf8_plain_size(const char *bytes, size_t size);

// Returns false for control characters, line and paragraph separators, direction marks, byte order marks and
// UTF8_BROKEN, since they hide or move the text around them.
bool utf8_is_printable(uint32_t code_point);

// Returns whether the code point is a direction mark, which makes the text around it appear in another order.
bool utf8_is_directional(uint32_t code_point);

// ---- dictionary
//
// Maps strings to pointers, in an arena. Entries are never removed.
//
// Open addressing over a power of two, at most half full: a lookup costs about one comparison. Keys are not copied.

typedef struct dictionary_entry {
    const char *key; // NULL if free
    const void *value;
} dictionary_entry;

typedef struct dictionary {
    arena *arena;
    dictionary_entry *entries;
    size_t count, capacity;
} dictionary;

dictionary dictionary_create(arena *arena);

// Returns a dictionary with space for `count` keys.
dictionary dictionary_create_for(arena *arena, size_t count);

// Empties a dictionary, reusing its memory if that is small. Creates a dictionary from a struct that is all zero. Costs
// about as much as dictionary_create.
void dictionary_restart(dictionary *dictionary, arena *arena);

// Returns the value of a key, or NULL.
const void *dictionary_find(const dictionary *dictionary, const char *key);

// Adds a key with a value, which must not be NULL, and returns NULL. If the key exists, changes nothing and returns its
// value.
const void *dictionary_add(dictionary *dictionary, const char *key, const void *value);

// ---- hash
//
// XXH64 with seed 0.
//
// Hashes are written into files, so they are the same on every machine and in every version. They detect edits but are
// not cryptographic: someone can construct two contents with the same hash.

uint64_t hash_of(const char *bytes, size_t size);

// Extends a hash by more bytes, for content in several pieces.
uint64_t hash_combine(uint64_t hash, const char *bytes, size_t size);
uint64_t hash_combine_number(uint64_t hash, uint64_t number);

// ---- JSON writer
//
// Appends a JSON document to a text, piece by piece.
//
// Maps and lists are indented by two spaces; one opened with writer_open_line stays on one line with its contents.
// Strings may be any bytes: invalid UTF-8 becomes U+FFFD, so that the document is valid whatever a path contains, and
// characters that are not printable are escaped, so that a terminal can show it. Keys keep the order of writing. The
// caller closes what it opened and writes a key before each value of a map.
//
// Invariants, asserted:
//   1. depth is the number of open maps and lists; a document ends at 0
//   2. a key is only written in an open map, and its value follows

typedef struct json_writer {
    text *out;
    size_t depth;
    size_t line_depth; // of the outermost item on the current line; 0 if there is none
    bool has_items;    // the innermost map or list is not empty
    bool has_key;      // a key was written and its value is missing
} json_writer;

json_writer writer_begin(text *out);
void writer_end(json_writer *writer); // writes the line break after the document

// The bracket is '{' or '[', and '}' or ']'.
void writer_open(json_writer *writer, char bracket);
void writer_open_line(json_writer *writer, char bracket);
void writer_close(json_writer *writer, char bracket);

void writer_key(json_writer *writer, const char *key);
void writer_text(json_writer *writer, const char *text); // NULL: null
void writer_bool(json_writer *writer, bool boolean);
void writer_count(json_writer *writer, uint64_t count);
void writer_number(json_writer *writer, const char *digits); // `digits` in JSON syntax
void writer_null(json_writer *writer);

// Each writes a key and its value.
void writer_set_text(json_writer *writer, const char *key, const char *text);
void writer_set_bool(json_writer *writer, const char *key, bool boolean);
void writer_set_count(json_writer *writer, const char *key, uint64_t count);
void writer_set_positive(json_writer *writer, const char *key, uint64_t count);   // null for 0
void writer_set_number(json_writer *writer, const char *key, const char *digits); // writes null for NULL

// Each writes a key and opens its value.
void writer_set_open(json_writer *writer, const char *key, char bracket);
void writer_set_open_line(json_writer *writer, const char *key, char bracket);

// Returns how many of the bytes, from the first, stand in a JSON string as they are: ASCII but quotes, backslashes and
// control characters.
size_t json_plain_size(const char *bytes, size_t size);

// Appends the string in quotes, escaped.
void writer_append_quoted(text *out, const char *bytes, size_t size);

#endif

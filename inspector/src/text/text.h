// text: the memory of an inspector, and JSON as text
//
// kin-inspect links this room too: it writes the numbers of JSON and escapes control characters as the inspector does.
//
// Invariants:
//   1. all memory of an inspector is counted in its bounded heap, up to the limit
//   2. a document that is full stays as it was, and everything that is written to it is left out, until it is cut
//   3. what is written is UTF-8 without control characters, and cannot be taken for markup (INS-25)
#ifndef KIN_SRC_INSPECT_TEXT_H
#define KIN_SRC_INSPECT_TEXT_H

#include "base/base.h"

#include <kin/error.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// ---- memory

// A bounded heap has all memory of an inspector, from the allocator of its options, up to a limit in bytes. Two threads
// may use it at once, if the allocator allows that. Cost: one atomic addition more than the allocator.

typedef struct kin__bounded_heap {
    kin_allocator allocator; // both functions are set
    atomic_size_t used;
    size_t limit;
} kin__bounded_heap;

// Initializes the heap; an allocator without functions stands for malloc.
void kin__bounded_heap_init(kin__bounded_heap *heap, kin_allocator allocator, size_t limit);

// Return NULL when out of memory, and when the limit would be exceeded. The second one returns zeros.
void *kin__bounded_allocate(kin__bounded_heap *heap, size_t size);
void *kin__bounded_zeros(kin__bounded_heap *heap, size_t size);

// Counts bytes that others allocate for the inspector. Returns false, and counts nothing, when the limit would be
// exceeded. The second one takes the count back.
bool kin__bounded_charge(kin__bounded_heap *heap, size_t size);
void kin__bounded_discharge(kin__bounded_heap *heap, size_t size);

// Frees what was allocated with this size. NULL is allowed.
void kin__bounded_release(kin__bounded_heap *heap, void *memory, size_t size);

// ---- numbers

static inline uint64_t kin__min_64(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

static inline bool kin__is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// ---- JSON

// Writes a document into a text that grows up to a limit.
//
// Strings may be any bytes: what is no UTF-8 becomes U+FFFD, and `<`, control characters and U+2028 and U+2029 are
// escaped, so that a page cannot take a string for markup (INS-25). The caller closes what it opens, and writes a key
// before each value of an object. What does not fit is left out, and `is_full` is set.

typedef struct kin__json {
    kin__bounded_heap *heap;
    char *at; // terminated by a NUL, unless NULL
    size_t size, capacity, limit;
    bool is_full;      // memory is missing, or the limit was met: the document is not complete
    bool lacks_memory; // that is why it is full
    bool needs_comma;
} kin__json;

// Returns the size of the character of UTF-8 at `text` if a terminal or a page obeys it, and sets `code` to its number:
// a control character of ASCII or of U+0080 to U+009F, a mark of direction, or an end of a line of Unicode. Returns 0
// for any other character.
size_t kin__control_size(const char *text, size_t size, uint32_t *code);

kin__json kin__json_make(kin__bounded_heap *heap, size_t limit);
void kin__json_release(kin__json *json);

// Empties the document, or cuts it to an earlier size; and what comes then may fit again.
void kin__json_clear(kin__json *json);
void kin__json_cut(kin__json *json, size_t size, bool needs_comma);

void kin__json_begin(kin__json *json, char bracket); // '{' or '['
void kin__json_end(kin__json *json, char bracket);   // '}' or ']'
void kin__json_key(kin__json *json, const char *key);

void kin__json_string(kin__json *json, const char *text); // null for NULL
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
void kin__json_put_text(kin__json *json, const char *key, const char *text); // null for ""
void kin__json_put_bool(kin__json *json, const char *key, bool value);
void kin__json_put_natural(kin__json *json, const char *key, uint64_t value);
void kin__json_put_digits(kin__json *json, const char *key, uint64_t value); // as a string
void kin__json_put_number(kin__json *json, const char *key, double value);
void kin__json_put_entity(kin__json *json, const char *key, kin_entity entity);

// Writes a key, and begins its value.
void kin__json_begin_member(kin__json *json, const char *key, char bracket);

// ---- differences

// What has changed between two results of the same request, as streams send it.
//
//   last    {"total":2,"next":null,"rows":[{"e":"7:0","v":{"P":{"x":1,"y":2}}},{"e":"8:1","v":{"P":{"x":3,"y":4}}}]}
//   now     {"total":1,"next":null,"rows":[{"e":"7:0","v":{"P":{"x":5,"y":2}}}]}
//   change  {"total":1,"rows":[{"e":"7:0","v":{"P":{"x":5}}}],"gone":["8:1"]}
//
// It has the members of the result that differ, each whole. With rows of entities, `rows` has those that are new or
// differ, and `gone` the handles of those that are not there any more. A row that was there before has only what
// differs: objects are merged, all else is replaced; with "whole": true it replaces the former one. A new row is put in
// order of slots. What cannot be said so has no difference, such as a member that has gone, or rows in another order.
//
// Both texts are compact, as kin__json writes them. They need no memory but that of the change. Cost: reads each text
// once or twice.

// A part of a text.
typedef struct kin__json_part {
    const char *at;
    size_t size;
} kin__json_part;

// Returns the value of a member of an object, which is not empty; an empty part if it has no such member.
kin__json_part kin__json_member(const char *object, const char *name);

// Writes the difference of two results. Returns false if there is none, or if it does not fit: what was written is then
// of no use. `has_rows`: the member `rows` has entities.
bool kin__difference_write(kin__json *change, kin__json_part last, kin__json_part now, bool has_rows);

// Returns how many letters one must insert, remove or replace to make one word of the other, whatever their case.
// UINT32_MAX for words of more than 63 letters.
uint32_t kin__word_distance(const char *a, const char *b);

// Returns the largest distance at which another word may be what was meant: a third of the letters.
uint32_t kin__word_distance_limit(const char *word);

// ---- folders

// Where games leave the files by which terminals of the same user find them (INS-31). The game and kin-inspect
// use the same list, in this order:
//
//   $XDG_RUNTIME_DIR/kin
//   $TMPDIR/kin-UID         without the variable /tmp/kin-UID
//
// A folder is used only if it is no link, belongs to this user, and has the mode 0700: in /tmp anybody can make one.

enum { KIN__FOLDERS = 2 };

// Opens the folder with this number, and if `makes` makes it when it is missing. Returns -1 if it cannot be used.
int kin__folder_open(unsigned number, bool makes);

#endif

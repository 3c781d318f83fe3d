// A game with a random schema, and its values as text.
#ifndef KIN_TESTS_CONTENT_DRAWN_H
#define KIN_TESTS_CONTENT_DRAWN_H

#include <drawn/drawn.h>
#include <drawn/drawn_content.h>
#include <kin/prefab.h>
#include <kin/reflect.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SEEN = 20000 };

// Text that grows.
typedef struct line {
    char *bytes;
    size_t size, capacity;
} line;

typedef struct game {
    game_context *made;
    kin_context *context;
    kin_content *content;
    line log;
    kin_entity seen[SEEN]; // the entities that have a number in the log
    uint32_t seen_count;
} game;

// Creates a context with the content of a pack.
void game_begin(game *game, const char *pack);
void game_end(game *game);

// Returns the bytes of a file, which the caller frees.
char *file_read(const char *path, size_t *size);

// Prints a message, and ends the program with 1.
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

void line_append(line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Ends the program with the first line that differs.
void lines_compare(const char *expected, const char *found, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Appends a handle as text.
typedef void handle_append(void *data, line *line, kin_entity entity);

// Appends a field of a value, with all of its elements.
void field_append(line *line, const kin_field_info *field, const char *value, handle_append *append, void *data);

// Appends the fields of a value; NULL: that there is none. Of Origin only what does not depend on the prefab.
void value_append(line *line, const kin_component_info *info, const void *value, handle_append *append, void *data);

void run_reload(uint64_t seed, char **packs, uint32_t count);

#endif

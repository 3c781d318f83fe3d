// Show: answers as text: rows with tabs, in a terminal aligned. Control characters are shown as \x1b, marks of
// direction as \u202e.
#ifndef KIN_INSPECT_COMMAND_SHOW_H
#define KIN_INSPECT_COMMAND_SHOW_H

#include <jansson.h>
#include <stdio.h>

// Writes an array of objects as a table, with a column for each name.
void show_table(const json_t *rows, const char *const *names, size_t count);

// Writes more rows of a table.
void show_rows(const json_t *rows, const char *const *names, size_t count);

// Writes a text, such as a message, with its ends of lines. NULL: nothing.
void show_text(FILE *file, const char *text);

// Writes a value: an object one member a line.
void show_value(json_t *value);

// Writes a result as JSON.
void show_json(const json_t *value);

// Prints an error of the game, and its place in `text`; NULL: in none. Returns the status of the program, which is that
// of a refusal, or NO_GAME when the world has ended.
int show_error(const json_t *error, const char *text);

#endif

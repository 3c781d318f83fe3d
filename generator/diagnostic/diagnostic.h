// Diagnostics: errors, warnings and notes about the input, collected during a run and printed at its end.
//
// An error, a warning or a system error begins a diagnostic; notes, a hint and a fix are added to the newest one.
// Output is safe for a terminal: characters that are not printable are escaped (text.h) in messages and paths, and
// printed as '?' in source lines, one column each.
//
// System errors are printed first, in order of reporting. The rest follows by file (in order of loading) and place, and
// by order of reporting at the same place, each with its notes. Beyond the limit, errors take precedence over warnings:
//
//   schemas/arena.yaml:14:10: error: unknown type 'flaot' for field 'x' of component 'Position' [K0401]
//      14 |       x: flaot
//         |          ^^^^^ did you mean 'float'?
#ifndef KIN_GENERATOR_DIAGNOSTIC_H
#define KIN_GENERATOR_DIAGNOSTIC_H

#include "diagnostic/codes.h"
#include "diagnostic/source.h"
#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__GNUC__)
#define DIAGNOSTIC_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DIAGNOSTIC_FORMAT(text, first)
#endif

enum { DIAGNOSTIC_LIMIT = 20 }; // default number of diagnostics to print

// How diagnostics are printed.
typedef struct diagnostic_options {
    size_t limit; // maximum number; 0: all
    bool is_json; // one JSON object a line
    bool is_coloured;
} diagnostic_options;

typedef enum diagnostic_kind {
    DIAGNOSTIC_SYSTEM_ERROR,
    DIAGNOSTIC_ERROR,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_REMARK // about the list itself; never in a list
} diagnostic_kind;

typedef struct diagnostic_note_entry {
    span span;
    const char *message;
    struct diagnostic_note_entry *next;
} diagnostic_note_entry;

typedef struct diagnostic {
    diagnostic_kind kind;
    diagnostic_code code;
    size_t number; // in order of reporting
    span span;     // source NULL: no place
    const char *message;
    const char *hint; // printed after the carets; NULL without one
    const char *fix;  // replaces the span; NULL without one
    const char *path; // of the file, without a place; NULL without one
    diagnostic_note_entry *first_note, *last_note;
    struct diagnostic *next;
} diagnostic;

struct diagnostics {
    arena *arena;
    diagnostic *first, *last;
    diagnostic_options options;
    size_t count;  // diagnostics of all kinds in the list
    size_t errors; // including system errors, and errors that are not in the list
    size_t system_errors;
    size_t warnings;
    size_t sources; // number of loaded sources, for source.order
};

diagnostics diagnostics_create(arena *arena);

// Forgets the warnings if there is no error: the run is about something else than the schema.
void diagnostics_forget_warnings(diagnostics *diagnostics);

DIAGNOSTIC_FORMAT(4, 5)
void diagnostic_error(diagnostics *diagnostics, diagnostic_code code, span span, const char *format, ...);
DIAGNOSTIC_FORMAT(4, 5)
void diagnostic_warning(diagnostics *diagnostics, diagnostic_code code, span span, const char *format, ...);

// Reports a failure of the system (a file cannot be read or written): no place, exit status 3.
DIAGNOSTIC_FORMAT(3, 4)
void diagnostic_system_error(diagnostics *diagnostics, diagnostic_code code, const char *format, ...);

// Counts an error without keeping it, for errors beyond the printed limit in the same file.
void diagnostic_count_error(diagnostics *diagnostics);

// Added to the newest diagnostic, which must exist. A hint replaces an earlier hint.
DIAGNOSTIC_FORMAT(3, 4) void diagnostic_note(diagnostics *diagnostics, span span, const char *format, ...);
DIAGNOSTIC_FORMAT(2, 3) void diagnostic_hint(diagnostics *diagnostics, const char *format, ...);

// Adds the hint "did you mean" or "write" to the newest diagnostic, with `replacement` as fix for the span.
void diagnostic_meant(diagnostics *diagnostics, const char *replacement);
void diagnostic_replace(diagnostics *diagnostics, const char *replacement);

// Sets the file of the newest diagnostic, which has no place in it: a system error, or an error in a file of bytes.
void diagnostic_about(diagnostics *diagnostics, const char *path);

// Returns the code as text: K and four digits.
const char *diagnostic_code_text(arena *arena, diagnostic_code code);

size_t diagnostics_error_count(const diagnostics *diagnostics); // including system errors
size_t diagnostics_warning_count(const diagnostics *diagnostics);

// Returns 0 without errors, 1 for errors in the schema, 3 for system errors, also if there are both.
int diagnostics_exit_status(const diagnostics *diagnostics);

// Prints all diagnostics according to the options. Returns 0, or EOF on failure.
int diagnostics_print(const diagnostics *diagnostics, FILE *file);

#endif

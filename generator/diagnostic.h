// Diagnostics: what a run has to say about its input, collected, then printed at once.
//
// An error, a warning or a system error begins a diagnostic; notes and the hint that follow belong to it. What is
// printed is safe for a terminal: control characters and broken UTF-8 of the input are shown as '?'.
//
// Printed are system errors first, in order of reporting, then the rest by file (in order of loading) and place, what
// has the same place in order of reporting, each with its notes behind it:
//
//   schemas/arena.yaml:14:10: error: unknown type 'flaot' for field 'x' of component 'Position' [K0401]
//      14 |       x: flaot
//         |          ^^^^^ did you mean 'float'?
#ifndef KIN_GENERATOR_DIAGNOSTIC_H
#define KIN_GENERATOR_DIAGNOSTIC_H

#include "arena.h"
#include "diagnostic_codes.h"
#include "source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__GNUC__)
#define DIAGNOSTIC_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DIAGNOSTIC_FORMAT(text, first)
#endif

enum { DIAGNOSTIC_PRINT_LIMIT = 20 }; // errors that are printed; the rest is only counted

typedef enum diagnostic_kind { DIAGNOSTIC_SYSTEM_ERROR, DIAGNOSTIC_ERROR, DIAGNOSTIC_WARNING } diagnostic_kind;

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
    const char *hint; // stands behind the carets; NULL when there is none
    diagnostic_note_entry *first_note, *last_note;
    struct diagnostic *next;
} diagnostic;

struct diagnostics {
    arena *arena;
    diagnostic *first, *last;
    size_t count;  // diagnostics of all kinds
    size_t errors; // also counts the system errors
    size_t system_errors;
    size_t warnings;
    size_t sources; // that were loaded, for source.order
};

diagnostics diagnostics_create(arena *arena);

DIAGNOSTIC_FORMAT(4, 5)
void diagnostic_error(diagnostics *diagnostics, diagnostic_code code, span span, const char *format, ...);
DIAGNOSTIC_FORMAT(4, 5)
void diagnostic_warning(diagnostics *diagnostics, diagnostic_code code, span span, const char *format, ...);

// The system failed (a file cannot be read or written): no place, exit status 3.
DIAGNOSTIC_FORMAT(3, 4)
void diagnostic_system_error(diagnostics *diagnostics, diagnostic_code code, const char *format, ...);

// Belong to the newest diagnostic, which must exist; a hint takes the place of an earlier one.
DIAGNOSTIC_FORMAT(3, 4) void diagnostic_note(diagnostics *diagnostics, span span, const char *format, ...);
DIAGNOSTIC_FORMAT(2, 3) void diagnostic_hint(diagnostics *diagnostics, const char *format, ...);

size_t diagnostics_error_count(const diagnostics *diagnostics); // system errors among them
size_t diagnostics_warning_count(const diagnostics *diagnostics);

// 0 without errors, 1 when the schema is wrong, 3 when the system failed, also where both hold.
int diagnostics_exit_status(const diagnostics *diagnostics);

// Prints all of it as text; 0, or EOF when that failed.
int diagnostics_print(const diagnostics *diagnostics, FILE *file);

#endif

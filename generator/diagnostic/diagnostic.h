// Diagnostics: what a run has to say about its input, collected, then printed at once.
//
// An error, a warning or a system error begins a diagnostic; what follows belongs to it: notes, the hint, the fix. What
// is printed is safe for a terminal: characters that are not printable are escaped (text.h) in messages and paths, and
// shown as '?' in source lines, which have a column for each.
//
// Printed are system errors first, in order of reporting, then the rest by file (in order of loading) and place, what
// has the same place in order of reporting, each with its notes behind it. Where there are too many, the first errors
// are printed, and warnings only as far as these leave room:
//
//   schemas/arena.yaml:14:10: error: unknown type 'flaot' for field 'x' of component 'Position' [K0401]
//      14 |       x: flaot
//         |          ^^^^^ did you mean 'float'?
#ifndef KIN_GENERATOR_DIAGNOSTIC_H
#define KIN_GENERATOR_DIAGNOSTIC_H

#include "base/arena.h"
#include "diagnostic/codes.h"
#include "diagnostic/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#if defined(__GNUC__)
#define DIAGNOSTIC_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DIAGNOSTIC_FORMAT(text, first)
#endif

enum { DIAGNOSTIC_LIMIT = 20 }; // that are printed, unless somebody wants more or less

// How they are printed.
typedef struct diagnostic_options {
    size_t limit; // how many at most; 0: all
    bool is_json; // one object a line
    bool is_coloured;
} diagnostic_options;

typedef enum diagnostic_kind {
    DIAGNOSTIC_SYSTEM_ERROR,
    DIAGNOSTIC_ERROR,
    DIAGNOSTIC_WARNING,
    DIAGNOSTIC_REMARK // on the others; never in a list
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
    const char *hint; // stands behind the carets; NULL when there is none
    const char *fix;  // what should stand in place of the span; NULL when nobody knows
    const char *path; // of the file that a system error is about; NULL when it is about none
    diagnostic_note_entry *first_note, *last_note;
    struct diagnostic *next;
} diagnostic;

struct diagnostics {
    arena *arena;
    diagnostic *first, *last;
    diagnostic_options options;
    size_t count;  // diagnostics of all kinds that are in the list
    size_t errors; // also counts the system errors, and those that are not in the list
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

// An error that need not be kept, as it would not be printed: it stands in one file behind as many as are.
void diagnostic_count_error(diagnostics *diagnostics);

// Belong to the newest diagnostic, which must exist; a hint takes the place of an earlier one.
DIAGNOSTIC_FORMAT(3, 4) void diagnostic_note(diagnostics *diagnostics, span span, const char *format, ...);
DIAGNOSTIC_FORMAT(2, 3) void diagnostic_hint(diagnostics *diagnostics, const char *format, ...);

// The same: asks whether that was meant, or says to write it; it can then stand in place of the span.
void diagnostic_meant(diagnostics *diagnostics, const char *replacement);
void diagnostic_replace(diagnostics *diagnostics, const char *replacement);

// The same: which file a system error is about.
void diagnostic_about(diagnostics *diagnostics, const char *path);

// The code as people write it: K and four digits.
const char *diagnostic_code_text(arena *arena, diagnostic_code code);

size_t diagnostics_error_count(const diagnostics *diagnostics); // system errors among them
size_t diagnostics_warning_count(const diagnostics *diagnostics);

// 0 without errors, 1 when the schema is wrong, 3 when the system failed, also where both hold.
int diagnostics_exit_status(const diagnostics *diagnostics);

// Prints it as the options say; 0, or EOF when that failed.
int diagnostics_print(const diagnostics *diagnostics, FILE *file);

#endif

// Printing of diagnostics: order and limit.
#include "diagnostic/private/print.h"

#include <stdint.h>
#include <stdlib.h>

typedef struct diagnostic_counts {
    size_t errors, warnings;
} diagnostic_counts;

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int compare(const void *a, const void *b)
{
    const diagnostic *left = *(diagnostic *const *)a, *right = *(diagnostic *const *)b;
    int order = span_compare(left->span, right->span);
    return order != 0 ? order : compare_numbers(left->number, right->number);
}

static const diagnostic **sorted(const diagnostics *diagnostics)
{
    const diagnostic **list = arena_allocate(diagnostics->arena, (diagnostics->count + 1) * sizeof *list);
    size_t count = 0;
    for (const diagnostic *item = diagnostics->first; item != NULL; item = item->next)
        list[count++] = item;
    qsort(list, count, sizeof *list, compare);
    return list;
}

// Returns how many of each kind are printed. Errors take precedence over warnings.
static diagnostic_counts shown(const diagnostics *diagnostics)
{
    size_t limit = diagnostics->options.limit == 0 ? SIZE_MAX : diagnostics->options.limit;
    size_t errors = diagnostics->count - diagnostics->warnings;
    diagnostic_counts counts = {.errors = errors < limit ? errors : limit};
    size_t room = limit - counts.errors;
    counts.warnings = diagnostics->warnings < room ? diagnostics->warnings : room;
    return counts;
}

static void append(text *text, const diagnostics *diagnostics, const diagnostic *item)
{
    if (diagnostics->options.is_json)
        diagnostic_append_json(text, item);
    else
        diagnostic_append_text(text, item, diagnostics->options.is_coloured);
}

static const char *count_text(arena *arena, size_t count, const char *noun)
{
    return arena_format(arena, "%zu more %s%s", count, noun, count == 1 ? "" : "s");
}

// Reports how many diagnostics are not shown, and the flag that shows them.
static void append_rest(text *text, const diagnostics *diagnostics, diagnostic_counts rest)
{
    arena *arena = diagnostics->arena;
    if (rest.errors + rest.warnings == 0)
        return;
    const char *errors = count_text(arena, rest.errors, "error"),
               *warnings = count_text(arena, rest.warnings, "warning");
    const char *both = arena_format(arena, "%s and %s", errors, warnings);
    const char *what = rest.errors == 0 ? warnings : rest.warnings == 0 ? errors : both;
    const char *message =
        arena_format(arena, "%s %s not shown%s", what, rest.errors + rest.warnings == 1 ? "is" : "are",
                     diagnostics->options.limit == 0 ? "" : "; --max-errors 0 shows all");
    append(text, diagnostics, &(diagnostic){.kind = DIAGNOSTIC_REMARK, .code = CODE_MORE, .message = message});
}

int diagnostics_print(const diagnostics *diagnostics, FILE *file)
{
    text text = text_create(diagnostics->arena);
    const diagnostic **list = sorted(diagnostics);
    diagnostic_counts room = shown(diagnostics);
    diagnostic_counts rest = {diagnostics->errors - room.errors, diagnostics->warnings - room.warnings};
    for (size_t i = 0; i < diagnostics->count; i++) {
        size_t *left = list[i]->kind == DIAGNOSTIC_WARNING ? &room.warnings : &room.errors;
        if (*left == 0)
            continue;
        append(&text, diagnostics, list[i]);
        --*left;
    }
    append_rest(&text, diagnostics, rest);
    return fwrite(text.bytes, 1, text.size, file) == text.size ? 0 : EOF;
}

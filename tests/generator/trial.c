#include "trial.h"

#include "generator/base/base.h"
#include "generator/read/read.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char fault[2048];

// Phrases of libyaml's messages, and kin's fallback for a problem of libyaml without a message of its own.
static const char *const foreign[] = {
    "find expected",  "found character", "found unexpected", "found undefined", "found unknown",
    "found invalid",  "found a tab",     "found an ",        "in this context", "while parsing",
    "while scanning", "octet",           "surrogate",        "invalid YAML",
};

static const char *check_wording(const char *message)
{
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (strstr(message, foreign[i]) == NULL)
            continue;
        snprintf(fault, sizeof fault, "'%s' is in a message: %s", foreign[i], message);
        return fault;
    }
    return NULL;
}

static const char *check_place(span place)
{
    const source *source = place.source;
    bool is_inside = source == NULL || (place.start <= place.end && place.end <= source->size);
    return is_inside ? NULL : "a place is outside of its source";
}

static const char *check_reported(const diagnostic *item)
{
    const char *wrong = check_place(item->span);
    // After its first quote a message may quote the schema; only the text before it is kin's own.
    char *ours = strdup(item->message);
    ours[strcspn(ours, "'")] = '\0';
    if (wrong == NULL)
        wrong = check_wording(ours);
    free(ours);
    for (const diagnostic_note_entry *note = item->first_note; note != NULL && wrong == NULL; note = note->next)
        wrong = check_place(note->span);
    return wrong;
}

static const char *check_printed(const diagnostics *diagnostics)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&bytes, &size);
    diagnostics_print(diagnostics, file);
    fclose(file);
    bool is_clean = true;
    for (size_t at = 0; at < size && is_clean;) {
        utf8_step step = utf8_next(bytes + at, size - at);
        is_clean = utf8_is_printable(step.code_point) || step.code_point == '\n' || step.code_point == '\t';
        at += step.size;
    }
    free(bytes);
    return is_clean ? NULL : "what is printed is not safe for a terminal";
}

static const char *check_result(const package *package, const diagnostics *diagnostics)
{
    if ((package == NULL) != (diagnostics_error_count(diagnostics) > 0))
        return package == NULL ? "there is no model, and no error either" : "there is a model in spite of an error";
    for (const diagnostic *item = diagnostics->first; item != NULL; item = item->next) {
        const char *wrong = check_reported(item);
        if (wrong != NULL)
            return wrong;
    }
    return check_printed(diagnostics);
}

const char *trial_of_schema(const char *path, const char *bytes, size_t size)
{
    arena arena = {0};
    diagnostics diagnostics = diagnostics_create(&arena);
    const source *root = source_from_bytes(&arena, path, bytes, size);
    const package *package = package_read(&arena, &diagnostics, root);
    const char *wrong = check_result(package, &diagnostics);
    arena_release(&arena);
    return wrong;
}

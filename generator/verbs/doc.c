// What verbs share, and verbs that print texts: `doc`, `explain` and `completion`.
#include "generator/verbs/verbs.h"

#include "generator/base/base.h"
#include "generator/describe/describe.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/schema/schema.h"
#include "generator/source/codes.h"
#include "generator/source/source.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- parts of verbs

diagnostics command_diagnostics(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options = command->diagnostics;
    return diagnostics;
}

text command_render(arena *arena, const mustache_library *library, const char *template_name, const value *data)
{
    mustache_request request = {arena, library, template_name, data, MUSTACHE_CODE, NULL};
    mustache_error error = {0};
    text content = text_create(arena);
    if (!mustache_render(&request, &content, &error))
        abort();
    return content;
}

const char *command_path(arena *arena, const char *directory, const char *name)
{
    assert(strchr(name, '/') == NULL);
    if (strcmp(directory, ".") == 0)
        return name;
    return output_path(arena, directory, name);
}

// ---- doc

// The first line of a page.
static const char mark[] = "<!-- Made by kin doc. -->";

// Whether the path holds something that is neither empty nor a page of kin doc.
static bool is_foreign(const char *path)
{
    char bytes[sizeof mark] = "";
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false; // missing, a pipe or a device, or reported when it is written
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return true;
    size_t size = fread(bytes, 1, sizeof mark - 1, file);
    bool is_readable = ferror(file) == 0;
    fclose(file);
    return !is_readable || (size > 0 && strcmp(bytes, mark) != 0);
}

static int write_page(arena *arena, diagnostics *diagnostics, const char *path, const text *page)
{
    assert(strncmp(page->bytes, mark, sizeof mark - 1) == 0);
    if (is_foreign(path)) {
        diagnostic_system_error(diagnostics, CODE_OUTPUT_FOREIGN,
                                "'%s' was not written by kin doc; move it, or choose another file", path);
        diagnostic_about(diagnostics, path);
        return STATUS_SYSTEM;
    }
    int fault = output_make_parents(arena, path);
    if (fault == 0)
        fault = output_replace(arena, path, page);
    if (fault == 0)
        return STATUS_DONE;
    return output_report_fault(diagnostics, "write", path, fault);
}

int doc_run(arena *arena, const command *command)
{
    assert(command->schema_count == 1);
    diagnostics diagnostics = command_diagnostics(arena, command);
    const package *package = package_load(arena, &diagnostics, command->schemas[0], &command->includes);
    int status = diagnostics_exit_status(&diagnostics);
    if (package != NULL) {
        status = STATUS_DONE;
        text page = command_render(arena, &templates_doc, "package", view_doc(arena, package));
        if (command->directory == NULL)
            fputs(page.bytes, stdout);
        else
            status = write_page(arena, &diagnostics, command->directory, &page);
    }
    diagnostics_print(&diagnostics, stderr);
    return status;
}

// ---- explain

static const struct {
    diagnostic_code code;
    const char *title;
} entries[] = {
#define ENTRY(name, number, title) {name, title},
    DIAGNOSTIC_CODES(ENTRY)
#undef ENTRY
};

enum { ENTRY_COUNT = sizeof entries / sizeof entries[0] };

// Returns the index of the code, ENTRY_COUNT if unknown. Accepts a lower-case k.
static size_t find(arena *arena, const char *code)
{
    for (size_t i = 0; i < ENTRY_COUNT; i++) {
        const char *text = diagnostic_code_text(arena, entries[i].code);
        if ((code[0] == 'K' || code[0] == 'k') && strcmp(code + 1, text + 1) == 0)
            return i;
    }
    return ENTRY_COUNT;
}

// Reports a word with what is near it, and where to find what is known.
static int report_unknown(arena *arena, const char *what, const name_search *search, const char *advice)
{
    fprintf(stderr, "kin: unknown %s '%s'", what, text_escaped(arena, search->wanted));
    if (search->nearest != NULL)
        fprintf(stderr, "; did you mean '%s'?", search->nearest);
    fprintf(stderr, "\n%s\n", advice);
    return STATUS_USAGE;
}

int explain_run(arena *arena, const command *command)
{
    assert(command->schema_count <= 1);
    if (command->schema_count == 0) {
        for (size_t i = 0; i < ENTRY_COUNT; i++)
            printf("%s  %s\n", diagnostic_code_text(arena, entries[i].code), entries[i].title);
        puts("\nRun 'kin explain CODE' for details about a code.");
        return STATUS_DONE;
    }
    size_t index = find(arena, command->schemas[0]);
    if (index == ENTRY_COUNT) {
        name_search search = name_search_begin(command->schemas[0]);
        for (size_t i = 0; i < ENTRY_COUNT; i++)
            name_search_offer(&search, diagnostic_code_text(arena, entries[i].code));
        return report_unknown(arena, "code", &search, "Run 'kin explain' for a list of all codes.");
    }
    const char *code = diagnostic_code_text(arena, entries[index].code);
    printf("%s: %s\n\n", code, entries[index].title);
    fputs(mustache_library_find(&explanations, code)->bytes, stdout);
    return STATUS_DONE;
}

// ---- completion

// Sets a key for each choice: whether it is the given word.
static void set_choice(arena *arena, value *map, const char *given, const char *const (*choices)[2])
{
    for (; (*choices)[0] != NULL; choices++)
        value_set(map, (*choices)[0], value_bool(arena, given != NULL && strcmp(given, (*choices)[1]) == 0));
}

static value *flags_of(arena *arena, const verb *verb)
{
    static const char *const kinds[][2] = {{"is_directory", "directory"}, {"is_file", "file"}, {"is_number", "number"},
                                           {"is_format", "format"},       {"is_face", "face"}, {NULL}};
    value *list = value_list(arena);
    for (const flag *flag = verb->flags; flag->name != NULL; flag++) {
        value *map = value_append_map(arena, list);
        value_set(map, "verb", value_text(arena, verb->name));
        value_set(map, "flag", value_text(arena, flag->name));
        const char *option = arena_format(arena, "-s %s", flag->name + 1); // as fish writes it
        if (flag->name[1] == '-')
            option = arena_format(arena, "-l %s", flag->name + 2);
        value_set(map, "option", value_text(arena, option));
        set_choice(arena, map, flag->value, kinds);
    }
    return list;
}

static value *view_of_completion(arena *arena)
{
    static const char *const arguments[][2] = {{"takes_schema", "schema"},
                                               {"takes_directory", "directory"},
                                               {"takes_code", "code"},
                                               {"takes_shell", "shell"},
                                               {"takes_shape", "shape"},
                                               {"takes_save", "save"},
                                               {NULL}};
    value *list = value_list(arena);
    value *data = value_map(arena);
    for (size_t i = 0; i < COMMAND_VERB_COUNT; i++) {
        value *map = value_append_map(arena, list);
        value_set(map, "name", value_text(arena, command_verbs[i].name));
        value_set(map, "flags", flags_of(arena, &command_verbs[i]));
        set_choice(arena, map, command_verbs[i].argument, arguments);
    }
    value_set(data, "verbs", list);
    return data;
}

int completion_run(arena *arena, const command *command)
{
    assert(command->schema_count == 1);
    const char *shell = command->schemas[0];
    if (mustache_library_find(&templates_completion, shell) == NULL) {
        name_search search = name_search_begin(shell);
        for (size_t i = 0; i < templates_completion.count; i++)
            name_search_offer(&search, templates_completion.templates[i].name);
        return report_unknown(arena, "shell", &search, "Supported shells are bash, zsh and fish.");
    }
    text script = command_render(arena, &templates_completion, shell, view_of_completion(arena));
    fputs(script.bytes, stdout);
    return STATUS_DONE;
}

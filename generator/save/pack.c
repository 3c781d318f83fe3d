// A file from lines of JSON, by a schema.
#include "generator/save/internal.h"

#include "generator/base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_contexts(packing *packing)
{
    kin__shape **shapes = save_shapes_make(packing->arena, packing->package);
    packing->world = save_messages_make(packing->arena, packing->package, &packing->messages);
    pack_list_systems(packing);
    packing->context_count = packing->package->context_count;
    packing->contexts = arena_allocate(packing->arena, packing->context_count * sizeof *packing->contexts + 1);
    for (size_t i = 0; i < packing->context_count; i++) {
        packing->contexts[i].shape = shapes[i];
        packing->contexts[i].slots = text_create(packing->arena);
    }
}

// ---- lines

static bool is_blank(const packing *packing)
{
    return strspn(packing->line, " \t\r\n") >= packing->line_size;
}

// Returns whether the line begins a save, or anything that zstd has compressed, after reporting that.
static bool is_save(packing *packing)
{
    static const char magic[] = "\x89KIN";
    static const char compressed[] = "\x28\xB5\x2F\xFD";
    if (packing->line_number != 1 || packing->line_size < 4)
        return false;
    if (memcmp(packing->line, magic, 4) != 0 && memcmp(packing->line, compressed, 4) != 0)
        return false;
    pack_error(packing, CODE_LINE_SYNTAX, &(json_node){0}, "expected lines of JSON, found a save");
    diagnostic_hint(packing->diagnostics, "'kin dump' prints its lines");
    return true;
}

// Returns whether the first line looks like UTF-16 or UTF-32, after reporting that.
static bool is_wide(packing *packing)
{
    const char *line = packing->line;
    if (packing->line_number != 1 || packing->line_size < 2)
        return false;
    bool has_mark = memcmp(line, "\xFF\xFE", 2) == 0 || memcmp(line, "\xFE\xFF", 2) == 0;
    bool has_nul = line[0] == '\0' || line[1] == '\0';
    if (!has_mark && !has_nul)
        return false;
    packing->line_size = 0;
    pack_error(packing, CODE_ENCODING, &(json_node){0}, "the lines are not UTF-8, but UTF-16 or UTF-32");
    diagnostic_hint(packing->diagnostics, "save the file as UTF-8");
    return true;
}

// A file may begin with a byte order mark, as a schema may.
static void skip_mark(packing *packing)
{
    if (packing->line_number != 1 || packing->line_size < 3)
        return;
    if (memcmp(packing->line, "\xEF\xBB\xBF", 3) != 0)
        return;
    packing->line += 3;
    packing->line_size -= 3;
}

// Reads all lines; getline grows its memory as bytes arrive.
static int read_lines(packing *packing, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size;
    while ((size = getline(&line, &capacity, file)) >= 0) {
        packing->line = line;
        packing->line_size = (size_t)size - (size > 0 && line[size - 1] == '\n');
        packing->line_number++;
        skip_mark(packing);
        if (packing->is_other || is_save(packing) || is_wide(packing))
            break;
        packing->line_arena = arena_beside(packing->arena);
        if (!is_blank(packing))
            pack_line(packing);
        arena_release(&packing->line_arena);
    }
    int error = ferror(file) != 0 ? errno : 0;
    free(line);
    return error;
}

static int read_path(packing *packing, const char *path)
{
    bool is_input = strcmp(path, "-") == 0;
    FILE *file = is_input ? stdin : fopen(path, "r");
    int error = file == NULL ? errno : read_lines(packing, file);
    if (file != NULL && !is_input)
        fclose(file);
    if (error == 0)
        return STATUS_DONE;
    diagnostic_system_error(packing->diagnostics, CODE_FILE_UNREADABLE, "cannot read '%s': %s", packing->path,
                            strerror(error));
    diagnostic_about(packing->diagnostics, packing->path);
    return STATUS_SYSTEM;
}

int pack_file(arena *arena, diagnostics *diagnostics, const package *package, const char *lines, const char *path)
{
    packing packing = {.arena = arena,
                       .diagnostics = diagnostics,
                       .package = package,
                       .path = strcmp(lines, "-") == 0 ? "<stdin>" : lines,
                       .root = text_create(arena),
                       .systems = text_create(arena)};
    make_contexts(&packing);
    if (read_path(&packing, lines) != STATUS_DONE)
        return STATUS_SYSTEM;
    if (!packing.has_head && diagnostics_error_count(diagnostics) == 0) {
        packing.line = "";
        packing.line_size = 0;
        packing.line_number = 1;
        pack_error(&packing, CODE_LINE_SYNTAX, &(json_node){0}, "there are no lines");
    }
    pack_add_root(&packing);
    if (diagnostics_error_count(diagnostics) > 0 || !pack_check(&packing))
        return diagnostics_exit_status(diagnostics);
    return pack_write(&packing, path);
}

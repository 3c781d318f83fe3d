#include "verbs/doc.h"

#include "generator/base/base.h"
#include "generator/describe/describe.h"
#include "generator/read/read.h"
#include "generator/render/render.h"
#include "generator/source/source.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// The first line of a page.
static const char mark[] = "<!-- Made by kin doc. -->";

static text render(arena *arena, const package *package)
{
    mustache_request request = {arena, &templates_doc, "package", view_doc(arena, package), MUSTACHE_CODE, NULL};
    mustache_error error = {0};
    text content = text_create(arena);
    if (!mustache_render(&request, &content, &error))
        abort(); // the templates are part of the program
    return content;
}

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
    if (is_foreign(path)) {
        diagnostic_system_error(diagnostics, CODE_OUTPUT_FOREIGN,
                                "'%s' was not written by kin doc; move it, or choose another file", path);
        diagnostic_about(diagnostics, path);
        return STATUS_SYSTEM;
    }
    staged_file staged = staged_file_create(arena, path);
    int error = output_make_parents(arena, path);
    error = error != 0 ? error : output_stage(&staged, page->bytes, page->size);
    error = error != 0 ? error : output_commit(&staged);
    if (error == 0)
        return STATUS_DONE;
    diagnostic_system_error(diagnostics, CODE_UNWRITABLE, "cannot write '%s': %s", path, strerror(error));
    diagnostic_about(diagnostics, path);
    return STATUS_SYSTEM;
}

int doc_run(arena *arena, const command *command)
{
    diagnostics diagnostics = diagnostics_create(arena);
    diagnostics.options = command->diagnostics;
    const source *root = source_load(arena, &diagnostics, command->schemas[0]);
    const package *package = root == NULL ? NULL : package_read_from(arena, &diagnostics, root, &command->includes);
    int status = package == NULL ? diagnostics_exit_status(&diagnostics) : STATUS_DONE;
    if (package != NULL) {
        text page = render(arena, package);
        if (command->directory == NULL)
            fputs(page.bytes, stdout);
        else
            status = write_page(arena, &diagnostics, command->directory, &page);
    }
    diagnostics_print(&diagnostics, stderr);
    return status;
}

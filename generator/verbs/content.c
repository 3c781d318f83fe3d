// Verbs for content: `check`, `pack`, `lock`, `list`, `schema`, `dump` and `diff`, as far as they are about content.
#include "generator/verbs/verbs.h"

#include "file/file.h"
#include "generator/content/content.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// Returns the contexts with `content: true`. Reports that there are none at the name of the package.
static content_schema schema_of(arena *arena, diagnostics *diagnostics, const package *package)
{
    const kin_context_info *const *tables = schema_context_tables(arena, package);
    const kin_context_info **contexts = arena_allocate(arena, (package->context_count + 1) * sizeof *contexts);
    content_schema schema = {contexts, 0};
    for (size_t i = 0; i < package->context_count; i++)
        if (package->contexts[i]->has_content)
            contexts[schema.count++] = tables[i];
    if (schema.count == 0 && diagnostics != NULL) {
        diagnostic_error(diagnostics, CODE_NO_CONTENT, package->span, "no context of the schema has 'content: true'");
        diagnostic_hint(diagnostics, "add it to the context that content files are for");
    }
    return schema;
}

size_t content_count_paths(const command *command, size_t first)
{
    size_t count = 0;
    while (first + count < command->schema_count && content_is_path(command->schemas[first + count]))
        count++;
    return count;
}

kin__pack *content_check(arena *arena, diagnostics *diagnostics, const package *package, const char *const *paths,
                         size_t count)
{
    content_schema schema = schema_of(arena, diagnostics, package);
    if (schema.count == 0)
        return NULL;
    return content_compile(arena, diagnostics, schema, (content_paths){paths, count});
}

// ---- pack

static int write_file(arena *arena, diagnostics *diagnostics, kin__pack *pack, const char *path)
{
    text bytes = text_create(arena);
    kin__fault fault = {KIN_OK, ""};
    kin__file file;
    content_append_file(pack, &bytes);
    if (kin__file_begin(&file, path, &fault) &&
        !kin__file_sink(&file).write(bytes.bytes, bytes.size, kin__file_sink(&file).user))
        kin__fault_note(&fault, KIN_ERROR_STREAM, "the sink failed; try again with another one");
    kin__file_end(&file);
    if (fault.status == KIN_OK)
        return STATUS_DONE;
    diagnostic_system_error(diagnostics, CODE_UNWRITABLE, "%s", fault.text);
    diagnostic_about(diagnostics, path);
    return STATUS_SYSTEM;
}

int content_pack(arena *arena, diagnostics *diagnostics, const package *package, const command *command)
{
    kin__pack *pack = content_check(arena, diagnostics, package, command->schemas + 1, command->schema_count - 1);
    if (pack == NULL)
        return diagnostics_exit_status(diagnostics);
    return write_file(arena, diagnostics, pack, command->directory);
}

bool content_lock_of(arena *arena, diagnostics *diagnostics, const package *package, const command *command,
                     struct content_lock *lock)
{
    content_schema schema = schema_of(arena, diagnostics, package);
    return schema.count > 0 &&
           content_lock_make(arena, diagnostics, schema,
                             (content_paths){command->schemas + 1, command->schema_count - 1}, lock);
}

// ---- list and schema

// Reads the schema, then all else as content.
int content_show(arena *arena, const command *command)
{
    assert(command->is_content && command->schema_count > 0);
    diagnostics diagnostics = command_diagnostics(arena, command);
    const package *package = package_load(arena, &diagnostics, command->schemas[0], &command->includes);
    text out = text_create(arena);
    kin__pack *pack = NULL;
    content_schema schema = {NULL, 0};
    diagnostics_forget_warnings(&diagnostics);
    if (package != NULL)
        schema = schema_of(arena, &diagnostics, package);
    if (schema.count > 0)
        pack = content_compile(arena, &diagnostics, schema,
                               (content_paths){command->schemas + 1, command->schema_count - 1});
    if (command->kind == COMMAND_LIST && pack != NULL)
        content_append_list(&out, pack);
    if (command->kind == COMMAND_SCHEMA && schema.count > 0)
        content_append_json_schema(&out, schema, pack);
    diagnostics_print(&diagnostics, stderr);
    fputs(out.bytes, stdout);
    return diagnostics_exit_status(&diagnostics);
}

// ---- dump and diff

int content_dump(arena *arena, diagnostics *diagnostics, const char *path)
{
    const kin__pack *pack = content_read_file(arena, diagnostics, path);
    text out = text_create(arena);
    if (pack != NULL)
        content_append_lines(&out, pack);
    fputs(out.bytes, stdout);
    return diagnostics_exit_status(diagnostics);
}

int content_diff(arena *arena, diagnostics *diagnostics, const char *const *paths)
{
    const kin__pack *before = content_read_file(arena, diagnostics, paths[0]);
    const kin__pack *after = content_read_file(arena, diagnostics, paths[1]);
    text out = text_create(arena);
    if (before == NULL || after == NULL)
        return diagnostics_exit_status(diagnostics);
    if (strcmp(before->package, after->package) != 0) {
        diagnostic_error(diagnostics, CODE_OTHER_PACKAGE, (span){0}, "'%s' is of package '%s', and '%s' of '%s'",
                         paths[0], before->package, paths[1], after->package);
        diagnostic_about(diagnostics, paths[1]);
        return STATUS_SCHEMA;
    }
    size_t count = content_append_differences(&out, before, after);
    fputs(out.bytes, stdout);
    return count == 0 ? STATUS_DONE : STATUS_DIFFERENCE;
}

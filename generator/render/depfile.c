// The dependencies of generated files, for make.
#include "generator/render/render.h"

#include "generator/source/source.h"

#include <assert.h>
#include <string.h>

typedef enum path_role { ROLE_OUTPUT, ROLE_SOURCE } path_role;

// Make has no escapes for characters that end a name or change the kind of line.
static const char *find_unwritable(const char *path)
{
    while (*path != '\0' && (unsigned char)*path >= ' ' && strchr("=;\\", *path) == NULL)
        path++;
    if (*path == '\0')
        return NULL;
    return path;
}

// File name patterns stay unescaped: they match that very file or, without a match, stand for themselves. An escaped
// pattern names another file while the file does not exist.
static void append_escaped(text *content, const char *path, path_role role)
{
    assert(path[0] != '\0');
    for (; *path != '\0'; path++) {
        bool is_pattern = *path == '%' && role == ROLE_OUTPUT; // in prerequisites % is an ordinary character
        if (*path == '$')
            text_append_string(content, "$");
        else if (is_pattern || strchr(" #:", *path) != NULL)
            text_append_string(content, "\\");
        text_append(content, path, 1);
    }
}

static bool check_path(const char *path, diagnostics *diagnostics)
{
    const char *unwritable = find_unwritable(path);
    if (unwritable == NULL)
        return true;
    const char *name = "a control character";
    if ((unsigned char)*unwritable >= ' ')
        name = arena_format(diagnostics->arena, "'%c'", *unwritable);
    diagnostic_system_error(diagnostics, CODE_DEPFILE_PATH,
                            "'%s' cannot be written to a depfile: make cannot represent %s", path, name);
    diagnostic_about(diagnostics, path);
    return false;
}

static bool check_paths(const depfile *depfile, diagnostics *diagnostics)
{
    for (size_t i = 0; i < depfile->output_count; i++)
        if (!check_path(depfile->outputs[i], diagnostics))
            return false; // all outputs are in the same directory
    bool is_writable = true;
    for (size_t i = 0; i < depfile->source_count; i++)
        is_writable = check_path(depfile->sources[i]->path, diagnostics) && is_writable;
    for (size_t i = 0; i < depfile->template_count; i++)
        is_writable = check_path(depfile->templates[i], diagnostics) && is_writable;
    return is_writable;
}

static void append_needed(text *content, const char *path)
{
    text_append_string(content, " ");
    append_escaped(content, path, ROLE_SOURCE);
}

static void append_target(text *content, const char *path)
{
    text_append_string(content, "\n");
    append_escaped(content, path, ROLE_OUTPUT);
    text_append_string(content, ":\n");
}

bool depfile_append(text *content, const depfile *depfile, diagnostics *diagnostics)
{
    assert(depfile->output_count > 0 && depfile->source_count > 0);
    if (!check_paths(depfile, diagnostics))
        return false;
    for (size_t i = 0; i < depfile->output_count; i++) {
        text_separate(content, i, " ");
        append_escaped(content, depfile->outputs[i], ROLE_OUTPUT);
    }
    text_append_string(content, ":");
    for (size_t i = 0; i < depfile->source_count; i++)
        if (!depfile->sources[i]->is_input)
            append_needed(content, depfile->sources[i]->path);
    for (size_t i = 0; i < depfile->template_count; i++)
        append_needed(content, depfile->templates[i]);
    text_append_string(content, "\n");
    for (size_t i = 1; i < depfile->source_count; i++)
        append_target(content, depfile->sources[i]->path);
    for (size_t i = 0; i < depfile->template_count; i++)
        append_target(content, depfile->templates[i]);
    return true;
}

// Returns the length of the first name: up to a separator without a backslash before it.
static size_t first_name_size(const char *bytes, size_t size)
{
    size_t end = 0;
    while (end < size && bytes[end] != '\n' && (bytes[end] != ' ' || (end > 0 && bytes[end - 1] == '\\')))
        end++;
    return end;
}

static size_t last_slash(const char *bytes, size_t end)
{
    while (end > 0 && bytes[end - 1] != '/')
        end--;
    return end;
}

bool depfile_is_own(const char *bytes, size_t size)
{
    size_t end = first_name_size(bytes, size);
    if (size == 0 || end < 2 || memcmp(bytes + end - 2, ".h", 2) != 0)
        return size == 0;
    size_t name = last_slash(bytes, end);
    size_t length = end - 2 - name;
    if (length == 0 || name < length + 1)
        return false;
    size_t folder = name - 1 - length;
    return memcmp(bytes + folder, bytes + name, length) == 0 && (folder == 0 || bytes[folder - 1] == '/');
}

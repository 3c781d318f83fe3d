// Renders the files of a view.
#include "generator/render/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <kin/platform.h>
#include <stdbool.h>
#include <string.h>

// ---- files

bool generated_file_has_mark(const char *bytes, size_t size)
{
    static const char mark[] = GENERATED_MARK;
    size_t length = sizeof mark - 1;
    size_t end = size_min(size, GENERATED_MARK_SIZE);
    for (size_t at = 0; at + length <= end; at++)
        if (memcmp(bytes + at, mark, length) == 0)
            return true;
    return false;
}

bool generated_file_may_be(const char *path)
{
    return manifest_name_is_valid(path) && strcmp(path, MANIFEST_NAME) != 0;
}

// Files of the user's own are wrapped only if they are C or C++.
static bool is_wrapped(const view_file *file)
{
    static const char *const suffixes[] = {".c", ".h", ".cc", ".cpp", ".hpp"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (text_ends_in(file->path, suffixes[i]))
            return true;
    return !file->is_own;
}

// ---- rendering

typedef struct renderer {
    arena *arena;
    const template_set *set;
    diagnostics *diagnostics;
    mustache_cache cache;
    text rendered, wrapped;   // reused for each file
    mustache_error *reported; // at most one per file
    size_t reported_count, capacity;
} renderer;

static bool is_same_error(const mustache_error *a, const mustache_error *b)
{
    bool is_same_place = a->line == b->line && a->column == b->column;
    return is_same_place && strcmp(a->template_name, b->template_name) == 0 && strcmp(a->message, b->message) == 0;
}

// Reports an error once, although several files may share the template.
static bool fail(renderer *renderer, const mustache_error *error)
{
    for (size_t i = 0; i < renderer->reported_count; i++)
        if (is_same_error(&renderer->reported[i], error))
            return false;
    assert(error->message != NULL && renderer->reported_count < renderer->capacity);
    renderer->reported[renderer->reported_count++] = *error;
    template_set_report(renderer->diagnostics, renderer->set, error);
    return false;
}

// Returns the required part that the rendered file lacks; NULL if it has all.
static const char *find_omission(const renderer *renderer, const char *stamp)
{
    const text *output = &renderer->wrapped;
    if (!generated_file_has_mark(output->bytes, output->size))
        return arena_format(renderer->arena,
                            "'" GENERATED_MARK "' is missing from the first %d bytes; begin with {{> mark}}",
                            GENERATED_MARK_SIZE);
    if (strstr(output->bytes, stamp) == NULL)
        return "missing stamp; add {{> stamp}} after the includes";
    return NULL;
}

static bool render_file(renderer *renderer, const view_file *described, generated_file *file)
{
    mustache_request request = {.arena = renderer->arena,
                                .library = &renderer->set->library,
                                .template_name = described->template_name,
                                .data = described->data,
                                .mode = MUSTACHE_CODE,
                                .cache = &renderer->cache};
    mustache_error error = {described->template_name, 1, 1, NULL, CODE_TEMPLATE_MARK};
    text_clear(&renderer->rendered);
    text_clear(&renderer->wrapped);
    if (!mustache_render(&request, &renderer->rendered, &error))
        return fail(renderer, &error);
    if (is_wrapped(described))
        wrap_lines(&renderer->wrapped, renderer->rendered.bytes, renderer->rendered.size);
    else
        text_append(&renderer->wrapped, renderer->rendered.bytes, renderer->rendered.size);
    if (!described->is_own)
        error.message = find_omission(renderer, described->layout->stamp);
    if (error.message != NULL)
        return fail(renderer, &error);
    const text *output = &renderer->wrapped;
    *file = (generated_file){described->path, arena_copy(renderer->arena, output->bytes, output->size), output->size};
    return true;
}

uint64_t render_stamp(arena *arena, const template_set *set, view *view)
{
    uint64_t whole = view_stamp(arena, view, template_set_hash(set, KIN_INTERFACE_VERSION));
    if (view->has_faces)
        whole = template_set_hash_faces(set, whole);
    return hash_combine_number(whole, RENDER_NUMBER);
}

const generated_file *render_view(diagnostics *diagnostics, const template_set *set, view *view)
{
    assert(view->layouts[0].stamp != NULL);
    arena *arena = diagnostics->arena;
    renderer renderer = {arena,
                         set,
                         diagnostics,
                         {NULL},
                         text_create(arena),
                         text_create(arena),
                         arena_allocate(arena, view->count * sizeof(mustache_error)),
                         0,
                         view->count};
    generated_file *files = arena_allocate(arena, view->count * sizeof *files);
    bool is_rendered = true;
    for (size_t i = 0; i < view->count; i++)
        is_rendered = render_file(&renderer, &view->files[i], &files[i]) && is_rendered;
    if (!is_rendered)
        return NULL;
    return files;
}

#include "render.h"

#include "wrap.h"

#include <kin/platform.h>

#include <stdbool.h>
#include <string.h>

typedef struct renderer {
    arena *arena;
    const template_set *set;
    const char *stamp;
    diagnostics *diagnostics;
} renderer;

static bool fail(const renderer *renderer, const mustache_error *error)
{
    template_set_report(renderer->diagnostics, renderer->set, error);
    return false;
}

// What is made on the way there lies in `scratch`.
static bool render_in(const renderer *renderer, const view_file *described, arena *scratch, output_file *file)
{
    mustache_request request = {scratch, &renderer->set->library, described->template_name, described->data,
                                MUSTACHE_CODE};
    text output = text_create(scratch);
    mustache_error error = {described->template_name, 1, 1, NULL, CODE_TEMPLATE_MARK};
    if (!mustache_render(&request, &output, &error))
        return fail(renderer, &error);
    output = wrap_lines(scratch, output.bytes, output.size);
    if (!output_has_mark(output.bytes, output.size))
        error.message = arena_format(
            scratch, "'" OUTPUT_MARK "' is not within the first %d bytes: begin with {{> mark}}", OUTPUT_MARK_SIZE);
    else if (strstr(output.bytes, renderer->stamp) == NULL)
        error.message = "the stamp of the set is missing: write {{> stamp}} behind what is included";
    if (error.message != NULL)
        return fail(renderer, &error);
    *file = (output_file){described->path, arena_copy(renderer->arena, output.bytes, output.size), output.size};
    return true;
}

static bool render_file(const renderer *renderer, const view_file *described, output_file *file)
{
    arena scratch = arena_beside(renderer->arena);
    bool is_rendered = render_in(renderer, described, &scratch, file);
    arena_release(&scratch);
    return is_rendered;
}

const output_file *render_view(diagnostics *diagnostics, const template_set *set, view *view)
{
    arena *arena = diagnostics->arena;
    const char *stamp = view_stamp(arena, view, template_set_hash(set, KIN_INTERFACE_VERSION));
    renderer renderer = {arena, set, stamp, diagnostics};
    output_file *files = arena_allocate(arena, view->count * sizeof *files);
    bool is_rendered = true;
    for (size_t i = 0; i < view->count; i++)
        is_rendered = render_file(&renderer, &view->files[i], &files[i]) && is_rendered;
    return is_rendered ? files : NULL;
}

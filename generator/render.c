#include "render.h"

static bool render_file(const mustache_request *request, output_file *file, text *faults)
{
    text output = text_create(request->arena);
    mustache_error error;
    if (!mustache_render(request, &output, &error)) {
        text_append_format(faults, "kin: template %s\n", mustache_error_line(request->arena, &error));
        return false;
    }
    if (!output_has_mark(output.bytes, output.size)) {
        text_append_format(faults, "kin: template %s:1:1: error: '" OUTPUT_MARK "' is not within the first %d bytes\n",
                           request->template_name, OUTPUT_MARK_SIZE);
        return false;
    }
    file->bytes = output.bytes;
    file->size = output.size;
    return true;
}

const output_file *render_view(arena *arena, const mustache_library *library, const view *view, text *faults)
{
    output_file *files = arena_allocate(arena, view->count * sizeof *files);
    bool is_rendered = true;
    for (size_t i = 0; i < view->count; i++) {
        const view_file *described = &view->files[i];
        mustache_request request = {arena, library, described->template_name, described->data, MUSTACHE_CODE};
        files[i].path = described->path;
        is_rendered = render_file(&request, &files[i], faults) && is_rendered;
    }
    return is_rendered ? files : NULL;
}

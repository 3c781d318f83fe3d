// Fuzzing the template engine: any bytes as a library of templates, over data of every kind.
//
// The first byte selects the mode. The rest are templates, separated by NUL: `a`, which is rendered, then its partials
// `b`, `c` and `d`. A failure is an error with a place and a message.
#include "generator/render/render.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEMPLATE_LIMIT = 4 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// { text, empty, yes, no, none, void: [], list: [{ text, list: [..] }, ..], map: { text } }
static const value *make_data(arena *arena)
{
    value *root = value_map(arena), *list = value_list(arena), *map = value_map(arena);
    value_set(root, "text", value_text(arena, "a <b> & \"c\"\n"));
    value_set(root, "empty", value_text(arena, ""));
    value_set(root, "yes", value_bool(arena, true));
    value_set(root, "no", value_bool(arena, false));
    value_set(root, "none", value_null(arena));
    value_set(root, "void", value_list(arena));
    value_set(map, "text", value_text(arena, "inner"));
    value_set(root, "map", map);
    for (int i = 0; i < 3; i++) {
        value *item = value_map(arena), *inner = value_list(arena);
        value_append(inner, value_text(arena, "x"));
        value_append(inner, value_text(arena, "y"));
        value_set(item, "text", value_text(arena, "item"));
        value_set(item, "inner", inner);
        value_append(list, item);
    }
    value_set(root, "list", list);
    return root;
}

static size_t split(arena *arena, const char *bytes, size_t size, mustache_template *templates)
{
    static const char *const names[TEMPLATE_LIMIT] = {"a", "b", "c", "d"};
    size_t count = 0;
    for (size_t start = 0; count < TEMPLATE_LIMIT; count++) {
        const char *end = start < size ? memchr(bytes + start, '\0', size - start) : NULL;
        size_t length = end != NULL ? (size_t)(end - bytes) - start : size - start;
        templates[count] = (mustache_template){names[count], arena_copy(arena, bytes + start, length), length};
        if (end == NULL)
            return count + 1;
        start += length + 1;
    }
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    arena arena = {0};
    mustache_template templates[TEMPLATE_LIMIT];
    mustache_library library = {templates, split(&arena, (const char *)bytes + 1, size - 1, templates)};
    mustache_request request = {&arena, &library, "a", make_data(&arena), bytes[0] & 1 ? MUSTACHE_CODE : MUSTACHE_SPEC,
                                NULL};
    text output = text_create(&arena);
    mustache_error error = {0};
    bool is_rendered = mustache_render(&request, &output, &error);
    bool is_reported = error.message != NULL && error.template_name != NULL && error.line > 0 && error.column > 0;
    if (!is_rendered && !is_reported) {
        fprintf(stderr, "a failure without a place\n");
        abort();
    }
    arena_release(&arena);
    return 0;
}

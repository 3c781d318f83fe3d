// Reports template errors at their place in the file, or in the built-in text.
#include "template/set.h"

#include "generator/base/base.h"
#include "generator/source/source.h"

#include <string.h>

static const source *source_of(arena *arena, const template_set *set, const char *name)
{
    for (size_t i = 0; i < set->library.count; i++)
        if (set->sources[i] != NULL && strcmp(set->library.templates[i].name, name) == 0)
            return set->sources[i];
    const mustache_template *own = mustache_library_find(&set->library, name);
    return source_from_bytes(arena, arena_format(arena, "kin: template %s", name), own->bytes, own->size);
}

span template_tag_at(const source *source, size_t line, size_t column)
{
    span rest = source_line(source, line);
    for (; column > 1 && rest.start < rest.end; column--)
        rest.start += utf8_next(source->bytes + rest.start, rest.end - rest.start).size;
    size_t end = rest.start;
    if (rest.end - rest.start < 2 || memcmp(source->bytes + rest.start, "{{", 2) != 0)
        return (span){source, rest.start, rest.start};
    for (end += 2; end < rest.end && source->bytes[end - 1] != '}';)
        end++;
    while (end < rest.end && source->bytes[end] == '}')
        end++;
    return (span){source, rest.start, source->bytes[end - 1] == '}' ? end : rest.start + 2};
}

void template_set_report(diagnostics *diagnostics, const template_set *set, const mustache_error *error)
{
    const source *source = source_of(diagnostics->arena, set, error->template_name);
    diagnostic_error(diagnostics, error->code, template_tag_at(source, error->line, error->column), "%s",
                     error->message);
}

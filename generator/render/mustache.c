// The renderer: visits the tokens of a program with a stack of frames, one for each open truthy section.
//
// The renderer is recursive for sections, whose depth the parser limits, and for partials, of which at most
// MUSTACHE_PARTIAL_LIMIT are open.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/source/source.h"

#include <assert.h>
#include <string.h>

typedef struct frame {
    const value *data;
    const struct frame *outer;
} frame;

typedef struct mustache_cached {
    mustache_program program;
    mustache_slice indentation;
    struct mustache_cached *older;
} mustache_cached;

typedef struct renderer {
    const mustache_request *request;
    text *output;
    size_t limit; // maximum size of the output
    mustache_error *error;
    mustache_cache *cache;
    size_t partials; // open partials
    size_t steps;    // rendered tokens
} renderer;

// A range of tokens in one program.
typedef struct token_range {
    const mustache_program *program;
    size_t first, end;
} token_range;

static bool render_range(renderer *renderer, token_range range, const frame *frame);

// Fills in the error, with the place of the first token of the range. Returns false.
static bool fail(const renderer *renderer, token_range range, diagnostic_code code, const char *message)
{
    assert(range.first < range.end);
    mustache_place place = range.program->tokens[range.first].place;
    *renderer->error = (mustache_error){range.program->template_name, place.line, place.column, message, code};
    return false;
}

static const value *find_head(value_key key, const frame *frame)
{
    for (; frame != NULL; frame = frame->outer) {
        const value *found = value_find(frame->data, key);
        if (found != NULL)
            return found;
    }
    return NULL;
}

// Returns the value that the token names; NULL if there is none. Only the first part of a name is looked up in all
// frames. Parts below null or false are null.
static const value *resolve(const mustache_token *token, const frame *frame)
{
    static const value nothing = {.kind = VALUE_NULL};
    if (token->part_count == 0)
        return frame->data;
    const value *found = find_head(token->parts[0], frame);
    for (size_t i = 1; i < token->part_count && found != NULL; i++) {
        if (found->kind == VALUE_NULL || (found->kind == VALUE_BOOL && !found->boolean))
            return &nothing;
        found = value_find(found, token->parts[i]);
    }
    return found;
}

static bool is_truthy(const value *data)
{
    if (data == NULL || data->kind == VALUE_NULL)
        return false;
    if (data->kind == VALUE_BOOL)
        return data->boolean;
    return data->kind != VALUE_LIST || data->first != NULL;
}

static const char *escape_of(char byte)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    default:
        return "&quot;";
    }
}

static void append_escaped(text *output, const char *bytes)
{
    while (*bytes != '\0') {
        size_t plain = strcspn(bytes, "&<>\"");
        text_append(output, bytes, plain);
        bytes += plain;
        if (*bytes != '\0')
            text_append_string(output, escape_of(*bytes++));
    }
}

static const char *printed(const value *data)
{
    static const char *const booleans[] = {"false", "true"};
    if (data->kind == VALUE_TEXT)
        return data->text;
    if (data->kind == VALUE_BOOL)
        return booleans[data->boolean];
    return "";
}

static bool render_variable(const renderer *renderer, const mustache_token *token, const value *data)
{
    if (data == NULL)
        return true;
    if (token->kind == MUSTACHE_VARIABLE && renderer->request->mode == MUSTACHE_SPEC)
        append_escaped(renderer->output, printed(data));
    else
        text_append_string(renderer->output, printed(data));
    return true;
}

static bool render_section(renderer *renderer, token_range inside, const value *data, const frame *outer)
{
    if (!is_truthy(data))
        return true;
    frame frame = {data, outer};
    if (data->kind != VALUE_LIST)
        return render_range(renderer, inside, &frame);
    for (frame.data = data->first; frame.data != NULL; frame.data = frame.data->next)
        if (!render_range(renderer, inside, &frame))
            return false;
    return true;
}

// Returns the parsed template, from the cache if it was parsed with this indentation before.
static const mustache_program *load(renderer *renderer, const mustache_template *source, mustache_slice indentation)
{
    arena *arena = renderer->request->arena;
    for (const mustache_cached *cached = renderer->cache->newest; cached != NULL; cached = cached->older)
        if (cached->program.template_name == source->name && cached->indentation.size == indentation.size &&
            (indentation.size == 0 || memcmp(cached->indentation.bytes, indentation.bytes, indentation.size) == 0))
            return &cached->program;
    mustache_cached *loaded = arena_allocate(arena, sizeof *loaded);
    if (!mustache_parse(arena, source, indentation, &loaded->program, renderer->error))
        return NULL;
    loaded->indentation = indentation;
    loaded->older = renderer->cache->newest;
    renderer->cache->newest = loaded;
    return &loaded->program;
}

// Finds and caches the partial of the first token. Returns false, with the error filled in, if that fails. In
// MUSTACHE_SPEC a missing partial is empty.
static bool find_partial(renderer *renderer, token_range range)
{
    mustache_token *token = &range.program->tokens[range.first];
    const mustache_request *request = renderer->request;
    const mustache_template *source = mustache_library_find(request->library, token->name);
    if (source == NULL && request->mode == MUSTACHE_SPEC)
        return true;
    if (source == NULL)
        return fail(renderer, range, CODE_TEMPLATE_MISSING,
                    arena_format(request->arena, "unknown template '%s'", token->name));
    token->partial = load(renderer, source, token->text);
    return token->partial != NULL;
}

static bool render_partial(renderer *renderer, token_range range, const frame *frame)
{
    mustache_token *token = &range.program->tokens[range.first];
    if (renderer->partials == MUSTACHE_PARTIAL_LIMIT)
        return fail(renderer, range, CODE_TEMPLATE_TOO_LARGE,
                    arena_format(renderer->request->arena, "partials nested too deep; at most %d levels are allowed",
                                 MUSTACHE_PARTIAL_LIMIT));
    if (token->partial == NULL && !find_partial(renderer, range))
        return false;
    if (token->partial == NULL)
        return true;
    renderer->partials++;
    bool rendered = render_range(renderer, (token_range){token->partial, 0, token->partial->count}, frame);
    renderer->partials--;
    return rendered;
}

// In MUSTACHE_CODE, a value that would silently print nothing is an error of the template or the view.
static bool check_value(const renderer *renderer, token_range range, const value *data)
{
    const mustache_token *token = &range.program->tokens[range.first];
    arena *arena = renderer->request->arena;
    if (renderer->request->mode == MUSTACHE_SPEC)
        return true;
    if (data == NULL)
        return fail(renderer, range, CODE_TEMPLATE_UNKNOWN_NAME, arena_format(arena, "unknown name '%s'", token->name));
    const char *what = NULL;
    if (data->kind == VALUE_LIST)
        what = "list";
    if (data->kind == VALUE_MAP)
        what = "map";
    bool is_printed = token->kind == MUSTACHE_VARIABLE || token->kind == MUSTACHE_RAW;
    if (!is_printed || what == NULL)
        return true;
    return fail(renderer, range, CODE_TEMPLATE_UNPRINTABLE,
                arena_format(arena, "'%s' is a %s and cannot be printed", token->name, what));
}

// Renders the first token of the range: text, a tag, or a section up to its closing tag.
static bool render_tag(renderer *renderer, token_range range, const frame *frame)
{
    const mustache_token *token = &range.program->tokens[range.first];
    if (token->kind == MUSTACHE_TEXT) {
        text_append(renderer->output, token->text.bytes, token->text.size);
        return true;
    }
    if (token->kind == MUSTACHE_PARTIAL)
        return render_partial(renderer, range, frame);
    const value *data = resolve(token, frame);
    if (!check_value(renderer, range, data))
        return false;
    token_range inside = {range.program, range.first + 1, token->end};
    if (token->kind == MUSTACHE_SECTION)
        return render_section(renderer, inside, data, frame);
    if (token->kind == MUSTACHE_INVERTED)
        return is_truthy(data) || render_range(renderer, inside, frame);
    return render_variable(renderer, token, data);
}

static bool render_range(renderer *renderer, token_range range, const frame *frame)
{
    assert(range.first <= range.end && range.end <= range.program->count);
    while (range.first < range.end) {
        const mustache_token *token = &range.program->tokens[range.first];
        if (!render_tag(renderer, range, frame))
            return false;
        if (renderer->output->size > renderer->limit || ++renderer->steps > MUSTACHE_STEP_LIMIT)
            return fail(renderer, range, CODE_TEMPLATE_TOO_LARGE, "output is too large");
        bool is_section = token->kind == MUSTACHE_SECTION || token->kind == MUSTACHE_INVERTED;
        if (is_section)
            range.first = token->end;
        range.first++;
    }
    return true;
}

const mustache_template *mustache_library_find(const mustache_library *library, const char *name)
{
    for (size_t i = 0; i < library->count; i++)
        if (strcmp(library->templates[i].name, name) == 0)
            return &library->templates[i];
    return NULL;
}

bool mustache_render(const mustache_request *request, text *output, mustache_error *error)
{
    mustache_cache own = {NULL};
    renderer renderer = {.request = request,
                         .output = output,
                         .limit = output->size + MUSTACHE_OUTPUT_LIMIT,
                         .error = error,
                         .cache = request->cache};
    if (renderer.cache == NULL)
        renderer.cache = &own;
    const mustache_template *source = mustache_library_find(request->library, request->template_name);
    if (source == NULL) {
        *error = (mustache_error){request->template_name, 1, 1, "unknown template", CODE_TEMPLATE_MISSING};
        return false;
    }
    const mustache_program *program = load(&renderer, source, (mustache_slice){"", 0});
    if (program == NULL)
        return false;
    frame root = {request->data, NULL};
    return render_range(&renderer, (token_range){program, 0, program->count}, &root);
}

const char *mustache_error_line(arena *arena, const mustache_error *error)
{
    return arena_format(arena, "%s:%zu:%zu: error: %s", error->template_name, error->line, error->column,
                        error->message);
}

// ---- errors

// Reports template errors at their place in the file, or in the built-in text.

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
    assert(line > 0 && column > 0);
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
    if (source->bytes[end - 1] != '}')
        end = rest.start + 2;
    return (span){source, rest.start, end};
}

void template_set_report(diagnostics *diagnostics, const template_set *set, const mustache_error *error)
{
    const source *source = source_of(diagnostics->arena, set, error->template_name);
    diagnostic_error(diagnostics, error->code, template_tag_at(source, error->line, error->column), "%s",
                     error->message);
}

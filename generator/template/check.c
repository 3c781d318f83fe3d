#include "template/private/check.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"
#include "template/private/mustache_parse.h"
#include "template/templates.h"

#include <string.h>

typedef struct checker {
    arena *arena;
    diagnostics *diagnostics;
    const template_set *set;
    dictionary names; // of the built-in templates
    const char **list;
    size_t count, capacity;
} checker;

static bool is_value(const mustache_token *token)
{
    return token->kind == MUSTACHE_VARIABLE || token->kind == MUSTACHE_RAW || token->kind == MUSTACHE_SECTION ||
           token->kind == MUSTACHE_INVERTED;
}

static void add_known_name(checker *checker, const char *name)
{
    if (dictionary_add(&checker->names, name, checker) != NULL)
        return;
    if (checker->count == checker->capacity) {
        checker->capacity = checker->capacity == 0 ? 128 : 2 * checker->capacity;
        const char **list = arena_allocate(checker->arena, checker->capacity * sizeof *list);
        if (checker->count > 0)
            memcpy(list, checker->list, checker->count * sizeof *list);
        checker->list = list;
    }
    checker->list[checker->count++] = name;
}

static bool parse(const checker *checker, const mustache_template *source, mustache_program *program)
{
    mustache_error error;
    *program = (mustache_program){0};
    return mustache_parse(checker->arena, source, (mustache_slice){"", 0}, program, &error);
}

static void add_known_names(checker *checker, const mustache_template *source)
{
    mustache_program program;
    if (!parse(checker, source, &program))
        return;
    for (size_t i = 0; i < program.count; i++) {
        const mustache_token *token = &program.tokens[i];
        for (size_t k = 0; is_value(token) && k < token->part_count; k++)
            add_known_name(checker, token->parts[k].name);
    }
}

// Returns the first part of the name that no built-in template uses; NULL if all are known.
static const char *unknown_part(const checker *checker, const mustache_token *token)
{
    for (size_t i = 0; i < token->part_count; i++)
        if (dictionary_find(&checker->names, token->parts[i].name) == NULL)
            return token->parts[i].name;
    return NULL;
}

// Returns the place of the name in the tag; that of the tag's delimiter if the name is on another line.
static span place_of(const source *source, const mustache_token *token, const char *name)
{
    span tag = template_tag_at(source, token->place.line, token->place.column);
    size_t size = strlen(name), end = source_line(source, token->place.line).end;
    for (size_t start = tag.start; start + size <= end; start++)
        if (memcmp(source->bytes + start, name, size) == 0)
            return (span){source, start, start + size};
    return tag;
}

static void report(checker *checker, const source *source, const mustache_token *token, const name_search *search)
{
    span place = place_of(source, token, search->wanted);
    if (token->kind == MUSTACHE_PARTIAL)
        diagnostic_error(checker->diagnostics, CODE_TEMPLATE_MISSING, place, "unknown template '%s'", search->wanted);
    else
        diagnostic_error(checker->diagnostics, CODE_TEMPLATE_UNKNOWN_NAME, place, "unknown name '%s'", search->wanted);
    if (search->nearest != NULL)
        diagnostic_meant(checker->diagnostics, search->nearest);
}

static bool check_value(checker *checker, const source *source, const mustache_token *token)
{
    const char *unknown = unknown_part(checker, token);
    if (unknown == NULL)
        return true;
    name_search search = name_search_begin(unknown);
    for (size_t i = 0; i < checker->count; i++)
        name_search_offer(&search, checker->list[i]);
    report(checker, source, token, &search);
    return false;
}

static bool check_partial(checker *checker, const source *source, const mustache_token *token)
{
    const mustache_library *library = &checker->set->library;
    if (mustache_library_find(library, token->name) != NULL)
        return true;
    name_search search = name_search_begin(token->name);
    for (size_t i = 0; i < library->count; i++)
        name_search_offer(&search, library->templates[i].name);
    report(checker, source, token, &search);
    return false;
}

static bool check_template(checker *checker, size_t index)
{
    mustache_program program;
    const source *source = checker->set->sources[index];
    if (source == NULL || !parse(checker, &checker->set->library.templates[index], &program))
        return true;
    bool is_valid = true;
    for (size_t i = 0; i < program.count; i++) {
        const mustache_token *token = &program.tokens[i];
        if (token->kind == MUSTACHE_PARTIAL)
            is_valid = check_partial(checker, source, token) && is_valid;
        else if (is_value(token))
            is_valid = check_value(checker, source, token) && is_valid;
    }
    return is_valid;
}

bool template_check(diagnostics *diagnostics, const template_set *set)
{
    checker checker = {.arena = diagnostics->arena, .diagnostics = diagnostics, .set = set};
    checker.names = dictionary_create(checker.arena);
    if (set->read_count == 0)
        return true;
    for (size_t i = 0; i < templates_builtin.count; i++)
        add_known_names(&checker, &templates_builtin.templates[i]);
    bool is_valid = true;
    for (size_t i = 0; i < set->library.count; i++)
        is_valid = check_template(&checker, i) && is_valid;
    return is_valid;
}

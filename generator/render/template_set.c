// The templates of a run: built-in ones, and the user's in their place.
#include "generator/render/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---- checks of the user's templates

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
    checker->list =
        arena_grow(checker->arena, checker->list, checker->count, &checker->capacity, sizeof *checker->list);
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
static span place_of_token(const source *source, const mustache_token *token, const char *name)
{
    span tag = template_tag_at(source, token->place.line, token->place.column);
    size_t size = strlen(name);
    size_t end = source_line(source, token->place.line).end;
    for (size_t start = tag.start; start + size <= end; start++)
        if (memcmp(source->bytes + start, name, size) == 0)
            return (span){source, start, start + size};
    return tag;
}

static void report(checker *checker, const source *source, const mustache_token *token, const name_search *search)
{
    span place = place_of_token(source, token, search->wanted);
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
    for (size_t i = 0; i < templates_cpp.count; i++)
        add_known_names(&checker, &templates_cpp.templates[i]);
    bool is_valid = true;
    for (size_t i = 0; i < set->library.count; i++)
        is_valid = check_template(&checker, i) && is_valid;
    return is_valid;
}

// ---- sets

static const char suffix[] = ".mustache";

// A set while it is loaded.
typedef struct loader {
    arena *arena;
    const char *directory;
    const char **names; // of the files, without suffix
    size_t count, capacity;
    template_set *set;
    mustache_template *templates; // of the set
    diagnostics *diagnostics;
} loader;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Sorts the names, since the order of a directory is arbitrary.
static int list_names(loader *loader)
{
    DIR *opened = opendir(loader->directory);
    if (opened != NULL)
        errno = 0;
    for (const struct dirent *entry; opened != NULL && (entry = readdir(opened)) != NULL; errno = 0) {
        const char *file = entry->d_name;
        if (file[0] == '.' || !text_ends_in(file, suffix))
            continue;
        loader->names =
            arena_grow(loader->arena, loader->names, loader->count, &loader->capacity, sizeof *loader->names);
        loader->names[loader->count++] = arena_copy(loader->arena, file, strlen(file) + 1 - sizeof suffix);
    }
    int fault = errno;
    if (opened != NULL)
        closedir(opened);
    if (fault != 0) {
        diagnostic_system_error(loader->diagnostics, CODE_FILE_UNREADABLE, "cannot read '%s': %s", loader->directory,
                                strerror(fault));
        diagnostic_about(loader->diagnostics, loader->directory);
        return STATUS_SYSTEM;
    }
    if (loader->count > 0)
        qsort(loader->names, loader->count, sizeof *loader->names, compare_names);
    return STATUS_DONE;
}

// The built-in templates come first: those of C, then those of faces.
static size_t builtin_count(void)
{
    return templates_builtin.count + templates_cpp.count;
}

// Returns the template's index in the set: that of the built-in template with this name, or a new one at the end.
static size_t place_of(const loader *loader, const char *name)
{
    for (size_t i = 0; i < builtin_count(); i++)
        if (strcmp(loader->templates[i].name, name) == 0)
            return i;
    return loader->set->library.count;
}

// Reads the file as the template with the name.
static int read_template(loader *loader, const char *name, const char *path)
{
    template_set *set = loader->set;
    const source *source = source_load(loader->arena, loader->diagnostics, path);
    if (source == NULL)
        return STATUS_SYSTEM;
    if (source->line_starts[0] > 0) // a byte order mark, which is no part of what is written
        source = source_from_bytes(loader->arena, path, source->bytes + source->line_starts[0],
                                   source->size - source->line_starts[0]);
    size_t at = place_of(loader, name);
    set->library.count += at == set->library.count;
    char *bytes = arena_copy(loader->arena, source->bytes, source->size);
    size_t size = text_without_returns(bytes, source->size);
    bytes[size] = '\0';
    loader->templates[at] = (mustache_template){name, bytes, size};
    set->sources[at] = source;
    set->read_paths[set->read_count++] = path;
    mustache_program program = {0};
    mustache_error error;
    if (mustache_parse(loader->arena, &loader->templates[at], (mustache_slice){"", 0}, &program, &error))
        return STATUS_DONE;
    template_set_report(loader->diagnostics, set, &error);
    return STATUS_SCHEMA;
}

// ---- names without a built-in template

// Returns whether the template includes a partial with that name.
static bool includes(arena *arena, const mustache_template *source, const char *name)
{
    mustache_program program = {0};
    mustache_error error;
    if (!mustache_parse(arena, source, (mustache_slice){"", 0}, &program, &error))
        return false;
    for (size_t i = 0; i < program.count; i++)
        if (program.tokens[i].kind == MUSTACHE_PARTIAL && strcmp(program.tokens[i].name, name) == 0)
            return true;
    return false;
}

static bool is_included(const loader *loader, const char *name)
{
    const template_set *set = loader->set;
    for (size_t i = 0; i < set->library.count; i++)
        if (set->sources[i] != NULL && includes(loader->arena, &loader->templates[i], name))
            return true;
    return false;
}

static void report_unused(const loader *loader, size_t at)
{
    assert(at >= builtin_count() && at < loader->set->own_first);
    name_search search = name_search_begin(loader->templates[at].name);
    for (size_t i = 0; i < builtin_count(); i++)
        name_search_offer(&search, loader->templates[i].name);
    diagnostic_error(loader->diagnostics, CODE_TEMPLATE_NAME, (span){loader->set->sources[at], 0, 0},
                     "unknown template '%s', and no other template in this directory includes it", search.wanted);
    if (search.nearest != NULL)
        diagnostic_hint(loader->diagnostics, "did you mean '%s'?", search.nearest);
}

static int check_names(const loader *loader)
{
    int status = STATUS_DONE;
    for (size_t i = builtin_count(); i < loader->set->own_first; i++) {
        if (is_included(loader, loader->templates[i].name))
            continue;
        report_unused(loader, i);
        status = STATUS_SCHEMA;
    }
    return status;
}

// Makes room for so many templates of files, and puts the built-in ones in their places.
static void begin_set(loader *loader, size_t file_count)
{
    template_set *set = loader->set;
    size_t capacity = builtin_count() + file_count + 1;
    set->sources = arena_allocate(loader->arena, capacity * sizeof *set->sources);
    set->read_paths = arena_allocate(loader->arena, capacity * sizeof *set->read_paths);
    loader->templates = arena_allocate(loader->arena, capacity * sizeof *loader->templates);
    memcpy(loader->templates, templates_builtin.templates, templates_builtin.count * sizeof *loader->templates);
    memcpy(loader->templates + templates_builtin.count, templates_cpp.templates,
           templates_cpp.count * sizeof *loader->templates);
    set->library = (mustache_library){loader->templates, builtin_count()};
}

const char *template_own_name(arena *arena, const own_template *own)
{
    return arena_format(arena, "template %s", own->source);
}

// Two outputs may have one template.
static int read_own(loader *loader, const own_templates *own)
{
    int status = STATUS_DONE;
    loader->set->own_first = loader->set->library.count;
    for (size_t i = 0; own != NULL && i < own->count; i++) {
        const char *name = template_own_name(loader->arena, &own->templates[i]);
        if (mustache_library_find(&loader->set->library, name) != NULL)
            continue;
        int found = read_template(loader, name, own->templates[i].source);
        if (found > status)
            status = found;
    }
    return status;
}

static int read_directory(loader *loader)
{
    int status = STATUS_DONE;
    for (size_t i = 0; i < loader->count; i++) {
        const char *name = loader->names[i];
        int found =
            read_template(loader, name, arena_format(loader->arena, "%s/%s%s", loader->directory, name, suffix));
        if (found > status)
            status = found;
    }
    return status;
}

int template_set_load(diagnostics *diagnostics, const char *directory, const own_templates *own, template_set *set)
{
    loader loader = {.arena = diagnostics->arena, .directory = directory, .set = set, .diagnostics = diagnostics};
    *set = (template_set){.read_count = 0};
    int listed = STATUS_DONE;
    if (directory != NULL)
        listed = list_names(&loader);
    begin_set(&loader, loader.count + (own == NULL ? 0 : own->count));
    int status = read_directory(&loader);
    int own_status = read_own(&loader, own);
    if (own_status > status)
        status = own_status;
    if (listed > status)
        status = listed;
    if (status != STATUS_DONE)
        return status;
    bool is_valid = template_check(diagnostics, set);
    status = check_names(&loader);
    if (!is_valid)
        return STATUS_SCHEMA;
    return status;
}

static uint64_t hash_of_template(const template_set *set, size_t at, uint64_t seed)
{
    const mustache_template *source = &set->library.templates[at];
    seed = hash_combine(seed, source->name, strlen(source->name));
    return hash_combine(seed, source->bytes, source->size);
}

uint64_t template_set_hash(const template_set *set, uint64_t seed)
{
    for (size_t i = 0; i < templates_builtin.count; i++)
        seed = hash_of_template(set, i, seed);
    for (size_t i = builtin_count(); i < set->own_first; i++)
        seed = hash_of_template(set, i, seed);
    return seed;
}

uint64_t template_set_hash_faces(const template_set *set, uint64_t seed)
{
    for (size_t i = templates_builtin.count; i < builtin_count(); i++)
        seed = hash_of_template(set, i, seed);
    for (size_t i = set->own_first; i < set->library.count; i++)
        seed = hash_of_template(set, i, seed);
    return seed;
}

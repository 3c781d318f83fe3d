#include "verbs/completion.h"

#include "generator/base/base.h"
#include "generator/render/render.h"
#include "generator/schema/schema.h"
#include "verbs/verbs.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Sets a key for each choice: whether it is the given word.
static void set_choice(arena *arena, value *map, const char *given, const char *const (*choices)[2])
{
    for (; (*choices)[0] != NULL; choices++)
        value_set(map, (*choices)[0], value_bool(arena, given != NULL && strcmp(given, (*choices)[1]) == 0));
}

// Returns the option of a flag in fish's syntax.
static const char *option_of(arena *arena, const flag *flag)
{
    bool is_long = flag->name[1] == '-';
    return arena_format(arena, "%s %s", is_long ? "-l" : "-s", flag->name + (is_long ? 2 : 1));
}

static value *flags_of(arena *arena, const verb *verb)
{
    static const char *const kinds[][2] = {
        {"is_directory", "directory"}, {"is_file", "file"}, {"is_number", "number"}, {"is_format", "format"}, {NULL}};
    value *list = value_list(arena);
    for (const flag *flag = verb->flags; flag->name != NULL; flag++) {
        value *map = value_map(arena);
        value_set(map, "verb", value_text(arena, verb->name));
        value_set(map, "flag", value_text(arena, flag->name));
        value_set(map, "option", value_text(arena, option_of(arena, flag)));
        set_choice(arena, map, flag->value, kinds);
        value_append(list, map);
    }
    return list;
}

static value *view_of_completion(arena *arena)
{
    static const char *const arguments[][2] = {{"takes_schema", "schema"},
                                               {"takes_directory", "directory"},
                                               {"takes_code", "code"},
                                               {"takes_shell", "shell"},
                                               {"takes_shape", "shape"},
                                               {"takes_save", "save"},
                                               {NULL}};
    value *list = value_list(arena), *data = value_map(arena);
    for (size_t i = 0; i < COMMAND_VERB_COUNT; i++) {
        value *map = value_map(arena);
        value_set(map, "name", value_text(arena, command_verbs[i].name));
        value_set(map, "flags", flags_of(arena, &command_verbs[i]));
        set_choice(arena, map, command_verbs[i].argument, arguments);
        value_append(list, map);
    }
    value_set(data, "verbs", list);
    return data;
}

static int report_unknown(arena *arena, const char *shell)
{
    name_search search = name_search_begin(shell);
    for (size_t i = 0; i < templates_completion.count; i++)
        name_search_offer(&search, templates_completion.templates[i].name);
    fprintf(stderr, "kin: unknown shell '%s'", text_escaped(arena, shell));
    if (search.nearest != NULL)
        fprintf(stderr, "; did you mean '%s'?", search.nearest);
    fputs("\nSupported shells are bash, zsh and fish.\n", stderr);
    return STATUS_USAGE;
}

int completion_run(arena *arena, const command *command)
{
    const char *shell = command->schemas[0];
    if (mustache_library_find(&templates_completion, shell) == NULL)
        return report_unknown(arena, shell);
    mustache_request request = {arena, &templates_completion, shell, view_of_completion(arena), MUSTACHE_CODE, NULL};
    mustache_error error = {0};
    text script = text_create(arena);
    if (!mustache_render(&request, &script, &error))
        abort(); // the templates are part of the program
    fputs(script.bytes, stdout);
    return STATUS_DONE;
}

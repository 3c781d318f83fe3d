#include "command/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: kin-inspect [OPTIONS] [COMMAND]\n"
    "\n"
    "  (none)                            games that run\n"
    "  query 'QUERY' [--fields F,…] [--limit N]\n"
    "  get ENTITY [--explain GROUP]\n"
    "  set ENTITY COMPONENT.FIELD VALUE [--expect VALUE] [--force]\n"
    "  add ENTITY COMPONENT [VALUE]      remove ENTITY COMPONENT\n"
    "  create | spawn BLUEPRINT | clone ENTITY | destroy ENTITY\n"
    "  groups | uniques | indices | collectors | memory | schema\n"
    "  systems | enable SYSTEM | disable SYSTEM   by name or place\n"
    "  time | pause [--wait] | resume | step [N] [--systems] | speed X\n"
    "  hold [SYSTEM] [--wait]            stop each update before a system\n"
    "  until 'QUERY' [--none] [--systems] [--no-wait | --wait]\n"
    "                                    wait until it matches an entity, or none, and pause the game then\n"
    "  top | metrics                     systems by time; numbers for Prometheus\n"
    "  trace [SECONDS] [-o FILE]         what ran when, for Perfetto\n"
    "  record [--component C,…] [--entity ENTITY] | record-end\n"
    "  journal [--component C] [--entity ENTITY] [--system NAME] [--kind KIND] [--limit N] [-f]\n"
    "  watch ENTITY COMPONENT[.FIELD]    watches | unwatch N\n"
    "  mark ['QUERY'] | diff FROM [TO]   copies entities; what differs from then, or from another mark\n"
    "  why COLLECTOR [ENTITY]            by name or number: how it was collected, from the first ask on\n"
    "  messages [NAME] [-f]              what systems publish, from the first ask on; -f goes on\n"
    "  errors [-f]                       what the library refuses to the game; both also with --system NAME\n"
    "  call METHOD ['{\"…\": …}']          anything else; rpc.discover lists all methods\n"
    "\n"
    "  -c, --context NAME                the context, if there are several\n"
    "  --pid PID, --name NAME            the game, if several run\n"
    "  --url URL                         the game's address; without its token, which is in KIN_TOKEN, or with it\n"
    "  -f, --watch                       show it again whenever it changes; of a journal what is new\n"
    "  --wait                            keep the game as it is until Ctrl-C, and resume it then; without it, it goes\n"
    "                                    on when no viewer has asked for 10 s\n"
    "  --json                            the result as it came\n"
    "\n"
    "exit status: 0 done, 1 refused, 2 usage, 3 no game or no answer, 4 nothing matched\n";

void arguments_print_usage(void)
{
    fputs(usage, stdout);
}

typedef struct option {
    const char *name, *short_name;
    const char **value;
    bool *flag;
} option;

static const option *find_option(const option *options, const char *word)
{
    for (; options->name != NULL; options++)
        if (strcmp(word, options->name) == 0 || (options->short_name != NULL && strcmp(word, options->short_name) == 0))
            return options;
    return NULL;
}

static bool fail(const char *what, const char *word)
{
    fprintf(stderr, "kin-inspect: %s '%s'; see kin-inspect --help\n", what, word);
    return false;
}

static bool parse_word(arguments *arguments, const char *word)
{
    if (strncmp(word, "--", 2) == 0)
        return fail("unknown option", word);
    if (arguments->count == MOST_WORDS)
        return fail("there is nothing to do with", word);
    arguments->words[arguments->count++] = word;
    return true;
}

// Takes a word, or an option with its value. Returns how many were taken; 0 is a mistake, which was said.
static int take(arguments *arguments, const option *options, char **values, int left)
{
    const option *option = find_option(options, values[0]);
    if (option == NULL && strncmp(values[0], "--", 2) == 0)
        return fail("unknown option", values[0]);
    if (option == NULL)
        return parse_word(arguments, values[0]);
    if (option->flag != NULL) {
        *option->flag = true;
        return 1;
    }
    if (left == 1)
        return fail("a value is missing behind", values[0]);
    *option->value = values[1];
    return 2;
}

static bool take_all(arguments *arguments, const option *options, int count, char **values)
{
    for (int i = 1, taken; i < count; i += taken)
        if ((taken = take(arguments, options, values + i, count - i)) == 0)
            return false;
    return true;
}

bool arguments_parse(arguments *arguments, int count, char **values)
{
    const char *pid = NULL;
    const option options[] = {{"--context", "-c", &arguments->context, NULL},
                              {"--fields", NULL, &arguments->fields, NULL},
                              {"--limit", NULL, &arguments->limit, NULL},
                              {"--expect", NULL, &arguments->expect, NULL},
                              {"--explain", NULL, &arguments->explain, NULL},
                              {"--url", NULL, &arguments->url, NULL},
                              {"--name", NULL, &arguments->name, NULL},
                              {"--component", NULL, &arguments->component, NULL},
                              {"--entity", NULL, &arguments->entity, NULL},
                              {"--system", NULL, &arguments->system, NULL},
                              {"--kind", NULL, &arguments->kind, NULL},
                              {"--pid", NULL, &pid, NULL},
                              {"--watch", "-f", NULL, &arguments->is_watched},
                              {"--json", NULL, NULL, &arguments->is_json},
                              {"--force", NULL, NULL, &arguments->is_forced},
                              {"--none", NULL, NULL, &arguments->is_none},
                              {"--systems", NULL, NULL, &arguments->is_of_systems},
                              {"--wait", NULL, NULL, &arguments->waits},
                              {"--no-wait", NULL, NULL, &arguments->waits_not},
                              {"--output", "-o", &arguments->output, NULL},
                              {"--help", "-h", NULL, &arguments->wants_help},
                              {0}};
    bool is_taken = take_all(arguments, options, count, values);
    arguments->pid = pid == NULL ? 0 : strtol(pid, NULL, 10);
    return is_taken;
}

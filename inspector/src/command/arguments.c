#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- the command line

static const char usage[] =
    "usage: kin-inspect [OPTIONS] [COMMAND]\n"
    "\n"
    "  (none)                            games that run\n"
    "  query 'QUERY' [--fields F,...] [--limit N]\n"
    "  get ENTITY [--explain GROUP]\n"
    "  set ENTITY COMPONENT.FIELD VALUE [--expect VALUE] [--force]\n"
    "  add ENTITY COMPONENT [VALUE]      remove ENTITY COMPONENT\n"
    "  create | spawn NAME | clone ENTITY | destroy ENTITY   NAME: a blueprint or a prefab\n"
    "  groups | uniques | indices | collectors | memory | schema\n"
    "  systems | enable SYSTEM | disable SYSTEM   by name or place\n"
    "  time | pause [--wait] | resume | step [N] [--systems] | speed X\n"
    "  hold [SYSTEM] [--wait]            stop each update before a system\n"
    "  until 'QUERY' [--none] [--systems] [--no-wait | --wait]\n"
    "                                    wait until it matches an entity, or none, and pause the game then\n"
    "  top | metrics                     systems by time; numbers for Prometheus\n"
    "  trace [SECONDS] [-o FILE]         what ran when, for Perfetto\n"
    "  record [--component C,...] [--entity ENTITY] | record-end\n"
    "  journal [--component C] [--entity ENTITY] [--system NAME] [--kind KIND] [--limit N] [-f]\n"
    "  watch ENTITY COMPONENT[.FIELD]    watches | unwatch N\n"
    "  mark ['QUERY'] | diff FROM [TO]   copies entities; what differs from then, or from another mark\n"
    "  why COLLECTOR [ENTITY]            by name or number: how it was collected, from the first ask on\n"
    "  messages [NAME] [-f]              what systems publish, from the first ask on; -f goes on\n"
    "  content                           files, prefabs and errors of the content that the game watches\n"
    "  network                           role, peers and what each field costs, of a world with a session\n"
    "  differences ENTITY | revert ENTITY   what it has unlike its content; back to that\n"
    "  save ENTITY --to instance|prefab|NAME [--fields PATH,...]   writes that into the file; NAME is a new prefab\n"
    "  errors [-f]                       what the library refuses to the game; both also with --system NAME\n"
    "  call METHOD ['{\"...\": ...}']      anything else; rpc.discover lists all methods\n"
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
    for (; options->name != NULL; options++) {
        bool is_short = options->short_name != NULL && strcmp(word, options->short_name) == 0;
        if (is_short || strcmp(word, options->name) == 0)
            return options;
    }
    return NULL;
}

static bool fail(const char *what, const char *word)
{
    fprintf(stderr, "kin-inspect: %s '%s'; see kin-inspect --help\n", what, word);
    return false;
}

void guess_offer(guess *guess, const char *typed, const char *word)
{
    if (word[0] == '\0') // a system without a name
        return;
    uint32_t distance = kin__word_distance(typed, word);
    bool is_nearer = guess->word == NULL || distance < guess->distance;
    if (distance <= kin__word_distance_limit(typed) && is_nearer)
        *guess = (struct guess){word, distance};
}

void guess_say(const guess *guess, const char *what, const char *typed)
{
    if (guess->word == NULL) {
        fail(what, typed);
        return;
    }
    fprintf(stderr, "kin-inspect: %s '%s'", what, typed);
    show_meant(guess->word);
    fputc('\n', stderr);
}

static bool fail_option(const option *options, const char *word)
{
    guess guess = {0};
    for (; options->name != NULL; options++)
        guess_offer(&guess, word, options->name);
    guess_say(&guess, "unknown option", word);
    return false;
}

// Takes a word, or an option with its value. Returns how many were taken; 0 is a mistake, which was said.
static int take(arguments *arguments, const option *options, char **values, int left)
{
    KIN_ASSERT(left > 0 && arguments->count <= MOST_WORDS);
    const option *option = find_option(options, values[0]);
    if (option == NULL && strncmp(values[0], "--", 2) == 0)
        return fail_option(options, values[0]);
    if (option == NULL && arguments->count == MOST_WORDS)
        return fail("there is nothing to do with", values[0]);
    if (option == NULL) {
        arguments->words[arguments->count++] = values[0];
        return 1;
    }
    if (option->flag != NULL) {
        *option->flag = true;
        return 1;
    }
    if (left == 1)
        return fail("a value is missing behind", values[0]);
    *option->value = values[1];
    return 2;
}

bool arguments_parse(arguments *arguments, int count, char **values)
{
    KIN_ASSERT(arguments->count == 0);
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
                              {"--to", NULL, &arguments->to, NULL},
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
    for (int i = 1, taken; i < count; i += taken) {
        taken = take(arguments, options, values + i, count - i);
        if (taken == 0)
            return false;
    }
    if (pid != NULL)
        arguments->pid = strtol(pid, NULL, 10);
    return true;
}

// ---- commands

#define RECORD                                                                                                         \
    {                                                                                                                  \
        "n", "frame", "system", "role", "kind", "e", "component", "was", "is"                                          \
    }

#define WHY                                                                                                            \
    {                                                                                                                  \
        "e", "frame", "system", "component", "change", "group", "event", "verdict"                                     \
    }

#define MESSAGE                                                                                                        \
    {                                                                                                                  \
        "frame", "message", "publisher", "readers", "fields"                                                           \
    }

static const command commands[] = {
    {"query", "entities.query", {"?query"}, "rows", {"e", "label", "v"}, true},
    {"get", "entities.get", {"entity"}, NULL, {0}, true},
    {"set", "components.set", {"entity", "path", "=value"}, NULL, {0}, true},
    {"add", "components.add", {"entity", "component", "?=value"}, NULL, {0}, true},
    {"remove", "components.remove", {"entity", "component"}, NULL, {0}, true},
    {"create", "entities.create", {0}, NULL, {0}, true},
    {"spawn", "entities.spawn", {"blueprint"}, NULL, {0}, true},
    {"clone", "entities.clone", {"entity"}, NULL, {0}, true},
    {"destroy", "entities.destroy", {"entity"}, NULL, {0}, true},
    {"groups", "groups.list", {0}, "groups", {"name", "members", "listeners", "matcher", "order", "doc"}, true},
    {"uniques", "uniques.list", {0}, "uniques", {"component", "carrier", "value"}, true},
    {"indices", "indices.list", {0}, "indices", {"name", "entities", "primary", "doc"}, true},
    {"collectors", "collectors.list", {0}, "collectors", {"name", "active", "waiting", "triggers"}, true},
    {"memory", "memory.report", {0}, "components", {"component", "columns", "values", "used", "allocated"}, true},
    {"content", "content.status", {0}, NULL, {0}, true},
    {"network", "network.status", {0}, NULL, {0}, false},
    {"differences", "content.diff", {"entity"}, "differences", {"e", "part", "path", "given", "value"}, true},
    {"save", "content.save", {"entity"}, NULL, {0}, true},
    {"revert", "content.revert", {"entity"}, NULL, {0}, true},
    {"schema", "schema.get", {0}, "components", {"name", "doc", "inspect", "fields"}, true},
    {"systems", "systems.list", {0}, "systems", {"place", "name", "kind", "enabled", "waiting", "nanoseconds"}, false},
    {"enable", "systems.enable", {"=place"}, NULL, {0}, false},
    {"disable", "systems.enable", {"=place"}, NULL, {0}, false},
    {"time", "time.get", {0}, NULL, {0}, false},
    {"pause", "time.pause", {0}, NULL, {0}, false},
    {"resume", "time.resume", {0}, NULL, {0}, false},
    {"step", "time.step", {"?=updates"}, NULL, {0}, false},
    {"record", "journal.start", {0}, NULL, {0}, true},
    {"record-end", "journal.stop", {0}, NULL, {0}, true},
    {"journal", "journal.read", {0}, "records", RECORD, true},
    {"messages", "messages.read", {"?message"}, "messages", MESSAGE, false},
    {"errors", "errors.read", {0}, "errors", {"frame", "system", "status", "sentence", "count"}, false},
    {"watch", "watches.add", {"entity", "path"}, NULL, {0}, true},
    {"watches", "watches.list", {0}, "watches", {"watch", "e", "path", "value", "count", "changes"}, true},
    {"unwatch", "watches.remove", {"=watch"}, NULL, {0}, true},
    {"why", "collectors.why", {"collector", "?entity"}, "collections", WHY, true},
    {"mark", "marks.take", {"?query"}, NULL, {0}, true},
    {"diff", "marks.diff", {"=from", "?=to"}, "rows", {"e", "kind", "component", "was", "is"}, true},
    {"speed", "time.speed", {"=speed"}, NULL, {0}, false},
    {"hold", "time.hold", {"?system"}, NULL, {0}, false},
    {"until", "time.until", {"query"}, NULL, {0}, true},
};

const command commands_explain = {"get", "entities.explain", {"entity"}, NULL, {0}, true};

const command *commands_find(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

void commands_offer(guess *guess, const char *typed)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        guess_offer(guess, typed, commands[i].name);
}

// ---- parameters

// Reads a value of JSON; anything else is a string.
static json_t *value_of(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (value == NULL)
        return json_string(text);
    return value;
}

static json_t *fields_of(const char *text)
{
    json_t *fields = json_array();
    for (const char *at = text; *at != '\0';) {
        size_t size = strcspn(at, ",");
        json_array_append_new(fields, json_stringn(at, size));
        at += size + (at[size] == ',');
    }
    return fields;
}

static bool has_target(const arguments *arguments, const command *command)
{
    if (strcmp(command->method, "content.save") != 0 || arguments->to != NULL)
        return true;
    fputs("kin-inspect: save needs --to instance, prefab, or the name of a new prefab\n", stderr);
    return false;
}

// Reads the words behind the command. Returns false, and says so, when there are too few or too many.
static bool read_words(const arguments *arguments, const command *command, json_t *parameters)
{
    int used = 1;
    for (size_t i = 0; i < 3 && command->words[i] != NULL; i++) {
        const char *name = command->words[i];
        KIN_ASSERT(used <= arguments->count);
        const char *word = arguments->words[used];
        bool is_optional = name[0] == '?';
        name += is_optional;
        bool is_value = name[0] == '=';
        name += is_value;
        if (arguments->is_of_systems && strcmp(name, "updates") == 0)
            name = "systems";
        if (word == NULL && !is_optional) {
            fprintf(stderr, "kin-inspect: %s needs the %s; see kin-inspect --help\n", command->name, name);
            return false;
        }
        if (word == NULL)
            break;
        if (is_value)
            json_object_set_new(parameters, name, value_of(word));
        else
            json_object_set_new(parameters, name, json_string(word));
        used++;
    }
    if (arguments->words[used] == NULL)
        return true;
    fprintf(stderr, "kin-inspect: there is nothing to do with '%s'; see kin-inspect --help\n", arguments->words[used]);
    return false;
}

// What a terminal starts goes on when it has its answer.
static void read_journal_options(const arguments *arguments, const command *command, json_t *parameters)
{
    bool starts = strcmp(command->method, "journal.start") == 0;
    if (starts || strcmp(command->method, "watches.add") == 0)
        json_object_set_new(parameters, "pinned", json_true());
    if (arguments->component != NULL && starts)
        json_object_set_new(parameters, "components", fields_of(arguments->component));
    if (arguments->component != NULL && !starts)
        json_object_set_new(parameters, "component", json_string(arguments->component));
    if (arguments->entity != NULL)
        json_object_set_new(parameters, "entity", json_string(arguments->entity));
    const char *system = "system";
    if (strcmp(command->name, "messages") == 0)
        system = "publisher";
    if (arguments->system != NULL)
        json_object_set_new(parameters, system, json_string(arguments->system));
    if (arguments->kind != NULL)
        json_object_set_new(parameters, "kind", json_string(arguments->kind));
}

static void read_options(const arguments *arguments, const command *command, json_t *parameters)
{
    KIN_ASSERT(command != &commands_explain || arguments->explain != NULL);
    if (arguments->context != NULL && command->has_context)
        json_object_set_new(parameters, "context", json_string(arguments->context));
    if (arguments->fields != NULL)
        json_object_set_new(parameters, "fields", fields_of(arguments->fields));
    if (arguments->limit != NULL)
        json_object_set_new(parameters, "limit", value_of(arguments->limit));
    if (arguments->expect != NULL)
        json_object_set_new(parameters, "expect", value_of(arguments->expect));
    if (arguments->to != NULL)
        json_object_set_new(parameters, "to", json_string(arguments->to));
    if (arguments->is_forced)
        json_object_set_new(parameters, "force", json_true());
    if (arguments->is_none)
        json_object_set_new(parameters, "for", json_string("none"));
    if (arguments->is_of_systems && strcmp(command->name, "until") == 0)
        json_object_set_new(parameters, "after", json_string("system"));
    read_journal_options(arguments, command, parameters);
    if (strcmp(command->method, "entities.query") == 0)
        json_object_set_new(parameters, "named", json_true());
    if (strcmp(command->method, "entities.explain") == 0)
        json_object_set_new(parameters, "group", json_string(arguments->explain));
    if (strcmp(command->method, "systems.enable") == 0)
        json_object_set_new(parameters, "enabled", json_boolean(strcmp(command->name, "enable") == 0));
}

bool commands_read(const arguments *arguments, const command *command, json_t *parameters)
{
    KIN_ASSERT(json_is_object(parameters) && arguments->count > 0);
    read_options(arguments, command, parameters);
    return read_words(arguments, command, parameters) && has_target(arguments, command);
}

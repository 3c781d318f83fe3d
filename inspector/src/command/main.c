// kin-inspect: asks games that run, from a terminal.

#include "command/arguments.h"
#include "command/client.h"
#include "command/follow.h"
#include "command/game.h"
#include "command/records.h"
#include "command/show.h"
#include "command/top.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A command: a method, what its words are, and what is shown of the result.
typedef struct command {
    const char *name, *method;
    const char *words[3];    // the parameters that follow; `?` in front: may be left out; `=`: a value of JSON
    const char *rows;        // the member that is shown as a table; NULL: the whole result
    const char *columns[10]; // of the table
    bool has_context;
} command;

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
    {"groups", "groups.list", {0}, "groups", {"name", "members", "listeners", "matcher", "doc"}, true},
    {"uniques", "uniques.list", {0}, "uniques", {"component", "carrier", "value"}, true},
    {"indices", "indices.list", {0}, "indices", {"name", "entities", "primary", "doc"}, true},
    {"collectors", "collectors.list", {0}, "collectors", {"name", "active", "waiting", "triggers"}, true},
    {"memory", "memory.report", {0}, "components", {"component", "columns", "values", "used", "allocated"}, true},
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

static const command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

// ---- parameters

// A value as JSON; what is none is a string.
static json_t *value_of(const char *text)
{
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    return value != NULL ? value : json_string(text);
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

// Reads the words behind the command. Returns false, and says so, when there are too few or too many.
static bool read_words(const arguments *arguments, const command *command, json_t *parameters)
{
    int used = 1;
    for (size_t i = 0; i < 3 && command->words[i] != NULL; i++) {
        const char *name = command->words[i], *word = arguments->words[used];
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
        json_object_set_new(parameters, name, is_value ? value_of(word) : json_string(word));
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
    if (arguments->system != NULL)
        json_object_set_new(parameters, strcmp(command->name, "messages") == 0 ? "publisher" : "system",
                            json_string(arguments->system));
    if (arguments->kind != NULL)
        json_object_set_new(parameters, "kind", json_string(arguments->kind));
}

static void read_options(const arguments *arguments, const command *command, json_t *parameters)
{
    if (arguments->context != NULL && command->has_context)
        json_object_set_new(parameters, "context", json_string(arguments->context));
    if (arguments->fields != NULL)
        json_object_set_new(parameters, "fields", fields_of(arguments->fields));
    if (arguments->limit != NULL)
        json_object_set_new(parameters, "limit", value_of(arguments->limit));
    if (arguments->expect != NULL)
        json_object_set_new(parameters, "expect", value_of(arguments->expect));
    if (arguments->is_forced)
        json_object_set_new(parameters, "force", json_true());
    if (arguments->is_none)
        json_object_set_new(parameters, "for", json_string("none"));
    if (arguments->is_of_systems && strcmp(command->name, "until") == 0)
        json_object_set_new(parameters, "after", json_string("system"));
    read_journal_options(arguments, command, parameters);
    if (strcmp(command->method, "systems.enable") == 0)
        json_object_set_new(parameters, "enabled", json_boolean(strcmp(command->name, "enable") == 0));
}

// ---- answers

static int show_result(const arguments *arguments, const command *command, json_t *result)
{
    size_t count = 0;
    const json_t *rows = command == NULL || command->rows == NULL ? NULL : json_object_get(result, command->rows);
    while (rows != NULL && command->columns[count] != NULL)
        count++;
    if (arguments->is_json || command == NULL)
        show_json(result);
    else if (rows != NULL)
        show_table(rows, command->columns, count);
    else
        show_value(result);
    return rows != NULL && json_array_size(rows) == 0 ? NOTHING : DONE;
}

static int show_followed(const arguments *arguments, json_t *result, const void *user)
{
    return show_result(arguments, user, result);
}

static int ask(const arguments *arguments, const command *command, const char *method, json_t *parameters)
{
    game game;
    if (arguments->is_watched)
        return follow_run(arguments, method, parameters, show_followed, command);
    if (!game_choose(arguments, &game)) {
        json_decref(parameters);
        return NO_GAME;
    }
    json_t *answer = client_ask(&game, method, parameters);
    if (answer == NULL)
        return NO_GAME;
    const json_t *error = json_object_get(answer, "error");
    int status = error != NULL ? show_error(error) : show_result(arguments, command, json_object_get(answer, "result"));
    json_decref(answer);
    return status;
}

// ---- commands

static int show_games(const arguments *arguments, json_t *rows)
{
    static const char *const columns[] = {"pid", "name", "url", "read_only"};
    if (arguments->is_json)
        show_json(rows);
    else
        show_table(rows, columns, sizeof columns / sizeof *columns);
    json_decref(rows);
    return DONE;
}

// The game of an address, as it says.
static int show_game(const arguments *arguments)
{
    game game;
    if (!game_choose(arguments, &game))
        return NO_GAME;
    json_t *answer = client_ask(&game, "kin.hello", NULL), *rows = json_array();
    const json_t *error = json_object_get(answer, "error"), *hello = json_object_get(answer, "result");
    int status = answer == NULL ? NO_GAME : error != NULL ? show_error(error) : DONE;
    json_array_append_new(rows, json_pack("{s:n, s:O*, s:s, s:O*}", "pid", "name", json_object_get(hello, "name"),
                                          "url", game.url, "read_only", json_object_get(hello, "read_only")));
    if (status == DONE)
        show_games(arguments, json_incref(rows));
    json_decref(rows);
    json_decref(answer);
    return status;
}

static int list_games(const arguments *arguments)
{
    static game games[MOST_GAMES];
    if (arguments->url != NULL)
        return show_game(arguments);
    size_t count = games_find(games, MOST_GAMES);
    json_t *rows = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(rows, json_pack("{s:I, s:s, s:s, s:b}", "pid", (json_int_t)games[i].pid, "name",
                                              games[i].name, "url", games[i].url, "read_only", games[i].is_read_only));
    if (count > 0 || arguments->is_json)
        show_games(arguments, json_incref(rows));
    if (count == 0)
        games_say_none();
    json_decref(rows);
    return count == 0 ? NO_GAME : DONE;
}

static int call_method(const arguments *arguments)
{
    const char *text = arguments->count > 2 ? arguments->words[2] : "{}";
    json_t *parameters = json_loads(text, 0, NULL);
    if (arguments->count < 2 || arguments->count > 3 || parameters == NULL) {
        json_decref(parameters);
        fprintf(stderr, "kin-inspect: call needs a method, and parameters as JSON; see kin-inspect --help\n");
        return USAGE;
    }
    return ask(arguments, NULL, arguments->words[1], parameters);
}

static const struct {
    const char *name;
    int (*run)(const arguments *arguments);
} programs[] = {{"call", call_method}, {"top", top_run}, {"metrics", metrics_run}, {"trace", trace_run}};

// Messages and errors are recorded from the first ask on.
static int ask_for_records(const arguments *arguments, const command *command, json_t *parameters)
{
    followed followed = {command->method, command->rows, command->columns};
    return records_run(arguments, &followed, parameters);
}

static int run(const arguments *arguments)
{
    static const command explain = {"get", "entities.explain", {"entity"}, NULL, {0}, true};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(arguments->words[0], programs[i].name) == 0)
            return programs[i].run(arguments);
    const command *command = find_command(arguments->words[0]);
    if (command == NULL) {
        fprintf(stderr, "kin-inspect: there is no command '%s'; see kin-inspect --help\n", arguments->words[0]);
        return USAGE;
    }
    if (arguments->explain != NULL && strcmp(command->name, "get") == 0)
        command = &explain;
    json_t *parameters = json_object();
    if (!read_words(arguments, command, parameters)) {
        json_decref(parameters);
        return USAGE;
    }
    read_options(arguments, command, parameters);
    if (command == &explain)
        json_object_set_new(parameters, "group", json_string(arguments->explain));
    if (strcmp(command->name, "messages") == 0 || strcmp(command->name, "errors") == 0)
        return ask_for_records(arguments, command, parameters);
    return ask(arguments, command, command->method, parameters);
}

// Returns whether all words are UTF-8, as JSON is, and says so if not.
static bool check_words(int count, char **values)
{
    for (int i = 1; i < count; i++) {
        json_t *word = json_string(values[i]);
        bool is_utf8 = word != NULL;
        json_decref(word);
        if (is_utf8)
            continue;
        fprintf(stderr, "kin-inspect: word %d of the command line is not UTF-8\n", i);
        return false;
    }
    return true;
}

int main(int count, char **values)
{
    arguments arguments = {0};
    if (!check_words(count, values))
        return USAGE;
    if (!arguments_parse(&arguments, count, values))
        return USAGE;
    if (arguments.wants_help) {
        arguments_print_usage();
        return DONE;
    }
    curl_global_init(CURL_GLOBAL_DEFAULT);
    int status = arguments.count == 0 ? list_games(&arguments) : run(&arguments);
    curl_global_cleanup();
    return status;
}

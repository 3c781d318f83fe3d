#include "command/command.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// kin-inspect: asks games that run, from a terminal.

enum { MOST_ROWS = 1000, MOST_ERRORS = 256 }; // of an answer

// ---- answers

static int show_result(const arguments *arguments, const command *command, json_t *result)
{
    KIN_ASSERT(command == NULL || command->rows == NULL || command->columns[0] != NULL);
    size_t count = 0;
    const json_t *rows = NULL;
    if (command != NULL && command->rows != NULL)
        rows = json_object_get(result, command->rows);
    while (rows != NULL && command->columns[count] != NULL)
        count++;
    bool is_content = command != NULL && strcmp(command->method, "content.status") == 0;
    bool is_network = command != NULL && strcmp(command->method, "network.status") == 0;
    if (arguments->is_json || command == NULL)
        show_json(result);
    else if (is_content)
        return show_content(result);
    else if (is_network)
        return show_network(result);
    else if (rows != NULL)
        show_table(rows, command->columns, count);
    else
        show_value(result);
    if (rows != NULL && json_array_size(rows) == 0)
        return NOTHING;
    return DONE;
}

static int show_followed(const arguments *arguments, json_t *result, const void *user)
{
    return show_result(arguments, user, result);
}

// Says on the terminal, beside the result, what it does not have.
static void show_hints(const command *command, const json_t *result)
{
    const json_t *rows = NULL;
    if (command->rows != NULL)
        rows = json_object_get(result, command->rows);
    json_int_t count = (json_int_t)json_array_size(rows);
    json_int_t total = json_integer_value(json_object_get(result, "total"));
    bool has_times = count == 0;
    fflush(stdout);
    if (strcmp(command->name, "query") == 0 && total > count) {
        fprintf(stderr, "kin-inspect: %lld more; ", (long long)(total - count));
        if (total <= MOST_ROWS)
            fprintf(stderr, "--limit %lld shows all\n", (long long)total);
        else
            fprintf(stderr, "--limit %d shows the first of them\n", MOST_ROWS);
    }
    if (json_is_true(json_object_get(result, "began")))
        fputs("kin-inspect: recording begins now\n", stderr);
    for (size_t i = 0; i < (size_t)count; i++)
        has_times = has_times || json_object_size(json_object_get(json_array_get(rows, i), "nanoseconds")) > 0;
    if (strcmp(command->name, "systems") == 0 && !has_times)
        fputs("kin-inspect: recording of times begins now; ask again for them\n", stderr);
}

// The text in which an error has its place.
static const char *text_of(const json_t *parameters)
{
    const json_t *query = json_object_get(parameters, "query");
    const json_t *path = json_object_get(parameters, "path");
    if (query != NULL && path != NULL)
        return NULL;
    if (query != NULL)
        return json_string_value(query);
    return json_string_value(path);
}

static int ask(const session *session, const command *command, const char *method, json_t *parameters)
{
    KIN_ASSERT(json_is_object(parameters));
    const arguments *arguments = session->arguments;
    if (arguments->is_watched)
        return follow_run(session, method, parameters, show_followed, command);
    json_t *answer = client_ask(&session->game, method, json_incref(parameters));
    json_t *result = json_object_get(answer, "result");
    int status = show_refusal(answer, text_of(parameters));
    if (status == DONE) {
        status = show_result(arguments, command, result);
        if (command != NULL && !arguments->is_json)
            show_hints(command, result);
    }
    json_decref(answer);
    json_decref(parameters);
    return status;
}

// ---- commands

static int show_games(const arguments *arguments, json_t *rows)
{
    KIN_ASSERT(json_is_array(rows));
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
    KIN_ASSERT(arguments->url != NULL);
    game game;
    if (!game_choose(arguments, &game))
        return NO_GAME;
    json_t *answer = client_ask(&game, "kin.hello", NULL);
    json_t *rows = json_array();
    const json_t *hello = json_object_get(answer, "result");
    int status = show_refusal(answer, NULL);
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
    json_decref(rows);
    if (count > 0)
        return DONE;
    games_say_none();
    return NO_GAME;
}

static int call_method(const arguments *arguments)
{
    session session = {.arguments = arguments};
    const char *text = "{}";
    if (arguments->count > 2)
        text = arguments->words[2];
    json_t *parameters = json_loads(text, 0, NULL);
    bool has_method = arguments->count == 2 || arguments->count == 3;
    if (!has_method || parameters == NULL) {
        json_decref(parameters);
        fprintf(stderr, "kin-inspect: call needs a method, and parameters as JSON; see kin-inspect --help\n");
        return USAGE;
    }
    if (game_choose(arguments, &session.game))
        return ask(&session, NULL, arguments->words[1], parameters);
    json_decref(parameters);
    return NO_GAME;
}

static const struct {
    const char *name;
    int (*run)(const arguments *arguments);
} programs[] = {{"call", call_method}, {"top", top_run}, {"metrics", metrics_run}, {"trace", trace_run}};

// Asks the game first what words stand for.
static int prepare(const session *session, const command *command, json_t *parameters)
{
    static const struct {
        const char *name;
        int (*prepare)(const struct session *session, json_t *parameters);
    } prepared[] = {{"set", names_check_path},
                    {"disable", names_find_place},
                    {"enable", names_find_place},
                    {"why", names_find_collector}};
    for (size_t i = 0; i < sizeof prepared / sizeof *prepared; i++)
        if (strcmp(command->name, prepared[i].name) == 0)
            return prepared[i].prepare(session, parameters);
    return DONE;
}

// Messages and errors are recorded from the first ask on; a journal is read so where it is followed.
static bool has_records(const arguments *arguments, const command *command)
{
    if (strcmp(command->name, "journal") == 0)
        return arguments->is_watched;
    return strcmp(command->name, "messages") == 0 || strcmp(command->name, "errors") == 0;
}

static int run_command(const session *session, const command *command, json_t *parameters)
{
    KIN_ASSERT(json_is_object(parameters));
    static const char *const held[] = {"time.pause", "time.hold", "time.until"};
    followed followed = {command->method, command->rows, command->columns, MOST_ROWS};
    if (strcmp(command->name, "errors") == 0)
        followed.most = MOST_ERRORS;
    int status = prepare(session, command, parameters);
    if (status != DONE) {
        json_decref(parameters);
        return status;
    }
    for (size_t i = 0; i < sizeof held / sizeof *held && !session->arguments->is_watched; i++)
        if (strcmp(command->method, held[i]) == 0)
            return hold_run(session, command->method, parameters);
    if (has_records(session->arguments, command))
        return records_run(session, &followed, parameters);
    return ask(session, command, command->method, parameters);
}

// Returns whether the command takes the options of waiting that are given, and says so if not.
static bool may_wait(const arguments *arguments, const char *name)
{
    bool is_until = strcmp(name, "until") == 0;
    bool can_stay = strcmp(name, "pause") == 0 || strcmp(name, "hold") == 0;
    if (!arguments->waits && !arguments->waits_not)
        return true;
    if (is_until && arguments->waits != arguments->waits_not)
        return true;
    if (can_stay && !arguments->waits_not)
        return true;
    fputs("kin-inspect: only pause, hold and until take --wait, and only until --no-wait; take one of them\n", stderr);
    return false;
}

static bool may_be_watched(const arguments *arguments, const char *name)
{
    if (!arguments->is_watched || strcmp(name, "until") != 0)
        return true;
    fputs("kin-inspect: until cannot be watched; use time --watch\n", stderr);
    return false;
}

static int read_and_run(const arguments *arguments, const command *command)
{
    session session = {.arguments = arguments};
    json_t *parameters = json_object();
    int status = DONE;
    if (!commands_read(arguments, command, parameters) || !may_be_watched(arguments, command->name) ||
        !may_wait(arguments, command->name))
        status = USAGE;
    else if (!game_choose(arguments, &session.game))
        status = NO_GAME;
    if (status == DONE)
        return run_command(&session, command, parameters);
    json_decref(parameters);
    return status;
}

static int say_unknown(const char *typed)
{
    // Words of other tools for what a command does.
    static const char *const synonyms[][2] = {{"profile", "top"}, {"list", "query"},     {"find", "query"},
                                              {"show", "get"},    {"delete", "destroy"}, {"continue", "resume"}};
    guess guess = {0};
    commands_offer(&guess, typed);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        guess_offer(&guess, typed, programs[i].name);
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(synonyms[i][0], typed) == 0)
            guess.word = synonyms[i][1];
    guess_say(&guess, "there is no command", typed);
    return USAGE;
}

static int run(const arguments *arguments)
{
    KIN_ASSERT(arguments->count > 0 && arguments->words[arguments->count] == NULL);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (strcmp(arguments->words[0], programs[i].name) == 0)
            return programs[i].run(arguments);
    const command *command = commands_find(arguments->words[0]);
    if (command == NULL)
        return say_unknown(arguments->words[0]);
    if (arguments->explain != NULL && strcmp(command->name, "get") == 0)
        command = &commands_explain;
    return read_and_run(arguments, command);
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
    int status;
    if (arguments.count == 0)
        status = list_games(&arguments);
    else
        status = run(&arguments);
    curl_global_cleanup();
    return status;
}

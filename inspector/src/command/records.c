#include "command/records.h"

#include "command/client.h"
#include "command/game.h"
#include "command/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PERIOD = 250, FIRST = 1000, MOST = 100, NOT_UPDATING = -33101 }; // milliseconds; records of an answer; a code
enum { WAITING = -1 };                                                  // a status: the game does not update now

static void wait_for(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    nanosleep(&time, NULL);
}

// Makes a list of names one text: Crier, Lamps.
static void join_readers(json_t *row)
{
    char text[512] = "";
    const json_t *readers = json_object_get(row, "readers");
    for (size_t i = 0; i < json_array_size(readers); i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s", i == 0 ? "" : ", ",
                 json_string_value(json_array_get(readers, i)));
    }
    if (readers != NULL)
        json_object_set_new(row, "readers", json_string(text));
}

static void show_records(const arguments *arguments, const followed *followed, const json_t *rows, bool is_first)
{
    size_t count = 0;
    while (followed->columns[count] != NULL)
        count++;
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (arguments->is_json && arguments->is_watched)
            show_json(json_array_get(rows, i));
        else
            join_readers(json_array_get(rows, i));
    if (arguments->is_json)
        return;
    if (is_first)
        show_table(rows, followed->columns, count);
    else
        show_rows(rows, followed->columns, count);
}

// Says how many records between two answers were lost.
static void show_lost(const json_t *parameters, const json_t *result)
{
    const char *after = json_string_value(json_object_get(parameters, "after"));
    unsigned long long next = after == NULL ? 0 : strtoull(after, NULL, 10);
    unsigned long long lost = (unsigned long long)json_integer_value(json_object_get(result, "lost"));
    if (after != NULL && lost > next)
        fprintf(stderr, "kin-inspect: %llu came too fast and are lost\n", lost - next);
}

static int show_result(const arguments *arguments, const followed *followed, const json_t *result, bool is_first)
{
    const json_t *rows = json_object_get(result, followed->rows);
    if (arguments->is_json && !arguments->is_watched)
        show_json(result);
    else
        show_records(arguments, followed, rows, is_first);
    fflush(stdout);
    return json_array_size(rows) == 0 ? NOTHING : DONE;
}

// Asks what comes after the last answer. Returns the status of the answer; NO_GAME without one, WAITING if there may be
// one later.
static int ask(const arguments *arguments, const game *game, const followed *followed, json_t *parameters,
               bool is_first)
{
    json_t *answer = client_ask(game, followed->method, json_incref(parameters));
    const json_t *error = json_object_get(answer, "error"), *result = json_object_get(answer, "result");
    int status = answer == NULL ? NO_GAME : error != NULL ? show_error(error) : DONE;
    if (status == DONE && is_first && !arguments->is_watched && json_is_true(json_object_get(result, "began"))) {
        json_decref(answer);
        wait_for(FIRST);
        return ask(arguments, game, followed, parameters, is_first);
    }
    if (status == DONE)
        status = show_result(arguments, followed, result, is_first);
    if (arguments->is_watched && json_integer_value(json_object_get(error, "code")) == NOT_UPDATING) {
        wait_for(FIRST);
        status = WAITING;
    }
    if (arguments->is_watched && result != NULL) {
        show_lost(parameters, result);
        json_object_set(parameters, "after", json_object_get(result, "next"));
        if (json_array_size(json_object_get(result, followed->rows)) < MOST)
            wait_for(PERIOD);
    }
    json_decref(answer);
    return status;
}

int records_run(const arguments *arguments, const followed *followed, json_t *parameters)
{
    game game;
    int status = game_choose(arguments, &game) ? DONE : NO_GAME;
    for (bool is_first = true; status != NO_GAME; is_first = is_first && status == WAITING) {
        status = ask(arguments, &game, followed, parameters, is_first);
        if (!arguments->is_watched || status == REFUSED)
            break;
    }
    json_decref(parameters);
    return status;
}

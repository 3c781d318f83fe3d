#include "command/records.h"

#include "command/client.h"
#include "command/codes.h"
#include "command/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PERIOD = 250, AT_ONCE = 10, FIRST = 1000, STANDARD = 100 }; // milliseconds; records of the first answer

typedef struct reading {
    const session *session;
    const followed *followed;
    json_t *parameters; // of the next request
    long limit;         // records of an answer to it
    bool is_first;      // nothing was shown yet
    bool is_waiting;    // the game did not update when it was asked last
} reading;

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

static void show_rows_of(const reading *reading, const json_t *rows)
{
    size_t count = 0;
    const arguments *arguments = reading->session->arguments;
    while (reading->followed->columns[count] != NULL)
        count++;
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (arguments->is_json)
            show_json(json_array_get(rows, i));
        else
            join_readers(json_array_get(rows, i));
    if (arguments->is_json)
        return;
    if (reading->is_first)
        show_table(rows, reading->followed->columns, count);
    else
        show_rows(rows, reading->followed->columns, count);
}

static int refuse(const json_t *error)
{
    return show_error(error, NULL);
}

static void say_that_it_begins(const json_t *result)
{
    if (json_is_true(json_object_get(result, "began")))
        fputs("kin-inspect: recording begins now\n", stderr);
}

// ---- once

static int show_once(const reading *reading, const json_t *result)
{
    const json_t *rows = json_object_get(result, reading->followed->rows);
    if (reading->session->arguments->is_json)
        show_json(result);
    else
        show_rows_of(reading, rows);
    return json_array_size(rows) == 0 ? NOTHING : DONE;
}

static int read_once(const reading *reading)
{
    json_t *answer = client_ask(&reading->session->game, reading->followed->method, json_incref(reading->parameters));
    if (json_is_true(json_object_get(json_object_get(answer, "result"), "began"))) {
        say_that_it_begins(json_object_get(answer, "result"));
        json_decref(answer);
        wait_for(FIRST);
        answer = client_ask(&reading->session->game, reading->followed->method, json_incref(reading->parameters));
    }
    const json_t *error = json_object_get(answer, "error");
    int status = answer == NULL  ? NO_GAME
                 : error != NULL ? refuse(error)
                                 : show_once(reading, json_object_get(answer, "result"));
    json_decref(answer);
    return status;
}

// ---- again and again

static unsigned long long number_of(const json_t *text)
{
    return json_is_string(text) ? strtoull(json_string_value(text), NULL, 10) : 0;
}

// Says how many records between two answers were lost, whether the command line wants them or not.
static void show_lost(const json_t *parameters, const json_t *result)
{
    const json_t *after = json_object_get(parameters, "after");
    const json_t *first = json_object_get(result, "first"); // of a journal; others have its number as `lost`
    unsigned long long next = number_of(after), oldest = number_of(first);
    if (first == NULL)
        oldest = (unsigned long long)json_integer_value(json_object_get(result, "lost"));
    fflush(stdout);
    if (after != NULL && oldest > next)
        fprintf(stderr, "kin-inspect: %llu records came too fast and are lost\n", oldest - next);
}

// Goes on after the records of this answer. Returns the milliseconds until then: an answer may have fewer records than
// it was asked for where they are large.
static long go_on(reading *reading, const json_t *result)
{
    json_t *next = json_object_get(result, "next");
    bool is_new = number_of(next) < number_of(json_object_get(reading->parameters, "after"));
    long count = (long)json_array_size(json_object_get(result, reading->followed->rows));
    long wait = is_new || count * 2 >= reading->limit ? AT_ONCE : PERIOD;
    if (is_new) // the recording has begun anew
        json_object_set_new(reading->parameters, "after", json_string("0"));
    else
        json_object_set(reading->parameters, "after", next);
    reading->limit = reading->followed->most;
    json_object_set_new(reading->parameters, "limit", json_integer(reading->limit));
    reading->is_first = reading->is_waiting = false;
    return wait;
}

enum { WAITING = -1 }; // a status: the game does not update now

// Takes what is no result. Returns the status.
static int take_error(reading *reading, const json_t *error)
{
    bool is_waiting = json_integer_value(json_object_get(error, "code")) == NOT_UPDATING;
    int status = is_waiting && reading->is_waiting ? WAITING : refuse(error);
    reading->is_waiting = is_waiting;
    return is_waiting ? WAITING : status;
}

static int follow(reading *reading)
{
    for (int status = DONE;;) {
        json_t *answer =
            client_ask(&reading->session->game, reading->followed->method, json_incref(reading->parameters));
        const json_t *result = json_object_get(answer, "result");
        long wait = FIRST;
        if (result != NULL) {
            say_that_it_begins(result);
            show_lost(reading->parameters, result);
            show_rows_of(reading, json_object_get(result, reading->followed->rows));
            fflush(stdout);
            wait = go_on(reading, result);
        } else {
            status = answer == NULL ? NO_GAME : take_error(reading, json_object_get(answer, "error"));
        }
        json_decref(answer);
        if (result == NULL && status != WAITING)
            return status;
        wait_for(wait);
    }
}

int records_run(const session *session, const followed *followed, json_t *parameters)
{
    const json_t *limit = json_object_get(parameters, "limit");
    reading reading = {session, followed, parameters, STANDARD, true, false};
    if (json_is_integer(limit))
        reading.limit = (long)json_integer_value(limit);
    int status = session->arguments->is_watched ? follow(&reading) : read_once(&reading);
    json_decref(parameters);
    return status;
}

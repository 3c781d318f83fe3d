#include "command/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// ---- results that change

enum { PERIOD = 500 };

typedef struct following {
    const arguments *arguments;
    follow_show *show;
    const void *user;
    const char *query; // in which errors have their place, or NULL
    json_t *result;    // the last one, whole, or NULL
    bool is_over;      // by an error
    int status;
} following;

// ---- differences

// Objects are merged, all else is replaced.
static void merge(json_t *value, json_t *change)
{
    const char *key;
    json_t *part;
    json_object_foreach(change, key, part)
    {
        json_t *former = json_object_get(value, key);
        if (json_is_object(former) && json_is_object(part))
            merge(former, part);
        else
            json_object_set(value, key, part);
    }
}

static long slot_of(const json_t *row)
{
    const char *colon = strchr(text_in(row, "e"), ':');
    if (colon == NULL)
        return 0;
    return strtol(colon + 1, NULL, 10);
}

// Returns the place of a row, or the number of rows.
static size_t find_row(const json_t *rows, const char *handle)
{
    size_t place = 0;
    size_t count = json_array_size(rows);
    while (place < count && strcmp(text_in(json_array_get(rows, place), "e"), handle) != 0)
        place++;
    return place;
}

static void apply_rows(json_t *rows, const json_t *changed, const json_t *gone)
{
    for (size_t i = 0; i < json_array_size(gone); i++) {
        const char *handle = json_string_value(json_array_get(gone, i));
        if (handle != NULL)
            json_array_remove(rows, find_row(rows, handle));
    }
    for (size_t i = 0; i < json_array_size(changed); i++) {
        // Puts a new row in order of slots, and merges another one or puts it in place of the former one.
        json_t *row = json_array_get(changed, i);
        size_t place = find_row(rows, text_in(row, "e"));
        size_t count = json_array_size(rows);
        bool is_whole = json_is_true(json_object_get(row, "whole"));
        json_object_del(row, "whole");
        if (place == count) {
            place = 0;
            while (place < count && slot_of(json_array_get(rows, place)) <= slot_of(row))
                place++;
            json_array_insert(rows, place, row);
        } else if (is_whole) {
            json_array_set(rows, place, row);
        } else {
            merge(json_array_get(rows, place), row);
        }
    }
}

static void apply(json_t *result, json_t *change)
{
    const json_t *gone = json_object_get(change, "gone");
    if (json_is_array(gone)) {
        apply_rows(json_object_get(result, "rows"), json_object_get(change, "rows"), gone);
        json_object_del(change, "gone");
        json_object_del(change, "rows");
    }
    json_object_update(result, change);
}

// ---- showing

static void show(following *following)
{
    bool is_table = !following->arguments->is_json;
    bool is_terminal = isatty(STDOUT_FILENO) != 0;
    if (is_table && is_terminal)
        fputs("\x1b[H\x1b[2J", stdout);
    following->status = following->show(following->arguments, following->result, following->user);
    if (is_table && !is_terminal)
        putchar('\n');
    fflush(stdout);
}

static bool take(json_t *event, void *user)
{
    following *following = user;
    const json_t *error = json_object_get(event, "error");
    json_t *result = json_object_get(event, "result");
    if (error != NULL) {
        following->status = show_error(error, following->query);
        json_decref(following->result);
        following->result = NULL;
        following->is_over = json_integer_value(json_object_get(error, "code")) != NOT_UPDATING;
        return !following->is_over;
    }
    if (json_is_true(json_object_get(event, "whole")) || !json_is_object(following->result)) {
        json_decref(following->result);
        following->result = json_incref(result);
    } else {
        apply(following->result, result);
    }
    show(following);
    return true;
}

int follow_run(const session *session, const char *method, json_t *parameters, follow_show *show, const void *user)
{
    KIN_ASSERT(show != NULL && json_is_object(parameters));
    following following = {.arguments = session->arguments, .show = show, .user = user};
    json_t *query = json_incref(json_object_get(parameters, "query"));
    following.query = json_string_value(query);
    json_object_set_new(parameters, "period", json_integer(PERIOD));
    json_t *refusal = client_stream(&session->game, method, parameters, take, &following);
    int status = NO_GAME;
    if (following.is_over)
        status = following.status;
    if (refusal != NULL)
        status = show_error(json_object_get(refusal, "error"), following.query);
    json_decref(query);
    json_decref(refusal);
    json_decref(following.result);
    return status;
}

// ---- records

enum { RECORD_PERIOD = 250, AT_ONCE = 10, FIRST = 1000, STANDARD = 100 }; // milliseconds; records of the first answer

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
    KIN_ASSERT(milliseconds > 0);
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

static void say_that_it_begins(const json_t *result)
{
    if (json_is_true(json_object_get(result, "began")))
        fputs("kin-inspect: recording begins now\n", stderr);
}

static json_t *ask(const reading *reading)
{
    return client_ask(&reading->session->game, reading->followed->method, json_incref(reading->parameters));
}

// ---- once

static int show_once(const reading *reading, const json_t *result)
{
    const json_t *rows = json_object_get(result, reading->followed->rows);
    if (reading->session->arguments->is_json)
        show_json(result);
    else
        show_rows_of(reading, rows);
    if (json_array_size(rows) == 0)
        return NOTHING;
    return DONE;
}

static int read_once(const reading *reading)
{
    json_t *answer = ask(reading);
    if (json_is_true(json_object_get(json_object_get(answer, "result"), "began"))) {
        say_that_it_begins(json_object_get(answer, "result"));
        json_decref(answer);
        wait_for(FIRST);
        answer = ask(reading);
    }
    const json_t *error = json_object_get(answer, "error");
    int status = NO_GAME;
    if (error != NULL)
        status = show_error(error, NULL);
    else if (answer != NULL)
        status = show_once(reading, json_object_get(answer, "result"));
    json_decref(answer);
    return status;
}

// ---- again and again

static unsigned long long number_of(const json_t *text)
{
    if (!json_is_string(text))
        return 0;
    return strtoull(json_string_value(text), NULL, 10);
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
    KIN_ASSERT(reading->followed->most > 0);
    json_t *next = json_object_get(result, "next");
    bool is_new = number_of(next) < number_of(json_object_get(reading->parameters, "after"));
    long count = (long)json_array_size(json_object_get(result, reading->followed->rows));
    bool is_behind = is_new || count * 2 >= reading->limit;
    if (is_new) // the recording has begun anew
        json_object_set_new(reading->parameters, "after", json_string("0"));
    else
        json_object_set(reading->parameters, "after", next);
    reading->limit = reading->followed->most;
    json_object_set_new(reading->parameters, "limit", json_integer(reading->limit));
    reading->is_first = reading->is_waiting = false;
    return is_behind ? AT_ONCE : RECORD_PERIOD;
}

enum { WAITING = -1 }; // a status: the game does not update now

// Shows an error, once while the game does not update. Returns the status.
static int take_error(reading *reading, const json_t *error)
{
    bool was_waiting = reading->is_waiting;
    reading->is_waiting = json_integer_value(json_object_get(error, "code")) == NOT_UPDATING;
    if (!reading->is_waiting)
        return show_error(error, NULL);
    if (!was_waiting)
        show_error(error, NULL);
    return WAITING;
}

static int follow(reading *reading)
{
    for (;;) {
        json_t *answer = ask(reading);
        const json_t *result = json_object_get(answer, "result");
        int status = WAITING;
        long wait = FIRST;
        if (answer == NULL)
            return NO_GAME;
        if (result != NULL) {
            say_that_it_begins(result);
            show_lost(reading->parameters, result);
            show_rows_of(reading, json_object_get(result, reading->followed->rows));
            fflush(stdout);
            wait = go_on(reading, result);
        } else {
            status = take_error(reading, json_object_get(answer, "error"));
        }
        json_decref(answer);
        if (status != WAITING)
            return status;
        wait_for(wait);
    }
}

int records_run(const session *session, const followed *followed, json_t *parameters)
{
    KIN_ASSERT(json_is_object(parameters) && followed->rows != NULL);
    const json_t *limit = json_object_get(parameters, "limit");
    reading reading = {session, followed, parameters, STANDARD, true, false};
    if (json_is_integer(limit))
        reading.limit = (long)json_integer_value(limit);
    int status;
    if (session->arguments->is_watched)
        status = follow(&reading);
    else
        status = read_once(&reading);
    json_decref(parameters);
    return status;
}

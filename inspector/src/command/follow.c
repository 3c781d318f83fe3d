#include "command/follow.h"

#include "command/client.h"
#include "command/codes.h"
#include "command/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PERIOD = 500 };

typedef struct following {
    const arguments *arguments;
    follow_show *show;
    const void *user;
    const char *query; // in which errors have their place; NULL: none
    json_t *result;    // the last one, whole; NULL: none
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

static const char *handle_of(const json_t *row)
{
    const char *handle = json_string_value(json_object_get(row, "e"));
    return handle == NULL ? "" : handle;
}

static long slot_of(const json_t *row)
{
    const char *colon = strchr(handle_of(row), ':');
    return colon == NULL ? 0 : strtol(colon + 1, NULL, 10);
}

// Returns the place of a row, or the number of rows.
static size_t find_row(const json_t *rows, const char *handle)
{
    size_t place = 0, count = json_array_size(rows);
    while (place < count && strcmp(handle_of(json_array_get(rows, place)), handle) != 0)
        place++;
    return place;
}

// Puts a new row in order of slots, and merges another one or puts it in place of the former one.
static void apply_row(json_t *rows, json_t *row)
{
    size_t place = find_row(rows, handle_of(row)), count = json_array_size(rows);
    bool is_known = place < count, is_whole = json_is_true(json_object_get(row, "whole"));
    json_object_del(row, "whole");
    for (place = is_known ? place : 0; !is_known && place < count; place++)
        if (slot_of(json_array_get(rows, place)) > slot_of(row))
            break;
    if (!is_known)
        json_array_insert(rows, place, row);
    else if (is_whole)
        json_array_set(rows, place, row);
    else
        merge(json_array_get(rows, place), row);
}

static void apply_rows(json_t *rows, const json_t *changed, const json_t *gone)
{
    for (size_t i = 0; i < json_array_size(gone); i++) {
        const char *handle = json_string_value(json_array_get(gone, i));
        json_array_remove(rows, find_row(rows, handle == NULL ? "" : handle));
    }
    for (size_t i = 0; i < json_array_size(changed); i++)
        apply_row(rows, json_array_get(changed, i));
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
    bool is_table = !following->arguments->is_json, is_terminal = isatty(STDOUT_FILENO) != 0;
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
    following following = {.arguments = session->arguments, .show = show, .user = user};
    json_t *query = json_incref(json_object_get(parameters, "query"));
    following.query = json_string_value(query);
    json_object_set_new(parameters, "period", json_integer(PERIOD));
    json_t *refusal = client_stream(&session->game, method, parameters, take, &following);
    int status = following.is_over ? following.status : NO_GAME;
    if (refusal != NULL)
        status = show_error(json_object_get(refusal, "error"), following.query);
    json_decref(query);
    json_decref(refusal);
    json_decref(following.result);
    return status;
}

#include "command/follow.h"

#include "command/client.h"
#include "command/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PERIOD = 500, NOT_UPDATING = -33101 };

typedef struct following {
    const arguments *arguments;
    follow_show *show;
    const void *user;
    json_t *result; // the last one, whole; NULL: none
    long long seen; // the number after that of the last record
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

// Returns the result with the records that were not shown; NULL if there is none of them.
static json_t *without_seen(following *following)
{
    const json_t *records = json_object_get(following->result, "records");
    json_t *fresh = json_array(), *shown = json_copy(following->result);
    for (size_t i = 0; i < json_array_size(records); i++) {
        json_t *record = json_array_get(records, i);
        const char *number = json_string_value(json_object_get(record, "n"));
        long long n = number == NULL ? 0 : strtoll(number, NULL, 10);
        if (n < following->seen)
            continue;
        json_array_append(fresh, record);
        following->seen = n + 1;
    }
    bool is_empty = json_array_size(fresh) == 0;
    json_object_set_new(shown, "records", fresh);
    if (!is_empty)
        return shown;
    json_decref(shown);
    return NULL;
}

static void show(following *following)
{
    bool has_records = json_is_array(json_object_get(following->result, "records"));
    json_t *shown = has_records ? without_seen(following) : json_incref(following->result);
    if (shown == NULL)
        return;
    if (!has_records && !following->arguments->is_json && isatty(STDOUT_FILENO) != 0)
        fputs("\x1b[H\x1b[2J", stdout);
    following->status = following->show(following->arguments, shown, following->user);
    if (!has_records && !following->arguments->is_json && isatty(STDOUT_FILENO) == 0)
        putchar('\n');
    fflush(stdout);
    json_decref(shown);
}

static bool take(json_t *event, void *user)
{
    following *following = user;
    const json_t *error = json_object_get(event, "error");
    json_t *result = json_object_get(event, "result");
    if (error != NULL) {
        following->status = show_error(error);
        json_decref(following->result);
        following->result = NULL;
        return json_integer_value(json_object_get(error, "code")) == NOT_UPDATING;
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

int follow_run(const arguments *arguments, const char *method, json_t *parameters, follow_show *show, const void *user)
{
    game game;
    following following = {.arguments = arguments, .show = show, .user = user, .status = NO_GAME};
    if (!game_choose(arguments, &game)) {
        json_decref(parameters);
        return NO_GAME;
    }
    json_object_set_new(parameters, "period", json_integer(PERIOD));
    json_t *refusal = client_stream(&game, method, parameters, take, &following);
    if (refusal != NULL)
        following.status = show_error(json_object_get(refusal, "error"));
    json_decref(refusal);
    json_decref(following.result);
    return following.status;
}

#include "viewer_case.h"

#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

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
    return json_string_value(json_object_get(row, "e"));
}

static long slot_of(const json_t *row)
{
    return strtol(strchr(handle_of(row), ':') + 1, NULL, 10);
}

static size_t find_row(const json_t *rows, const char *handle)
{
    size_t place = 0;
    while (place < json_array_size(rows) && strcmp(handle_of(json_array_get(rows, place)), handle) != 0)
        place++;
    return place;
}

static void apply_row(json_t *rows, json_t *row)
{
    size_t place = find_row(rows, handle_of(row));
    bool is_known = place < json_array_size(rows), is_whole = json_is_true(json_object_get(row, "whole"));
    json_object_del(row, "whole");
    if (is_known && !is_whole) {
        merge(json_array_get(rows, place), row);
        return;
    }
    for (place = is_known ? place : 0; !is_known && place < json_array_size(rows); place++)
        if (slot_of(json_array_get(rows, place)) > slot_of(row))
            break;
    if (is_known)
        json_array_set(rows, place, row);
    else
        json_array_insert(rows, place, row);
}

void viewer_apply(json_t *result, json_t *change)
{
    json_t *gone = json_object_get(change, "gone"), *rows = json_object_get(result, "rows"), *one;
    size_t i;
    if (!json_is_array(gone)) {
        json_object_update(result, change);
        return;
    }
    json_array_foreach(gone, i, one) json_array_remove(rows, find_row(rows, json_string_value(one)));
    json_array_foreach(json_object_get(change, "rows"), i, one) apply_row(rows, one);
    json_object_del(change, "gone");
    json_object_del(change, "rows");
    json_object_update(result, change);
}

void viewer_expect_equal(const json_t *given, const json_t *expected)
{
    char *left = json_dumps(given, JSON_COMPACT | JSON_SORT_KEYS);
    char *right = json_dumps(expected, JSON_COMPACT | JSON_SORT_KEYS);
    ck_assert_str_eq(left, right);
    free(left);
    free(right);
}

void viewer_take(viewer *viewer, const char *text)
{
    json_error_t error;
    json_t *event = json_loads(text, JSON_DISABLE_EOF_CHECK, &error);
    ck_assert_msg(event != NULL, "%s in %s", error.text, text);
    json_t *result = json_object_get(event, "result");
    bool is_whole = json_is_true(json_object_get(event, "whole"));
    viewer->events++;
    viewer->whole += is_whole;
    viewer->errors += result == NULL;
    if (result == NULL || is_whole) {
        json_decref(viewer->result);
        viewer->result = json_incref(result);
    } else {
        ck_assert_ptr_nonnull(viewer->result);
        viewer_apply(viewer->result, result);
    }
    json_decref(event);
}

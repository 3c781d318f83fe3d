// Viewer case: a viewer of a stream, which puts results and differences together slowly and simply.
#ifndef KIN_TESTS_INSPECTOR_VIEWER_CASE_H
#define KIN_TESTS_INSPECTOR_VIEWER_CASE_H

#include <jansson.h>
#include <stdint.h>

// What a viewer has seen, and how many events, those that are whole and those with an error.
typedef struct viewer {
    json_t *result; // NULL: none, or an error
    uint32_t events, whole, errors;
} viewer;

// Applies a difference to a result, and uses it up.
void viewer_apply(json_t *result, json_t *change);

// Takes the data of an event; the text may go on after it.
void viewer_take(viewer *viewer, const char *text);

// Two values are equal, apart from the order of members.
void viewer_expect_equal(const json_t *given, const json_t *expected);

#endif

#include "command/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void wait_seconds(double seconds)
{
    KIN_ASSERT(seconds > 0);
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// ---- top

// Adds a column of all roles of a system, in microseconds.
static void add_sum(json_t *row, json_t *times, const char *key)
{
    double sum = 0;
    for (void *at = json_object_iter(times); at != NULL; at = json_object_iter_next(times, at))
        sum += (double)json_integer_value(json_object_get(json_object_iter_value(at), key)) / 1000;
    char text[32];
    snprintf(text, sizeof text, "%.1f", sum);
    json_object_set_new(row, key, json_string(text));
}

static double average_of(const json_t *row)
{
    KIN_ASSERT(json_is_string(json_object_get(row, "average")));
    return strtod(json_string_value(json_object_get(row, "average")), NULL);
}

static int compare_rows(const void *left, const void *right)
{
    double a = average_of(*(json_t *const *)left);
    double b = average_of(*(json_t *const *)right);
    return (a < b) - (a > b);
}

// Returns the systems that were called, the slowest one first.
static json_t *sort_systems(const json_t *result)
{
    static const char *const keys[] = {"last", "average", "p99", "maximum"};
    const json_t *systems = json_object_get(result, "systems");
    size_t count = 0;
    size_t all = json_array_size(systems);
    json_t **rows = calloc(all + 1, sizeof *rows);
    json_t *sorted = json_array();
    for (size_t i = 0; rows != NULL && i < all; i++) {
        const json_t *system = json_array_get(systems, i);
        json_t *times = json_object_get(system, "nanoseconds");
        if (json_object_size(times) == 0)
            continue;
        rows[count] = json_pack("{s:O*, s:O*}", "name", json_object_get(system, "name"), "changed",
                                json_object_get(system, "changed"));
        for (size_t key = 0; key < sizeof keys / sizeof *keys; key++)
            add_sum(rows[count], times, keys[key]);
        count++;
    }
    if (rows != NULL)
        qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(sorted, rows[i]);
    free(rows);
    return sorted;
}

static int show_top(const arguments *arguments, const json_t *result, bool is_live)
{
    static const char *const columns[] = {"name", "last", "average", "p99", "maximum", "changed"};
    json_t *rows = sort_systems(result);
    if (is_live) {
        fputs("\x1b[H\x1b[2J", stdout);
        show_text(stdout, json_string_value(json_object_get(result, "world")));
        printf(": update %.3f ms, systems in microseconds\n\n",
               (double)json_integer_value(json_object_get(result, "update_nanoseconds")) / 1e6);
    }
    if (arguments->is_json)
        show_json(rows);
    else
        show_table(rows, columns, sizeof columns / sizeof *columns);
    fflush(stdout);
    bool is_empty = json_array_size(rows) == 0;
    json_decref(rows);
    if (is_empty && !is_live)
        return NOTHING;
    return DONE;
}

int top_run(const arguments *arguments)
{
    game game;
    bool is_live = isatty(STDOUT_FILENO) != 0 && !arguments->is_json;
    int status = NO_GAME;
    if (!game_choose(arguments, &game))
        return NO_GAME;
    for (bool is_first = true;; is_first = false) {
        json_t *answer = client_ask(&game, "systems.list", NULL);
        const json_t *result = json_object_get(answer, "result");
        if (answer == NULL)
            return NO_GAME;
        const json_t *error = json_object_get(answer, "error");
        bool is_waiting = json_integer_value(json_object_get(error, "code")) == NOT_UPDATING;
        if (result == NULL)
            status = show_error(error, NULL);
        else if (is_live || !is_first)
            status = show_top(arguments, result, is_live);
        json_decref(answer);
        bool is_done = !is_live && !is_first;
        bool is_refused = result == NULL && !(is_live && is_waiting);
        if (is_done || is_refused)
            return status;
        wait_seconds(1);
    }
}

// ---- reports

int metrics_run(const arguments *arguments)
{
    game game;
    if (!game_choose(arguments, &game))
        return NO_GAME;
    char *text = client_get(&game, "/metrics");
    if (text == NULL)
        return NO_GAME;
    show_text(stdout, text);
    free(text);
    return DONE;
}

static int write_file(const char *path, const char *text)
{
    FILE *file = stdout;
    bool is_written = false;
    if (path == NULL)
        path = "-";
    if (strcmp(path, "-") != 0)
        file = fopen(path, "w");
    if (file != NULL)
        is_written = fputs(text, file) >= 0 && fflush(file) == 0;
    if (file != NULL && file != stdout)
        is_written = fclose(file) == 0 && is_written;
    if (is_written)
        return DONE;
    fprintf(stderr, "kin-inspect: cannot write '%s': %s\n", path, strerror(errno));
    return REFUSED;
}

int trace_run(const arguments *arguments)
{
    game game;
    double seconds = 2;
    if (arguments->words[1] != NULL)
        seconds = strtod(arguments->words[1], NULL);
    bool is_in_range = seconds > 0 && seconds <= 8;
    if (!is_in_range || arguments->count > 2) {
        fprintf(stderr, "kin-inspect: trace takes the seconds, at most 8; see kin-inspect --help\n");
        return USAGE;
    }
    if (!game_choose(arguments, &game))
        return NO_GAME;
    json_t *answer = client_ask(&game, "timeline.start", json_pack("{s:i}", "frames", 600));
    int status = show_refusal(answer, NULL);
    json_decref(answer);
    if (status != DONE)
        return status;
    wait_seconds(seconds);
    char *text = client_get(&game, "/trace");
    if (text == NULL)
        return NO_GAME;
    status = write_file(arguments->output, text);
    free(text);
    return status;
}

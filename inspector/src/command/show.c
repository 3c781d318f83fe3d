#include "command/show.h"

#include "command/arguments.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COLUMNS = 16, MOST_WIDTH = 60 };

// Returns how many bytes of a text are a control character: of ASCII, or U+0080 to U+009F.
static size_t control_size(const char *text)
{
    unsigned char c = (unsigned char)text[0];
    if (c < 0x20 || c == 0x7F)
        return 1;
    return c == 0xC2 && (unsigned char)text[1] >= 0x80 && (unsigned char)text[1] < 0xA0 ? 2 : 0;
}

// Returns the text of a value, which the caller frees: a string as it is, other values as JSON.
static char *text_of(const json_t *value)
{
    char *json =
        json_is_string(value) ? strdup(json_string_value(value)) : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    if (value == NULL || json_is_null(value) || json == NULL) {
        free(json);
        return strdup("");
    }
    char *text = malloc(4 * strlen(json) + 1);
    size_t used = 0;
    for (const char *at = json; text != NULL && *at != '\0'; at++) {
        size_t size = control_size(at);
        if (size == 0)
            text[used++] = *at;
        else
            used += (size_t)sprintf(text + used, "\\x%02x", (unsigned char)at[size - 1]);
        at += size == 2;
    }
    if (text != NULL)
        text[used] = '\0';
    free(json);
    return text;
}

// Returns the characters of a text of UTF-8.
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text != '\0'; text++)
        width += (*text & 0xC0) != 0x80;
    return width;
}

static void print_cell(const char *text, size_t width, bool is_last, bool is_terminal)
{
    fputs(text, stdout);
    if (is_last)
        putchar('\n');
    else if (!is_terminal)
        putchar('\t');
    else
        printf("%*s", (int)(width > width_of(text) ? width - width_of(text) : 0) + 2, "");
}

static void print_row(const json_t *row, const char *const *names, size_t count, const size_t *widths)
{
    for (size_t i = 0; i < count; i++) {
        char *text = row == NULL ? strdup(names[i]) : text_of(json_object_get(row, names[i]));
        print_cell(text == NULL ? "" : text, widths == NULL ? 0 : widths[i], i + 1 == count, widths != NULL);
        free(text);
    }
}

static void measure(const json_t *rows, const char *const *names, size_t count, size_t *widths)
{
    for (size_t i = 0; i < count; i++) {
        widths[i] = strlen(names[i]);
        for (size_t n = 0; n < json_array_size(rows); n++) {
            char *text = text_of(json_object_get(json_array_get(rows, n), names[i]));
            size_t width = text == NULL ? 0 : width_of(text);
            widths[i] = width > widths[i] ? width : widths[i];
            free(text);
        }
        widths[i] = widths[i] > MOST_WIDTH ? MOST_WIDTH : widths[i];
    }
}

void show_table(const json_t *rows, const char *const *names, size_t count)
{
    size_t widths[MOST_COLUMNS] = {0};
    bool is_terminal = isatty(STDOUT_FILENO) != 0;
    count = count < MOST_COLUMNS ? count : MOST_COLUMNS;
    if (is_terminal) {
        measure(rows, names, count, widths);
        print_row(NULL, names, count, widths);
    }
    for (size_t i = 0; i < json_array_size(rows); i++)
        print_row(json_array_get(rows, i), names, count, is_terminal ? widths : NULL);
}

static void print_line(const char *key, const json_t *value)
{
    char *text = text_of(value);
    printf("%s\t%s\n", key, text == NULL ? "" : text);
    free(text);
}

void show_value(json_t *value)
{
    if (!json_is_object(value)) {
        print_line("", value);
        return;
    }
    for (void *at = json_object_iter(value); at != NULL; at = json_object_iter_next(value, at))
        print_line(json_object_iter_key(at), json_object_iter_value(at));
}

void show_json(const json_t *value)
{
    json_dumpf(value, stdout, JSON_COMPACT | JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
    putchar('\n');
}

int show_error(const json_t *error)
{
    json_t *meant = json_object_get(json_object_get(error, "data"), "did_you_mean");
    fprintf(stderr, "kin-inspect: %s", json_string_value(json_object_get(error, "message")));
    if (json_array_size(meant) > 0)
        fprintf(stderr, "; did you mean '%s'?", json_string_value(json_array_get(meant, 0)));
    fputc('\n', stderr);
    return REFUSED;
}

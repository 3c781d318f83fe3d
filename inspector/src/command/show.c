#include "command/command.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ---- values

// Writes the shortest text that reads back the same. A float came as its shortest text, which has at most 9 digits.
static void write_real(FILE *file, double value)
{
    char text[48];
    kin__format_number(text, sizeof text, value, false);
    if (value == 0 && signbit(value))
        fputs("-0.0", file);
    else
        fputs(text, file);
}

static void write_object(FILE *file, const json_t *object, size_t flags)
{
    json_t *members = json_incref((json_t *)object);
    putc('{', file);
    for (void *first = json_object_iter(members), *at = first; at != NULL; at = json_object_iter_next(members, at)) {
        if (at != first)
            putc(',', file);
        json_t *string = json_string(json_object_iter_key(at));
        json_dumpf(string, file, flags | JSON_ENCODE_ANY);
        json_decref(string);
        putc(':', file);
        value_write(file, json_object_iter_value(at), flags);
    }
    putc('}', file);
    json_decref(members);
}

// Recursive in what a value contains, which jansson reads up to a limit of depth.
void value_write(FILE *file, const json_t *value, size_t flags)
{
    if (json_is_real(value)) {
        write_real(file, json_real_value(value));
    } else if (json_is_object(value)) {
        write_object(file, value, flags);
    } else if (json_is_array(value)) {
        putc('[', file);
        for (size_t i = 0; i < json_array_size(value); i++) {
            if (i > 0)
                fputc(',', file);
            value_write(file, json_array_get(value, i), flags);
        }
        putc(']', file);
    } else {
        json_dumpf(value, file, flags | JSON_ENCODE_ANY);
    }
}

char *value_text(const json_t *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file == NULL)
        return NULL;
    if (value != NULL)
        value_write(file, value, 0);
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

// ---- answers

enum { MOST_COLUMNS = 16, MOST_WIDTH = 60 };

// Returns a text in which the characters that a terminal obeys are escaped, which the caller frees; NULL for NULL, or
// without memory.
static char *escape(const char *raw)
{
    if (raw == NULL)
        return NULL;
    size_t used = 0;
    size_t left = strlen(raw);
    char *text = malloc(4 * left + 1);
    if (text == NULL)
        return NULL;
    for (const char *at = raw; left > 0;) {
        uint32_t code;
        size_t size = kin__control_size(at, left, &code);
        if (size == 0)
            text[used++] = *at;
        else if (code < 0x100)
            used += (size_t)sprintf(text + used, "\\x%02x", (unsigned)code);
        else
            used += (size_t)sprintf(text + used, "\\u%04x", (unsigned)code);
        size = kin__max_size(size, 1);
        at += size;
        left -= size;
    }
    KIN_ASSERT(used <= 4 * strlen(raw)); // also a character of three bytes: it becomes six
    text[used] = '\0';
    return text;
}

void show_text(FILE *file, const char *text)
{
    for (const char *at = text; at != NULL && *at != '\0';) {
        size_t size = strcspn(at, "\n");
        char *line = strndup(at, size);
        char *shown = escape(line);
        if (shown != NULL)
            fputs(shown, file);
        if (at[size] == '\n')
            fputc('\n', file);
        at += size + (at[size] == '\n');
        free(line);
        free(shown);
    }
}

// Returns the members of an object as a reader sees them, `execute 120, react 7`, which the caller frees.
static char *members_text(const json_t *object)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    json_t *members = json_incref((json_t *)object);
    void *first = json_object_iter(members);
    for (void *at = first; file != NULL && at != NULL; at = json_object_iter_next(members, at)) {
        if (at != first)
            fputs(", ", file);
        fprintf(file, "%s ", json_object_iter_key(at));
        value_write(file, json_object_iter_value(at), 0);
    }
    if (file != NULL)
        fclose(file);
    json_decref(members);
    return text;
}

// Returns the text of a value, which the caller frees: a string as it is, other values as JSON, but objects by their
// members on a terminal, whose lines no program reads. NULL for null, or without memory.
static char *text_of(const json_t *value, bool is_terminal)
{
    char *json;
    if (json_is_null(value))
        return NULL;
    if (json_is_string(value))
        json = strdup(json_string_value(value));
    else if (is_terminal && json_is_object(value))
        json = members_text(value);
    else
        json = value_text(value);
    char *text = escape(json);
    free(json);
    return text;
}

// Returns the characters of a text of UTF-8, or 0 for NULL.
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; text != NULL && *text != '\0'; text++)
        width += (*text & 0xC0) != 0x80;
    return width;
}

// Prints a text and what separates it from the next one: a tab without widths.
static void print_cell(const char *text, const size_t *width, bool is_last)
{
    if (text != NULL)
        fputs(text, stdout);
    if (is_last)
        putchar('\n');
    else if (width == NULL)
        putchar('\t');
    else
        printf("%*s", (int)(kin__max_size(*width, width_of(text)) - width_of(text)) + 2, "");
}

static void print_row(const json_t *row, const char *const *names, size_t count, const size_t *widths)
{
    for (size_t i = 0; i < count; i++) {
        char *text = text_of(json_object_get(row, names[i]), widths != NULL);
        print_cell(text, widths == NULL ? NULL : &widths[i], i + 1 == count);
        free(text);
    }
}

static void measure(const json_t *rows, const char *const *names, size_t count, size_t *widths)
{
    KIN_ASSERT(count <= MOST_COLUMNS);
    for (size_t i = 0; i < count; i++) {
        widths[i] = strlen(names[i]);
        for (size_t n = 0; n < json_array_size(rows); n++) {
            char *text = text_of(json_object_get(json_array_get(rows, n), names[i]), true);
            widths[i] = kin__max_size(widths[i], width_of(text));
            free(text);
        }
        widths[i] = kin__min_size(widths[i], MOST_WIDTH);
    }
}

static void print_table(const json_t *rows, const char *const *names, size_t count, bool has_head)
{
    size_t room[MOST_COLUMNS] = {0};
    const size_t *widths = NULL; // on a terminal
    count = kin__min_size(count, MOST_COLUMNS);
    if (isatty(STDOUT_FILENO)) {
        measure(rows, names, count, room);
        widths = room;
    }
    if (has_head) {
        for (size_t i = 0; i < count; i++)
            print_cell(names[i], widths == NULL ? NULL : &widths[i], i + 1 == count);
    }
    for (size_t i = 0; i < json_array_size(rows); i++)
        print_row(json_array_get(rows, i), names, count, widths);
}

void show_table(const json_t *rows, const char *const *names, size_t count)
{
    print_table(rows, names, count, true);
}

void show_rows(const json_t *rows, const char *const *names, size_t count)
{
    print_table(rows, names, count, false);
}

static void print_line(const char *key, const json_t *value)
{
    char *text = text_of(value, false);
    show_text(stdout, key);
    putchar('\t');
    print_cell(text, NULL, true);
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

static void print_names(const char *key, const json_t *names)
{
    printf("%s\t", key);
    for (size_t i = 0; i < json_array_size(names); i++) {
        fputs(i == 0 ? "" : ", ", stdout);
        show_text(stdout, json_string_value(json_array_get(names, i)));
    }
    putchar('\n');
}

// An error as compilers write it, so that editors find its place: "guns.yaml:5:9: error: … [K1604]".
static void print_fault(const json_t *fault)
{
    const json_t *line = json_object_get(fault, "line");
    const char *file = json_string_value(json_object_get(fault, "file"));
    const char *fix = json_string_value(json_object_get(fault, "fix"));
    show_text(stdout, file == NULL ? "kin" : file);
    if (json_is_integer(line))
        printf(":%lld:%lld", (long long)json_integer_value(line),
               (long long)json_integer_value(json_object_get(fault, "column")));
    fputs(": ", stdout);
    show_text(stdout, json_string_value(json_object_get(fault, "severity")));
    fputs(": ", stdout);
    show_text(stdout, json_string_value(json_object_get(fault, "message")));
    if (fix != NULL) {
        fputs("; did you mean '", stdout);
        show_text(stdout, fix);
        fputs("'?", stdout);
    }
    fputs(" [", stdout);
    show_text(stdout, json_string_value(json_object_get(fault, "code")));
    fputs("]\n", stdout);
}

int show_content(const json_t *result)
{
    const json_t *errors = json_object_get(result, "errors");
    if (!json_is_true(json_object_get(result, "content"))) {
        fputs("kin-inspect: the context has no content; kin_content_open opens one\n", stderr);
        return NOTHING;
    }
    print_line("folder", json_object_get(result, "folder"));
    print_names("files", json_object_get(result, "files"));
    print_names("prefabs", json_object_get(result, "prefabs"));
    print_names("levels", json_object_get(result, "levels"));
    if (json_is_string(json_object_get(result, "error")))
        print_line("error", json_object_get(result, "error"));
    for (size_t i = 0; i < json_array_size(errors); i++)
        print_fault(json_array_get(errors, i));
    return DONE;
}

static void print_number(const char *name, const json_t *object, const char *key)
{
    printf("%s %" JSON_INTEGER_FORMAT, name, json_integer_value(json_object_get(object, key)));
}

static void print_version(const json_t *side)
{
    if (json_object_get(side, "version") != NULL)
        fputs("  another version of the schema", stdout);
}

static void print_peer(const json_t *peer)
{
    print_number("peer", peer, "peer");
    if (json_is_true(json_object_get(peer, "sees_all")))
        fputs("  all zones", stdout);
    else
        print_number("  zones", peer, "zones");
    print_number("  frame", peer, "number");
    print_number("  behind", peer, "behind");
    print_number("  in", peer, "bytes_in");
    print_number(" B  out", peer, "bytes_out");
    print_number(" B  taken", peer, "taken");
    print_number("  dropped", peer, "dropped");
    print_version(peer);
    putchar('\n');
}

static void print_cost(const json_t *cost, json_int_t all)
{
    json_int_t bytes = json_integer_value(json_object_get(cost, "bytes"));
    const char *component = json_string_value(json_object_get(cost, "component"));
    const char *field = json_string_value(json_object_get(cost, "field"));
    printf("%8" JSON_INTEGER_FORMAT " B %3" JSON_INTEGER_FORMAT " %%  ", bytes, all == 0 ? 0 : bytes * 100 / all);
    show_text(stdout, component == NULL ? "which entities" : component);
    if (field != NULL) {
        putchar('.');
        show_text(stdout, field);
    }
    putchar('\n');
}

static void print_refused(json_t *refused)
{
    const char *reason;
    json_t *count;
    json_object_foreach(refused, reason, count)
    {
        if (json_integer_value(count) > 0)
            printf("refused for %s: %" JSON_INTEGER_FORMAT "\n", reason, json_integer_value(count));
    }
}

int show_network(const json_t *result)
{
    const json_t *peers = json_object_get(result, "peers");
    const json_t *costs = json_object_get(result, "costs");
    if (!json_is_true(json_object_get(result, "network"))) {
        fputs("kin-inspect: the world has no session; <kin/net.h> makes it a host or a replica\n", stderr);
        return NOTHING;
    }
    print_line("role", json_object_get(result, "role"));
    print_line("transport", json_object_get(result, "transport"));
    print_number("epoch", result, "epoch");
    print_number("  frame", result, "number");
    print_number("  behind", result, "behind");
    print_number("  in", result, "bytes_in");
    print_number(" B  out", result, "bytes_out");
    print_number(" B  queue", result, "queue_bytes");
    print_number(" B,", result, "queue_frames");
    print_number(" frames  resyncs", result, "resyncs");
    print_number("  wrong", result, "wrong");
    if (json_is_integer(json_object_get(result, "lease_ms")))
        print_number("  lease ms", result, "lease_ms");
    print_version(result);
    putchar('\n');
    print_refused(json_object_get(result, "refused"));
    for (size_t i = 0; i < json_array_size(peers); i++)
        print_peer(json_array_get(peers, i));
    for (size_t i = 0; i < json_array_size(costs); i++)
        print_cost(json_array_get(costs, i), json_integer_value(json_object_get(result, "cost")));
    return DONE;
}

void show_json(const json_t *value)
{
    value_write(stdout, value, JSON_ENSURE_ASCII);
    putchar('\n');
}

// Marks a place in a text, on a line of its own. Places that are not in the text are passed over.
static void show_place(const json_t *data, const char *text)
{
    json_int_t at = json_integer_value(json_object_get(data, "at"));
    json_int_t length = json_integer_value(json_object_get(data, "length"));
    json_int_t size = (json_int_t)strlen(text);
    if (!json_is_integer(json_object_get(data, "at")))
        return;
    if (at < 0 || at > size)
        return;
    if (length < 0 || length > size - at)
        return;
    char *before = strndup(text, (size_t)at);
    char *marked = strndup(text + at, (size_t)length);
    char *line = escape(text);
    char *indent = escape(before);
    char *marks = escape(marked);
    bool has_memory = indent != NULL && marks != NULL;
    if (line != NULL && has_memory) {
        fprintf(stderr, "  %s\n  %*s", line, (int)width_of(indent), "");
        for (size_t i = 0; i == 0 || i < width_of(marks); i++)
            fputc('^', stderr);
        fputc('\n', stderr);
    }
    free(before);
    free(marked);
    free(line);
    free(indent);
    free(marks);
}

void show_meant(const char *word)
{
    fputs("; did you mean '", stderr);
    show_text(stderr, word);
    fputs("'?", stderr);
}

int show_error(const json_t *error, const char *text)
{
    const char *message = json_string_value(json_object_get(error, "message"));
    const json_t *data = json_object_get(error, "data");
    const json_t *meant = json_object_get(data, "did_you_mean");
    const char *first = json_string_value(json_array_get(meant, 0));
    if (json_integer_value(json_object_get(error, "code")) == ENDED) {
        fputs("kin-inspect: the game has ended\n", stderr);
        return NO_GAME;
    }
    fputs("kin-inspect: ", stderr);
    if (message == NULL)
        message = "the game refuses this, and does not say why";
    show_text(stderr, message);
    if (first != NULL)
        show_meant(first);
    fputc('\n', stderr);
    if (text != NULL)
        show_place(data, text);
    return REFUSED;
}

int show_refusal(const json_t *answer, const char *text)
{
    const json_t *error = json_object_get(answer, "error");
    if (answer == NULL)
        return NO_GAME;
    if (error == NULL)
        return DONE;
    return show_error(error, text);
}

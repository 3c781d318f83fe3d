#include "command/value.h"

#include "text/text.h"

#include <math.h>
#include <stdlib.h>

// Writes the shortest text that reads back the same. A float came as its shortest text, which has at most 9 digits.
static void write_real(FILE *file, double value)
{
    char text[48];
    kin__format_number(text, sizeof text, value, false);
    fputs(value == 0 && signbit(value) ? "-0.0" : text, file);
}

static void write_string(FILE *file, const char *text, size_t flags)
{
    json_t *string = json_string(text);
    json_dumpf(string, file, flags | JSON_ENCODE_ANY);
    json_decref(string);
}

static void write_object(FILE *file, const json_t *object, size_t flags)
{
    json_t *members = json_incref((json_t *)object);
    putc('{', file);
    for (void *first = json_object_iter(members), *at = first; at != NULL; at = json_object_iter_next(members, at)) {
        if (at != first)
            putc(',', file);
        write_string(file, json_object_iter_key(at), flags);
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
            fputs(i == 0 ? "" : ",", file);
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

// What packing reports, and lists that grow.
#include "save/private/packing.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_SIZE = 600, KEPT_ERRORS = 1000 }; // errors beyond are counted only: they need memory

span pack_span(packing *packing, size_t start, size_t end)
{
    const source *line =
        source_from_line(packing->arena, packing->path, packing->line, packing->line_size, packing->line_number - 1);
    return (span){line, start, end};
}

static void report(packing *packing, diagnostic_code code, const size_t range[2], const char *format, va_list arguments)
{
    char message[MESSAGE_SIZE];
    vsnprintf(message, sizeof message, format, arguments);
    if (diagnostics_error_count(packing->diagnostics) >= KEPT_ERRORS)
        diagnostic_count_error(packing->diagnostics);
    else
        diagnostic_error(packing->diagnostics, code, pack_span(packing, range[0], range[1]), "%s", message);
}

bool pack_error(packing *packing, diagnostic_code code, const json_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(packing, code, (size_t[2]){node->start, node->end}, format, arguments);
    va_end(arguments);
    return false;
}

bool pack_key_error(packing *packing, diagnostic_code code, const json_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    report(packing, code, (size_t[2]){node->key_start, node->key_end}, format, arguments);
    va_end(arguments);
    return false;
}

void *pack_list_add(arena *arena, pack_list *list, size_t size)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity == 0 ? 16 : 2 * list->capacity;
        char *items = arena_allocate(arena, capacity * size);
        if (list->count > 0)
            memcpy(items, list->items, list->count * size);
        list->items = items;
        list->capacity = capacity;
    }
    return list->items + list->count++ * size;
}

bool pack_has_no_others(packing *packing, const json_node *line)
{
    for (const json_node *item = line->first; item != NULL; item = item->next)
        if (!item->is_used)
            return pack_key_error(packing, CODE_LINE_NAME, item, "unknown key '%s'", item->key);
    return true;
}

void pack_append_number(text *out, uint64_t number, size_t width)
{
    char bytes[8];
    for (size_t i = 0; i < width; i++)
        bytes[i] = (char)(number >> 8 * i);
    text_append(out, bytes, width);
}

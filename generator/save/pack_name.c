// What lines call contexts, components and fields, and what packing reports.
#include "generator/save/internal.h"

#include "generator/schema/schema.h"
#include "snapshot/snapshot.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- reports, and lists that grow

// What packing reports, and lists that grow.

enum { MESSAGE_SIZE = 600, KEPT_ERRORS = 1000 }; // errors beyond are counted only: they need memory

span pack_span(packing *packing, size_t start, size_t end)
{
    const source *line =
        source_from_line(packing->arena, packing->path, packing->line, packing->line_size, packing->line_number - 1);
    assert(start <= end);
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
    assert(size > 0);
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity;
        if (capacity == 0)
            capacity = 16;
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
    assert(line->kind == JSON_MAP);
    for (const json_node *item = line->first; item != NULL; item = item->next)
        if (!item->is_used)
            return pack_key_error(packing, CODE_LINE_NAME, item, "unknown key '%s'", item->key);
    return true;
}

void pack_append_number(text *out, uint64_t number, size_t width)
{
    char bytes[8];
    assert(width <= sizeof bytes);
    for (size_t i = 0; i < width; i++)
        bytes[i] = (char)(number >> 8 * i);
    text_append(out, bytes, width);
}

// ---- names

// Names: what a line calls contexts, components and fields. Each has the name that saves have, which is its first one,
// or the one that it has now. A name that saves have always means the thing that has it there.

bool pack_is_given_up(const packing *packing, const char *saved, const char *now)
{
    for (size_t i = 0; i < packing->package->removal_count; i++) {
        const removal *removal = &packing->package->removals[i];
        if (strcmp(removal->identity, saved) == 0 || strcmp(removal->path, now) == 0)
            return true;
    }
    return false;
}

void pack_suggest(packing *packing, const name_search *search)
{
    if (search->nearest != NULL)
        diagnostic_hint(packing->diagnostics, "did you mean '%s'?", search->nearest);
}

// ---- contexts

pack_context *pack_find_context(const packing *packing, const char *name)
{
    for (int is_now = 0; is_now < 2; is_now++)
        for (size_t i = 0; i < packing->context_count; i++) {
            const kin_context_info *info = packing->contexts[i].shape->info;
            if (!info->is_unsaved && strcmp(is_now ? info->name : info->identity, name) == 0)
                return &packing->contexts[i];
        }
    return NULL;
}

void pack_report_context(packing *packing, const json_node *item)
{
    name_search search = name_search_begin(item->key);
    assert(item->key != NULL);
    for (size_t i = 0; i < packing->context_count; i++) {
        const kin_context_info *info = packing->contexts[i].shape->info;
        if (info->is_unsaved)
            continue;
        name_search_offer(&search, info->identity);
        name_search_offer(&search, info->name);
    }
    pack_key_error(packing, CODE_LINE_NAME, item, "unknown context '%s'", item->key);
    pack_suggest(packing, &search);
}

// ---- components

static bool find_saved(const kin__shape *shape, const char *name, uint32_t *component)
{
    uint32_t low = 0;
    uint32_t high = shape->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(shape->components[middle].identity, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *component = low;
    return low < shape->count && strcmp(shape->components[low].identity, name) == 0;
}

static bool find_now(const kin__shape *shape, const char *name, uint32_t *component)
{
    for (*component = 0; *component < shape->count; ++*component)
        if (strcmp(shape->components[*component].info->name, name) == 0)
            return true;
    return false;
}

static bool is_declared(const packing *packing, const char *name)
{
    for (size_t i = 0; i < packing->package->component_count; i++)
        if (strcmp(packing->package->components[i]->name, name) == 0)
            return true;
    return false;
}

static void report_component(packing *packing, const pack_context *context, const json_node *item)
{
    const kin__shape *shape = context->shape;
    name_search search = name_search_begin(item->key);
    if (is_declared(packing, item->key)) {
        pack_key_error(packing, CODE_SAVE_UNKNOWN, item, "saves of context '%s' do not have component '%s'",
                       shape->info->name, item->key);
        return;
    }
    for (uint32_t i = 0; i < shape->count; i++) {
        name_search_offer(&search, shape->components[i].identity);
        name_search_offer(&search, shape->components[i].info->name);
    }
    pack_key_error(packing, CODE_LINE_NAME, item, "unknown component '%s'", item->key);
    pack_suggest(packing, &search);
}

pack_found pack_find_component(packing *packing, const pack_context *context, const json_node *item,
                               uint32_t *component)
{
    const kin__shape *shape = context->shape;
    if (find_saved(shape, item->key, component))
        return PACK_FOUND;
    if (pack_is_given_up(packing, item->key, ""))
        return PACK_GIVEN_UP;
    if (find_now(shape, item->key, component))
        return PACK_FOUND;
    if (pack_is_given_up(packing, "", item->key))
        return PACK_GIVEN_UP;
    report_component(packing, context, item);
    return PACK_UNKNOWN;
}

// ---- fields

// A key is a name, which the length of an inner array may follow, as in `uv[3]`.
static bool is_name_of(const char *name, const char *key, size_t size)
{
    return strncmp(name, key, size) == 0 && name[size] == '\0';
}

static const kin_field_info *find_field_of_saves(pack_fields fields, const char *key, size_t size)
{
    for (uint32_t i = 0; i < fields.count; i++)
        if (!fields.fields[i].is_unsaved && is_name_of(kin__field_identity(&fields.fields[i]), key, size))
            return fields.fields + i;
    return NULL;
}

const kin_field_info *pack_find_field(pack_fields fields, const char *key)
{
    size_t size = strcspn(key, "[.");
    const kin_field_info *field = find_field_of_saves(fields, key, size);
    for (uint32_t i = 0; field == NULL && i < fields.count; i++)
        if (!fields.fields[i].is_unsaved && is_name_of(fields.fields[i].name, key, size))
            field = fields.fields + i;
    return field;
}

pack_fields pack_fields_below(const kin_field_info *field)
{
    if (field == NULL || field->type != KIN_TYPE_STRUCT)
        return (pack_fields){NULL, 0};
    return (pack_fields){field->of->fields, field->of->field_count};
}

const char *pack_path_now(arena *arena, pack_fields fields, const char *path)
{
    text now = text_create(arena);
    for (const char *at = path; *at != '\0';) {
        size_t size = strcspn(at, ".");
        size_t name_size = strcspn(at, "[.");
        const kin_field_info *field = find_field_of_saves(fields, at, name_size);
        text_append_format(&now, "%s%s%.*s", at == path ? "" : ".", field->name, (int)(size - name_size),
                           at + name_size);
        fields = pack_fields_below(field);
        at += size + (at[size] == '.');
    }
    return now.bytes;
}

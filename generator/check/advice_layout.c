// Advice on memory layout: large values, and values with more padding than necessary.
#include "check/advice.h"
#include "generator/base/base.h"
#include "generator/schema/schema.h"

enum { SAVED_BYTES = 4, SAVED_PART = 8, NAMED_FIELDS = 12, LARGEST_ALIGNMENT = 16, CHUNK_SLOTS = 512 };

// Lists the fields by descending alignment; those with the same alignment stay in schema order.
static const char *best_order(arena *arena, const field_list *list)
{
    if (list->count > NAMED_FIELDS)
        return "by alignment, 8 bytes first, then 4, 2 and 1";
    text order = text_create(arena);
    for (uint64_t alignment = LARGEST_ALIGNMENT; alignment > 0; alignment /= 2)
        for (size_t i = 0; i < list->count; i++)
            if (layout_of_type(&list->fields[i].type).alignment == alignment)
                text_append_format(&order, "%s%s", order.size == 0 ? "" : ", ", list->fields[i].name);
    return order.bytes;
}

// An element with fields, and the words for advice on it.
typedef struct holder {
    const char *what;
    span span;
    const field_list *fields;
    memory_layout layout;
} holder;

static void advise_on_padding(arena *arena, diagnostics *diagnostics, const holder *holder)
{
    if (holder->layout.is_guess || holder->layout.padding == 0)
        return;
    uint64_t best = layout_best_size(holder->fields), saved = holder->layout.size - best;
    if (saved < SAVED_BYTES || saved * SAVED_PART < holder->layout.size)
        return;
    diagnostic_warning(diagnostics, CODE_PADDING, holder->span,
                       "%s takes %llu bytes; reordering its fields reduces it to %llu", holder->what,
                       (unsigned long long)holder->layout.size, (unsigned long long)best);
    diagnostic_hint(diagnostics, "reorder the fields: %s", best_order(arena, holder->fields));
}

static void advise_on_size(diagnostics *diagnostics, const component *component)
{
    if (component->is_boxed || component->is_shared || component->is_soa || component->layout.is_guess ||
        component->layout.size <= ADVICE_SIZE_LIMIT)
        return;
    unsigned long long size = (unsigned long long)component->layout.size;
    diagnostic_warning(diagnostics, CODE_LARGE_VALUE, component->span,
                       "a value of component '%s' takes %llu bytes; a chunk of %d values takes %llu KiB",
                       component->name, size, CHUNK_SLOTS, size * CHUNK_SLOTS / 1024);
    diagnostic_hint(diagnostics, "over %d bytes, add 'storage: boxed' to allocate each value separately",
                    ADVICE_SIZE_LIMIT);
}

void advice_on_layout(arena *arena, diagnostics *diagnostics, const package *package)
{
    for (size_t i = 0; i < package->definition_count; i++) {
        const definition *definition = package->definitions[i];
        holder holder = {arena_format(arena, "type '%s'", definition->name), definition->span, &definition->fields,
                         definition->layout};
        if (definition->kind == DEFINITION_STRUCT)
            advise_on_padding(arena, diagnostics, &holder);
    }
    for (size_t i = 0; i < package->message_count; i++) {
        const message *message = package->messages[i];
        holder holder = {arena_format(arena, "message '%s'", message->name), message->span, &message->fields,
                         message->layout};
        advise_on_padding(arena, diagnostics, &holder);
    }
    for (size_t i = 0; i < package->component_count; i++) {
        const component *component = package->components[i];
        holder holder = {arena_format(arena, "component '%s'", component->name), component->span, &component->fields,
                         component->layout};
        if (component->is_unique)
            continue; // a context has at most one value, outside of columns
        if (!component->is_soa)
            advise_on_padding(arena, diagnostics, &holder);
        advise_on_size(diagnostics, component);
    }
}

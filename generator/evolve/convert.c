// Which types values can be read into.
#include "generator/evolve/evolve.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static const char cannot[] = "its values could not be read";

static bool is_integer(type_kind kind)
{
    return kind >= TYPE_INT8 && kind <= TYPE_UINT64;
}

static bool is_floating(type_kind kind)
{
    return kind == TYPE_FLOAT || kind == TYPE_DOUBLE;
}

static bool is_number(type_kind kind)
{
    return is_integer(kind) || is_floating(kind);
}

// The numbers of a type.
typedef struct number_range {
    int64_t minimum;
    uint64_t maximum;
} number_range;

static number_range range_of(const lock_type *type)
{
    if (type->kind == TYPE_BOOL)
        return (number_range){0, 1};
    if (type->kind == TYPE_ENUM) {
        number_range range = {type->minimum, 0};
        if (type->maximum > 0)
            range.maximum = (uint64_t)type->maximum;
        return range;
    }
    const scalar_type *scalar = scalar_type_of(type->kind);
    return (number_range){scalar->minimum, scalar->maximum};
}

static const char *unreadable(arena *arena, const char *number)
{
    return arena_format(arena, "%s could not be read", number);
}

static const char *loss_to_integer(arena *arena, number_range from, const lock_type *to)
{
    number_range range = range_of(to);
    assert(is_integer(to->kind));
    if (from.maximum > range.maximum) {
        static const uint64_t examples[] = {300, 1000, 70000, 5000000000};
        for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
            if (examples[i] > range.maximum && examples[i] <= from.maximum)
                return unreadable(arena, arena_format(arena, "%" PRIu64, examples[i]));
        return unreadable(arena, arena_format(arena, "%" PRIu64, from.maximum));
    }
    if (from.minimum >= range.minimum)
        return NULL;
    if (range.minimum == 0)
        return unreadable(arena, "-1");
    return unreadable(arena, arena_format(arena, "%" PRId64, from.minimum));
}

// A float has all integers of 24 bits, a double those of 53.
static const char *loss_to_floating(arena *arena, number_range from, const lock_type *to)
{
    uint64_t limit = (uint64_t)1 << 53;
    assert(is_floating(to->kind));
    if (to->kind == TYPE_FLOAT)
        limit = (uint64_t)1 << 24;
    if (from.maximum <= limit && from.minimum >= -(int64_t)limit)
        return NULL;
    return unreadable(arena, arena_format(arena, "%" PRIu64, limit + 1));
}

static bool is_text(type_kind kind)
{
    return kind == TYPE_STRING || kind == TYPE_INLINE_STRING;
}

static bool is_entity(type_kind kind)
{
    return kind == TYPE_ENTITY || kind == TYPE_CONTEXT_ENTITY;
}

static const char *loss_of_element(arena *arena, const lock_type *from, const lock_type *to)
{
    assert(from->kind != TYPE_STRUCT && to->kind != TYPE_STRUCT);
    if (is_text(from->kind) && is_text(to->kind)) {
        bool is_short = from->kind == TYPE_INLINE_STRING && from->string_size <= to->string_size;
        if (to->kind == TYPE_STRING || is_short)
            return NULL;
        return arena_format(arena, "a string of more than %zu bytes could not be read", to->string_size);
    }
    if (is_entity(from->kind) && is_entity(to->kind)) {
        bool are_of_contexts = from->kind == TYPE_CONTEXT_ENTITY && to->kind == TYPE_CONTEXT_ENTITY;
        if (are_of_contexts && strcmp(from->context, to->context) == 0)
            return NULL;
        if (to->kind == TYPE_ENTITY)
            return NULL;
        return "entities of other contexts could not be read";
    }
    if (from->kind == to->kind)
        return NULL;
    if (is_number(from->kind) && to->kind == TYPE_BOOL)
        return unreadable(arena, "2");
    if (is_number(from->kind) && to->kind == TYPE_ENUM)
        return "a number that no value has could not be read";
    bool is_named = from->kind == TYPE_BOOL || from->kind == TYPE_ENUM;
    bool has_numbers = is_number(from->kind) || is_named;
    if (has_numbers && is_number(to->kind)) {
        if (from->kind == TYPE_DOUBLE && to->kind == TYPE_FLOAT)
            return unreadable(arena, "1e300");
        if (is_floating(from->kind) && is_floating(to->kind))
            return NULL;
        if (is_floating(from->kind))
            return unreadable(arena, "0.5");
        if (is_floating(to->kind))
            return loss_to_floating(arena, range_of(from), to);
        return loss_to_integer(arena, range_of(from), to);
    }
    return cannot;
}

// Compares the last `inner` dimensions. A single value has none, and no address of them.
static bool has_equal_inner(const lock_type *from, const lock_type *to, size_t inner)
{
    assert(inner <= from->depth && inner <= to->depth);
    return inner == 0 || memcmp(from->elements + (from->depth - inner), to->elements + (to->depth - inner),
                                inner * sizeof *from->elements) == 0;
}

// Compares the elements. A single value becomes the first element of an array.
static const char *loss_of_elements(arena *arena, const lock_type *from, const lock_type *to)
{
    size_t inner = from->depth - (from->depth > 0);
    bool is_wrapped = from->depth + 1 == to->depth;
    if (is_wrapped)
        inner = from->depth;
    if (!is_wrapped && from->depth != to->depth)
        return cannot;
    if (!has_equal_inner(from, to, inner))
        return cannot;
    if (is_wrapped || from->depth == 0)
        return NULL;
    size_t room = to->elements[0]; // 0 in a list
    bool fits = from->elements[0] != 0 && from->elements[0] <= room;
    if (room == 0 || fits)
        return NULL;
    if (room == 1)
        return "more than 1 element could not be read";
    return arena_format(arena, "more than %zu elements could not be read", room);
}

const char *convert_loss(arena *arena, const lock_type *from, const lock_type *to)
{
    if (from->is_flag || to->is_flag)
        return NULL;
    const char *loss = loss_of_element(arena, from, to);
    if (loss == NULL)
        loss = loss_of_elements(arena, from, to);
    return loss;
}

const char *convert_words(arena *arena, const lock_type *type)
{
    lock_type words = *type;
    if (!lock_type_is_enum(type))
        return lock_type_text(arena, type);
    words.kind = TYPE_BOOL;
    const char *text = lock_type_text(arena, &words);
    return arena_format(arena, "enum%s", text + strlen("bool"));
}

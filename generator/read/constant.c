#include "read/private/constant.h"

constant *constant_create(reader *reader, constant_kind kind)
{
    constant *constant = arena_allocate(reader->arena, sizeof *constant);
    constant->kind = kind;
    return constant;
}

const constant *constant_of_number(reader *reader, const char *literal, bool is_zero)
{
    constant *number = constant_create(reader, CONSTANT_NUMBER);
    number->literal = literal;
    number->is_zero = is_zero;
    return number;
}

const constant *constant_of_enumerator(reader *reader, const enumerator *enumerator)
{
    constant *constant = constant_create(reader, CONSTANT_ENUMERATOR);
    constant->enumerator = enumerator;
    constant->is_zero = enumerator->number == 0;
    return constant;
}

bool constant_has_broken_type(const field_type *type)
{
    return type->definition != NULL && draft_of(type->definition)->is_broken;
}

bool constant_may_hold(reader *reader, size_t count, span place)
{
    bool was_within = reader->constant_items <= SCHEMA_CONSTANT_LIMIT;
    reader->constant_items += count;
    bool is_within = reader->constant_items <= SCHEMA_CONSTANT_LIMIT;
    if (was_within && !is_within)
        diagnostic_error(reader->diagnostics, CODE_DEFAULTS_TOO_LARGE, place,
                         "with this one, the defaults of the schema have over %d parts", SCHEMA_CONSTANT_LIMIT);
    return is_within;
}

constant_list constant_list_begin(reader *reader, constant_kind kind, size_t capacity, span place)
{
    constant_list list = {.constant = constant_create(reader, kind)};
    list.is_broken = !constant_may_hold(reader, capacity, place);
    if (list.is_broken)
        return list;
    list.items = arena_allocate(reader->arena, (capacity + 1) * sizeof *list.items);
    list.constant->items = list.items;
    list.constant->is_zero = true;
    return list;
}

void constant_list_append(constant_list *list, const constant *item)
{
    list->is_broken = list->is_broken || item == NULL;
    if (list->is_broken)
        return;
    list->items[list->constant->count++] = item;
    list->constant->is_zero = list->constant->is_zero && item->is_zero;
}

const constant *constant_list_end(const constant_list *list)
{
    return list->is_broken ? NULL : list->constant;
}

#include "frame/frame.h"

#include <string.h>

// Maps of shapes, and values that go from one to the other.

enum { NUMBER = 8 }; // bytes of a number of any type

// ---- making maps

static bool map_leaves(kin__leaf_map *maps, kin__heap *heap, const kin__net_leaf *from, uint32_t count,
                       const kin__net_leaf *to, uint32_t to_count);

static bool is_value(const kin__net_leaf *leaf, int32_t number)
{
    for (uint32_t i = 0; i < leaf->value_count; i++)
        if (leaf->values[i] == number)
            return true;
    return false;
}

// Finds the number here of each value of an enum, and one that stands for 0 where the sender has no such value.
static bool map_values(kin__leaf_map *map, kin__heap *heap)
{
    int32_t *numbers = kin__heap_take(heap, (size_t)map->from->value_count + 1, sizeof *numbers);
    if (numbers == NULL)
        return false;
    for (uint32_t i = 0; i < map->from->value_count; i++)
        for (uint32_t k = 0; k < map->to->value_count; k++)
            if (strcmp(map->from->names[i], map->to->names[k]) == 0)
                numbers[i] = map->to->values[k];
    while (is_value(map->to, map->none))
        map->none++;
    map->numbers = numbers;
    return true;
}

static bool has_same_values(const kin__leaf_map *map)
{
    if (map->from->value_count != map->to->value_count)
        return false;
    for (uint32_t i = 0; i < map->from->value_count; i++)
        if (map->numbers[i] != map->from->values[i])
            return false;
    return true;
}

static bool has_same_inner(const kin__leaf_map *map)
{
    if (map->from->inner_count != map->to->inner_count)
        return false;
    for (uint32_t i = 0; i < map->from->inner_count; i++)
        if (!map->inner[i].is_same || map->inner[i].to != &map->to->inner[i])
            return false;
    return true;
}

// Whether both write the same bytes for the same value.
static bool is_same(const kin__leaf_map *map)
{
    const kin__net_leaf *from = map->from;
    const kin__net_leaf *to = map->to;
    bool is_as_long = from->count == to->count && from->is_list == to->is_list;
    bool is_as_exact = !(from->precision < to->precision) && !(from->precision > to->precision);
    if (from->type != to->type || !is_as_long || !is_as_exact)
        return false;
    if (from->type == KIN_TYPE_INLINE_STRING)
        return from->size == to->size;
    if (from->type == KIN_TYPE_ENUM)
        return has_same_values(map);
    return from->type != KIN_TYPE_STRUCT || has_same_inner(map);
}

static bool map_leaf(kin__leaf_map *map, kin__heap *heap)
{
    map->element = *map->from;
    map->element.count = 0;
    map->element.is_list = false;
    if (map->to == NULL)
        return true;
    if (map->from->type == KIN_TYPE_ENUM && map->to->type == KIN_TYPE_ENUM && !map_values(map, heap))
        return false;
    if (map->from->type == KIN_TYPE_STRUCT) {
        map->inner = kin__heap_take(heap, (size_t)map->from->inner_count + 1, sizeof *map->inner);
        if (map->inner == NULL || !map_leaves(map->inner, heap, map->from->inner, map->from->inner_count,
                                              map->to->inner, map->to->inner_count))
            return false;
    }
    map->is_same = is_same(map);
    return true;
}

// Maps leaves to those of the same path; of two that have it, the first. Recursive over structs in structs.
static bool map_leaves(kin__leaf_map *maps, kin__heap *heap, const kin__net_leaf *from, uint32_t count,
                       const kin__net_leaf *to, uint32_t to_count)
{
    for (uint32_t i = 0; i < count; i++) {
        maps[i].from = &from[i];
        maps[i].to = kin__shape_leaf(to, to_count, from[i].path);
        for (uint32_t k = 0; maps[i].to != NULL && k < i; k++)
            if (maps[k].to == maps[i].to)
                maps[i].to = NULL;
        if (!map_leaf(&maps[i], heap))
            return false;
    }
    return true;
}

static bool map_context(kin__context_map *map, kin__heap *heap, const kin__net_context *from,
                        const kin__net_context *to)
{
    map->from = from;
    map->to = to;
    map->components = kin__heap_take(heap, (size_t)from->component_count + 1, sizeof *map->components);
    map->leaves = kin__heap_take(heap, (size_t)from->component_count + 1, sizeof *map->leaves);
    if (map->components == NULL || map->leaves == NULL)
        return false;
    for (uint32_t i = 0; i < from->component_count; i++) {
        const kin__net_component *component = &from->components[i];
        const kin__net_component *own = to == NULL ? NULL : kin__shape_component(to, component->name);
        for (uint32_t k = 0; own != NULL && k < i; k++)
            if (map->components[k].id == own->id)
                own = NULL;
        map->components[i] = *component;
        map->components[i].id = own == NULL ? KIN__NET_NO_COMPONENT : own->id;
        map->leaves[i] = kin__heap_take(heap, (size_t)component->leaf_count + 1, sizeof **map->leaves);
        if (map->leaves[i] == NULL || !map_leaves(map->leaves[i], heap, component->leaves, component->leaf_count,
                                                  own == NULL ? NULL : own->leaves, own == NULL ? 0 : own->leaf_count))
            return false;
    }
    return true;
}

static bool map_message(kin__message_map *map, kin__heap *heap, const kin__net_message *from,
                        const kin__net_message *to, bool is_host)
{
    bool goes_on = false;
    if (to != NULL && is_host)
        goes_on = from->is_from_replica && to->is_from_replica;
    else if (to != NULL)
        goes_on = from->is_to_replica && to->is_to_replica;
    map->from = from;
    map->to = goes_on ? to : NULL;
    map->leaves = kin__heap_take(heap, (size_t)from->leaf_count + 1, sizeof *map->leaves);
    return map->leaves != NULL && map_leaves(map->leaves, heap, from->leaves, from->leaf_count,
                                             goes_on ? to->leaves : NULL, goes_on ? to->leaf_count : 0);
}

const kin__shape_map *kin__shape_map_make(kin__heap *heap, const kin__net_info *from, const kin__net_info *own,
                                          bool is_host)
{
    kin__shape_map *map = kin__heap_take(heap, 1, sizeof *map);
    if (map == NULL)
        return NULL;
    *map = (kin__shape_map){.from = from};
    map->contexts = kin__heap_take(heap, (size_t)from->context_count + 1, sizeof *map->contexts);
    map->messages = kin__heap_take(heap, (size_t)from->message_count + 1, sizeof *map->messages);
    if (map->contexts == NULL || map->messages == NULL)
        return NULL;
    for (uint32_t i = 0; !is_host && i < from->context_count; i++) {
        const kin__net_context *to = kin__shape_context(own, from->contexts[i].name);
        for (uint32_t k = 0; to != NULL && k < i; k++)
            if (map->contexts[k].to == to)
                to = NULL;
        if (!map_context(&map->contexts[i], heap, &from->contexts[i], to))
            return NULL;
    }
    for (uint32_t i = 0; i < from->message_count; i++)
        if (!map_message(&map->messages[i], heap, &from->messages[i], kin__shape_message(own, from->messages[i].name),
                         is_host))
            return NULL;
    return map;
}

// ---- numbers

typedef struct number {
    uint64_t integer; // extended to 64 bits
    double floating;
} number;

static number read_number(const kin__net_leaf *leaf, const void *at)
{
    number number = {0, 0};
    float single;
    if (leaf->type == KIN_TYPE_FLOAT) {
        memcpy(&single, at, sizeof single);
        number.floating = (double)single;
    } else if (leaf->type == KIN_TYPE_DOUBLE) {
        memcpy(&number.floating, at, sizeof number.floating);
    } else {
        number.integer = kin__leaf_integer(leaf, at);
        bool is_unsigned = leaf->type >= KIN_TYPE_UINT8 && leaf->type <= KIN_TYPE_UINT64;
        number.floating = is_unsigned ? (double)number.integer : (double)(int64_t)number.integer;
        return number;
    }
    bool is_whole = number.floating > -1e18 && number.floating < 1e18;
    number.integer = is_whole ? (uint64_t)(int64_t)number.floating : 0;
    return number;
}

static void write_number(const kin__net_leaf *leaf, void *at, number number)
{
    float single = (float)number.floating;
    if (leaf->type == KIN_TYPE_FLOAT)
        memcpy(at, &single, sizeof single);
    else if (leaf->type == KIN_TYPE_DOUBLE)
        memcpy(at, &number.floating, sizeof number.floating);
    else
        kin__leaf_set_integer(leaf, at, number.integer);
}

// Writes the number that the sender has for a value of here, which came from it.
static void number_back(const kin__leaf_map *map, const void *value, void *sent)
{
    if (map->from->type == map->to->type && map->numbers == NULL) {
        memcpy(sent, value, map->from->size);
        return;
    }
    number number = read_number(map->to, value);
    uint64_t own = number.integer;
    for (uint32_t i = 0; map->numbers != NULL && i < map->from->value_count; i++)
        if ((uint64_t)(int64_t)map->numbers[i] == own) {
            number.integer = (uint64_t)(int64_t)map->from->values[i];
            write_number(map->from, sent, number);
            return;
        }
    if (map->numbers != NULL)
        number.integer = 0;
    write_number(map->from, sent, number);
}

// Writes the value here of a number of the sender.
static void convert_number(const kin__leaf_map *map, const void *sent, void *value)
{
    if (map->from->type == map->to->type && map->numbers == NULL) {
        memcpy(value, sent, map->from->size);
        return;
    }
    number number = read_number(map->from, sent);
    bool is_known = map->numbers == NULL;
    for (uint32_t i = 0; !is_known && i < map->from->value_count; i++)
        if ((uint64_t)(int64_t)map->from->values[i] == number.integer) {
            number.integer = (uint64_t)(int64_t)map->numbers[i];
            is_known = true;
        }
    if (!is_known)
        number.integer = (uint64_t)(int64_t)map->none;
    write_number(map->to, value, number);
}

void kin__element_convert(const kin__leaf_map *map, const void *sent, void *value)
{
    if (map->from->type == KIN_TYPE_INLINE_STRING)
        memcpy(value, sent, map->from->size);
    else if (map->from->type == KIN_TYPE_ENTITY)
        memcpy(value, sent, sizeof(kin_entity));
    else
        convert_number(map, sent, value);
}

// ---- leaves of frames

// What is read of a leaf, and how.
typedef struct converting {
    kin__bytes_in *in; // NULL: the sender's value is zero
    kin_entity entity;
    kin__heap *heap;
} converting;

static void convert_leaf(const converting *with, const kin__leaf_map *map, double precision, void *value,
                         bool has_base);

static double precision_of(const kin__net_leaf *leaf, double outer)
{
    return leaf->precision > 0 ? leaf->precision : outer;
}

// Reads as the sender writes it: NULL passes over it.
static void take(const converting *with, const kin__net_leaf *leaf, double precision, void *value)
{
    kin__leaf_at at = {leaf, precision, with->entity};
    if (with->in != NULL)
        kin__leaf_take(with->in, &at, value, value == NULL ? NULL : with->heap);
}

static void convert_text(const converting *with, const kin__leaf_map *map, void *value)
{
    if (map->from->type == KIN_TYPE_STRING) {
        const char *none = NULL;
        memcpy(value, &none, sizeof none);
        take(with, &map->element, 0, value);
        return;
    }
    char *text = value;
    if (map->to->type == KIN_TYPE_INLINE_STRING)
        memset(value, 0, map->to->size);
    else
        text = kin__heap_take(with->heap, map->from->size, 1);
    if (text == NULL) {
        if (with->in != NULL)
            kin__refuse(with->in, kin__no_memory);
        return;
    }
    take(with, &map->element, 0, text);
    if (map->to->type == KIN_TYPE_STRING)
        memcpy(value, &text, sizeof text);
}

static void convert_struct(const converting *with, const kin__leaf_map *map, double precision, char *value,
                           bool has_base)
{
    for (uint32_t i = 0; i < map->from->inner_count; i++) {
        const kin__leaf_map *inner = &map->inner[i];
        double of_inner = precision_of(inner->from, precision);
        if (with->in != NULL && with->in->fault != NULL)
            return;
        if (inner->to == NULL)
            take(with, inner->from, of_inner, NULL);
        else
            convert_leaf(with, inner, of_inner, value + inner->to->offset, has_base);
    }
}

static void convert_element(const converting *with, const kin__leaf_map *map, double precision, void *value,
                            bool has_base)
{
    unsigned char sent[NUMBER] = {0};
    kin_type type = (kin_type)map->from->type;
    if (type == KIN_TYPE_STRUCT) {
        convert_struct(with, map, precision, value, has_base);
        return;
    }
    if (type == KIN_TYPE_STRING || type == KIN_TYPE_INLINE_STRING) {
        convert_text(with, map, value);
        return;
    }
    if (has_base)
        number_back(map, value, sent);
    take(with, &map->element, precision, sent);
    if (with->in == NULL || with->in->fault == NULL)
        kin__element_convert(map, sent, value);
}

// Returns room for the elements of a list here, which has its former ones, and makes it the list. NULL if there are
// none, or no memory.
static char *resize_list(const converting *with, const kin__leaf_map *map, uint32_t count, void *value, bool keeps)
{
    kin__list_field list = {NULL, 0};
    kin__list_field former;
    memcpy(&former.at, value, sizeof former.at);
    memcpy(&former.count, (const char *)value + offsetof(kin__list_field, count), sizeof former.count);
    char *at = count == 0 ? NULL : kin__heap_take(with->heap, count, map->to->size);
    if (at == NULL && count > 0 && with->in != NULL)
        kin__refuse(with->in, kin__no_memory);
    if (at == NULL && count > 0)
        return NULL;
    uint32_t kept = former.count < count ? former.count : count;
    if (keeps && kept > 0)
        memcpy(at, former.at, (size_t)kept * map->to->size);
    list.at = at;
    list.count = count;
    memcpy(value, &list.at, sizeof list.at);
    memcpy((char *)value + offsetof(kin__list_field, count), &list.count, sizeof list.count);
    return at;
}

// Recursive over structs in structs.
static void convert_leaf(const converting *with, const kin__leaf_map *map, double precision, void *value, bool has_base)
{
    uint64_t count = map->from->count == 0 ? 1 : map->from->count;
    char *element = value;
    if (map->from->is_list) {
        count = with->in == NULL ? 0 : kin__take_number(with->in);
        has_base = false;
        if (with->in != NULL && (count > kin__bytes_left(with->in) || count > INT32_MAX))
            kin__refuse(with->in, "a list is longer than the frame");
        if (with->in != NULL && with->in->fault != NULL)
            return;
    }
    if (map->to->is_list)
        element = resize_list(with, map, (uint32_t)count, value, has_base);
    for (uint64_t i = 0; element != NULL && i < count; i++) {
        if (with->in != NULL && with->in->fault != NULL)
            return;
        convert_element(with, map, precision, element + i * map->to->size, has_base);
    }
}

void kin__leaf_convert(kin__bytes_in *in, const kin__leaf_map *map, kin_entity entity, void *value, kin__heap *heap)
{
    converting with = {in, entity, heap};
    if (map->to == NULL)
        take(&with, map->from, map->from->precision, NULL);
    else
        convert_leaf(&with, map, map->from->precision, value, true);
}

void kin__leaf_begin(const kin__leaf_map *map, void *value, kin__heap *heap)
{
    converting with = {NULL, 0, heap};
    convert_leaf(&with, map, 0, value, false);
}

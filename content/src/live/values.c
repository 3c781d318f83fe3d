// Values of packs: read into components of this program.
#include "live/live.h"

#include <inttypes.h>
#include <string.h>

typedef struct reading {
    const kin__value_step *step;
    const kin__value_target *target;
    kin__why *why;
} reading;

// ---- numbers

static double double_of(uint64_t bits, kin_type type)
{
    uint32_t narrow = (uint32_t)bits;
    float single;
    double wide;
    memcpy(&single, &narrow, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    return type == KIN_TYPE_FLOAT ? (double)single : wide;
}

static int64_t integer_of(uint64_t bits, kin_type type)
{
    switch (type) {
    case KIN_TYPE_INT8:
        return (int8_t)bits;
    case KIN_TYPE_INT16:
        return (int16_t)bits;
    case KIN_TYPE_INT32:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

static bool is_floating(kin_type type)
{
    return type == KIN_TYPE_FLOAT || type == KIN_TYPE_DOUBLE;
}

static void put_integer(void *place, kin_type type, int64_t number)
{
    uint8_t byte = (uint8_t)number;
    uint16_t half = (uint16_t)number;
    uint32_t word = (uint32_t)number;
    uint32_t width = kin__pack_width(type);
    if (width == 1)
        memcpy(place, &byte, 1);
    else if (width == 2)
        memcpy(place, &half, 2);
    else if (width == 4)
        memcpy(place, &word, 4);
    else
        memcpy(place, &number, 8);
}

static void put_floating(void *place, kin_type type, double number)
{
    float single = (float)number;
    if (type == KIN_TYPE_FLOAT)
        memcpy(place, &single, sizeof single);
    else
        memcpy(place, &number, sizeof number);
}

static bool put_number(reading *reading, void *place, uint64_t bits)
{
    kin_type from = reading->step->from->type, to = reading->step->to.field->type;
    if (is_floating(to))
        put_floating(place, to, is_floating(from) ? double_of(bits, from) : (double)integer_of(bits, from));
    else if (is_floating(from))
        return kin__refuse(reading->why, KIN_ERROR_SHAPE, "'%s' is an integer now, and has fractions in the pack",
                           reading->step->from->path);
    else
        put_integer(place, to, integer_of(bits, from));
    return true;
}

// ---- other values

static bool put_enum(reading *reading, void *place, uint64_t index)
{
    const kin_type_info *type = reading->step->to.field->of;
    const char *name = reading->step->from->names[index];
    for (uint32_t i = 0; i < type->value_count; i++) {
        const kin_enum_value_info *value = &type->values[i];
        if (strcmp(value->identity == NULL ? value->name : value->identity, name) == 0) {
            int32_t number = (int32_t)value->value;
            memcpy(place, &number, sizeof number);
            return true;
        }
    }
    return kin__refuse(reading->why, KIN_ERROR_SHAPE, "enum '%s' has no value '%s'", type->name, name);
}

static bool put_text(reading *reading, char *place, const kin__pack_element *element)
{
    const kin_field_info *field = reading->step->to.field;
    if (field->type == KIN_TYPE_STRING) {
        memcpy(place, &element->text, sizeof element->text); // in the bytes of the pack
        return true;
    }
    size_t capacity = field->size / (field->count == 0 ? 1 : field->count);
    if (element->size >= capacity)
        return kin__refuse(reading->why, KIN_ERROR_SHAPE, "'%s' is too long for '%s'", element->text, field->name);
    memset(place, 0, capacity);
    memcpy(place, element->text, element->size);
    return true;
}

static bool put_reference(reading *reading, char *place, const char *component, const kin__pack_element *element)
{
    kin__overrides *all = reading->target->overrides;
    memset(place, 0, sizeof(kin_entity));
    if (reading->step->to.list != NULL)
        return kin__refuse(reading->why, KIN_ERROR_SHAPE, "a list of entities cannot be content: '%s'",
                           reading->step->from->path);
    if (all->count == all->capacity) {
        uint32_t capacity = all->capacity == 0 ? 16 : 2 * all->capacity;
        kin__override *grown = kin__arena_take(reading->target->arena, capacity * sizeof *grown);
        if (grown == NULL)
            return kin__refuse(reading->why, KIN_ERROR_NO_MEMORY, "out of memory");
        if (all->count > 0)
            memcpy(grown, all->all, all->count * sizeof *grown);
        all->all = grown;
        all->capacity = capacity;
    }
    all->all[all->count++] = (kin__override){reading->step->node, reading->step->to.component,
                                             (size_t)(place - component), element->text, element->part};
    return true;
}

static bool put_element(reading *reading, char *place, const char *component, const kin__pack_element *element)
{
    switch (reading->step->to.field->type) {
    case KIN_TYPE_ENUM:
        return put_enum(reading, place, element->bits);
    case KIN_TYPE_STRING:
    case KIN_TYPE_INLINE_STRING:
        return put_text(reading, place, element);
    case KIN_TYPE_ENTITY:
        return put_reference(reading, place, component, element);
    default:
        return put_number(reading, place, element->bits);
    }
}

// ---- leaves

// What a leaf of the pack may be now.
static bool fits(const kin__pack_leaf *from, const kin__live_leaf *to)
{
    bool is_text = from->type == KIN_TYPE_STRING || from->type == KIN_TYPE_INLINE_STRING;
    kin_type type = to->field == NULL ? KIN_TYPE_OPAQUE : to->field->type;
    if (to->field == NULL || from->is_list != (to->list != NULL) || from->elements != to->elements)
        return false;
    if (is_text)
        return type == KIN_TYPE_STRING || type == KIN_TYPE_INLINE_STRING;
    if (from->type == KIN_TYPE_ENUM || from->type == KIN_TYPE_ENTITY)
        return type == from->type;
    return kin__pack_width(from->type) > 0 && kin__pack_width(type) > 0;
}

// Gives the list `count` elements of its own: those of before, then new ones.
static bool grow_list(reading *reading, char *component, uint32_t count)
{
    const kin_field_info *field = reading->step->to.list;
    kin__list_field list = {NULL, 0};
    char *place = component + reading->step->to.list_offset;
    memcpy(&list.at, place, sizeof list.at);
    memcpy(&list.count, place + offsetof(kin__list_field, count), sizeof list.count);
    char *elements = kin__arena_take(reading->target->arena, (size_t)count * field->element_size);
    if (elements == NULL)
        return kin__refuse(reading->why, KIN_ERROR_NO_MEMORY, "out of memory");
    uint32_t kept = list.count < count ? list.count : count;
    if (kept > 0)
        memcpy(elements, list.at, kept * field->element_size);
    list = (kin__list_field){elements, count};
    memcpy(place, &list.at, sizeof list.at);
    memcpy(place + offsetof(kin__list_field, count), &list.count, sizeof list.count);
    return true;
}

static uint32_t list_count(const reading *reading, const char *component)
{
    uint32_t count;
    memcpy(&count, component + reading->step->to.list_offset + offsetof(kin__list_field, count), sizeof count);
    return count;
}

// A list of structs has a value for each leaf of its elements, all of one length: the first of them makes the list.
static bool read_list(reading *reading, kin__pack_cursor *cursor, char *component)
{
    const kin__value_step *step = reading->step;
    uint32_t count = kin__pack_next_count(cursor, reading->step->from);
    uint32_t length = count / reading->step->from->elements;
    uint32_t now = list_count(reading, component);
    uint32_t first = 0;
    if (step->is_append)
        first = step->is_first ? now : now - length;
    if (step->is_first && !grow_list(reading, component, first + length))
        return false;
    char *elements;
    memcpy(&elements, component + reading->step->to.list_offset, sizeof elements);
    for (uint32_t i = 0; i < count; i++) {
        kin__pack_element element = kin__pack_next_element(cursor, reading->step->from);
        char *base =
            elements + (size_t)(first + i / reading->step->from->elements) * reading->step->to.list->element_size;
        char *place = kin__leaf_place(&reading->step->to, base, i % reading->step->from->elements);
        if (!put_element(reading, place, component, &element))
            return false;
    }
    return true;
}

static bool read_plain(reading *reading, kin__pack_cursor *cursor, char *component)
{
    uint32_t count = kin__pack_next_count(cursor, reading->step->from);
    for (uint32_t i = 0; i < count; i++) {
        kin__pack_element element = kin__pack_next_element(cursor, reading->step->from);
        if (!put_element(reading, kin__leaf_place(&reading->step->to, component, i), component, &element))
            return false;
    }
    return true;
}

// ---- all of them

uint32_t kin__first_part_of(const kin__live_prefab *prefab, const kin__live_node *node)
{
    uint32_t part = 0;
    for (uint32_t i = 0; i < node->number; i++)
        part += prefab->nodes[i]->count;
    return part;
}

uint32_t kin__part_of(const kin__live_prefab *prefab, const kin__live_node *node, kin_component_id id)
{
    uint32_t part = kin__first_part_of(prefab, node);
    for (uint32_t i = 0; node->ids[i] != id; i++)
        part++;
    return part;
}

kin__value_step kin__value_step_of(const kin__live_prefab *prefab, uint32_t node, kin_component_id id)
{
    return (kin__value_step){
        .to = {.component = id}, .node = node, .part = kin__part_of(prefab, prefab->nodes[node], id)};
}

static bool is_in_list_of(const kin__value_step *step, const kin__value_step *before)
{
    return step->to.list == before->to.list && step->part == before->part;
}

// Returns the bytes of a number that is the same in the pack and in memory; 0 for other values.
static uint32_t copied_bytes(const kin__value_step *step)
{
    const uint16_t one = 1;
    bool is_little = *(const unsigned char *)&one == 1;
    bool is_same = step->from->type == step->to.field->type && step->from->type != KIN_TYPE_BOOL;
    bool is_single = step->from->elements == 1 && !step->from->is_list;
    return is_little && is_same && is_single ? kin__pack_width(step->from->type) : 0;
}

static bool follows(const kin__value_step *step, const kin__value_step *before)
{
    return step->copied > 0 && before->copied > 0 && step->part == before->part &&
           step->to.offset == before->to.offset + before->copied;
}

bool kin__value_steps_make(const kin_content *content, const kin__generation *generation,
                           const kin__live_prefab *prefab, uint32_t keys, kin__arena *arena, kin__value_steps *steps,
                           kin__why *why)
{
    *steps = (kin__value_steps){NULL, 0};
    if (keys == KIN__PACK_NONE)
        return true;
    const kin__pack_keys *list = &generation->pack.keys[keys];
    kin__value_step *all = kin__arena_take(arena, list->count * sizeof *all);
    if (all == NULL)
        return kin__refuse(why, KIN_ERROR_NO_MEMORY, "out of memory");
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const kin__pack_key *key = &list->keys[i];
        kin__value_step *step = &all[count];
        kin_component_id id = generation->components[key->component];
        const kin__live_node *node = kin__live_prefab_find(prefab, key->part);
        if (node == NULL || kin__node_value(node, id) == NULL)
            return kin__refuse(why, KIN_ERROR_SHAPE, "'%s' has no part '%s' with component '%s'", prefab->name,
                               key->part, generation->pack.contexts[list->context].components[key->component].name);
        step->from = kin__pack_leaf_of(&generation->pack, list->context, key);
        step->node = node->number;
        step->part = kin__part_of(prefab, node, id);
        step->is_append = key->is_append;
        if (!kin__leaf_find(content->info, id, step->from->path, &step->to) || !fits(step->from, &step->to))
            return kin__refuse(why, KIN_ERROR_SHAPE, "component '%s' has no field '%s' of this type",
                               content->info->components[id].name, step->from->path);
        step->is_first = count == 0 || !is_in_list_of(step, step - 1);
        step->copied = copied_bytes(step);
        if (count > 0 && follows(step, step - 1))
            all[count - 1].copied += step->copied;
        else
            count++;
    }
    *steps = (kin__value_steps){all, count};
    return true;
}

// Reads a value, or passes over it if it has no place.
static bool read_value(reading *reading, kin__pack_cursor *cursor, char *value)
{
    const kin__value_step *step = reading->step;
    if (step->copied > 0 && value != NULL)
        memcpy(value + step->to.offset, cursor->at, step->copied);
    cursor->at += step->copied;
    if (step->copied > 0)
        return true;
    if (value == NULL)
        return kin__pack_skip_value(cursor, step->from);
    return step->from->is_list ? read_list(reading, cursor, value) : read_plain(reading, cursor, value);
}

bool kin__values_apply(const kin__value_steps *steps, const unsigned char *values, uint32_t size,
                       const kin__value_target *target, kin__why *why)
{
    kin__pack_cursor cursor = kin__pack_cursor_of(values, size);
    for (uint32_t i = 0; i < steps->count; i++) {
        reading reading = {&steps->all[i], target, why};
        if (!read_value(&reading, &cursor, target->place(target->data, reading.step)))
            return false;
    }
    return true;
}

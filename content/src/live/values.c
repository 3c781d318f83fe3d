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
    if (type == KIN_TYPE_FLOAT)
        return kin__read_floating(&narrow, sizeof narrow);
    return kin__read_floating(&bits, sizeof bits);
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
    kin_type from = reading->step->from->type;
    kin_type to = reading->step->to.field->type;
    if (!is_floating(from)) {
        int64_t number = integer_of(bits, from);
        if (is_floating(to))
            put_floating(place, to, (double)number);
        else
            put_integer(place, to, number);
        return true;
    }
    if (!is_floating(to))
        return kin__refuse(reading->why, KIN_ERROR_SHAPE, "'%s' is an integer now, and has fractions in the pack",
                           reading->step->from->path);
    put_floating(place, to, double_of(bits, from));
    return true;
}

// ---- other values

static bool put_enum(reading *reading, void *place, uint64_t index)
{
    const kin_type_info *type = reading->step->to.field->of;
    KIN_ASSERT(index < reading->step->from->name_count); // the pack was checked
    const char *name = reading->step->from->names[index];
    for (uint32_t i = 0; i < type->value_count; i++) {
        const kin_enum_value_info *value = &type->values[i];
        const char *identity = value->identity == NULL ? value->name : value->identity;
        if (strcmp(identity, name) == 0) {
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
    size_t capacity = field->size / kin__max_32(field->count, 1);
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
    kin__override *grown = kin__arena_grow(reading->target->arena, all->all, all->count, &all->capacity, sizeof *grown);
    if (grown == NULL)
        return kin__refuse_memory(reading->why);
    all->all = grown;
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

static bool is_text(kin_type type)
{
    return type == KIN_TYPE_STRING || type == KIN_TYPE_INLINE_STRING;
}

static bool fits_type(kin_type from, kin_type to)
{
    if (is_text(from))
        return is_text(to);
    if (from == KIN_TYPE_ENUM || from == KIN_TYPE_ENTITY)
        return to == from;
    return kin__pack_width(from) > 0 && kin__pack_width(to) > 0;
}

// What a leaf of the pack may be now.
static bool fits(const kin__pack_leaf *from, const kin__live_leaf *to)
{
    if (to->field == NULL)
        return false;
    bool is_list = to->list != NULL;
    if (from->is_list != is_list || from->elements != to->elements)
        return false;
    return fits_type(from->type, to->field->type);
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
        return kin__refuse_memory(reading->why);
    uint32_t kept = kin__min_32(list.count, count);
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
    const kin__pack_leaf *from = step->from;
    uint32_t count = kin__pack_next_count(cursor, from);
    uint32_t length = count / from->elements;
    uint32_t first = 0;
    if (step->is_append) {
        first = list_count(reading, component);
        if (!step->is_first) // the list has its elements already
            first -= length;
    }
    if (step->is_first && !grow_list(reading, component, first + length))
        return false;
    KIN_ASSERT(list_count(reading, component) == first + length);
    char *elements;
    memcpy(&elements, component + step->to.list_offset, sizeof elements);
    for (uint32_t i = 0; i < count; i++) {
        kin__pack_element element = kin__pack_next_element(cursor, from);
        char *base = elements + (size_t)(first + i / from->elements) * step->to.list->element_size;
        char *place = kin__leaf_place(&step->to, base, i % from->elements);
        if (!put_element(reading, place, component, &element))
            return false;
    }
    return true;
}

static bool read_plain(reading *reading, kin__pack_cursor *cursor, char *component)
{
    const kin__value_step *step = reading->step;
    uint32_t count = kin__pack_next_count(cursor, step->from);
    for (uint32_t i = 0; i < count; i++) {
        kin__pack_element element = kin__pack_next_element(cursor, step->from);
        if (!put_element(reading, kin__leaf_place(&step->to, component, i), component, &element))
            return false;
    }
    return true;
}

// ---- all of them

void *kin__place_in_value(void *data, const kin__value_step *step)
{
    (void)step;
    return data;
}

uint32_t kin__live_part_count(const kin__live_prefab *prefab)
{
    const kin__live_node *last = prefab->nodes[prefab->count - 1];
    return kin__first_part_of(prefab, last) + last->count;
}

uint32_t kin__first_part_of(const kin__live_prefab *prefab, const kin__live_node *node)
{
    uint32_t part = 0;
    KIN_ASSERT(prefab->nodes[node->number] == node);
    for (uint32_t i = 0; i < node->number; i++)
        part += prefab->nodes[i]->count;
    return part;
}

uint32_t kin__part_of(const kin__live_prefab *prefab, const kin__live_node *node, kin_component_id id)
{
    uint32_t place = 0;
    KIN_ASSERT(kin__node_value(node, id) != NULL);
    while (node->ids[place] != id)
        place++;
    return kin__first_part_of(prefab, node) + place;
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

bool kin__is_little(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 1;
}

// Returns the bytes of a number that is the same in the pack and in memory; 0 for other values.
static uint32_t copied_bytes(const kin__value_step *step)
{
    bool is_same = step->from->type == step->to.field->type && step->from->type != KIN_TYPE_BOOL;
    bool is_single = step->from->elements == 1 && !step->from->is_list;
    if (!kin__is_little() || !is_same || !is_single)
        return 0;
    return kin__pack_width(step->from->type);
}

// Whether a number can be copied together with the one before it.
static bool follows(const kin__value_step *step, const kin__value_step *before)
{
    if (step->copied == 0 || before->copied == 0)
        return false;
    return step->part == before->part && step->to.offset == before->to.offset + before->copied;
}

// Resolves one key. False with `why`.
static bool resolve_key(const kin_content *content, const kin__generation *generation, const kin__live_prefab *prefab,
                        const kin__pack_key *key, kin__value_step *step, kin__why *why)
{
    uint32_t context = generation->context;
    kin_component_id id = generation->components[key->component];
    const kin__live_node *node = kin__live_prefab_find(prefab, key->part);
    if (node == NULL || kin__node_value(node, id) == NULL)
        return kin__refuse(why, KIN_ERROR_SHAPE, "'%s' has no part '%s' with component '%s'", prefab->name, key->part,
                           generation->pack.contexts[context].components[key->component].name);
    step->from = kin__pack_leaf_of(&generation->pack, context, key);
    step->node = node->number;
    step->part = kin__part_of(prefab, node, id);
    step->is_append = key->is_append;
    if (!kin__leaf_find(content->info, id, step->from->path, &step->to) || !fits(step->from, &step->to))
        return kin__refuse(why, KIN_ERROR_SHAPE, "component '%s' has no field '%s' of this type",
                           content->info->components[id].name, step->from->path);
    step->copied = copied_bytes(step);
    return true;
}

bool kin__value_steps_make(const kin_content *content, const kin__generation *generation,
                           const kin__live_prefab *prefab, uint32_t keys, kin__arena *arena, kin__value_steps *steps,
                           kin__why *why)
{
    *steps = (kin__value_steps){NULL, 0};
    if (keys == KIN__PACK_NONE)
        return true;
    KIN_ASSERT(keys < generation->pack.keys_count);
    const kin__pack_keys *list = &generation->pack.keys[keys];
    KIN_ASSERT(list->context == generation->context);
    kin__value_step *all = kin__arena_take(arena, list->count * sizeof *all);
    if (all == NULL)
        return kin__refuse_memory(why);
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        kin__value_step *step = &all[count];
        if (!resolve_key(content, generation, prefab, &list->keys[i], step, why))
            return false;
        step->is_first = count == 0 || !is_in_list_of(step, step - 1);
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
    if (step->copied > 0) {
        KIN_ASSERT(step->copied <= (size_t)(cursor->end - cursor->at));
        if (value != NULL)
            memcpy(value + step->to.offset, cursor->at, step->copied);
        cursor->at += step->copied;
        return true;
    }
    if (value == NULL)
        return kin__pack_skip_value(cursor, step->from);
    if (step->from->is_list)
        return read_list(reading, cursor, value);
    return read_plain(reading, cursor, value);
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
    KIN_ASSERT(steps->count == 0 || (cursor.at == cursor.end && !cursor.is_short)); // 4 of pack.h
    return true;
}

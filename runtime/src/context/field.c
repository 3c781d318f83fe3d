#include "context/context.h"

#include <kin/generated/list.h>
#include <kin/reflect.h>

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Paths: the place of a field in the value of a component.
//
//   box.corners[2].x        a field, of a struct its fields, of an array or a list an element from 0
//
//   path  = name { "." name | "[" number "]" }
//
// A path that ends at a struct, an opaque value or a whole array or list names no single value, and is refused. The
// number of elements of a list depends on the value, so the caller compares `index`.

// A field, or one element of an array or a list.
typedef struct kin__field_place {
    const kin_field_info *field; // its type and name; of an element: the array or list
    size_t offset, size;         // bytes in the value of the component; in a list: in the element
    const kin_field_info *list;  // the list that the field is in; NULL: none
    uint32_t index;              // of the element in the list
} kin__field_place;

// The rest of a path that is being followed, and what it has reached.
typedef struct walk {
    const char *rest;
    const kin_field_info *fields; // of the component or struct that the next name is in
    uint32_t field_count;
    kin__field_place place;
    bool is_array; // the place is a whole array or list
} walk;

static const char *take_name(walk *walk)
{
    size_t length = strcspn(walk->rest, ".[");
    for (uint32_t i = 0; i < walk->field_count; i++) {
        const kin_field_info *field = &walk->fields[i];
        if (strncmp(field->name, walk->rest, length) != 0 || field->name[length] != '\0')
            continue;
        walk->place.field = field;
        walk->place.offset += field->offset;
        walk->place.size = field->size;
        walk->is_array = field->count > 0 || field->is_list;
        walk->rest += length;
        return NULL;
    }
    return "names a field that does not exist; use the names of the schema";
}

// Goes on in an element of the list at the place, from offset 0.
static void enter_list(walk *walk, uint32_t index)
{
    walk->place.list = walk->place.field;
    walk->place.index = index;
    walk->place.offset = 0;
    walk->place.size = walk->place.field->element_size;
}

static void enter_array(walk *walk, uint32_t index)
{
    walk->place.size /= walk->place.field->count;
    walk->place.offset += index * walk->place.size;
}

static const char *take_element(walk *walk)
{
    const kin_field_info *array = walk->place.field;
    uint32_t number = 0;
    uint32_t count = array->is_list ? KIN__LIST_LIMIT : array->count;
    const char *digit = walk->rest + 1;
    if (!walk->is_array)
        return "has an index after a field that is not an array; remove the index";
    KIN_ASSERT(count > 0);
    for (; *digit >= '0' && *digit <= '9' && number < count; digit++)
        number = number * 10 + (uint32_t)(*digit - '0');
    if (number >= count)
        return "has an index beyond the end of the array; count from 0";
    if (*digit != ']' || digit == walk->rest + 1)
        return "has a bracket without an index; write [0] for the first element";
    if (array->is_list)
        enter_list(walk, number);
    else
        enter_array(walk, number);
    walk->is_array = false;
    walk->rest = digit + 1;
    return NULL;
}

static const char *enter_struct(walk *walk)
{
    const kin_field_info *field = walk->place.field;
    if (walk->is_array || field->type != KIN_TYPE_STRUCT)
        return "continues after a field that is not a struct; end it there";
    walk->fields = field->of->fields;
    walk->field_count = field->of->field_count;
    walk->rest++;
    return take_name(walk);
}

static const char *find_end_fault(const walk *walk)
{
    if (walk->is_array)
        return "ends at an array; append an index such as [0]";
    if (walk->place.field->type == KIN_TYPE_STRUCT)
        return "ends at a struct; append the name of one of its fields";
    return walk->place.field->type == KIN_TYPE_OPAQUE
               ? "ends at an opaque value, which has no fields; name another field"
               : NULL;
}

// Finds the place of a path. Returns NULL, or what is wrong with the path, for the rest of a sentence.
static const char *field_find(const kin_component_info *component, const char *path, kin__field_place *place)
{
    walk walk = {.rest = path, .fields = component->fields, .field_count = component->field_count};
    if (path == NULL)
        return "is NULL; pass the name of a field";
    const char *fault = take_name(&walk);
    while (fault == NULL && *walk.rest != '\0') {
        if (*walk.rest == '[')
            fault = take_element(&walk);
        else if (*walk.rest == '.')
            fault = enter_struct(&walk);
        else
            fault = "continues after a bracket without a dot; insert one";
    }
    if (fault == NULL)
        fault = find_end_fault(&walk);
    *place = walk.place;
    return fault;
}

// The kinds of values that are read and written in the same way.
typedef enum kind { KIND_BOOL, KIND_SIGNED, KIND_UNSIGNED, KIND_NUMBER, KIND_STRING, KIND_ENTITY, KIND_OTHER } kind;

// Of a number that is no type, which a caller can pass: KIND_OTHER.
static kind kind_of(kin_type type)
{
    static const kind kinds[] = {
        [KIN_TYPE_BOOL] = KIND_BOOL,       [KIN_TYPE_INT8] = KIND_SIGNED,          [KIN_TYPE_INT16] = KIND_SIGNED,
        [KIN_TYPE_INT32] = KIND_SIGNED,    [KIN_TYPE_INT64] = KIND_SIGNED,         [KIN_TYPE_ENUM] = KIND_SIGNED,
        [KIN_TYPE_UINT8] = KIND_UNSIGNED,  [KIN_TYPE_UINT16] = KIND_UNSIGNED,      [KIN_TYPE_UINT32] = KIND_UNSIGNED,
        [KIN_TYPE_UINT64] = KIND_UNSIGNED, [KIN_TYPE_FLOAT] = KIND_NUMBER,         [KIN_TYPE_DOUBLE] = KIND_NUMBER,
        [KIN_TYPE_STRING] = KIND_STRING,   [KIN_TYPE_INLINE_STRING] = KIND_STRING, [KIN_TYPE_ENTITY] = KIND_ENTITY,
        [KIN_TYPE_STRUCT] = KIND_OTHER,    [KIN_TYPE_OPAQUE] = KIND_OTHER,
    };
    return (size_t)type < sizeof kinds / sizeof *kinds ? kinds[type] : KIND_OTHER;
}

// ---- reading

static const char *read_string(kin_type type, const void *bytes)
{
    const char *string = bytes;
    if (type == KIN_TYPE_STRING)
        memcpy(&string, bytes, sizeof string);
    return string;
}

// Reads the field at `bytes`. Strings stay where they are.
static kin_field_value field_value_read(const kin__field_place *place, const void *bytes)
{
    kin_field_value value = {.type = place->field->type};
    switch (kind_of(value.type)) {
    case KIND_BOOL:
        value.as.boolean = *(const bool *)bytes;
        break;
    case KIND_SIGNED:
        value.as.integer = kin__read_signed(bytes, place->size);
        break;
    case KIND_UNSIGNED:
        value.as.natural = kin__read_unsigned(bytes, place->size);
        break;
    case KIND_NUMBER:
        value.as.number = kin__read_floating(bytes, place->size);
        break;
    case KIND_STRING:
        value.as.string = read_string(value.type, bytes);
        break;
    case KIND_ENTITY:
        memcpy(&value.as.entity, bytes, sizeof value.as.entity);
        break;
    case KIND_OTHER:
        break;
    }
    return value;
}

// ---- writing

static const char out_of_range[] = "the number is outside the range of the field's type; pass one in its range";
static const char other_type[] = "the value has another type than the field; pass one of the field's type";

static void write_bits(void *bytes, uint64_t bits, size_t size)
{
    uint8_t one = (uint8_t)bits;
    uint16_t two = (uint16_t)bits;
    uint32_t four = (uint32_t)bits;
    if (size == sizeof one)
        memcpy(bytes, &one, sizeof one);
    else if (size == sizeof two)
        memcpy(bytes, &two, sizeof two);
    else if (size == sizeof four)
        memcpy(bytes, &four, sizeof four);
    else
        memcpy(bytes, &bits, sizeof bits);
}

static bool has_enumerator(const kin_type_info *of, int64_t number)
{
    for (uint32_t i = 0; i < of->value_count; i++)
        if (of->values[i].value == number)
            return true;
    return false;
}

// An integer that may be signed or not, whose sign is known.
static const char *write_integer(const kin__field_place *place, uint64_t bits, bool is_negative, void *bytes)
{
    kin_type type = place->field->type;
    uint64_t most = UINT64_MAX >> (64 - 8 * place->size);
    bool is_signed = kind_of(type) == KIND_SIGNED;
    if (is_signed)
        most /= 2;
    bool fits = is_negative ? is_signed && ~bits <= most : bits <= most;
    if (!fits)
        return out_of_range;
    if (type == KIN_TYPE_ENUM && !has_enumerator(place->field->of, (int64_t)bits))
        return "the enum has no value with this number; pass one of the schema";
    write_bits(bytes, bits, place->size);
    return NULL;
}

static const char *write_number(const kin__field_place *place, double number, void *bytes)
{
    if (place->size == sizeof number) {
        memcpy(bytes, &number, sizeof number);
        return NULL;
    }
    bool is_infinite = number - number != 0; // or NaN
    if (!is_infinite && (number > (double)FLT_MAX || number < -(double)FLT_MAX))
        return out_of_range;
    float narrow = (float)number;
    memcpy(bytes, &narrow, sizeof narrow);
    return NULL;
}

static const char *write_string(const kin__field_place *place, const char *string, void *bytes)
{
    if (place->field->type == KIN_TYPE_STRING) {
        memcpy(bytes, &string, sizeof string);
        return NULL;
    }
    if (string == NULL)
        return "the string is NULL; pass an empty one";
    if (strlen(string) >= place->size)
        return "the string is too long for the field; shorten it";
    strncpy(bytes, string, place->size);
    return NULL;
}

// Writes the field at `bytes`. A string is not copied: its address is stored, unless the field holds its letters.
// Returns NULL, or why the field cannot have the value, with `bytes` unchanged.
static const char *field_value_write(const kin__field_place *place, const kin_field_value *value, void *bytes)
{
    kind given = kind_of(value->type);
    kind wanted = kind_of(place->field->type);
    bool is_integer = given == KIND_SIGNED || given == KIND_UNSIGNED;
    if (is_integer && (wanted == KIND_SIGNED || wanted == KIND_UNSIGNED))
        return given == KIND_SIGNED ? write_integer(place, (uint64_t)value->as.integer, value->as.integer < 0, bytes)
                                    : write_integer(place, value->as.natural, false, bytes);
    if (given != wanted || given == KIND_OTHER)
        return other_type;
    if (given == KIND_NUMBER)
        return write_number(place, value->as.number, bytes);
    if (given == KIND_STRING)
        return write_string(place, value->as.string, bytes);
    if (given == KIND_ENTITY)
        memcpy(bytes, &value->as.entity, sizeof value->as.entity);
    else
        memcpy(bytes, &value->as.boolean, sizeof value->as.boolean);
    return NULL;
}

// Fields by path: reading one where it is stored, writing one by a replace of its component.

enum { REASON_SIZE = 256, FEW_BYTES = 256 };

// The field that a call names.
typedef struct target {
    kin_entity entity;
    kin_component_id id;
    const char *path;
    const char *verb;
    kin__field_place place;
} target;

const char *kin_type_name(kin_type type)
{
    static const char *const names[] = {"bool",   "int8",   "int16",  "int32",  "int64",  "uint8",
                                        "uint16", "uint32", "uint64", "float",  "double", "string",
                                        "string", "entity", "enum",   "struct", "opaque"};
    return (uint32_t)type < sizeof names / sizeof *names ? names[type] : NULL;
}

static kin_status report(const kin_context *context, const target *target, kin_status status, const char *reason)
{
    kin__attempt attempt = {.verb = target->verb, .entity = target->entity, .reason = reason};
    if (target->id < context->info->component_count)
        attempt.component = context->info->components[target->id].name;
    return kin__report_error(context, status, &attempt);
}

static kin_status report_path(const kin_context *context, const target *target, const char *fault)
{
    char escaped[KIN__ESCAPED_SIZE], reason[KIN__ESCAPED_SIZE + REASON_SIZE];
    const char *path = target->path == NULL ? "" : target->path;
    snprintf(reason, sizeof reason, "the path '%s' %s", kin__escape(escaped, path, strlen(path)), fault);
    return report(context, target, KIN_ERROR_INVALID, reason);
}

// Returns the list that has the field; only if it is in one.
static kin__list_field list_of(const kin_context *context, const target *target)
{
    const void *value = kin__value_of(context, kin_entity_slot(target->entity), target->id);
    KIN_ASSERT(target->place.list != NULL);
    return kin__list_field_read(value, target->place.list);
}

// Finds the field, and checks that the entity has the component, and the list the element.
static kin_status find(const kin_context *context, target *target)
{
    char reason[REASON_SIZE];
    if (target->id >= context->info->component_count) {
        snprintf(reason, sizeof reason, "the context has no component %" PRIu32 "; use an id below %" PRIu32,
                 (uint32_t)target->id, context->info->component_count);
        return report(context, target, KIN_ERROR_INVALID, reason);
    }
    const char *fault = field_find(&context->info->components[target->id], target->path, &target->place);
    if (fault != NULL)
        return report_path(context, target, fault);
    if (kin__chunk_of(context, target->entity) == NULL)
        return report(context, target, KIN_ERROR_NOT_ALIVE, NULL);
    if (!kin__has(context, target->entity, target->id, context->row_words))
        return report(context, target, KIN_ERROR_NO_COMPONENT, NULL);
    if (target->place.list != NULL && target->place.index >= list_of(context, target).count)
        return report_path(context, target, "has an index beyond the end of the list; count from 0");
    return KIN_OK;
}

kin_status kin_field_read(const kin_context *context, kin_entity entity, kin_component_id id, const char *path,
                          kin_field_value *value)
{
    target target = {.entity = entity, .id = id, .path = path, .verb = "read a field of"};
    kin_status status = find(context, &target);
    if (status != KIN_OK)
        return status;
    const kin_field_info *list = target.place.list;
    const void *bytes = list == NULL ? kin__value_part(context, kin_entity_slot(entity), id, target.place.offset)
                                     : (const char *)list_of(context, &target).at +
                                           target.place.index * list->element_size + target.place.offset;
    *value = field_value_read(&target.place, bytes);
    return KIN_OK;
}

// Replaces the component by a copy at `bytes` in which the field is written.
static kin_status write(kin_context *context, const target *target, const kin_field_value *value, char *bytes)
{
    kin__value_read(context, kin_entity_slot(target->entity), target->id, bytes);
    const char *fault = field_value_write(&target->place, value, bytes + target->place.offset);
    return fault == NULL ? kin__component_replace_fast(context, target->entity, target->id, bytes)
                         : report(context, target, KIN_ERROR_INVALID, fault);
}

// The same for a field in a list, of which `elements` gets a copy.
static kin_status write_in_list(kin_context *context, const target *target, const kin_field_value *value, char *bytes,
                                char *elements)
{
    kin__list_field list = list_of(context, target);
    size_t size = target->place.list->element_size;
    memcpy(elements, list.at, list.count * size);
    list.at = elements;
    kin__value_read(context, kin_entity_slot(target->entity), target->id, bytes);
    kin__list_field_write(bytes, target->place.list, list);
    const char *fault =
        field_value_write(&target->place, value, elements + target->place.index * size + target->place.offset);
    return fault == NULL ? kin__component_replace_fast(context, target->entity, target->id, bytes)
                         : report(context, target, KIN_ERROR_INVALID, fault);
}

kin_status kin_field_write(kin_context *context, kin_entity entity, kin_component_id id, const char *path,
                           kin_field_value value)
{
    max_align_t few[FEW_BYTES / sizeof(max_align_t)];
    target target = {.entity = entity, .id = id, .path = path, .verb = "write a field of"};
    if (kin__context_is_shared(context))
        return kin__refuse_shared(context);
    kin_status status = find(context, &target);
    if (status != KIN_OK)
        return status;
    kin__memory *memory = &context->core->memory;
    size_t list_size = 0;
    size_t value_size = kin__round_up(kin__value_size(context, id));
    if (target.place.list != NULL)
        list_size = list_of(context, &target).count * target.place.list->element_size;
    size_t size = value_size + list_size;
    char *bytes = size <= sizeof few ? (char *)few : kin__allocate(memory, size);
    if (bytes == NULL)
        return report(context, &target, KIN_ERROR_NO_MEMORY, NULL);
    status = list_size > 0 ? write_in_list(context, &target, &value, bytes, bytes + value_size)
                           : write(context, &target, &value, bytes);
    if (size > sizeof few)
        kin__release(memory, bytes, size);
    return status;
}

// Looking at slots: words of bits, rows and values. Reads what is stored and writes nothing.

uint32_t kin_look_words(const kin_context *context)
{
    return context->chunk_count * KIN__CHUNK_WORDS;
}

uint64_t kin_look_alive(const kin_context *context, uint32_t word)
{
    if (word >= kin_look_words(context))
        return 0;
    return context->chunks[word / KIN__CHUNK_WORDS]->alive[word % KIN__CHUNK_WORDS];
}

uint64_t kin_look_has(const kin_context *context, kin_component_id id, uint32_t word)
{
    if (word >= kin_look_words(context) || id >= context->info->component_count)
        return 0;
    return kin__column_of(context, word * 64, id)->has[word % KIN__CHUNK_WORDS];
}

kin_entity kin_look_entity(const kin_context *context, uint32_t slot)
{
    if (slot >= context->chunk_count * KIN__CHUNK_SLOTS)
        return 0;
    kin_entity entity = kin__chunk_of_slot(context, slot)->ids[slot % KIN__CHUNK_SLOTS];
    return kin_entity_creation_index(entity) != 0 ? entity : 0;
}

const uint64_t *kin_look_row(const kin_context *context, kin_entity entity, uint32_t *words)
{
    bool alive = kin__chunk_of(context, entity) != NULL;
    *words = alive ? context->row_words : 0;
    return alive ? kin__row_of(context, kin_entity_slot(entity)) : NULL;
}

bool kin_look_read(const kin_context *context, kin_entity entity, kin_component_id id, void *value)
{
    if (id >= context->info->component_count || !kin__has(context, entity, id, context->row_words))
        return false;
    KIN_ASSERT(value != NULL || kin__value_size(context, id) == 0);
    kin__value_read(context, kin_entity_slot(entity), id, value);
    return true;
}

uint32_t kin_entity_components(const kin_context *context, kin_entity entity, kin_component_id *ids, uint32_t capacity)
{
    uint32_t words, count = 0;
    const uint64_t *row = kin_look_row(context, entity, &words);
    KIN_ASSERT(ids != NULL || capacity == 0);
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t bits = row[word]; bits != 0; bits &= bits - 1, count++)
            if (count < capacity)
                ids[count] = (kin_component_id)(word * 64 + kin__lowest_bit(bits));
    return count;
}

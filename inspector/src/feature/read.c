// Values that viewers give, read from JSON, and what is said of values that are not set (internal.h).
#include "feature/internal.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- refusals

enum { NUMBER = 48 };

// Writes a number of a field; nothing if the field has other values.
static void show_number(char text[NUMBER], const kin_field_info *field, kin_number number)
{
    kin__scalar_kind kind = kin__scalar_kind_of(field->type);
    text[0] = '\0';
    if (kind == KIN__SCALAR_INTEGER)
        snprintf(text, NUMBER, "%" PRId64, number.integer);
    else if (kind == KIN__SCALAR_NATURAL)
        snprintf(text, NUMBER, "%" PRIu64, number.natural);
    else if (kind == KIN__SCALAR_REAL)
        kin__format_number(text, NUMBER, number.number, field->type == KIN_TYPE_FLOAT);
}

bool kin__refuse_range(kin__task *task, const kin_field_info *field)
{
    char min[NUMBER], max[NUMBER];
    const kin_field_range *range = field->range;
    show_number(min, field, range->min);
    show_number(max, field, range->max);
    char text[2 * NUMBER + 16];
    if (range->has_min && range->has_max)
        snprintf(text, sizeof text, "%s to %s", min, max);
    else if (range->has_min)
        snprintf(text, sizeof text, "at least %s", min);
    else
        snprintf(text, sizeof text, "at most %s", max);
    return kin__task_fail(task, KIN__CODE_RANGE,
                          "'%s' is outside of its range, %s; give \"force\": true (--force) to set it", field->name,
                          text);
}

bool kin__refuse_expected(kin__task *task, const kin__path *path, const void *base)
{
    char text[NUMBER] = "";
    const void *at = NULL;
    if (kin__path_is_single(path))
        at = kin__path_address(path, base);
    if (at != NULL) {
        kin__scalar scalar = kin__scalar_read(path->field, at);
        kin_number number = {.natural = scalar.as.natural};
        if (scalar.kind == KIN__SCALAR_REAL)
            number.number = scalar.as.real;
        show_number(text, path->field, number);
    }
    if (text[0] != '\0')
        return kin__task_fail(task, KIN__CODE_CHANGED, "'%s' is %s, which is not what was expected", path->field->name,
                              text);
    return kin__task_fail(task, KIN__CODE_CHANGED, "'%s' is not what was expected", path->field->name);
}

bool kin__refuse_unknown(kin__task *task, const kin_field_info *fields, uint32_t count, const json_t *value)
{
    const char *name = "";
    void *item = json_object_iter((json_t *)(uintptr_t)value);
    for (; item != NULL; item = json_object_iter_next((json_t *)(uintptr_t)value, item)) {
        name = json_object_iter_key(item);
        if (kin__find_field(fields, count, name) == NULL)
            break;
    }
    kin__task_fail(task, KIN__CODE_PARAMETERS, "the schema has no field '%.60s' here", name);
    kin__suggest suggest = kin__suggest_begin(name, &task->mistake);
    for (uint32_t i = 0; i < count; i++)
        if (fields[i].inspect != KIN_INSPECT_HIDDEN)
            kin__suggest_offer(&suggest, fields[i].name);
    return false;
}

// ---- values

enum { MOST_ELEMENTS = 4096 };

static bool fail_type(const kin__reader *reader, const kin_field_info *field, const char *wanted)
{
    return kin__task_fail(reader->task, KIN__CODE_PARAMETERS, "'%s' must be %s", field->name, wanted);
}

// ---- numbers

// An integer, as its bits, and whether it is negative.
typedef struct integer {
    uint64_t bits;
    bool is_negative;
} integer;

static bool parse_digits(const char *text, integer *value)
{
    value->is_negative = text[0] == '-';
    text += value->is_negative;
    value->bits = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        if (!kin__is_digit(*text) || value->bits > (UINT64_MAX - (uint64_t)(*text - '0')) / 10)
            return false;
        value->bits = value->bits * 10 + (uint64_t)(*text - '0');
    }
    if (value->is_negative && value->bits > (uint64_t)INT64_MAX + 1)
        return false;
    if (value->bits == 0)
        value->is_negative = false;
    if (value->is_negative)
        value->bits = 0 - value->bits;
    return true;
}

static bool to_integer(const json_t *json, integer *value)
{
    if (json_is_string(json))
        return parse_digits(json_string_value(json), value);
    if (!json_is_integer(json))
        return false;
    *value = (integer){(uint64_t)json_integer_value(json), json_integer_value(json) < 0};
    return true;
}

// Returns whether the integer is in the range of a type with this many bytes.
static bool fits(integer value, size_t size, bool is_signed)
{
    uint64_t most = UINT64_MAX >> (64 - 8 * size + is_signed);
    if (value.is_negative)
        return is_signed && ~value.bits <= most;
    return value.bits <= most;
}

static bool is_below(const kin_field_info *field, kin_number a, kin_number b)
{
    switch (kin__scalar_kind_of(field->type)) {
    case KIN__SCALAR_INTEGER:
        return a.integer < b.integer;
    case KIN__SCALAR_NATURAL:
        return a.natural < b.natural;
    default:
        return a.number < b.number;
    }
}

static bool check_range(const kin__reader *reader, const kin_field_info *field, kin_number value)
{
    const kin_field_range *range = field->range;
    bool is_free = reader->is_forced || reader->is_expected;
    if (range == NULL || is_free)
        return true;
    bool is_nan = kin__scalar_kind_of(field->type) == KIN__SCALAR_REAL && isnan(value.number);
    bool is_too_low = range->has_min && is_below(field, value, range->min);
    bool is_too_high = range->has_max && is_below(field, range->max, value);
    bool is_outside = is_too_low || is_too_high;
    if (!is_nan && !is_outside)
        return true;
    return kin__refuse_range(reader->task, field);
}

static bool read_integer(const kin__reader *reader, const kin_field_info *field, const json_t *json, char *at)
{
    integer value;
    bool is_signed = kin__scalar_kind_of(field->type) == KIN__SCALAR_INTEGER;
    if (!to_integer(json, &value))
        return fail_type(reader, field, "an integer, or its digits as a string");
    if (!fits(value, kin__element_size(field), is_signed))
        return fail_type(reader, field, "in the range of its type");
    kin_number number = {.natural = value.bits};
    if (!check_range(reader, field, number))
        return false;
    kin__scalar_write(field, at, value.bits);
    return true;
}

static bool to_real(const json_t *json, double *value)
{
    static const struct {
        const char *text;
        double value;
    } words[] = {{"NaN", (double)NAN}, {"Infinity", (double)INFINITY}, {"-Infinity", -(double)INFINITY}};
    const char *text = json_string_value(json);
    *value = json_number_value(json);
    if (text == NULL)
        return json_is_number(json);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i].text) == 0) {
            *value = words[i].value;
            return true;
        }
    return false;
}

static bool read_real(const kin__reader *reader, const kin_field_info *field, const json_t *json, char *at)
{
    double value;
    if (!to_real(json, &value))
        return fail_type(reader, field, "a number, or \"NaN\", \"Infinity\" or \"-Infinity\"");
    float single = (float)value;
    bool is_too_large = isinf(single) && !isinf(value);
    if (field->type == KIN_TYPE_FLOAT && is_too_large)
        return fail_type(reader, field, "in the range of a float");
    if (!check_range(reader, field, (kin_number){.number = value}))
        return false;
    if (field->type == KIN_TYPE_FLOAT)
        memcpy(at, &single, sizeof single);
    else
        memcpy(at, &value, sizeof value);
    return true;
}

// ---- other single values

static bool read_enum(const kin__reader *reader, const kin_field_info *field, const json_t *json, char *at)
{
    const char *name = json_string_value(json);
    json_int_t number = json_integer_value(json);
    for (uint32_t i = 0; i < field->of->value_count; i++) {
        const kin_enum_value_info *value = &field->of->values[i];
        bool is_named = name != NULL && strcmp(value->name, name) == 0;
        bool is_numbered = json_is_integer(json) && value->value == number;
        if (is_named || is_numbered) {
            kin__scalar_write(field, at, (uint64_t)value->value);
            return true;
        }
    }
    bool may_be_any = reader->is_expected || reader->is_forced;
    if (may_be_any && json_is_integer(json) &&
        fits((integer){(uint64_t)number, number < 0}, kin__element_size(field), true)) {
        kin__scalar_write(field, at, (uint64_t)number);
        return true;
    }
    fail_type(reader, field, "a value of its enum");
    if (name == NULL)
        return false;
    kin__suggest suggest = kin__suggest_begin(name, &reader->task->mistake);
    for (uint32_t i = 0; i < field->of->value_count; i++)
        kin__suggest_offer(&suggest, field->of->values[i].name);
    return false;
}

static bool read_text(const kin__reader *reader, const kin_field_info *field, const json_t *json, char *at)
{
    const char *text = json_string_value(json);
    size_t size = kin__element_size(field);
    if (field->type == KIN_TYPE_STRING) {
        if (text == NULL && !json_is_null(json))
            return fail_type(reader, field, "a string or null");
        memcpy(at, &text, sizeof text);
        return true;
    }
    if (text == NULL || json_string_length(json) >= size)
        return kin__task_fail(reader->task, KIN__CODE_PARAMETERS, "'%s' must be a string of at most %zu bytes",
                              field->name, size - 1);
    memset(at, 0, size);
    memcpy(at, text, json_string_length(json));
    return true;
}

static bool read_entity(const kin__reader *reader, const kin_field_info *field, const json_t *json, char *at)
{
    kin_entity entity = 0;
    const char *text = json_string_value(json);
    bool is_entity = text != NULL && kin__text_to_entity(text, &entity);
    if (!is_entity && !json_is_null(json))
        return fail_type(reader, field, "a handle, such as \"70002:1\", or null");
    memcpy(at, &entity, sizeof entity);
    return true;
}

static bool read_bool(const kin__reader *reader, const kin_field_info *field, const json_t *json, char *at)
{
    if (!json_is_boolean(json))
        return fail_type(reader, field, "true or false");
    *at = json_is_true(json);
    return true;
}

static bool read_single(const kin__reader *reader, const kin_field_info *field, const json_t *json, char *at)
{
    switch (kin__scalar_kind_of(field->type)) {
    case KIN__SCALAR_BOOL:
        return read_bool(reader, field, json, at);
    case KIN__SCALAR_REAL:
        return read_real(reader, field, json, at);
    case KIN__SCALAR_TEXT:
        return read_text(reader, field, json, at);
    case KIN__SCALAR_ENTITY:
        return read_entity(reader, field, json, at);
    case KIN__SCALAR_ENUM:
        return read_enum(reader, field, json, at);
    case KIN__SCALAR_NONE:
        return kin__task_fail(reader->task, KIN__CODE_READ_ONLY, "'%s' is opaque and cannot be written", field->name);
    default:
        return read_integer(reader, field, json, at);
    }
}

// ---- structs, arrays and lists

static bool read_element(kin__reader *reader, const kin_field_info *field, const json_t *json, size_t offset)
{
    KIN_ASSERT(reader->bytes != NULL && reader->mask != NULL);
    if (field->type == KIN_TYPE_STRUCT)
        return kin__read_struct(reader, field->of->fields, field->of->field_count, json, offset);
    if (!read_single(reader, field, json, reader->bytes + offset))
        return false;
    memset(reader->mask + offset, 0xFF, kin__element_size(field));
    return true;
}

// Returns the first field, also of structs in it, that cannot be written; or NULL. Structs do not contain themselves.
static const kin_field_info *find_kept(const kin_type_info *type)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kin_field_info *field = &type->fields[i];
        if (field->inspect != KIN_INSPECT_EDIT || field->type == KIN_TYPE_OPAQUE)
            return field;
        const kin_field_info *kept = NULL;
        if (field->type == KIN_TYPE_STRUCT)
            kept = find_kept(field->of);
        if (kept != NULL)
            return kept;
    }
    return NULL;
}

// What cannot be written in the elements would be lost, as their number may be another one.
static bool check_kept(const kin__reader *reader, const kin_field_info *field)
{
    if (reader->is_expected || field->type != KIN_TYPE_STRUCT)
        return true;
    return find_kept(field->of) == NULL ||
           kin__task_fail(reader->task, KIN__CODE_READ_ONLY,
                          "'%s' cannot be written, as its elements have fields that cannot be written", field->name);
}

// The elements are read as if they were a component of their own.
static bool read_list(kin__reader *reader, const kin_field_info *field, const json_t *json, size_t offset)
{
    struct {
        const void *at;
        uint32_t count;
    } list = {.count = (uint32_t)json_array_size(json)};
    if (!json_is_array(json))
        return fail_type(reader, field, "an array");
    if (!check_kept(reader, field))
        return false;
    if (json_array_size(json) > MOST_ELEMENTS)
        return kin__task_fail(reader->task, KIN__CODE_LIMIT, "'%s' gets at most %d elements", field->name,
                              MOST_ELEMENTS);
    kin__reader elements = *reader;
    size_t size = list.count * field->element_size;
    elements.bytes = kin__capture_reserve(&reader->task->capture, size + 1);
    elements.mask = kin__capture_reserve(&reader->task->capture, size + 1);
    if (elements.bytes == NULL || elements.mask == NULL)
        return kin__task_fail(reader->task, KIN__CODE_LIMIT, "the value of '%s' is too large", field->name);
    for (uint32_t i = 0; i < list.count; i++)
        if (!read_element(&elements, field, json_array_get(json, i), i * field->element_size))
            return false;
    if (list.count > 0)
        list.at = elements.bytes;
    memcpy(reader->bytes + offset, &list, sizeof list.at + sizeof list.count);
    memset(reader->mask + offset, 0xFF, field->size);
    return true;
}

static bool read_array(kin__reader *reader, const kin_field_info *field, const json_t *json, size_t offset)
{
    if (!json_is_array(json) || json_array_size(json) != field->count)
        return kin__task_fail(reader->task, KIN__CODE_PARAMETERS, "'%s' must be an array of %" PRIu32 " elements",
                              field->name, field->count);
    for (uint32_t i = 0; i < field->count; i++)
        if (!read_element(reader, field, json_array_get(json, i), offset + i * kin__element_size(field)))
            return false;
    return true;
}

bool kin__read_field(kin__reader *reader, const kin_field_info *field, const json_t *value, size_t offset,
                     bool is_element)
{
    if (field->inspect == KIN_INSPECT_HIDDEN)
        return kin__task_fail(reader->task, KIN__CODE_HIDDEN, "'%s' is hidden by its schema", field->name);
    if (field->inspect == KIN_INSPECT_READ_ONLY && !reader->is_expected)
        return kin__task_fail(reader->task, KIN__CODE_READ_ONLY, "'%s' is read-only by its schema", field->name);
    if (is_element)
        return read_element(reader, field, value, offset);
    if (field->is_list)
        return read_list(reader, field, value, offset);
    if (field->count > 0)
        return read_array(reader, field, value, offset);
    return read_element(reader, field, value, offset);
}

bool kin__read_struct(kin__reader *reader, const kin_field_info *fields, uint32_t count, const json_t *value,
                      size_t offset)
{
    size_t known = 0;
    if (!json_is_object(value))
        return kin__task_fail(reader->task, KIN__CODE_PARAMETERS, "a value with fields must be an object");
    for (uint32_t i = 0; i < count; i++) {
        const json_t *given = json_object_get(value, fields[i].name);
        known += given != NULL;
        if (given != NULL && !kin__read_field(reader, &fields[i], given, offset + fields[i].offset, false))
            return false;
    }
    if (known == json_object_size(value))
        return true;
    return kin__refuse_unknown(reader->task, fields, count, value);
}

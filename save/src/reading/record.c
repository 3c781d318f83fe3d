#include "reading/internal.h"

#include <stdlib.h>
#include <string.h>

// A name that a caller gave, without a NUL.
typedef struct name {
    const char *letters;
    size_t size;
} name;

// One element of a value in a payload.
typedef struct element {
    const kin__file_leaf *leaf;
    kin__record_leaf *at;
    size_t number; // among the elements of all values
} element;

// ---- names

// Names and paths are the first members of what is searched, and ascend.
static int compare_name(const void *key, const void *entry)
{
    const name *wanted = key;
    const char *other = *(const char *const *)entry;
    int order = strncmp(wanted->letters, other, wanted->size);
    if (order != 0)
        return order;
    return -(other[wanted->size] != '\0');
}

static const kin__file_component *find_component(const kin_record *record, name name)
{
    const kin__file_context *file = record->file;
    return bsearch(&name, file->components, file->component_count, sizeof *file->components, compare_name);
}

static const kin__file_leaf *find_leaf(const kin__file_component *component, name name)
{
    return bsearch(&name, component->leaves, component->leaf_count, sizeof *component->leaves, compare_name);
}

// Returns the column that has a value of the entity; NULL: it had none.
static kin__record_column *column_of(const kin_record *record, const kin__file_component *component)
{
    if (component == NULL)
        return NULL;
    size_t number = (size_t)(component - record->file->components);
    kin__record_column *column = &record->columns[number];
    kin__record_column *stashed = &record->stashed[number];
    if (kin__bits_have(column->has, record->place))
        return column;
    if (kin__bits_have(stashed->has, record->place))
        return stashed;
    return NULL;
}

// ---- payloads

static size_t text_size(const kin__record_leaf *at, size_t number)
{
    uint32_t length = kin__file_text_length(&at->elements, number);
    if (length == KIN__NO_TEXT)
        return 0;
    return length;
}

static bool lay_out_leaves(const kin_record *record, kin__record_column *column, const kin__file_component *component)
{
    kin__decoder decoder = {.at = column->bytes, .end = column->bytes + column->size};
    uint32_t values = kin__count_chunk_bits(column->places);
    if (column->leaves != NULL)
        return true;
    column->leaves = kin__heap_take(record->heap, component->leaf_count, sizeof *column->leaves);
    for (uint32_t i = 0; column->leaves != NULL && i < component->leaf_count; i++) {
        const kin__file_leaf *leaf = &component->leaves[i];
        kin__file_elements *elements = &column->leaves[i].elements;
        *elements = (kin__file_elements){.type = leaf->type, .is_list = leaf->is_list, .per_value = leaf->elements};
        bool is_whole = kin__file_elements_take(elements, &decoder, values);
        KIN_ASSERT(is_whole);
        (void)is_whole;
    }
    return column->leaves != NULL;
}

// Returns how many values of the column are before the one of the place.
static uint32_t values_before(const kin__record_column *column, uint32_t place)
{
    uint64_t rest = (UINT64_C(1) << place % 64) - 1;
    uint32_t count = kin__count_bits(column->places[place / 64] & rest);
    return count + kin__bits_count(column->places, place / 64);
}

// ---- elements

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

// Splits "Path.stops.x[2]" into its path without the number, and the number. False if there is none where one begins.
static bool split_number(name *path, size_t *number)
{
    const char *bracket = memchr(path->letters, '[', path->size);
    *number = 0;
    if (bracket == NULL)
        return true;
    const char *at = bracket + 1;
    for (; is_digit(*at) && *number < UINT32_MAX; at++)
        *number = 10 * *number + (size_t)(*at - '0');
    path->size = (size_t)(bracket - path->letters);
    return at > bracket + 1 && strcmp(at, "]") == 0;
}

// Finds the element with the number in the value of the entity. False if the list or array has fewer.
static bool find_number(element *found, uint32_t value, size_t number)
{
    kin__record_leaf *at = found->at;
    if (value < at->number) {
        at->number = 0;
        at->first = 0;
    }
    while (at->elements.is_list && at->number < value)
        at->first += kin__file_elements_of(&at->elements, at->number++);
    found->number = number;
    if (at->elements.is_list)
        found->number += at->first;
    else
        found->number += value * (size_t)found->leaf->elements;
    return number < kin__file_elements_of(&at->elements, value);
}

static bool find(const kin_record *record, const char *path, element *found)
{
    const char *point = NULL;
    size_t number;
    if (path != NULL && record != NULL)
        point = strchr(path, '.');
    if (point == NULL)
        return false;
    name of_leaf = {point + 1, strlen(point + 1)};
    const kin__file_component *component = find_component(record, (name){path, (size_t)(point - path)});
    kin__record_column *column = column_of(record, component);
    if (column == NULL || !split_number(&of_leaf, &number))
        return false;
    found->leaf = find_leaf(component, of_leaf);
    if (found->leaf == NULL || !lay_out_leaves(record, column, component))
        return false;
    found->at = &column->leaves[found->leaf - component->leaves];
    return find_number(found, values_before(column, record->place), number);
}

static kin__file_number number_of(const element *found)
{
    size_t width = kin__file_width(found->leaf->type);
    return kin__file_number_read(found->leaf->type, found->at->elements.bytes + found->number * width);
}

static bool find_numeric(const kin_record *record, const char *path, element *found)
{
    if (!find(record, path, found))
        return false;
    return kin__file_width(found->leaf->type) > 0 && found->leaf->type != KIN_TYPE_ENTITY;
}

// Returns the letters of a text, and moves there.
static const unsigned char *text_of(const element *found)
{
    kin__record_leaf *at = found->at;
    KIN_ASSERT(found->number < at->elements.total);
    if (found->number < at->element) {
        at->element = 0;
        at->text = 0;
    }
    while (at->element < found->number)
        at->text += text_size(at, at->element++);
    return at->elements.bytes + at->text;
}

static bool name_value(const element *found, const char **value)
{
    int64_t number = number_of(found).integer;
    for (uint32_t i = 0; i < found->leaf->value_count; i++)
        if (found->leaf->values[i].number == number) {
            *value = found->leaf->values[i].name;
            return true;
        }
    return false;
}

// ---- what migrations call

bool kin_record_has(const kin_record *record, const char *component)
{
    if (record == NULL || component == NULL)
        return false;
    return column_of(record, find_component(record, (name){component, strlen(component)})) != NULL;
}

bool kin_record_integer(const kin_record *record, const char *path, int64_t *value)
{
    element found;
    if (!find_numeric(record, path, &found) || value == NULL)
        return false;
    kin__file_number number = number_of(&found);
    if (number.is_floating || number.is_large)
        return false;
    *value = number.integer;
    return true;
}

bool kin_record_number(const kin_record *record, const char *path, double *value)
{
    element found;
    if (!find_numeric(record, path, &found) || value == NULL)
        return false;
    kin__file_number number = number_of(&found);
    *value = kin__file_number_as_double(&number);
    return true;
}

bool kin_record_text(const kin_record *record, const char *path, const char **value)
{
    element found;
    if (!find(record, path, &found) || value == NULL)
        return false;
    if (found.leaf->type == KIN_TYPE_ENUM)
        return name_value(&found, value);
    if (found.at->elements.lengths == NULL || found.leaf->type == KIN_TYPE_OPAQUE)
        return false;
    if (kin__file_text_length(&found.at->elements, found.number) == KIN__NO_TEXT) {
        *value = NULL;
        return true;
    }
    size_t size = text_size(found.at, found.number);
    char *text = kin__heap_take(record->heap, size + 1, 1);
    if (text == NULL)
        return false;
    memcpy(text, text_of(&found), size);
    *value = text;
    return true;
}

bool kin_record_entity(const kin_record *record, const char *path, kin_entity *value)
{
    element found;
    if (!find(record, path, &found) || found.leaf->type != KIN_TYPE_ENTITY)
        return false;
    uint64_t bits = (uint64_t)number_of(&found).integer;
    if (value == NULL || !kin__leaf_allows(KIN_TYPE_ENTITY, bits))
        return false;
    *value = bits;
    return true;
}

uint32_t kin_record_version(const kin_record *record)
{
    if (record == NULL)
        return 0;
    return record->version;
}

void *kin_record_user(const kin_record *record)
{
    if (record == NULL)
        return NULL;
    return record->user;
}

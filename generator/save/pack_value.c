// Values: JSON as the bytes of a file.
#include "generator/save/internal.h"

#include "file/file.h"
#include "snapshot/snapshot.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <kin/entity.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_LIMIT = 400 }; // digits of a number, which none of ours has

// ---- scalars

static bool is_digits(const char *text)
{
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

// Returns the text of a number, which may be in quotes; NULL if it is none.
static const char *number_text(const json_node *node)
{
    if (node->kind != JSON_NUMBER && node->kind != JSON_TEXT)
        return NULL;
    if (node->size >= NUMBER_LIMIT || strlen(node->text) != node->size)
        return NULL;
    return node->text;
}

bool pack_read_unsigned(const json_node *node, uint64_t most, uint64_t *number)
{
    const char *text = number_text(node);
    if (text == NULL || !is_digits(text))
        return false;
    errno = 0;
    *number = strtoull(text, NULL, 10);
    return errno == 0 && *number <= most;
}

static bool read_signed(const json_node *node, int64_t *number)
{
    const char *text = number_text(node);
    if (text == NULL || !is_digits(text + (text[0] == '-')))
        return false;
    errno = 0;
    *number = strtoll(text, NULL, 10);
    return errno == 0;
}

// Reads a number of at most `most` digits, which cannot overflow. Returns what follows it, or NULL.
static const char *read_digits(const char *text, size_t most, uint64_t *number)
{
    size_t digits = strspn(text, "0123456789");
    *number = strtoull(text, NULL, 10);
    if (digits == 0 || digits > most)
        return NULL;
    return text + digits;
}

bool pack_read_handle(const json_node *node, uint64_t *handle)
{
    *handle = 0;
    if (node->kind == JSON_NULL)
        return true;
    if (node->kind != JSON_TEXT || strlen(node->text) != node->size)
        return false;
    uint64_t index;
    uint64_t slot;
    const char *at = read_digits(node->text, 13, &index);
    if (at == NULL || *at != '@')
        return false;
    at = read_digits(at + 1, 8, &slot);
    if (at == NULL || *at != '\0')
        return false;
    bool is_index = index > 0 && index < (uint64_t)1 << 40;
    if (!is_index || slot >= (uint64_t)1 << 24)
        return false;
    *handle = index << 24 | slot;
    return true;
}

static int digit_of(char letter)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *found = memchr(digits, letter, sizeof digits - 1);
    if (found == NULL)
        return -1;
    return (int)((found - digits) % 16);
}

bool pack_read_bytes(arena *arena, const json_node *node, const char **bytes, size_t *size)
{
    if (node->kind == JSON_TEXT) {
        *bytes = node->text;
        *size = node->size;
        return true;
    }
    if (node->kind != JSON_MAP || node->size != 1)
        return false;
    const json_node *hex = json_find(node, "hex", strlen("hex"));
    if (hex == NULL || hex->kind != JSON_TEXT)
        return false;
    if (hex->size % 2 != 0)
        return false;
    char *out = arena_allocate(arena, hex->size / 2 + 1);
    for (size_t i = 0; i < hex->size; i += 2) {
        int high = digit_of(hex->text[i]);
        int low = digit_of(hex->text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i / 2] = (char)(high << 4 | low);
    }
    *bytes = out;
    *size = hex->size / 2;
    return true;
}

// Reads "nan", "inf" and their like as the bits of a float or double.
static bool read_special(const char *text, size_t width, uint64_t *bits)
{
    static const uint64_t infinities[] = {0x7ff0000000000000, 0x7f800000};
    static const uint64_t nans[] = {0x7ff8000000000000, 0x7fc00000};
    bool is_float = width == 4;
    bool is_negative = text[0] == '-';
    uint64_t sign = (uint64_t)is_negative << (8 * width - 1);
    const char *word = text + is_negative;
    assert(width == 4 || width == 8);
    *bits = sign | infinities[is_float];
    if (strcmp(word, "inf") == 0)
        return true;
    *bits = sign | nans[is_float];
    if (strcmp(word, "nan") == 0)
        return true;
    if (strncmp(text, "nan:", 4) != 0)
        return false;
    *bits = strtoull(text + 4, NULL, 16);
    return strlen(text) == 4 + 2 * width && strspn(text + 4, "0123456789abcdef") == 2 * width;
}

typedef enum outcome { READ, OF_WRONG_TYPE, UNFIT } outcome;

static outcome read_floating(const json_node *node, size_t width, uint64_t *bits)
{
    const char *text = number_text(node);
    uint32_t narrow_bits;
    if (text == NULL)
        return OF_WRONG_TYPE;
    if (node->kind == JSON_TEXT && !is_digits(text + (text[0] == '-')))
        return read_special(text, width, bits) ? READ : OF_WRONG_TYPE;
    double number = strtod(text, NULL);
    float narrow = strtof(text, NULL);
    memcpy(&narrow_bits, &narrow, sizeof narrow);
    memcpy(bits, &number, sizeof number);
    bool is_infinite = isinf(number);
    if (width == sizeof narrow) {
        *bits = narrow_bits;
        is_infinite = isinf(narrow);
    }
    return is_infinite ? UNFIT : READ;
}

bool pack_read_double(const json_node *node, uint64_t *bits)
{
    return read_floating(node, sizeof(double), bits) == READ;
}

static outcome read_integer(const json_node *node, kin_type type, size_t width, uint64_t *bits)
{
    bool is_unsigned = type >= KIN_TYPE_UINT8;
    int64_t number;
    uint64_t most = UINT64_MAX >> (64 - 8 * width);
    const char *text = number_text(node);
    assert(width >= 1 && width <= 8);
    if (text == NULL || !is_digits(text + (text[0] == '-')))
        return OF_WRONG_TYPE;
    if (is_unsigned)
        return pack_read_unsigned(node, most, bits) ? READ : UNFIT;
    if (!read_signed(node, &number))
        return UNFIT;
    if (number > (int64_t)(most >> 1) || number < -(int64_t)(most >> 1) - 1)
        return UNFIT;
    *bits = (uint64_t)number;
    return READ;
}

size_t pack_letters(const unsigned char *length)
{
    uint32_t letters = kin__little_read_32(length);
    if (letters == UINT32_MAX) // NULL
        return 0;
    return letters;
}

// ---- errors

// A leaf of a component while its value is read.
typedef struct reading {
    packing *packing;
    const kin__component_shape *component;
    const kin__value_leaf *leaf;
    text *out;
} reading;

static pack_fields fields_of(const reading *reading)
{
    return (pack_fields){reading->component->info->fields, reading->component->info->field_count};
}

static const char *type_name(const kin__value_leaf *leaf)
{
    static const char *const names[] = {
        [KIN_TYPE_BOOL] = "true or false",
        [KIN_TYPE_INT8] = "an int8",
        [KIN_TYPE_INT16] = "an int16",
        [KIN_TYPE_INT32] = "an int32",
        [KIN_TYPE_INT64] = "an int64",
        [KIN_TYPE_UINT8] = "a uint8",
        [KIN_TYPE_UINT16] = "a uint16",
        [KIN_TYPE_UINT32] = "a uint32",
        [KIN_TYPE_UINT64] = "a uint64",
        [KIN_TYPE_FLOAT] = "a number, \"nan\" or \"inf\"",
        [KIN_TYPE_DOUBLE] = "a number, \"nan\" or \"inf\"",
        [KIN_TYPE_STRING] = "a string or null",
        [KIN_TYPE_INLINE_STRING] = "a string",
        [KIN_TYPE_ENTITY] = "an entity as \"index@slot\", or null",
        [KIN_TYPE_ENUM] = "the name of a value",
        [KIN_TYPE_OPAQUE] = "{\"hex\": \"…\"}",
    };
    assert((size_t)leaf->field->type < sizeof names / sizeof *names);
    return names[leaf->field->type];
}

static bool refuse(const reading *reading, const json_node *node)
{
    return pack_error(reading->packing, CODE_LINE_VALUE, node, "'%s.%s' is not %s", reading->component->identity,
                      reading->leaf->path, type_name(reading->leaf));
}

static bool refuse_unfit(const reading *reading, const json_node *node)
{
    return pack_error(reading->packing, CODE_SAVE_UNFIT, node, "'%s.%s' has a value that its type has no room for",
                      reading->component->identity, reading->leaf->path);
}

// ---- elements

static bool read_enum(const reading *reading, const json_node *node, uint64_t *bits)
{
    const kin_type_info *type = reading->leaf->field->of;
    int64_t number;
    assert(type != NULL && reading->leaf->field->type == KIN_TYPE_ENUM);
    if (node->kind == JSON_NUMBER) {
        if (!read_signed(node, &number) || number < INT32_MIN || number > INT32_MAX)
            return refuse(reading, node);
        *bits = (uint64_t)number;
        return true;
    }
    if (node->kind != JSON_TEXT)
        return refuse(reading, node);
    name_search search = name_search_begin(node->text);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < type->value_count; i++) {
            const char *const names[] = {type->values[i].identity, type->values[i].name};
            const char *name = names[pass];
            name_search_offer(&search, name);
            *bits = (uint64_t)type->values[i].value;
            if (strcmp(name, node->text) == 0)
                return true;
        }
    pack_error(reading->packing, CODE_LINE_NAME, node, "unknown value '%s' of '%s.%s'", node->text,
               reading->component->identity, reading->leaf->path);
    pack_suggest(reading->packing, &search);
    return false;
}

static bool read_text(const reading *reading, const json_node *node)
{
    kin_type type = reading->leaf->field->type;
    const char *bytes;
    size_t size;
    assert(kin__file_width(type) == 0);
    if (node->kind == JSON_NULL && type == KIN_TYPE_STRING) {
        pack_append_number(reading->out, UINT32_MAX, 4);
        return true;
    }
    if (!pack_read_bytes(reading->packing->arena, node, &bytes, &size))
        return refuse(reading, node);
    if (type != KIN_TYPE_OPAQUE && memchr(bytes, 0, size) != NULL)
        return refuse(reading, node);
    bool is_too_long = type == KIN_TYPE_INLINE_STRING && size >= reading->leaf->width;
    if (is_too_long || size >= UINT32_MAX)
        return refuse_unfit(reading, node);
    pack_append_number(reading->out, size, 4);
    text_append(reading->out, bytes, size);
    return true;
}

static bool read_element(const reading *reading, const json_node *node)
{
    kin_type type = reading->leaf->field->type;
    size_t width = kin__file_width(type);
    uint64_t bits = 0;
    outcome outcome = READ;
    if (width == 0)
        return read_text(reading, node);
    if (type == KIN_TYPE_ENUM) {
        if (!read_enum(reading, node, &bits))
            return false;
    } else if (type == KIN_TYPE_BOOL) {
        outcome = node->kind == JSON_BOOL ? READ : OF_WRONG_TYPE;
        bits = node->boolean;
    } else if (type == KIN_TYPE_ENTITY) {
        outcome = pack_read_handle(node, &bits) ? READ : OF_WRONG_TYPE;
    } else if (type == KIN_TYPE_FLOAT || type == KIN_TYPE_DOUBLE) {
        outcome = read_floating(node, width, &bits);
    } else {
        outcome = read_integer(node, type, width, &bits);
    }
    if (outcome == UNFIT)
        return refuse_unfit(reading, node);
    if (outcome != READ)
        return refuse(reading, node);
    pack_append_number(reading->out, bits, width);
    return true;
}

// Reads the elements of an array, or the one element of anything else.
static bool read_elements(const reading *reading, const json_node *node)
{
    uint32_t elements = reading->leaf->elements;
    if (elements == 1 && node->kind != JSON_LIST)
        return read_element(reading, node);
    if (node->kind != JSON_LIST || node->size != elements)
        return pack_error(reading->packing, CODE_LINE_VALUE, node, "'%s.%s' is not an array of %" PRIu32 " elements",
                          reading->component->identity, reading->leaf->path, elements);
    for (const json_node *item = node->first; item != NULL; item = item->next)
        if (!read_element(reading, item))
            return false;
    return true;
}

// ---- leaves

static const json_node *report_missing(const reading *reading, const json_node *node)
{
    pack_error(reading->packing, CODE_LINE_VALUE, node, "'%s.%s' is missing", reading->component->identity,
               reading->leaf->path);
    diagnostic_hint(reading->packing->diagnostics, "a line has each field of the schema; pack the lines of an older "
                                                   "version with the schema of that version");
    return NULL;
}

// Returns the item of a field by its name of now; NULL if that is not there, or if saves have another thing with this
// name. `at`: the field in the path of the leaf.
static const json_node *find_item_now(const reading *reading, pack_fields fields, const json_node *map, const char *at)
{
    arena *arena = &reading->packing->line_arena;
    size_t size = strcspn(at, ".");
    size_t name_size = strcspn(at, "[.");
    size_t prefix = (size_t)(at - reading->leaf->path);
    const kin_field_info *field = pack_find_field(fields, at);
    if (field == NULL || pack_find_field(fields, field->name) != field)
        return NULL;
    const char *key = arena_format(arena, "%s%.*s", field->name, (int)(size - name_size), at + name_size);
    const char *path =
        arena_format(arena, "%s.%.*s%s", reading->component->identity, (int)prefix, reading->leaf->path, key);
    if (pack_is_given_up(reading->packing, path, ""))
        return NULL;
    return json_find(map, key, strlen(key));
}

static const json_node *find_item(const reading *reading, pack_fields fields, const json_node *map, const char *at)
{
    if (map->kind != JSON_MAP)
        return NULL;
    const json_node *item = json_find(map, at, strcspn(at, "."));
    if (item == NULL)
        item = find_item_now(reading, fields, map, at);
    return item;
}

// Returns the node at a path below one of a value with these fields; NULL after reporting what is missing.
static const json_node *find_path(const reading *reading, pack_fields fields, const json_node *node, const char *path)
{
    assert(path[0] != '\0');
    for (const char *at = path;;) {
        size_t size = strcspn(at, ".");
        const json_node *item = find_item(reading, fields, node, at);
        if (item == NULL)
            return report_missing(reading, node);
        if (at[size] == '\0')
            return item;
        fields = pack_fields_below(pack_find_field(fields, at));
        at += size + 1;
        node = item;
    }
}

static bool read_list(const reading *reading, const json_node *value)
{
    const char *path = reading->leaf->path;
    size_t prefix = strcspn(path, ".");
    const json_node *list = find_item(reading, fields_of(reading), value, path);
    bool is_list = list != NULL && list->kind == JSON_LIST;
    assert(reading->leaf->is_list);
    if (!is_list || list->size > UINT32_MAX / reading->leaf->elements)
        return pack_error(reading->packing, CODE_LINE_VALUE, list == NULL ? value : list, "'%s.%.*s' is not a list",
                          reading->component->identity, (int)prefix, path);
    pack_append_number(reading->out, list->size * reading->leaf->elements, 4);
    for (const json_node *item = list->first; item != NULL; item = item->next) {
        const json_node *node = item;
        if (path[prefix] == '.')
            node = find_path(reading, pack_fields_below(reading->leaf->top), item, path + prefix + 1);
        if (node == NULL || !read_elements(reading, node))
            return false;
    }
    return true;
}

static bool read_leaf(const reading *reading, const json_node *value)
{
    if (reading->leaf->is_list)
        return read_list(reading, value);
    const json_node *node = find_path(reading, fields_of(reading), value, reading->leaf->path);
    return node != NULL && read_elements(reading, node);
}

// ---- names that no leaf has

static void suggest(const reading *reading, const char *path)
{
    name_search search = name_search_begin(path);
    for (uint32_t i = 0; i < 2 * reading->component->leaves.count; i++) {
        const char *known = reading->component->leaves.leaves[i / 2].path;
        if (i % 2 != 0)
            known = pack_path_now(reading->packing->arena, fields_of(reading), known);
        name_search_offer(&search, known);
        name_search_offer(&search, arena_copy(reading->packing->arena, known, strcspn(known, ".")));
    }
    pack_suggest(reading->packing, &search);
}

// A struct in a value, or the value itself, with its path in saves and in the schema.
typedef struct level {
    const char *saved, *now;
    pack_fields fields;
} level;

static level level_below(const reading *reading, const level *level, const json_node *item)
{
    arena *arena = &reading->packing->line_arena;
    const kin_field_info *field = pack_find_field(level->fields, item->key);
    const char *length = item->key + strcspn(item->key, "[");
    struct level below = {.fields = pack_fields_below(field)};
    assert(item->key != NULL);
    if (field == NULL) {
        below.saved = arena_format(arena, "%s.%s", level->saved, item->key);
        below.now = arena_format(arena, "%s.%s", level->now, item->key);
    } else {
        below.saved = arena_format(arena, "%s.%s%s", level->saved, kin__field_identity(field), length);
        below.now = arena_format(arena, "%s.%s%s", level->now, field->name, length);
    }
    return below;
}

// Whether an item that was used is of the same field, by the same name or the other one.
static bool is_there_twice(const level *level, const json_node *map, const json_node *item)
{
    const kin_field_info *field = pack_find_field(level->fields, item->key);
    for (const json_node *other = map->first; field != NULL && other != NULL; other = other->next)
        if (other->is_used && pack_find_field(level->fields, other->key) == field)
            return true;
    return false;
}

// Reports a name that no leaf has, unless the schema gives it up.
static bool check_name(const reading *reading, const level *level, const json_node *map, const json_node *item)
{
    arena *arena = &reading->packing->line_arena;
    const char *saved = arena_format(arena, "%s.%s", level->saved, item->key);
    assert(!item->is_used && item->key != NULL);
    if (pack_is_given_up(reading->packing, saved, arena_format(arena, "%s.%s", level->now, item->key)))
        return true;
    if (is_there_twice(level, map, item))
        return pack_key_error(reading->packing, CODE_LINE_TWICE, item, "'%s' is there twice", saved);
    pack_key_error(reading->packing, CODE_LINE_NAME, item, "unknown field '%s'", saved);
    suggest(reading, saved + strlen(reading->component->identity) + 1);
    return false;
}

// Recursive over objects in objects, up to the limit of JSON.
static bool check_names(const reading *reading, const json_node *node, const level *level)
{
    for (const json_node *item = node->first; item != NULL; item = item->next) {
        struct level below = *level;
        if (node->kind == JSON_MAP && !item->is_used) {
            if (!check_name(reading, level, node, item))
                return false;
            continue;
        }
        if (node->kind == JSON_MAP)
            below = level_below(reading, level, item);
        bool has_items = item->kind == JSON_MAP || item->kind == JSON_LIST;
        if (has_items && !check_names(reading, item, &below))
            return false;
    }
    return true;
}

// ---- values

pack_value *pack_read_value(packing *packing, const kin__component_shape *shape, uint32_t component,
                            const json_node *node)
{
    text out = text_create(packing->arena);
    reading reading = {packing, shape, NULL, &out};
    uint32_t *ends = arena_allocate(packing->arena, shape->leaves.count * sizeof *ends + 1);
    const char *expected = "an object with its fields";
    bool is_expected = node->kind == JSON_MAP;
    if (shape->leaves.count == 0) {
        expected = "true";
        is_expected = is_expected || (node->kind == JSON_BOOL && node->boolean);
    }
    if (!is_expected) {
        pack_error(packing, CODE_LINE_VALUE, node, "'%s' is not %s", shape->identity, expected);
        return NULL;
    }
    for (uint32_t i = 0; i < shape->leaves.count; i++) {
        reading.leaf = &shape->leaves.leaves[i];
        if (!read_leaf(&reading, node) || out.size > UINT32_MAX)
            return NULL;
        ends[i] = (uint32_t)out.size;
    }
    level whole = {shape->identity, shape->info->name, fields_of(&reading)};
    if (!check_names(&reading, node, &whole))
        return NULL;
    pack_value *value = arena_allocate(packing->arena, sizeof *value);
    *value = (pack_value){.component = component, .bytes = (const unsigned char *)out.bytes, .ends = ends};
    return value;
}

// The types of leaves: their notation in a lock, and the types that a leaf had over time.
#include "generator/evolve/evolve.h"

#include "generator/schema/schema.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_LIMIT = 64 }; // dimensions of a type

// ---- names

static const char *read_word(arena *arena, const char *at, const char **word)
{
    size_t size = 0;
    while (byte_is_word(at[size]))
        size++;
    *word = arena_copy(arena, at, size);
    return at + size;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const lock_name *)a)->identity, ((const lock_name *)b)->identity);
}

static void sort_names(lock_names *names)
{
    if (names->count > 1)
        qsort(names->names, names->count, sizeof *names->names, compare_names);
}

static bool is_distinct(const lock_names *names)
{
    for (size_t i = 1; i < names->count; i++)
        if (strcmp(names->names[i - 1].identity, names->names[i].identity) == 0)
            return false;
    return true;
}

static const char *read_number(const char *at, int64_t *number)
{
    char *end;
    if (*at != '-' && strspn(at, "0123456789") == 0)
        return NULL;
    errno = 0;
    *number = strtoll(at, &end, 10);
    if (errno != 0 || end == at)
        return NULL;
    return end;
}

// Reads `Red`, `Red=Crimson`, `Red:3`, `Red=Crimson:3` or `Red=-`.
static const char *read_name(arena *arena, const char *at, lock_name *name)
{
    at = read_word(arena, at, &name->identity);
    *name = (lock_name){.identity = name->identity, .name = name->identity};
    if (*at == '=' && at[1] == '-') {
        name->name = NULL;
        return at + 2;
    }
    if (*at == '=')
        at = read_word(arena, at + 1, &name->name);
    if (name->identity[0] == '\0' || name->name[0] == '\0')
        return NULL;
    name->has_number = *at == ':';
    if (name->has_number)
        at = read_number(at + 1, &name->number);
    return at;
}

const char *lock_read_names(arena *arena, const char *at, const char *end, lock_names *names)
{
    size_t capacity = 1;
    for (const char *place = at; *place != '\0' && strchr(end, *place) == NULL; place++)
        capacity += *place == ',';
    *names = (lock_names){arena_allocate(arena, capacity * sizeof *names->names), 0};
    do {
        at = read_name(arena, at, &names->names[names->count++]);
    } while (at != NULL && *at == ',' && *++at != '\0');
    if (at == NULL || strchr(end, *at) == NULL)
        return NULL;
    sort_names(names);
    if (!is_distinct(names))
        return NULL;
    return at;
}

void lock_append_names(text *text, const lock_names *names, bool with_numbers)
{
    for (size_t i = 0; i < names->count; i++) {
        const lock_name *name = &names->names[i];
        text_separate(text, i, ",");
        text_append_string(text, name->identity);
        if (name->name == NULL) {
            text_append_string(text, "=-");
            continue;
        }
        if (strcmp(name->name, name->identity) != 0)
            text_append_format(text, "=%s", name->name);
        if (with_numbers && name->has_number)
            text_append_format(text, ":%" PRId64, name->number);
    }
}

bool lock_is_dense(const lock_names *values)
{
    int64_t count = 0;
    for (size_t i = 0; i < values->count; i++)
        count += values->names[i].name != NULL;
    for (size_t i = 0; i < values->count; i++) {
        const lock_name *value = &values->names[i];
        bool is_outside = value->number < 0 || value->number >= count;
        bool has_number = value->name != NULL && value->has_number;
        if (has_number && is_outside)
            return false;
    }
    return true;
}

lock_name *lock_find_name(const lock_names *names, const char *identity)
{
    lock_name wanted = {.identity = identity};
    assert(identity != NULL);
    if (names->count == 0)
        return NULL;
    return bsearch(&wanted, names->names, names->count, sizeof wanted, compare_names);
}

lock_names lock_join_names(arena *arena, const lock_names *before, const lock_names *now)
{
    lock_names all = {arena_allocate(arena, (before->count + now->count + 1) * sizeof *all.names), 0};
    for (size_t i = 0; i < now->count; i++)
        all.names[all.count++] = now->names[i];
    for (size_t i = 0; i < before->count; i++)
        if (lock_find_name(now, before->names[i].identity) == NULL)
            all.names[all.count++] = before->names[i];
    sort_names(&all);
    return all;
}

// ---- notation

static void append_scalar(text *text, const lock_type *type)
{
    if (type->is_flag)
        text_append_string(text, "flag");
    else if (type->kind == TYPE_STRING)
        text_append_string(text, "string");
    else if (type->kind == TYPE_INLINE_STRING)
        text_append_format(text, "string[%zu]", type->string_size);
    else if (type->kind == TYPE_CONTEXT_ENTITY)
        text_append_format(text, "entity<%s>", type->context);
    else if (type->kind == TYPE_OPAQUE)
        text_append_string(text, "opaque");
    else
        text_append_string(text, scalar_type_of(type->kind)->name);
}

static void append_enum(text *text, const lock_type *type, int format)
{
    assert(type->minimum <= type->maximum);
    text_append_string(text, "enum{");
    lock_append_names(text, &type->values, format > 1 && !lock_is_dense(&type->values));
    text_append_string(text, "}");
    if (type->minimum < 0 || type->maximum >= (int64_t)type->values.count)
        text_append_format(text, "%" PRId64 "..%" PRId64, type->minimum, type->maximum);
}

bool lock_type_is_enum(const lock_type *type)
{
    return !type->is_flag && type->kind == TYPE_ENUM;
}

void lock_append_type(text *text, const lock_type *type, int format)
{
    if (lock_type_is_enum(type))
        append_enum(text, type, format);
    else
        append_scalar(text, type);
    assert(type->depth <= DEPTH_LIMIT);
    for (size_t i = 0; i < type->depth; i++)
        if (type->elements[i] == 0)
            text_append_string(text, "[]");
        else
            text_append_format(text, "[%zu]", type->elements[i]);
}

const char *lock_type_text(arena *arena, const lock_type *type)
{
    text text = text_create(arena);
    lock_append_type(&text, type, LOCK_FORMAT);
    return text.bytes;
}

// Reads a number of at most 9 digits, which cannot overflow. Returns NULL if none follows.
static const char *read_count(const char *at, size_t *count)
{
    size_t size = strspn(at, "0123456789");
    *count = strtoul(at, NULL, 10);
    if (size == 0 || size > 9)
        return NULL;
    if (at[0] == '0')
        return NULL;
    return at + size;
}

// Reads the values of an enum, from its brace on.
static const char *read_enum(arena *arena, const char *at, lock_type *type)
{
    type->kind = TYPE_ENUM;
    if (*at != '{' || (at = lock_read_names(arena, at + 1, "}", &type->values)) == NULL)
        return NULL;
    at++;
    type->minimum = 0;
    type->maximum = (int64_t)type->values.count - 1;
    if (*at != '-' && strspn(at, "0123456789") == 0)
        return at;
    at = read_number(at, &type->minimum);
    if (at == NULL || strncmp(at, "..", 2) != 0)
        return NULL;
    at = read_number(at + 2, &type->maximum);
    if (type->minimum > type->maximum)
        return NULL;
    return at;
}

// Reads what follows the word of a type: the capacity of a string, or the context of an entity.
static const char *read_rest(arena *arena, const char *at, lock_type *type)
{
    bool has_count = at[0] == '[' && at[1] != ']';
    if (type->kind == TYPE_STRING && has_count) {
        type->kind = TYPE_INLINE_STRING;
        at = read_count(at + 1, &type->string_size);
        if (at == NULL || *at != ']')
            return NULL;
        return at + 1;
    }
    if (type->kind != TYPE_ENTITY || *at != '<')
        return at;
    type->kind = TYPE_CONTEXT_ENTITY;
    at = read_word(arena, at + 1, &type->context);
    if (type->context[0] == '\0' || *at != '>')
        return NULL;
    return at + 1;
}

static const char *read_scalar(arena *arena, const char *at, lock_type *type)
{
    const char *word;
    at = read_word(arena, at, &word);
    type->is_flag = strcmp(word, "flag") == 0;
    if (type->is_flag)
        return at;
    if (strcmp(word, "enum") == 0)
        return read_enum(arena, at, type);
    const scalar_type *scalar = scalar_type_find(word);
    if (scalar != NULL)
        type->kind = scalar->kind;
    else if (strcmp(word, "opaque") == 0)
        type->kind = TYPE_OPAQUE;
    else if (strcmp(word, "string") == 0)
        type->kind = TYPE_STRING;
    else
        return NULL;
    return read_rest(arena, at, type);
}

static const char *read_elements(arena *arena, const char *at, lock_type *type)
{
    size_t elements[DEPTH_LIMIT] = {0};
    for (; *at == '['; at++) {
        if (type->depth == DEPTH_LIMIT)
            return NULL;
        elements[type->depth] = 0;
        at++;
        if (*at != ']' && (at = read_count(at, &elements[type->depth])) == NULL)
            return NULL;
        if (*at != ']')
            return NULL;
        type->depth++;
    }
    size_t size = type->depth * sizeof *elements;
    size_t *copy = arena_allocate(arena, size + 1);
    memcpy(copy, elements, size);
    type->elements = copy;
    return at;
}

const lock_type *lock_read_types(arena *arena, const char *word)
{
    lock_type *first = NULL;
    lock_type **last = &first;
    do {
        lock_type *type = arena_allocate(arena, sizeof *type);
        word = read_scalar(arena, word, type);
        if (word == NULL || (word = read_elements(arena, word, type)) == NULL)
            return NULL;
        *last = type;
        last = (lock_type **)&type->next;
    } while (*word++ == '|');
    if (word[-1] != '\0')
        return NULL;
    return first;
}

// ---- joining

bool lock_type_is_like(const lock_type *a, const lock_type *b)
{
    if (a->is_flag || b->is_flag)
        return a->is_flag == b->is_flag;
    if (a->kind != b->kind || a->string_size != b->string_size)
        return false;
    if (a->kind == TYPE_CONTEXT_ENTITY && strcmp(a->context, b->context) != 0)
        return false;
    if (a->depth != b->depth)
        return false;
    return a->depth == 0 || memcmp(a->elements, b->elements, a->depth * sizeof *a->elements) == 0;
}

static const lock_type *join_enums(arena *arena, const lock_type *before, const lock_type *now)
{
    lock_type *joined = arena_allocate(arena, sizeof *joined);
    assert(lock_type_is_enum(before) && lock_type_is_enum(now));
    *joined = *before;
    joined->values = lock_join_names(arena, &before->values, &now->values);
    if (now->minimum < joined->minimum)
        joined->minimum = now->minimum;
    if (now->maximum > joined->maximum)
        joined->maximum = now->maximum;
    return joined;
}

const lock_type *lock_join_types(arena *arena, const lock_type *types, const lock_type *added)
{
    lock_type *copy = arena_allocate(arena, sizeof *copy);
    if (types == NULL) {
        *copy = *added;
        copy->next = NULL;
        return copy;
    }
    bool is_same = lock_type_is_like(types, added);
    if (is_same && !lock_type_is_enum(types))
        return types;
    if (is_same) {
        *copy = *join_enums(arena, types, added);
        copy->next = types->next;
    } else {
        *copy = *types;
        copy->next = lock_join_types(arena, types->next, added);
    }
    return copy;
}

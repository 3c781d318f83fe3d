// Parts of a package in words, for tables, JSON and pages.
#include "generator/describe/internal.h"

#include "generator/base/base.h"
#include "generator/schema/schema.h"

#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CONSTANT_WIDTH = 80 };

const char *list_definition_kind_name(definition_kind kind)
{
    static const char *const names[] = {
        [DEFINITION_ENUM] = "enum", [DEFINITION_STRUCT] = "struct", [DEFINITION_OPAQUE] = "opaque"};
    assert((size_t)kind < sizeof names / sizeof *names);
    return names[kind];
}

const char *list_type_kind_name(type_kind kind)
{
    switch (kind) {
    case TYPE_STRING:
    case TYPE_INLINE_STRING:
        return "string";
    case TYPE_CONTEXT_ENTITY:
        return "entity";
    case TYPE_ENUM:
        return "enum";
    case TYPE_STRUCT:
        return "struct";
    case TYPE_OPAQUE:
        return "opaque";
    default:
        return scalar_type_of(kind)->name;
    }
}

const char *list_rule_name(rule_kind kind)
{
    static const char *const names[] = {
        [RULE_ALL] = "all", [RULE_ANY] = "any", [RULE_NONE] = "none", [RULE_ONLY] = "only"};
    assert((size_t)kind < sizeof names / sizeof *names);
    return names[kind];
}

const char *list_was(const char *name, const saved_name *saved)
{
    assert(saved->identity != NULL);
    if (strcmp(name, saved->identity) == 0)
        return NULL;
    return saved->identity;
}

const char *list_layout_name(const component *component)
{
    assert(component->fields.count > 0 || !component->is_soa);
    if (component->fields.count == 0)
        return "flag";
    if (component->is_soa)
        return "soa";
    if (component->is_shared)
        return "shared";
    if (schema_is_boxed(component))
        return "boxed";
    return "column";
}

const char *list_system_kind_name(system_kind kind)
{
    static const char *const names[] = {
        [SYSTEM_PLAIN] = "plain", [SYSTEM_GROUP] = "group", [SYSTEM_REACTIVE] = "reactive"};
    assert((size_t)kind < sizeof names / sizeof *names);
    return names[kind];
}

const char *list_blueprint_name(const blueprint *blueprint)
{
    if (blueprint == NULL)
        return NULL;
    return blueprint->name;
}

const char *list_event_text(const component_event *event)
{
    if (event->type == EVENT_REMOVED)
        return "removed";
    return "added or replaced";
}

const char *list_number_text(arena *arena, double number)
{
    const char *digits = NULL;
    for (int precision = DBL_DIG; digits == NULL || strtod(digits, NULL) < number || strtod(digits, NULL) > number;
         precision++)
        digits = arena_format(arena, "%.*g", precision, number);
    return digits;
}

static void append_constant(text *text, const constant *constant);

static void append_items(text *text, const char *open, const constant *constant, const char *close)
{
    text_append_string(text, open);
    for (size_t i = 0; i < constant->count && text->size < CONSTANT_WIDTH; i++) {
        text_separate(text, i, ", ");
        append_constant(text, schema_constant_item(constant, i));
    }
    text_append_string(text, close);
}

// Recursive over nested structs; the schema allows no recursive ones.
static void append_constant(text *text, const constant *constant)
{
    static const char *const booleans[] = {"false", "true"};
    switch (constant->kind) {
    case CONSTANT_BOOL:
        text_append_string(text, booleans[constant->boolean]);
        break;
    case CONSTANT_NUMBER:
        text_append_string(text, literal_number(text->arena, constant->literal));
        break;
    case CONSTANT_STRING:
        if (constant->bytes == NULL)
            text_append_string(text, "none");
        else
            writer_append_quoted(text, constant->bytes, constant->size);
        break;
    case CONSTANT_ENTITY:
    case CONSTANT_OPAQUE:
        text_append_string(text, "none");
        break;
    case CONSTANT_ENUMERATOR:
        text_append_string(text, constant->enumerator->name);
        break;
    case CONSTANT_STRUCT:
        append_items(text, "{", constant, "}");
        break;
    case CONSTANT_ARRAY:
        append_items(text, "[", constant, "]");
        break;
    }
}

const char *list_constant_text(arena *arena, const constant *constant)
{
    text text = text_create(arena);
    append_constant(&text, constant);
    return text.bytes;
}

static const char *bound_text(arena *arena, const constant *bound)
{
    assert(bound == NULL || bound->kind == CONSTANT_NUMBER);
    if (bound == NULL)
        return "~";
    return list_constant_text(arena, bound);
}

const char *list_range_text(arena *arena, const field *field)
{
    if (field->minimum == NULL && field->maximum == NULL)
        return NULL;
    return arena_format(arena, "[%s, %s]", bound_text(arena, field->minimum), bound_text(arena, field->maximum));
}

// The names of the systems of one level.
typedef struct level {
    text names;
    size_t batch;    // of the first
    bool is_divided; // they run in several batches
} level;

static void append_to_level(level *level, arena *arena, const declared_system *system, const char *separator)
{
    if (level->names.bytes == NULL) {
        level->names = text_create(arena);
        level->batch = system->batch;
    }
    level->is_divided = level->is_divided || level->batch != system->batch;
    text_append_item(&level->names, separator, system->name);
}

// Levels are less than `count`, since each has at least one system.
const char *const *list_independent(arena *arena, const declared_system *const *systems, size_t count,
                                    const char *separator)
{
    const char **names = arena_allocate(arena, (count + 1) * sizeof *names);
    level *levels = arena_allocate(arena, (count + 1) * sizeof *levels);
    size_t first = SIZE_MAX;
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (systems[i]->level < first)
            first = systems[i]->level;
    for (size_t i = 0; i < count; i++) {
        assert(systems[i]->level - first < count);
        append_to_level(&levels[systems[i]->level - first], arena, systems[i], separator);
    }
    for (size_t i = 0; i < count; i++)
        if (levels[i].is_divided)
            names[found++] = levels[i].names.bytes;
    return names;
}

size_t list_batch_end(const package *package, size_t first)
{
    size_t end = first + 1;
    size_t stage_end = list_stage_end(package, first);
    assert(first < stage_end && stage_end <= package->system_count);
    while (end < stage_end && package->systems[end]->batch == package->systems[first]->batch)
        end++;
    return end;
}

const char *list_commanders(arena *arena, const declared_system *const *systems, size_t count, const char *separator)
{
    text names = text_create(arena);
    for (size_t i = 0; i < count; i++)
        if (schema_has_commands(systems[i]))
            text_append_item(&names, separator, systems[i]->name);
    if (names.size == 0)
        return NULL;
    return names.bytes;
}

const char *list_pieces_text(arena *arena, const declared_system *system)
{
    assert(system->job.is_parallel || system->job.grain == 0);
    if (!system->job.is_parallel)
        return "";
    if (!schema_has_pieces(system))
        return "1";
    if (system->job.grain == 0)
        return "up to 128";
    return arena_format(arena, "of %" PRIu32, system->job.grain);
}

size_t list_stage_end(const package *package, size_t first)
{
    assert(first < package->system_count);
    const declared_system *system = package->systems[first];
    size_t end = first + 1;
    while (end < package->system_count && package->systems[end]->node == system->node &&
           package->systems[end]->after == system->after)
        end++;
    return end;
}

bool list_has_guesses(const package *package)
{
    for (size_t i = 0; i < package->definition_count; i++)
        if (layout_of_definition(package->definitions[i]).is_guess)
            return true;
    return false;
}

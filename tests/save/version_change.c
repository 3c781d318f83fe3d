#include "version_change.h"

#include "generator/reading.h"

#include <stdio.h>
#include <string.h>

static const char *const types[] = {"bool",   "int8",   "int16",       "int32",  "int64",      "uint8",
                                    "uint16", "uint32", "uint64",      "float",  "double",     "string",
                                    "E",      "entity", "'string[6]'", "entity", "'int8[2]'",  "'int16[3]'",
                                    "double", "int64",  "'int64[]'",   "'E[2]'", "'double[]'", "'float[3]'"};

enum { TYPE_COUNT = sizeof types / sizeof *types };

static uint64_t state;
static int name_count;

void version_change_begin(uint64_t number)
{
    state = number;
}

uint32_t below(uint32_t end)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % end;
}

// ---- schemas

static version_name make_name(char letter, int origin)
{
    version_name name = {.origin = origin};
    sprintf(name.now, "%c%d", letter, name_count++ % 10000);
    strcpy(name.first, name.now);
    return name;
}

static version_field make_field(int origin)
{
    return (version_field){make_name('f', origin), types[below(TYPE_COUNT)]};
}

static version_component make_component(int origin)
{
    version_component component = {.name = make_name('C', origin), .field_count = (int)below(FIELDS + 1)};
    for (int i = 0; i < component.field_count; i++)
        component.fields[i] = make_field(origin == NONE ? NONE : i);
    return component;
}

version_schema make_first(void)
{
    version_schema first = {.count = 1 + (int)below(COMPONENTS)};
    for (int i = 0; i < first.count; i++)
        first.components[i] = make_component(i);
    return first;
}

static const char *word_was(const char *was)
{
    return *was == '\0' ? "" : arena_format(reading_arena(), "was: %s, ", was);
}

static const char *fields_of(const version_component *component)
{
    const char *text = "";
    for (int i = 0; i < component->field_count; i++) {
        const version_field *field = &component->fields[i];
        text = arena_format(reading_arena(), "%s%s: { %stype: %s }, ", text, field->name.now, word_was(field->name.was),
                            field->type);
    }
    return component->field_count == 0 ? "" : arena_format(reading_arena(), "fields: { %s}", text);
}

const char *yaml_of(const version_schema *schema)
{
    const char *text = "";
    for (int i = 0; i < schema->count; i++) {
        const version_component *component = &schema->components[i];
        text = arena_format(reading_arena(), "%s  %s: { %s%s }\n", text, component->name.now,
                            word_was(component->name.was), fields_of(component));
    }
    const char *removed =
        *schema->removed == '\0' ? "" : arena_format(reading_arena(), "removed: [%s]\n", schema->removed);
    return arena_format(reading_arena(), "%stypes: { E: { values: [R, G, B] } }\ncomponents:\n%s", removed, text);
}

// ---- changes

// The things of one level, which are things of a component or of the schema.
typedef struct version_level {
    version_name *names[MOST];
    int count;
    version_names *locked;
} version_level;

static version_level fields_level(version_component *component)
{
    version_level level = {.count = component->field_count, .locked = &component->locked};
    for (int i = 0; i < level.count; i++)
        level.names[i] = &component->fields[i].name;
    return level;
}

static version_level components_level(version_schema *schema)
{
    version_level level = {.count = schema->count, .locked = &schema->locked};
    for (int i = 0; i < level.count; i++)
        level.names[i] = &schema->components[i].name;
    return level;
}

static bool is_named(const version_level *level, const char *name)
{
    for (int i = 0; i < level->count; i++)
        if (strcmp(level->names[i]->now, name) == 0)
            return true;
    return false;
}

// Whether another thing has the name last in the lock.
static bool is_last_of_another(const version_names *locked, const version_name *name, const char *last)
{
    for (int i = 0; i < locked->count; i++)
        if (strcmp(locked->names[i].first, name->first) != 0 && strcmp(locked->names[i].last, last) == 0)
            return true;
    return false;
}

// Whether the lock says already that the word is the first name of what is called `now`: then nothing changes.
static bool is_settled(const version_names *locked, const char *now, const char *was)
{
    for (int i = 0; i < locked->count; i++)
        if (strcmp(locked->names[i].last, now) == 0 && strcmp(locked->names[i].first, was) == 0)
            return true;
    return false;
}

// Chooses what a thing that is called `now` was. False if there is no word for that: names that were exchanged have the
// same words as those that are exchanged back.
static bool choose_word(const version_names *locked, const version_name *name, const char *now, char *was)
{
    strcpy(was, name->last);
    if (below(2) == 0 && strcmp(now, name->first) != 0 && !is_last_of_another(locked, name, name->first))
        strcpy(was, name->first);
    if (strcmp(now, was) == 0)
        return false;
    return !is_settled(locked, now, was) || strcmp(was, name->first) == 0;
}

// Returns a name that a thing of this level has or had and that is free now, or a new one.
static const char *choose_name(const version_level *level, char letter)
{
    version_name fresh = make_name(letter, NONE);
    const char *name = arena_format(reading_arena(), "%s", fresh.now);
    if (level->locked->count == 0 || below(2) == 0)
        return name;
    const version_name *other = &level->locked->names[below((uint32_t)level->locked->count)];
    const char *used = below(2) == 0 ? other->last : other->first;
    return is_named(level, used) ? name : used;
}

// Whether `removed` may have the name already, from the version before or from a thing around or inside this one.
static bool is_listed(const version_schema *schema, const char *name)
{
    return strstr(schema->removed, name) != NULL;
}

bool loses_anything(const version_schema *schema)
{
    bool loses = schema->loses;
    for (int i = 0; i < schema->count; i++)
        loses = loses || schema->components[i].loses;
    return loses;
}

// Something new that takes the name of what is lost looks like that one.
static bool can_lose(const version_schema *schema, const version_name *name)
{
    return name->is_locked && !schema->reuses && !is_listed(schema, name->last) && !is_listed(schema, name->first) &&
           !is_listed(schema, name->now);
}

static void list(version_schema *schema, const char *path)
{
    const char *all = arena_format(reading_arena(), ", %s,", schema->removed);
    if (strstr(all, arena_format(reading_arena(), ", %s,", path)) == NULL)
        strcat(strcat(schema->removed, *schema->removed == '\0' ? "" : ", "), path);
}

// Lists a thing by its last name, or by its first one if no other thing had that last.
static const char *path_of(const version_names *locked, const version_name *name)
{
    return below(2) == 0 && !is_last_of_another(locked, name, name->first) ? name->first : name->last;
}

static void rename_thing(const version_schema *schema, const version_level *level, bool *loses, version_name *name)
{
    version_name other = *name;
    strcpy(other.now, choose_name(level, *name->now));
    if (can_lose(schema, name) && below(8) == 0) {
        *loses = true;
        other = make_name(*name->now, NONE);
    } else if (name->is_locked && !choose_word(level->locked, name, other.now, other.was)) {
        return;
    } else if (!name->is_locked) {
        other = make_name(*name->now, NONE);
    }
    *name = other;
}

static void remove_field(version_schema *schema, version_component *component, int at)
{
    version_name *name = &component->fields[at].name;
    version_level components = components_level(schema);
    const char *around = component->name.now;
    if (component->name.is_locked && below(2) == 0 && !is_named(&components, component->name.last))
        around = component->name.last;
    if (can_lose(schema, name) && !is_listed(schema, component->name.first) && below(4) == 0)
        component->loses = true;
    else if (name->is_locked)
        list(schema, arena_format(reading_arena(), "%s.%s", around, path_of(&component->locked, name)));
    component->fields[at] = component->fields[--component->field_count];
}

// Gives both things the last names of each other.
static void exchange_names(const version_names *locked, version_name *one, version_name *other)
{
    version_name first = *one, second = *other;
    bool are_unchanged =
        one->is_locked && other->is_locked && strcmp(one->now, one->last) == 0 && strcmp(other->now, other->last) == 0;
    if (one == other || !are_unchanged || !choose_word(locked, one, other->last, first.was) ||
        !choose_word(locked, other, one->last, second.was))
        return;
    strcpy(first.now, other->last);
    strcpy(second.now, one->last);
    *one = first;
    *other = second;
}

static void exchange_fields(version_component *component, int a, int b)
{
    version_field *one = &component->fields[a], *other = &component->fields[b], copy = *one;
    if (below(4) != 0) {
        exchange_names(&component->locked, &one->name, &other->name);
    } else { // the order alone
        *one = *other;
        *other = copy;
    }
}

static void change_field(version_schema *schema, version_component *component)
{
    version_level level = fields_level(component);
    int at = (int)below((uint32_t)component->field_count);
    version_field *field = &component->fields[at];
    uint32_t choice = below(8);
    if (choice < 2)
        field->type = types[below(TYPE_COUNT)];
    else if (choice < 4)
        rename_thing(schema, &level, &component->loses, &field->name);
    else if (choice < 7)
        exchange_fields(component, at, (int)below((uint32_t)component->field_count));
    else
        remove_field(schema, component, at);
}

static void remove_component(version_schema *schema, int at)
{
    version_component *component = &schema->components[at];
    if (can_lose(schema, &component->name) && below(4) == 0)
        schema->loses = true;
    else if (component->name.is_locked)
        list(schema, path_of(&schema->locked, &component->name));
    *component = schema->components[--schema->count];
}

// A new thing may have the name of one that is called otherwise now, or is given up: then it has a first name of its
// own.
static void name_new(version_schema *schema, const version_level *level, version_name *name)
{
    const char *now = choose_name(level, *name->now);
    if (loses_anything(schema) || below(2) == 0)
        return;
    strcpy(name->now, now);
    schema->reuses = true;
    version_name fresh = make_name(*name->now, NONE);
    strcpy(name->first, fresh.now);
    strcpy(name->was, fresh.now);
}

static void change_component(version_schema *schema)
{
    version_level level = components_level(schema);
    int at = (int)below((uint32_t)schema->count);
    version_component *component = &schema->components[at], copy = *component;
    uint32_t choice = below(10);
    if (choice == 0 && schema->count < COMPONENTS) {
        schema->components[schema->count] = make_component(NONE);
        name_new(schema, &level, &schema->components[schema->count++].name);
    } else if (choice == 1 && schema->count > 1) {
        remove_component(schema, at);
    } else if (choice == 2) {
        *component = schema->components[0];
        schema->components[0] = copy;
    } else if (choice == 3) {
        rename_thing(schema, &level, &schema->loses, &component->name);
    } else if (choice == 4) {
        exchange_names(&schema->locked, &component->name, &schema->components[below((uint32_t)schema->count)].name);
    } else if (choice == 5 && component->field_count < FIELDS) {
        component->fields[component->field_count] = make_field(NONE);
        version_level fields = fields_level(component);
        name_new(schema, &fields, &component->fields[component->field_count++].name);
    } else if (component->field_count > 0) {
        change_field(schema, component);
    }
}

// A schema cannot say that two things have one name in saves.
static bool has_distinct_words(const version_level *level)
{
    for (int i = 0; i < level->count; i++)
        for (int k = 0; k < i; k++) {
            const version_name *one = level->names[i], *other = level->names[k];
            if (strcmp(*one->was == '\0' ? one->now : one->was, *other->was == '\0' ? other->now : other->was) == 0)
                return false;
        }
    return true;
}

static bool is_valid(version_schema *schema)
{
    version_level level = components_level(schema);
    bool is_valid = has_distinct_words(&level);
    for (int i = 0; i < schema->count; i++) {
        level = fields_level(&schema->components[i]);
        is_valid = is_valid && has_distinct_words(&level);
    }
    return is_valid;
}

static void lock_name(version_names *locked, version_name *name, bool forgets)
{
    name->is_locked = true;
    strcpy(name->last, name->now);
    if (forgets)
        name->was[0] = '\0';
    locked->names[locked->count++] = *name;
}

// The lock knows by now what was renamed and given up: the words may stay or go.
version_schema change(const version_schema *before)
{
    version_schema schema = *before;
    bool forgets = below(2) == 0;
    if (below(2) == 0)
        schema.removed[0] = '\0';
    schema.locked.count = 0;
    schema.reuses = false;
    for (int i = 0; i < schema.count; i++) {
        version_component *component = &schema.components[i];
        lock_name(&schema.locked, &component->name, forgets);
        component->locked.count = 0;
        for (int k = 0; k < component->field_count; k++)
            lock_name(&component->locked, &component->fields[k].name, forgets);
    }
    for (uint32_t left = 1 + below(4); left > 0; left--) {
        version_schema changed = schema;
        change_component(&changed);
        if (is_valid(&changed))
            schema = changed;
    }
    return schema;
}

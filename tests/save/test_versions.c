// Versions: schemas that change at random. If kin reports nothing, what was saved before must be read, and each value
// must be that of the field that it was in. kin must find what is lost.
//
// The test keeps for each component and field which one of the first version it was.
#include "../suites.h"
#include "generator/reading.h"
#include "version_case.h"

#include <kin/reflect.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPONENTS = 3, FIELDS = 3, ENTITIES = 4, VERSIONS = 3, NONE = -1 };

typedef struct version_name {
    char now[8], was[8]; // `was` may be empty
    int origin;          // the number of a component or field of the first version; NONE: none
    bool is_locked;      // the version before has it
    bool was_exchanged;  // with that of another field
} version_name;

typedef struct version_field {
    version_name name;
    const char *type;
} version_field;

typedef struct version_component {
    version_name name;
    int field_count;
    bool loses; // a field, without a word
    version_field fields[FIELDS];
} version_component;

typedef struct version_schema {
    int count;
    version_component components[COMPONENTS];
    char removed[256];
    bool loses; // a component, without a word
} version_schema;

static const char *const types[] = {"bool",   "int8",   "int16",       "int32",  "int64",      "uint8",
                                    "uint16", "uint32", "uint64",      "float",  "double",     "string",
                                    "E",      "entity", "'string[6]'", "entity", "'int8[2]'",  "'int16[3]'",
                                    "double", "int64",  "'int64[]'",   "'E[2]'", "'double[]'", "'float[3]'"};

enum { TYPE_COUNT = sizeof types / sizeof *types };

static uint64_t state;
static int name_count;
static version_schema first; // which the save is of
static kin_entity entities[ENTITIES];

static uint32_t below(uint32_t end)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % end;
}

// ---- schemas

static version_name make_name(char letter, int origin)
{
    version_name name = {.origin = origin};
    sprintf(name.now, "%c%d", letter, name_count++ % 10000);
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

static void make_first(void)
{
    memset(&first, 0, sizeof first);
    first.count = 1 + (int)below(COMPONENTS);
    for (int i = 0; i < first.count; i++)
        first.components[i] = make_component(i);
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

static const char *yaml_of(const version_schema *schema)
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

// A component of which all fields are given up is given up.
static bool can_lose(const version_schema *schema, const version_name *name)
{
    return name->is_locked && *name->was == '\0' &&
           strstr(schema->removed, arena_format(reading_arena(), "%s.", name->now)) == NULL;
}

static void give_up(version_schema *schema, bool *loses, const version_name *name, const char *path)
{
    if (!name->is_locked)
        return;
    if (can_lose(schema, name) && below(4) == 0)
        *loses = true;
    else
        strcat(strcat(schema->removed, *schema->removed == '\0' ? "" : ", "), path);
}

static void rename_thing(const version_schema *schema, bool *loses, version_name *name)
{
    version_name other = make_name(*name->now, name->origin);
    if (can_lose(schema, name) && below(8) == 0) {
        *loses = true;
        other.origin = NONE;
    } else if (name->is_locked) {
        strcpy(other.was, *name->was == '\0' ? name->now : name->was);
        other.is_locked = true;
    }
    *name = other;
}

static void remove_field(version_schema *schema, version_component *component, int at)
{
    const version_name *name = &component->fields[at].name;
    give_up(schema, &component->loses, name, arena_format(reading_arena(), "%s.%s", component->name.now, name->now));
    component->fields[at] = component->fields[--component->field_count];
}

// Names are exchanged once: `was` is a first name if it can be, and so cannot say that they are exchanged again.
static bool is_exchangeable(const version_name *name)
{
    return name->is_locked && *name->was == '\0' && !name->was_exchanged;
}

static void exchange_fields(version_component *component, int a, int b)
{
    version_field *one = &component->fields[a], *other = &component->fields[b], copy = *one;
    if (below(2) == 0) { // the order alone
        *one = *other;
        *other = copy;
    } else if (a != b && is_exchangeable(&one->name) && is_exchangeable(&other->name)) { // the names
        strcpy(one->name.was, copy.name.now);
        strcpy(one->name.now, other->name.now);
        strcpy(other->name.was, other->name.now);
        strcpy(other->name.now, copy.name.now);
        one->name.was_exchanged = other->name.was_exchanged = true;
    }
}

static void change_field(version_schema *schema, version_component *component)
{
    int at = (int)below((uint32_t)component->field_count);
    version_field *field = &component->fields[at];
    uint32_t choice = below(8);
    if (choice < 3)
        field->type = types[below(TYPE_COUNT)];
    else if (choice < 5)
        rename_thing(schema, &component->loses, &field->name);
    else if (choice < 7)
        exchange_fields(component, at, (int)below((uint32_t)component->field_count));
    else
        remove_field(schema, component, at);
}

static void change_component(version_schema *schema)
{
    int at = (int)below((uint32_t)schema->count);
    version_component *component = &schema->components[at], copy = *component;
    uint32_t choice = below(8);
    if (choice == 0 && schema->count < COMPONENTS) {
        schema->components[schema->count++] = make_component(NONE);
    } else if (choice == 1 && schema->count > 1) {
        give_up(schema, &schema->loses, &component->name, component->name.now);
        *component = schema->components[--schema->count];
    } else if (choice == 2) {
        *component = schema->components[0];
        schema->components[0] = copy;
    } else if (choice == 3) {
        rename_thing(schema, &schema->loses, &component->name);
    } else if (choice == 4 && component->field_count < FIELDS) {
        component->fields[component->field_count++] = make_field(NONE);
    } else if (component->field_count > 0) {
        change_field(schema, component);
    }
}

static void lock_name(version_name *name, bool forgets)
{
    name->is_locked = true;
    if (forgets)
        name->was[0] = '\0';
}

// The lock knows by now what was renamed and given up: the words may stay or go.
static version_schema change(const version_schema *before)
{
    version_schema schema = *before;
    bool forgets = below(2) == 0;
    if (below(2) == 0)
        schema.removed[0] = '\0';
    for (int i = 0; i < schema.count; i++) {
        lock_name(&schema.components[i].name, forgets);
        for (int k = 0; k < schema.components[i].field_count; k++)
            lock_name(&schema.components[i].fields[k].name, forgets);
    }
    for (uint32_t left = 1 + below(3); left > 0; left--)
        change_component(&schema);
    return schema;
}

// ---- values

static void fill(kin_field_value *value)
{
    static const char *const words[] = {"", "a", "abcdef", "\xc3\xa9"};
    if (value->type == KIN_TYPE_STRING || value->type == KIN_TYPE_INLINE_STRING)
        value->as.string = words[below(4)];
    else if (value->type == KIN_TYPE_FLOAT || value->type == KIN_TYPE_DOUBLE)
        value->as.number = (double)below(1000) / 8 - 60;
    else if (value->type == KIN_TYPE_BOOL)
        value->as.boolean = below(2) == 1;
    else if (value->type == KIN_TYPE_ENTITY)
        value->as.entity = entities[below(ENTITIES)];
    else
        value->as.integer = below(value->type == KIN_TYPE_ENUM ? 3 : 128);
}

// Reads the field, or the first element of an array or list: of a list without elements nothing.
static bool read_field(kin_context *context, kin_entity entity, const char *component, const char *name,
                       kin_field_value *value)
{
    kin_component_id id = kin_component_find(kin_context_info_of(context), component);
    ck_assert_msg(id != KIN_NO_COMPONENT, "%s", component);
    return kin_field_read(context, entity, id, name, value) == KIN_OK ||
           kin_field_read(context, entity, id, arena_format(reading_arena(), "%s[0]", name), value) == KIN_OK;
}

static void write_field(kin_context *context, kin_entity entity, const char *component, const char *name)
{
    kin_component_id id = kin_component_find(kin_context_info_of(context), component);
    kin_field_value value;
    if (!read_field(context, entity, component, name, &value))
        return;
    fill(&value);
    if (kin_field_write(context, entity, id, name, value) != KIN_OK)
        ck_assert_int_eq(kin_field_write(context, entity, id, arena_format(reading_arena(), "%s[0]", name), value),
                         KIN_OK);
}

static void populate(kin_context *context)
{
    static char zero[512];
    for (int i = 0; i < ENTITIES; i++)
        entities[i] = kin_create(context);
    for (int i = 0; i < ENTITIES * first.count; i++) {
        const version_component *component = &first.components[i / ENTITIES];
        kin_entity entity = entities[i % ENTITIES];
        kin_component_id id = kin_component_find(kin_context_info_of(context), component->name.now);
        if (below(4) == 0)
            continue;
        ck_assert_int_eq(component->field_count == 0 ? kin_set_flag(context, entity, id, true)
                                                     : kin_add(context, entity, id, zero),
                         KIN_OK);
        for (int k = 0; k < component->field_count; k++)
            write_field(context, entity, component->name.now, component->fields[k].name.now);
    }
}

static const char *text_of(const kin_field_value *value)
{
    if (value->type == KIN_TYPE_STRING || value->type == KIN_TYPE_INLINE_STRING)
        return arena_format(reading_arena(), "'%s'", value->as.string);
    if (value->type == KIN_TYPE_FLOAT || value->type == KIN_TYPE_DOUBLE)
        return arena_format(reading_arena(), "%.17g", value->as.number);
    if (value->type == KIN_TYPE_BOOL)
        return value->as.boolean ? "1" : "0";
    if (value->type == KIN_TYPE_ENTITY)
        return arena_format(reading_arena(), "%" PRIu64, value->as.entity);
    return arena_format(reading_arena(), "%" PRId64, value->as.integer);
}

// ---- what was read

static void expect_field(kin_context *context, kin_entity entity, const version_component *component,
                         const version_field *field)
{
    const version_component *before = &first.components[component->name.origin];
    kin_field_value then, now;
    if (!read_field(version_case_contexts[0], entity, before->name.now, before->fields[field->name.origin].name.now,
                    &then))
        return;
    ck_assert(read_field(context, entity, component->name.now, field->name.now, &now));
    ck_assert_msg(strcmp(text_of(&then), text_of(&now)) == 0, "%s.%s: %s, %s", component->name.now, field->name.now,
                  text_of(&then), text_of(&now));
}

static void expect_component(kin_context *context, const version_component *component)
{
    kin_component_id id = kin_component_find(kin_context_info_of(context), component->name.now);
    ck_assert(id != KIN_NO_COMPONENT);
    for (int i = 0; i < ENTITIES; i++) {
        bool had = false;
        if (component->name.origin != NONE)
            had = kin_has(version_case_contexts[0], entities[i],
                          kin_component_find(kin_context_info_of(version_case_contexts[0]),
                                             first.components[component->name.origin].name.now));
        ck_assert_int_eq(kin_has(context, entities[i], id), had);
        for (int k = 0; had && k < component->field_count; k++)
            if (component->fields[k].name.origin != NONE)
                expect_field(context, entities[i], component, &component->fields[k]);
    }
}

static void expect_all(size_t version, const version_schema *schema)
{
    ck_assert_msg(version_case_read(version, false) == KIN_OK, "%s\n%s%s%s", past_case_error, yaml_of(&first),
                  yaml_of(schema - 1), yaml_of(schema));
    for (int i = 0; i < schema->count; i++)
        expect_component(version_case_contexts[version], &schema->components[i]);
}

static bool loses_anything(const version_schema *schema)
{
    bool loses = schema->loses;
    for (int i = 0; i < schema->count; i++)
        loses = loses || schema->components[i].loses;
    return loses;
}

// Returns in how many versions nothing was said against the change.
static size_t play(void)
{
    version_schema schemas[VERSIONS];
    make_first();
    schemas[0] = first;
    const char *lock = version_case_make(yaml_of(&first), NULL, 0);
    populate(version_case_contexts[0]);
    version_case_write(0);
    for (size_t version = 1; version < VERSIONS; version++) {
        schemas[version] = change(&schemas[version - 1]);
        lock = version_case_make(yaml_of(&schemas[version]), lock, version);
        if (*version_case_codes() != '\0') {
            version_case_read(version, false);
            return version - 1;
        }
        ck_assert_msg(!loses_anything(&schemas[version]), "kin does not find what is lost:\n%s%s",
                      yaml_of(&schemas[version - 1]), yaml_of(&schemas[version]));
        expect_all(version, &schemas[version]);
    }
    version_case_write(1);
    expect_all(2, &schemas[2]);
    return VERSIONS - 1;
}

// 2,000 games, or KIN_SCHEMAS; of those with a change that nothing was said against, at least a fifth.
START_TEST(evo_01_evo_03_evo_04_what_kin_calls_safe_is_read_with_its_values)
{
    int games = getenv("KIN_SCHEMAS") == NULL ? 2000 : atoi(getenv("KIN_SCHEMAS")), safe = 0;
    for (int i = 0; i < games; i++) {
        version_case_begin();
        state = (uint64_t)i;
        safe += play() > 0;
        version_case_end();
    }
    ck_assert_int_gt(safe, games / 5);
}
END_TEST

Suite *save_versions_suite(void)
{
    Suite *suite = suite_create("save_versions");
    TCase *tests = tcase_create("versions");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, evo_01_evo_03_evo_04_what_kin_calls_safe_is_read_with_its_values);
    suite_add_tcase(suite, tests);
    return suite;
}

// Versions: schemas that change at random. If kin reports nothing, what was saved before must be read, and each value
// must be that of the field that it was in. kin must find what is lost.
#include "../suites.h"
#include "generator/reading.h"
#include "version_case.h"
#include "version_change.h"

#include <kin/reflect.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTITIES = 4, VERSIONS = 4 };

static version_schema first; // which the save is of
static const char *history;  // all versions so far, for messages
static kin_entity entities[ENTITIES];

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
    ck_assert_msg(strcmp(text_of(&then), text_of(&now)) == 0, "%s.%s: %s, %s\n%s", component->name.now, field->name.now,
                  text_of(&then), text_of(&now), history);
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
        ck_assert_msg(kin_has(context, entities[i], id) == had, "%s, entity %d\n%s", component->name.now, i, history);
        for (int k = 0; had && k < component->field_count; k++)
            if (component->fields[k].name.origin != NONE)
                expect_field(context, entities[i], component, &component->fields[k]);
    }
}

static void expect_all(size_t version, const version_schema *schema)
{
    ck_assert_msg(version_case_read(version, false) == KIN_OK, "%s\n%s", past_case_error, history);
    for (int i = 0; i < schema->count; i++)
        expect_component(version_case_contexts[version], &schema->components[i]);
}

// A lock that was written stays as it is. There may be warnings: a lock has no last names of what was removed, and none
// of before the last ones.
static void expect_same_lock(const version_schema *schema, const char *lock)
{
    const char *codes, *again = version_case_lock_again(yaml_of(schema), lock, &codes);
    ck_assert_msg(strcmp(lock, again) == 0 && *codes == '\0', "%s, %s%s", codes, again, history);
}

// Returns in how many versions nothing was said against the change.
static size_t play(void)
{
    version_schema schemas[VERSIONS];
    first = schemas[0] = make_first();
    const char *lock = version_case_make(yaml_of(&first), NULL, 0);
    history = yaml_of(&first);
    populate(version_case_contexts[0]);
    version_case_write(0);
    for (size_t version = 1; version < VERSIONS; version++) {
        schemas[version] = change(&schemas[version - 1]);
        history = arena_format(reading_arena(), "%s%s%s", history, lock, yaml_of(&schemas[version]));
        lock = version_case_make(yaml_of(&schemas[version]), lock, version);
        if (*version_case_codes() != '\0') {
            version_case_read(version, false);
            return version - 1;
        }
        expect_same_lock(&schemas[version], lock);
        ck_assert_msg(!loses_anything(&schemas[version]), "kin does not find what is lost:\n%s", history);
        expect_all(version, &schemas[version]);
    }
    for (size_t version = 1; version < VERSIONS - 1; version++) {
        version_case_write(version);
        expect_all(VERSIONS - 1, &schemas[VERSIONS - 1]);
    }
    return VERSIONS - 1;
}

// 2,000 games, or KIN_SCHEMAS; of those with a change that nothing was said against, at least a fifth.
START_TEST(evo_01_evo_03_evo_04_what_kin_calls_safe_is_read_with_its_values)
{
    int games = getenv("KIN_SCHEMAS") == NULL ? 2000 : atoi(getenv("KIN_SCHEMAS")), safe = 0;
    for (int i = 0; i < games; i++) {
        version_case_begin();
        version_change_begin((uint64_t)i);
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

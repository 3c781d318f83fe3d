// Archetypes (RFL-14): the sets of components that entities have.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <kin/reflect.h>
#include <relay/relay.h>
#include <wide/wide.h>

#include <stdio.h>
#include <string.h>

CASE(relay)

static kin_context *base;
static char text[1024];

static void begin(void)
{
    relay_begin();
    base = &relay->base;
}

static void note(const kin_archetype *archetype, void *user)
{
    const kin_context_info *info = user;
    size_t length = strlen(text);
    for (uint32_t i = 0; i < archetype->component_count; i++, length = strlen(text))
        snprintf(text + length, sizeof text - length, "%s ", info->components[archetype->components[i]].name);
    snprintf(text + length, sizeof text - length, "%u in %u, %u unused, %zu bytes; ", archetype->entities,
             archetype->chunks, archetype->unused, archetype->bytes);
}

static const char *archetypes(void)
{
    text[0] = '\0';
    ck_assert_int_eq(kin_context_archetypes(base, note, (void *)(uintptr_t)&relay_info), KIN_OK);
    return text;
}

START_TEST(rfl_14_each_set_has_its_entities_chunks_bytes_and_unused_slots)
{
    ck_assert_str_eq(archetypes(), "");
    relay_entity gone = relay_create_entity(relay);
    relay_create_entity(relay);
    relay_spawn_many_trio(relay, 600, NULL);
    relay_add_b(relay, relay_spawn_trio(relay), (B){1});
    relay_destroy_entity(relay, gone);
    // 8 bytes of handle and 8 of row for each entity, and 4 for each value
    ck_assert_str_eq(archetypes(), "1 in 1, 511 unused, 16 bytes; A C F 600 in 2, 423 unused, 14400 bytes; "
                                   "A B C F 1 in 1, 423 unused, 28 bytes; ");
}
END_TEST

static void count_sets(const kin_archetype *archetype, void *user)
{
    ck_assert_uint_ge(archetype->entities, 1);
    ck_assert_uint_le(archetype->entities, 2);
    ++*(uint32_t *)user;
}

START_TEST(rfl_14_many_sets_of_many_components_are_told_apart)
{
    more_context *more = more_context_create(&(kin_context_options){0});
    uint32_t sets = 0;
    for (uint32_t i = 0; i < 500; i++) {
        kin_entity entity = kin_create(&more->base);
        for (uint32_t bit = 0; bit < 9; bit++)
            if ((i % 300 >> bit & 1) != 0)
                kin_add(&more->base, entity, (kin_component_id)(bit * 8), &(uint64_t){i});
    }
    ck_assert_int_eq(kin_context_archetypes(&more->base, count_sets, &sets), KIN_OK);
    ck_assert_uint_eq(sets, 300);
    more_context_destroy(more);
}
END_TEST

static void destroy_all(const kin_archetype *archetype, void *user)
{
    (void)archetype;
    ck_assert_int_eq(relay_destroy_all_entities(user), KIN_OK);
    relay_create_entity(user);
}

START_TEST(rfl_14_a_visitor_may_change_the_context)
{
    relay_spawn_trio(relay);
    relay_spawn_single(relay);
    ck_assert_int_eq(kin_context_archetypes(base, destroy_all, relay), KIN_OK);
    ck_assert_str_eq(archetypes(), "1 in 1, 511 unused, 16 bytes; ");
}
END_TEST

static void never(const kin_archetype *archetype, void *user)
{
    (void)archetype, (void)user;
    ck_abort_msg("visited");
}

START_TEST(rfl_14_without_memory_or_visitor_nothing_is_visited)
{
    relay_spawn_trio(relay);
    size_t size = memory.size;
    uint64_t requests = memory.request_count;
    archetypes();
    requests = memory.request_count - requests;
    ck_assert_uint_gt(requests, 2);
    for (uint64_t i = 1; i <= requests; i++) {
        guard_fail(&memory, i, false);
        ck_assert_int_eq(kin_context_archetypes(base, never, NULL), KIN_ERROR_NO_MEMORY);
        guard_fail(&memory, 0, false);
        ck_assert_reported(&errors, KIN_ERROR_NO_MEMORY);
        ck_assert_uint_eq(memory.size, size);
    }
    ck_assert_refused(&errors, kin_context_archetypes(base, NULL, NULL), KIN_ERROR_INVALID);
}
END_TEST

Suite *runtime_archetypes_suite(void)
{
    Suite *suite = suite_create("runtime_archetypes");
    TCase *tests = tcase_create("archetypes");
    tcase_add_checked_fixture(tests, begin, relay_end);
    tcase_add_test(tests, rfl_14_each_set_has_its_entities_chunks_bytes_and_unused_slots);
    tcase_add_test(tests, rfl_14_many_sets_of_many_components_are_told_apart);
    tcase_add_test(tests, rfl_14_a_visitor_may_change_the_context);
    tcase_add_test(tests, rfl_14_without_memory_or_visitor_nothing_is_visited);
    suite_add_tcase(suite, tests);
    return suite;
}

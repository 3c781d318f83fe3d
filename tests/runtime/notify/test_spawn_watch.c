// Spawns that stay inline (notify/notify.h): groups with listeners and indices that an entity never reaches do not
// matter, although they name components of its blueprint.
#include "entity/entity.h"
#include "runtime/support/case.h"
#include "suites.h"

#include <nursery/nursery.h>
#include <string.h>

enum { MANY = 700 };

static guard yard_memory;
static nursery_context *nursery;
static yard_context *yard;

static void begin(void)
{
    call_count = 0;
    nursery = nursery_context_create(&(kin_context_options){.allocator = guard_begin(&memory)});
    yard = yard_context_create(&(kin_context_options){.allocator = guard_begin(&yard_memory)});
    ck_assert(nursery != NULL && yard != NULL);
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&nursery->base) && kin__context_is_valid(&yard->base));
    nursery_context_destroy(nursery);
    yard_context_destroy(yard);
    guard_end(&memory);
    guard_end(&yard_memory);
}

static uint32_t watchers_of(const kin_context *context, const char *blueprint)
{
    uint32_t i = 0;
    while (strcmp(context->blueprints[i].info->name, blueprint) != 0)
        i++;
    return context->blueprints[i].watchers;
}

static kin_subscription subscribe(kin_matcher matcher)
{
    return kin_group_subscribe(nursery_group(nursery, matcher), KIN_ADDED_OR_REMOVED, count_call, NULL);
}

START_TEST(cpy_04_a_group_that_an_entity_never_matches_does_not_slow_its_spawn)
{
    subscribe(KIN_MATCHER(KIN_ALL(NURSERY_WEIGHT, NURSERY_SPEED)));
    subscribe(KIN_MATCHER(KIN_ALL(NURSERY_BYTE), KIN_NONE(NURSERY_BYTE)));
    subscribe(KIN_MATCHER(KIN_ONLY(NURSERY_WEIGHT)));
    ck_assert_uint_eq(watchers_of(&nursery->base, "Grain"), 0);
    ck_assert_uint_ne(nursery_spawn_grain(nursery).id, 0);
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, MANY, NULL), KIN_OK);
    ck_assert_uint_eq(call_count, 0);
}
END_TEST

START_TEST(cpy_04_a_group_that_an_entity_matches_is_notified_until_it_has_no_listener)
{
    kin_subscription subscription = subscribe(KIN_MATCHER(KIN_ANY(NURSERY_WEIGHT, NURSERY_SPEED)));
    ck_assert_uint_eq(watchers_of(&nursery->base, "Grain"), 1);
    ck_assert_uint_ne(nursery_spawn_grain(nursery).id, 0);
    ck_assert_uint_eq(call_count, 1);
    kin_unsubscribe(subscription);
    ck_assert_uint_eq(watchers_of(&nursery->base, "Grain"), 0);
    ck_assert_uint_ne(nursery_spawn_grain(nursery).id, 0);
    ck_assert_uint_eq(call_count, 1);
}
END_TEST

// Byte comes before Weight, and Byte, Marked and Triple are the first three components.
START_TEST(cpy_04_a_group_that_an_entity_only_passes_through_is_notified)
{
    const kin_matcher matchers[] = {KIN_MATCHER(KIN_ALL(NURSERY_BYTE), KIN_NONE(NURSERY_WEIGHT)),
                                    KIN_MATCHER(KIN_ONLY(NURSERY_BYTE, NURSERY_MARKED, NURSERY_TRIPLE))};
    subscribe(matchers[_i]);
    ck_assert_uint_eq(watchers_of(&nursery->base, "Grain"), 1);
    ck_assert_uint_ne(nursery_spawn_grain(nursery).id, 0);
    ck_assert_uint_eq(call_count, 2);
    ck_assert_int_eq(nursery_spawn_many_grain(nursery, 3, NULL), KIN_OK);
    ck_assert_uint_eq(call_count, 8);
}
END_TEST

START_TEST(cpy_04_a_listener_of_one_entity_does_not_slow_spawns)
{
    nursery_entity entity = nursery_create_entity(nursery);
    kin_entity_subscribe(&nursery->base, entity.id, KIN_COMPONENT_ADDED, count_call, NULL);
    ck_assert_uint_eq(watchers_of(&nursery->base, "Grain"), 0);
    nursery_entity grain = nursery_spawn_grain(nursery);
    ck_assert_int_eq(nursery_get_weight(nursery, grain)->grams, 5);
    ck_assert_uint_eq(call_count, 0);
}
END_TEST

START_TEST(cpy_04_special_components_are_never_spawned_inline)
{
    static const char *const names[] = {"Chief", "Elm", "Purse", "Sapling"};
    ck_assert_uint_ge(watchers_of(&nursery->base, names[_i]), 1);
}
END_TEST

// The indices of the yard need a Post too, which may be added later.
START_TEST(idx_02_an_entity_joins_the_indices_that_its_spawn_did_not_reach)
{
    static yard_entity made[MANY];
    ck_assert_uint_eq(watchers_of(&yard->base, "Shed"), 0);
    ck_assert_uint_eq(watchers_of(&yard->base, "Shelter"), 2);
    for (int32_t i = 0; i < MANY; i++) {
        made[i] = yard_spawn_shed(yard);
        yard_replace_place(yard, made[i], (Place){i, -i});
        ck_assert_uint_eq(yard_entity_with_plot(yard, i, -i).id, 0);
    }
    for (int32_t i = 0; i < MANY; i++) {
        ck_assert_int_eq(yard_add_post(yard, made[i], (Post){1, i}), KIN_OK);
        ck_assert_uint_eq(yard_entity_with_plot(yard, i, -i).id, made[i].id);
    }
    ck_assert(kin__context_is_valid(&yard->base));
    uint32_t count = 0;
    ck_assert_uint_eq(yard_entities_with_post(yard, 5, 1, 5, &count)[0].id, made[5].id);
    for (int32_t i = 0; i < MANY; i += 2)
        yard_destroy_entity(yard, made[i]);
    ck_assert_uint_eq(yard_entity_with_plot(yard, 4, -4).id, 0);
    ck_assert_uint_eq(yard_entity_with_plot(yard, 5, -5).id, made[5].id);
}
END_TEST

START_TEST(idx_02_a_removal_that_makes_an_entity_match_needs_no_memory)
{
    yard_entity entity = yard_spawn_shed(yard);
    yard_set_felled(yard, entity, true);
    yard_add_post(yard, entity, (Post){1, 1});
    ck_assert_uint_eq(yard_entity_with_plot(yard, 4, 1).id, 0);
    ck_assert(kin__context_is_valid(&yard->base));
    guard_fail(&yard_memory, 1, true);
    ck_assert_int_eq(yard_set_felled(yard, entity, false), KIN_OK);
    guard_fail(&yard_memory, 0, false);
    ck_assert_uint_eq(yard_entity_with_plot(yard, 4, 1).id, entity.id);
}
END_TEST

Suite *runtime_spawn_watch_suite(void)
{
    Suite *suite = suite_create("runtime_spawn_watch");
    TCase *inlined = tcase_create("inline");
    tcase_add_checked_fixture(inlined, begin, end);
    tcase_add_test(inlined, cpy_04_a_group_that_an_entity_never_matches_does_not_slow_its_spawn);
    tcase_add_test(inlined, cpy_04_a_group_that_an_entity_matches_is_notified_until_it_has_no_listener);
    tcase_add_loop_test(inlined, cpy_04_a_group_that_an_entity_only_passes_through_is_notified, 0, 2);
    tcase_add_test(inlined, cpy_04_a_listener_of_one_entity_does_not_slow_spawns);
    tcase_add_loop_test(inlined, cpy_04_special_components_are_never_spawned_inline, 0, 4);
    tcase_add_test(inlined, idx_02_an_entity_joins_the_indices_that_its_spawn_did_not_reach);
    tcase_add_test(inlined, idx_02_a_removal_that_makes_an_entity_match_needs_no_memory);
    suite_add_tcase(suite, inlined);
    return suite;
}

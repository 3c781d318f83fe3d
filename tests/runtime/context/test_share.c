// Sharing a context with threads: begin and end, and what stays allowed meanwhile (PAR-06, PAR-07, PAR-10).
#include "entity/entity.h"
#include "notify/notify.h"
#include "runtime/support/support.h"
#include "suites.h"

#include <commons/commons.h>
#include <kin/share.h>
#include <string.h>

enum { COUNT = 1200 };

static commons_context *commons;
static commons_entity sheep[COUNT];
static error_log errors;
static kin_status in_listener[2];

static void begin(void)
{
    kin_context_options options = {.on_error = error_log_append, .error_user = &errors};
    error_log_clear(&errors);
    commons = commons_context_create(&options);
    ck_assert_int_eq(commons_spawn_many_sheep(commons, COUNT, sheep), KIN_OK);
}

static void end(void)
{
    ck_assert(kin__context_is_valid(&commons->base));
    commons_context_destroy(commons);
    ck_assert_uint_eq(errors.count, 0);
}

static void share(void)
{
    ck_assert_int_eq(kin_context_begin_shared(&commons->base), KIN_OK);
}

static void unshare(void)
{
    ck_assert_int_eq(kin_context_end_shared(&commons->base), KIN_OK);
}

START_TEST(par_06_sharing_nests)
{
    begin();
    share();
    share();
    unshare();
    ck_assert_int_eq(commons_remove_zone(commons, sheep[0]), KIN_ERROR_INVALID);
    unshare();
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(commons_remove_zone(commons, sheep[0]), KIN_OK);
    end();
}
END_TEST

START_TEST(par_06_an_end_without_a_begin_is_refused)
{
    begin();
    ck_assert_int_eq(kin_context_end_shared(&commons->base), KIN_ERROR_INVALID);
    ck_assert_str_eq(errors.entries[0].message,
                     "commons: cannot end sharing the context with threads: it is not shared; "
                     "begin first, and end once for each begin");
    ck_assert_reported(&errors, KIN_ERROR_INVALID);
    share();
    unshare();
    ck_assert_refused(&errors, kin_context_end_shared(&commons->base), KIN_ERROR_INVALID);
    end();
}
END_TEST

START_TEST(par_06_no_context_is_refused)
{
    ck_assert_int_eq(kin_context_begin_shared(NULL), KIN_ERROR_INVALID);
    ck_assert_int_eq(kin_context_end_shared(NULL), KIN_ERROR_INVALID);
}
END_TEST

static void try_both(const kin_change *change, void *user)
{
    (void)user;
    in_listener[0] = kin_context_begin_shared(change->context);
    in_listener[1] = kin_context_end_shared(change->context);
}

START_TEST(par_06_inside_a_listener_both_are_refused)
{
    begin();
    kin_group_subscribe(commons_movers_group(commons), KIN_REMOVED, try_both, NULL);
    commons_remove_pace(commons, sheep[0]);
    ck_assert_int_eq(in_listener[0], KIN_ERROR_INVALID);
    ck_assert_int_eq(in_listener[1], KIN_ERROR_INVALID);
    ck_assert_uint_eq(errors.count, 2);
    error_log_clear(&errors);
    end();
}
END_TEST

START_TEST(par_07_queries_answer_as_before)
{
    commons_entity found[COUNT];
    begin();
    commons_add_number(commons, sheep[5], (Number){77});
    share();
    ck_assert_float_eq(commons_get_stand(commons, sheep[3])->x, 1);
    ck_assert(commons_has_pace(commons, sheep[3]) && commons_entity_is_alive(commons, sheep[3]));
    ck_assert(kin_matches(&commons->base, KIN_MATCHER(KIN_ALL(COMMONS_ZONE)), sheep[3].id));
    ck_assert(kin_group_contains(commons_movers_group(commons), sheep[3].id));
    ck_assert_uint_eq(kin_group_count(commons_movers_group(commons)), COUNT);
    ck_assert_uint_eq(kin_group_copy_entities(commons_movers_group(commons), (kin_entity *)(void *)found, COUNT),
                      COUNT);
    ck_assert(memcmp(found, sheep, sizeof sheep) == 0);
    ck_assert(commons_entity_equals(commons_entity_with_number_value(commons, 77), sheep[5]));
    ck_assert_uint_eq(commons_copy_entities_with_zone_zone(commons, 3, found, COUNT), COUNT);
    ck_assert(memcmp(found, sheep, sizeof sheep) == 0);
    ck_assert_uint_eq(commons_entity_count(commons), COUNT);
    ck_assert_ptr_nonnull(kin_context_group(&commons->base, KIN_MATCHER(KIN_ALL(COMMONS_TRAIL))));
    unshare();
    end();
}
END_TEST

START_TEST(par_07_values_are_written_in_place)
{
    begin();
    share();
    for (commons_movers_iter it = commons_movers_iterate(commons); commons_movers_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            it.stand[i].y = 8;
    commons_edit_stand(commons, sheep[1])->y = 9;
    unshare();
    ck_assert_float_eq(commons_get_stand(commons, sheep[0])->y, 8);
    ck_assert_float_eq(commons_get_stand(commons, sheep[1])->y, 9);
    end();
}
END_TEST

// A cached count would be written by several threads.
START_TEST(par_07_counting_stores_nothing)
{
    begin();
    kin_group *group = commons_trails_group(commons);
    share();
    uint64_t before = group->counted_at;
    ck_assert_uint_eq(kin_group_count(group), 0);
    ck_assert_uint_eq(group->counted_at, before);
    unshare();
    ck_assert_uint_eq(kin_group_count(group), 0);
    ck_assert_uint_ne(group->counted_at, before);
    end();
}
END_TEST

START_TEST(par_10_no_handler_is_called_while_shared)
{
    kin_entity single;
    kin_field_value value;
    begin();
    share();
    ck_assert_int_eq(kin_group_single(commons_movers_group(commons), &single), KIN_ERROR_NOT_SINGLE);
    ck_assert_int_eq(kin_field_read(&commons->base, sheep[0].id, COMMONS_MOOD, "level", &value),
                     KIN_ERROR_NO_COMPONENT);
    commons_destroy_entity(commons, sheep[0]);
    ck_assert_uint_eq(errors.count, 0);
    unshare();
    ck_assert_uint_eq(errors.count, 1);
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "3 calls were refused"));
    error_log_clear(&errors);
    end();
}
END_TEST

START_TEST(par_06_the_context_is_not_destroyed_while_shared)
{
    begin();
    share();
    commons_context_destroy(commons);
    kin_context_trim(&commons->base);
    unshare();
    ck_assert_ptr_nonnull(strstr(errors.entries[0].message, "2 calls were refused"));
    error_log_clear(&errors);
    end();
}
END_TEST

// The arrays that generated code keeps are the same before and after.
START_TEST(par_06_arrays_stay_current_over_sharing)
{
    uint32_t count = 0;
    begin();
    const commons_entity *before = commons_movers_entities(commons, &count);
    share();
    ck_assert_ptr_null(commons_movers_entities(commons, &count));
    ck_assert_uint_eq(count, 0);
    unshare();
    error_log_clear(&errors);
    ck_assert_ptr_eq(commons_movers_entities(commons, &count), before);
    ck_assert_uint_eq(count, COUNT);
    end();
}
END_TEST

static void ignore(const kin_change *change, void *user)
{
    (void)change;
    ++*(int *)user;
}

START_TEST(par_06_replaces_take_the_same_path_after_sharing)
{
    int count = 0;
    begin();
    kin_group_subscribe(commons_movers_group(commons), KIN_MODIFIED, ignore, &count);
    uintptr_t path = commons->base.components[COMMONS_PACE].replace_path;
    uint32_t watchers = commons->base.components[COMMONS_PACE].watchers;
    share();
    ck_assert_int_eq(commons_replace_pace(commons, sheep[0], (Pace){1, 1}), KIN_ERROR_INVALID);
    unshare();
    error_log_clear(&errors);
    ck_assert_uint_eq(commons->base.components[COMMONS_PACE].replace_path, path);
    ck_assert_uint_eq(commons->base.components[COMMONS_PACE].watchers, watchers);
    ck_assert_int_eq(commons_replace_pace(commons, sheep[0], (Pace){1, 1}), KIN_OK);
    ck_assert_int_eq(count, 1);
    end();
}
END_TEST

Suite *runtime_share_suite(void)
{
    Suite *suite = suite_create("runtime_share");
    TCase *tests = tcase_create("share");
    tcase_add_test(tests, par_06_sharing_nests);
    tcase_add_test(tests, par_06_an_end_without_a_begin_is_refused);
    tcase_add_test(tests, par_06_no_context_is_refused);
    tcase_add_test(tests, par_06_inside_a_listener_both_are_refused);
    tcase_add_test(tests, par_07_queries_answer_as_before);
    tcase_add_test(tests, par_07_values_are_written_in_place);
    tcase_add_test(tests, par_07_counting_stores_nothing);
    tcase_add_test(tests, par_10_no_handler_is_called_while_shared);
    tcase_add_test(tests, par_06_the_context_is_not_destroyed_while_shared);
    tcase_add_test(tests, par_06_arrays_stay_current_over_sharing);
    tcase_add_test(tests, par_06_replaces_take_the_same_path_after_sharing);
    suite_add_tcase(suite, tests);
    return suite;
}

// Snapshots of an inspector: taking and restoring them, their memory and their period.
#include "snapshots_case.h"
#include "suites.h"

#include "feature/internal.h"
#include "inspector/inspector.h"

#include <stdio.h>
#include <string.h>

// ---- taking and restoring

START_TEST(ins_10_a_world_needs_no_functions_to_be_saved_and_restored)
{
    update_times(3);
    int32_t before = years();
    expect_in_answer("snapshots.list", "{}", "'available':true,'comparable':true,'count':0,'every':0,'keep':60");
    expect_in_answer("snapshots.take", "{}", "{'frame':2,'snapshot':1,'count':1");
    set_years(31);
    people_entity other = town_citizen(7);
    update_times(2);
    ck_assert_uint_eq(frame_now(), 4);
    expect_answer("snapshots.restore", "{'snapshot':1}", "{'frame':2,'snapshot':1,'previous':2}");
    ck_assert_int_eq(years(), before);
    ck_assert(!people_entity_is_alive(town->contexts->people, other));
    ck_assert_uint_eq(frame_now(), 2);
    expect_in_answer("snapshots.list", "{}",
                     "'standing':1,'snapshots':[{'snapshot':1,'frame':2,'time':3,'entities':1,'bytes':");
    update_times(1);
    ck_assert_uint_eq(frame_now(), 3);
}
END_TEST

START_TEST(ins_68_what_undoes_a_restore_is_in_its_answer)
{
    inspect_ask("snapshots.take", "{}");
    set_years(50);
    expect_in_answer("snapshots.restore", "{'snapshot':1}", "'previous':2");
    ck_assert_int_eq(years(), 30);
    expect_in_answer("snapshots.restore", "{'snapshot':2}", "'previous':1"); // nothing has changed since
    ck_assert_int_eq(years(), 50);
    expect_in_answer("snapshots.list", "{}", "'count':2,");
    set_years(51);
    expect_in_answer("snapshots.restore", "{'snapshot':1}", "'previous':4");
    expect_in_answer("snapshots.restore", "{'snapshot':4}", "'previous':1");
    ck_assert_int_eq(years(), 51);
    expect_in_answer("snapshots.restore", "{'snapshot':3}", "error -32602: there is no such snapshot");
    expect_in_answer("snapshots.restore", "{}", "error -32602: 'snapshot' is missing");
}
END_TEST

START_TEST(ins_10_a_restore_can_notify_collectors_anew)
{
    update_times(2);
    inspect_ask("snapshots.take", "{}");
    expect_in_answer("collectors.list", "{'context':'people'}", "'name':'Watch','active':true,'waiting':0");
    inspect_ask("snapshots.restore", "{'snapshot':1}");
    expect_in_answer("collectors.list", "{'context':'people'}", "'name':'Watch','active':true,'waiting':0");
    inspect_ask("snapshots.restore", "{'snapshot':1,'anew':true}");
    expect_in_answer("collectors.list", "{'context':'people'}", "'name':'Watch','active':true,'waiting':1");
}
END_TEST

START_TEST(ins_10_snapshots_are_dropped)
{
    for (int i = 0; i < 3; i++)
        inspect_ask("snapshots.take", "{}");
    expect_answer("snapshots.drop", "{'snapshot':2}", "{'frame':0,'dropped':1}");
    expect_in_answer("snapshots.drop", "{'snapshot':2}", "error -32602: there is no such snapshot");
    expect_answer("snapshots.drop", "{}", "{'frame':0,'dropped':2}");
    expect_in_answer("snapshots.list", "{}", "'count':0,'every':0,'keep':60,'bytes':0,");
    ck_assert_uint_eq(kin_context_memory(&town->contexts->people->base).snapshots.used, 0);
}
END_TEST

START_TEST(ins_26_a_read_only_inspector_has_no_snapshots)
{
    kin_inspector_options options = inspect_options();
    options.read_only = true;
    snapshots_begin_with(options);
    expect_in_answer("snapshots.take", "{}", "error -33100: the inspector is read-only");
    expect_in_answer("snapshots.restore", "{'snapshot':1}", "error -33100:");
    expect_in_answer("snapshots.drop", "{}", "error -33100:");
    expect_in_answer("snapshots.list", "{}", "'snapshots':[]");
    expect_in_answer("snapshots.diff", "{'from':1}", "error -32602: there is no such snapshot");
    snapshots_end();
}
END_TEST

static char held_answers[3][256];

static void ask_while_held(void *user)
{
    (void)user;
    snprintf(held_answers[0], sizeof held_answers[0], "%s", inspect_ask("snapshots.restore", "{'snapshot':1}"));
    snprintf(held_answers[1], sizeof held_answers[1], "%s", inspect_ask("snapshots.diff", "{'from':1}"));
    snprintf(held_answers[2], sizeof held_answers[2], "%s", inspect_ask("snapshots.diff", "{'from':1,'to':2}"));
    inspect_ask("time.resume", "{}");
}

START_TEST(ins_61_an_update_that_is_held_is_neither_saved_nor_restored)
{
    kin_inspector_options options = inspect_options();
    options.on_hold = ask_while_held;
    snapshots_begin_with(options);
    inspect_ask("snapshots.take", "{}");
    inspect_ask("snapshots.take", "{}");
    inspect_ask("time.hold", "{'system':'Mayor'}");
    update_times(1);
    ck_assert_ptr_nonnull(strstr(held_answers[0], "error -33101: town is held before execute of Mayor"));
    ck_assert_ptr_nonnull(strstr(held_answers[1], "error -33101: town is held"));
    ck_assert_ptr_nonnull(strstr(held_answers[2], "\"appeared\":0,\"gone\":0,\"changed\":0,\"rows\":[]"));
    ck_assert_ptr_null(strchr(log_text(), '!'));
    snapshots_end();
}
END_TEST

// ---- memory

START_TEST(ins_08_the_newest_snapshots_stay)
{
    expect_in_answer("snapshots.take", "{'keep':3}", "'snapshot':1,'count':1,'every':0,'keep':3");
    for (int i = 0; i < 4; i++)
        inspect_ask("snapshots.take", "{}");
    expect_in_answer("snapshots.list", "{}", "'snapshots':[{'snapshot':3,");
    expect_in_answer("snapshots.restore", "{'snapshot':3}", "'snapshot':3,'previous':5"); // it is spared
    expect_in_answer("snapshots.take", "{'keep':1}", "'snapshot':7,'count':1,");
    set_years(2);
    expect_in_answer("snapshots.restore", "{'snapshot':7}", "'snapshot':7,'previous':null");
    expect_in_answer("snapshots.take", "{'keep':121}", "error -33102:");
}
END_TEST

START_TEST(ins_08_snapshots_take_half_of_the_memory_at_most)
{
    kin_inspector_options options = inspect_options();
    options.memory = 3 * 1024 * 1024;
    snapshots_begin_with(options);
    fill_town();
    const kin__snapshots *snapshots = NULL;
    size_t before = atomic_load(&inspector->service.heap.used), most = 0;
    for (int i = 0; i < 60; i++) {
        change_town();
        expect_in_answer("snapshots.take", "{}", "'snapshot':");
        snapshots = inspector->service.sites.hosts[0].snapshots;
        most = snapshots->bytes > most ? snapshots->bytes : most;
        ck_assert_uint_le(snapshots->bytes, options.memory / 2);
        ck_assert_uint_eq(snapshots->bytes, kin_context_memory(&town->contexts->people->base).snapshots.used +
                                                kin_context_memory(&town->contexts->houses->base).snapshots.used);
    }
    ck_assert_uint_gt(most, options.memory / 4);
    ck_assert_uint_lt(snapshots->count, 60);
    ck_assert_uint_ge(snapshots->count, 2);
    inspect_ask("snapshots.drop", "{}");
    ck_assert_uint_le(atomic_load(&inspector->service.heap.used), before + sizeof *snapshots + 4096);
    snapshots_end();
}
END_TEST

START_TEST(ins_08_a_snapshot_that_does_not_fit_is_refused)
{
    kin_inspector_options options = inspect_options();
    options.memory = 256 * 1024;
    snapshots_begin_with(options);
    fill_town();
    fill_town();
    fill_town();
    expect_in_answer("snapshots.take", "{}",
                     "error -33102: the snapshot needs more than half of the inspector's memory; raise it");
    expect_in_answer("snapshots.list", "{}", "'count':0,");
    ck_assert_uint_eq(kin_context_memory(&town->contexts->people->base).snapshots.used, 0);
    snapshots_end();
}
END_TEST

START_TEST(ins_53_a_refusal_comes_with_its_sentence_and_the_game_is_not_told)
{
    inspect_ask("snapshots.take", "{}");
    kin_systems *added = kin_systems_create("added", NULL);
    kin_systems_add_systems(town_world_systems(town), added);
    set_years(5);
    expect_in_answer("snapshots.restore", "{'snapshot':1}",
                     "error -33009: cannot restore the world town: systems were added or removed since the save");
    ck_assert_int_eq(years(), 5);
    ck_assert_ptr_null(strchr(log_text(), '!'));
    kin_systems_remove(town_world_systems(town), "added");
}
END_TEST

// ---- a period

START_TEST(ins_10_snapshots_are_taken_again_and_again)
{
    update_times(1);
    expect_in_answer("snapshots.take", "{'every':2,'keep':4}", "'snapshot':1,'count':1,'every':2,'keep':4");
    for (int i = 0; i < 9; i++)
        update_times(1);
    expect_in_answer("snapshots.list", "{}", "'count':4,'every':2,'keep':4,");
    expect_in_answer("snapshots.list", "{}", "'snapshots':[{'snapshot':2,'frame':2,");
    expect_in_answer("snapshots.list", "{}", "{'snapshot':5,'frame':8,");
    inspect_ask("time.pause", "{}");
    update_times(10);
    expect_in_answer("snapshots.list", "{}", "'count':4,");
    inspect_ask("time.resume", "{}");
    inspect_ask("snapshots.restore", "{'snapshot':3}"); // the next one comes two updates later
    update_times(3);
    expect_in_answer("snapshots.list", "{}", "{'snapshot':7,'frame':6,");
    expect_in_answer("snapshots.take", "{'every':0}", "'snapshot':null,'count':4,'every':0,");
    update_times(10);
    expect_in_answer("snapshots.list", "{}", "{'snapshot':7,'frame':6,");
    expect_in_answer("snapshots.take", "{'every':-1}", "error -33102:");
}
END_TEST

START_TEST(ins_10_a_period_ends_with_the_last_viewer_and_snapshots_stay)
{
    kin__host *host = &inspector->service.sites.hosts[0];
    update_times(1);
    inspect_ask("snapshots.take", "{'every':1}");
    update_times(3);
    ck_assert_uint_eq(host->snapshots->count, 3);
    ck_assert_uint_gt(atomic_load(&host->attention), 0);
    atomic_store(&host->last_request, atomic_load(&host->last_request) - 11 * UINT64_C(1000000000));
    update_times(5);
    ck_assert_uint_eq(host->snapshots->count, 3);
    ck_assert_uint_eq(host->snapshots->every, 0);
    ck_assert_uint_eq(atomic_load(&host->attention), 0);
}
END_TEST

START_TEST(ins_32_one_that_takes_longer_than_the_budget_is_taken_less_often)
{
    inspect_ask("snapshots.take", "{'every':1}");
    kin__snapshots *snapshots = inspector->service.sites.hosts[0].snapshots;
    for (int i = 0; i < 20; i++) {
        snapshots->microseconds = 5 * 500 + 100;
        update_times(1);
    }
    ck_assert_uint_ge(snapshots->count, 4);
    ck_assert_uint_le(snapshots->count, 5);
}
END_TEST

Suite *inspect_snapshots_suite(void)
{
    Suite *suite = suite_create("inspect_snapshots");
    TCase *tests = tcase_create("inspect_snapshots"), *others = tcase_create("other options");
    tcase_add_checked_fixture(tests, snapshots_begin, snapshots_end);
    tcase_set_timeout(others, 60);
    tcase_add_test(tests, ins_10_a_world_needs_no_functions_to_be_saved_and_restored);
    tcase_add_test(tests, ins_68_what_undoes_a_restore_is_in_its_answer);
    tcase_add_test(tests, ins_10_a_restore_can_notify_collectors_anew);
    tcase_add_test(tests, ins_10_snapshots_are_dropped);
    tcase_add_test(tests, ins_08_the_newest_snapshots_stay);
    tcase_add_test(tests, ins_53_a_refusal_comes_with_its_sentence_and_the_game_is_not_told);
    tcase_add_test(tests, ins_10_snapshots_are_taken_again_and_again);
    tcase_add_test(tests, ins_10_a_period_ends_with_the_last_viewer_and_snapshots_stay);
    tcase_add_test(tests, ins_32_one_that_takes_longer_than_the_budget_is_taken_less_often);
    tcase_add_test(others, ins_26_a_read_only_inspector_has_no_snapshots);
    tcase_add_test(others, ins_61_an_update_that_is_held_is_neither_saved_nor_restored);
    tcase_add_test(others, ins_08_snapshots_take_half_of_the_memory_at_most);
    tcase_add_test(others, ins_08_a_snapshot_that_does_not_fit_is_refused);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, others);
    return suite;
}

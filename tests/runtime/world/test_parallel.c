// Parallel systems: pieces, batches, executors, and what jobs may not do.
#include "runtime/support/hive_case.h"
#include "suites.h"

#include <check.h>
#include <kin/pool.h>
#include <stdlib.h>
#include <string.h>

// ---- executors

static uint32_t submitted;

// Runs the tasks when it is waited for, the last one first.
typedef struct backwards {
    kin_task *task;
    void *work;
    uint32_t count;
} backwards;

static void *submit_backwards(kin_task *task, void *work, uint32_t count, void *user)
{
    backwards *order = user;
    *order = (backwards){task, work, count};
    submitted++;
    return order;
}

static void wait_backwards(void *ticket, void *user)
{
    backwards *order = ticket;
    (void)user;
    while (order->count > 0)
        order->task(order->work, --order->count);
}

static void *refuse(kin_task *task, void *work, uint32_t count, void *user)
{
    (void)task;
    (void)work;
    (void)count;
    (void)user;
    submitted++;
    return NULL;
}

static uint64_t now, step;

static uint64_t read_now(void *user)
{
    (void)user;
    return now += step;
}

static backwards order;
static const kin_executor backward = {.threads = 2, .submit = submit_backwards, .wait = wait_backwards, .user = &order};

static void set_executor(const kin_executor *executor)
{
    submitted = 0;
    ck_assert_int_eq(hive_hive_world_set_executor(hive, executor), KIN_OK);
}

static kin_parallel last_of(const char *name)
{
    kin_parallel last;
    ck_assert_int_eq(kin_systems_parallel(hive_hive_world_systems(hive), name, &last), KIN_OK);
    return last;
}

// ---- pieces

static uint32_t visits[4096];
static uint32_t calls_of[16];

static void count_visits(hive_fly_job *job, hive_fly_iter *it)
{
    calls_of[hive_fly_piece(job)]++;
    hive_log("%u/%u ", (unsigned)hive_fly_piece(job), (unsigned)hive_fly_piece_count(job));
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            visits[kin_entity_slot(hive_fly_at(it, i).id)]++;
}

START_TEST(par_01_each_member_is_in_one_piece_in_ascending_order_on_one_thread)
{
    memset(visits, 0, sizeof visits);
    hive_fill(2000);
    hive_does.fly = count_visits;
    hive_update();
    ck_assert_str_eq(hive_log_text(), "enter(2000) first(2000) 0/4 1/4 2/4 3/4 ");
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 4096; i++) {
        ck_assert_uint_le(visits[i], 1);
        sum += visits[i];
    }
    ck_assert_uint_eq(sum, 2000);
    ck_assert_uint_eq(last_of("Fly").pieces, 4);
}
END_TEST

START_TEST(par_01_a_piece_in_which_no_chunk_can_match_is_not_called)
{
    hive_fill(1);
    for (int i = 0; i < 1000; i++)
        hive_bees_spawn_egg(bees); // in other chunks, without places and velocities
    hive_does.fly = count_visits;
    hive_update();
    ck_assert_str_eq(hive_log_text(), "enter(1) first(1) 0/3 ");
    ck_assert_uint_eq(last_of("Fly").pieces, 1);
}
END_TEST

// ---- batches

static void fly_logs(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_log("fly%u ", (unsigned)hive_fly_piece(job));
}

static void drift_logs(hive_drift_job *job, hive_drift_iter *it)
{
    (void)job;
    (void)it;
    hive_log("drift ");
}

static void look_logs(hive_look_job *job)
{
    (void)job;
    hive_log("look ");
}

static void hatch_logs(hive_hatch_job *job, hive_bees_entity entity)
{
    (void)job;
    (void)entity;
    hive_log("hatch ");
}

static void smoke_logs(hive_hatch_job *job, hive_smoke_entity entity)
{
    (void)job;
    (void)entity;
    hive_log("smoke ");
}

static void begin_logs(void)
{
    hive_log("begin ");
}

static void act_all(void)
{
    hive_does = (hive_actions){.begin = begin_logs,
                               .fly = fly_logs,
                               .drift = drift_logs,
                               .look = look_logs,
                               .hatch = hatch_logs,
                               .hatch_smoke = smoke_logs};
}

START_TEST(par_09_a_batch_prepares_all_its_systems_then_runs_all_jobs_then_the_next_begins)
{
    hive_fill(600);
    hive_bees_spawn_egg(bees);
    hive_smoke_add_puff(hive->contexts->smoke, hive_smoke_create_entity(hive->contexts->smoke), (hive_Puff){1});
    hive_hive_publish_sting(hive, (hive_Sting){.amount = 7});
    act_all();
    hive_update();
    ck_assert_str_eq(hive_log_text(), "begin enter(600) sting(7) first(600) fly0 fly1 look hatch smoke drift drift "
                                      "land(7,dead) ");
}
END_TEST

static uint32_t sums;

static void count_sum(void)
{
    sums++;
}

START_TEST(par_09_each_system_of_a_batch_runs_once_whether_or_not_others_have_anything_to_do)
{
    hive_does.sum = count_sum;
    sums = 0;
    hive_update(); // nothing flies, and there are no eggs
    ck_assert_uint_eq(sums, 1);
    hive_fill(1);
    hive_update();
    ck_assert_uint_eq(sums, 2);
    kin_systems_set_enabled(hive_hive_world_systems(hive), "Wake", false);
    hive_update();
    ck_assert_uint_eq(sums, 3);
}
END_TEST

static void update_again(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    hive_hive_world_update(hive, 1);
}

START_TEST(par_12_an_update_by_a_listener_runs_jobs_on_its_thread)
{
    hive_fill(1500);
    set_executor(&backward);
    kin_group *sleepers = kin_context_group(&bees->base, KIN_MATCHER(KIN_ALL(HIVE_BEES_ASLEEP)));
    kin_group_subscribe(sleepers, KIN_ADDED, update_again, NULL);
    hive_does.sum = count_sum;
    sums = 0;
    hive_bees_set_asleep(bees, hive_bee(), true);
    ck_assert_uint_eq(sums, 1);
    hive_log_text();
}
END_TEST

START_TEST(par_17_disabled_systems_and_those_with_an_empty_group_are_not_called)
{
    act_all();
    hive_update();
    ck_assert_str_eq(hive_log_text(), "begin look ");
    hive_fill(1);
    kin_systems_set_enabled(hive_hive_world_systems(hive), "Fly", false);
    hive_update();
    ck_assert_str_eq(hive_log_text(), "begin look drift ");
    kin_systems_set_enabled(hive_hive_world_systems(hive), "Fly", true);
    kin_systems_set_enabled(hive_hive_world_systems(hive), "Look", false);
    hive_update();
    ck_assert_str_eq(hive_log_text(), "begin enter(1) first(1) fly0 drift ");
}
END_TEST

static uint32_t winters;

static void count_winters(hive_winter_job *job, hive_winter_iter *it)
{
    winters++;
    ck_assert(hive_winter_next(it));
    if (winters == 1)
        hive_winter_set_asleep(job, hive_winter_at(it, 0), true);
    else
        ck_assert(hive_bees_is_asleep(bees, hive_winter_at(it, 0)));
}

START_TEST(par_16_in_a_fixed_node_every_step_runs_batches_and_commands)
{
    hive_fill(1);
    winters = 0;
    hive_does.winter = count_winters;
    hive_hive_world_update(hive, 1.5);
    ck_assert_uint_eq(winters, 3);
}
END_TEST

// ---- executors

// Leaves one batch of several jobs.
static void skip_dusk(void)
{
    kin_systems_set_enabled(hive_hive_world_systems(hive), "dusk", false);
}

START_TEST(par_12_the_executor_gets_all_jobs_of_a_batch_at_once)
{
    skip_dusk();
    hive_fill(1200);
    act_all();
    set_executor(&backward);
    hive_update();
    ck_assert_str_eq(hive_log_text(), "begin enter(1200) first(1200) look fly2 fly1 fly0 drift drift drift ");
    ck_assert_uint_eq(submitted, 2); // Fly with Look, and Drift
    set_executor(&(kin_executor){.threads = 2, .submit = refuse, .wait = wait_backwards});
    hive_update();
    ck_assert_str_eq(hive_log_text(), "begin fly0 fly1 fly2 look drift drift drift ");
    ck_assert_uint_eq(submitted, 2);
    set_executor(&(kin_executor){.threads = 1, .submit = refuse, .wait = wait_backwards});
    hive_update();
    ck_assert_uint_eq(submitted, 0);
    hive_log_text();
}
END_TEST

START_TEST(par_04_jobs_run_on_the_updating_thread_after_three_cheap_turns)
{
    skip_dusk();
    kin_executor clocked = backward;
    clocked.now = read_now;
    hive_fill(1200);
    set_executor(&clocked);
    kin_systems_set_enabled(hive_hive_world_systems(hive), "Drift", false);
    kin_systems_set_enabled(hive_hive_world_systems(hive), "Winter", false);
    step = 100;
    for (uint32_t i = 1; i <= 6; i++) {
        hive_update();
        ck_assert_uint_eq(submitted, i < 3 ? i : 3);
    }
    ck_assert_uint_gt(last_of("Fly").busy, 0);
    step = 30000; // that turn is costly, and the next one is split again
    hive_update();
    ck_assert_uint_eq(submitted, 3);
    hive_update();
    ck_assert_uint_eq(submitted, 4);
    hive_log_text();
}
END_TEST

static void call_once(void *ticket, void *user)
{
    const backwards *given = ticket;
    (void)user;
    given->task(given->work, 0);
    given->task(given->work, 0);
}

START_TEST(par_12_an_executor_that_does_not_call_each_job_once_is_reported)
{
    skip_dusk();
    hive_fill(1000);
    set_executor(&(kin_executor){.threads = 2, .submit = submit_backwards, .wait = call_once, .user = &order});
    kin_systems_set_enabled(hive_hive_world_systems(hive), "Look", false);
    kin_systems_set_enabled(hive_hive_world_systems(hive), "Drift", false);
    hive_update();
    ck_assert_ptr_nonnull(strstr(hive_errors.entries[0].message, "the executor did not call 2 jobs exactly once"));
    ck_assert_reported(&hive_errors, KIN_ERROR_INVALID);
    hive_log_text();
}
END_TEST

static void set_inside(void)
{
    ck_assert_int_eq(hive_hive_world_set_executor(hive, NULL), KIN_ERROR_INVALID);
}

START_TEST(par_15_the_executor_is_set_between_updates)
{
    hive_does.begin = set_inside;
    hive_update();
    ck_assert_reported(&hive_errors, KIN_ERROR_INVALID);
    ck_assert_refused(&hive_errors, hive_hive_world_set_executor(hive, &(kin_executor){.threads = 2}),
                      KIN_ERROR_INVALID);
    ck_assert_int_eq(hive_hive_world_set_executor(hive, &(kin_executor){.threads = 0}), KIN_OK);
}
END_TEST

START_TEST(par_18_the_last_turn_is_that_of_a_parallel_system)
{
    kin_parallel last;
    kin_systems *systems = hive_hive_world_systems(hive);
    ck_assert_int_eq(kin_systems_parallel(systems, "Fly", &last), KIN_OK);
    ck_assert(last.pieces == 0 && last.threads == 0 && last.recorded == 0);
    hive_fill(600);
    hive_update();
    last = last_of("Fly");
    ck_assert(last.pieces == 2 && last.threads == 1);
    ck_assert_refused(&hive_errors, kin_systems_parallel(systems, "Middle", &last), KIN_ERROR_INVALID);
    ck_assert_refused(&hive_errors, kin_systems_parallel(systems, "Flu", &last), KIN_ERROR_INVALID);
    ck_assert_refused(&hive_errors, kin_systems_parallel(systems, "Fly", NULL), KIN_ERROR_INVALID);
    hive_log_text();
}
END_TEST

// ---- what jobs may not do

static void change_directly(hive_fly_job *job, hive_fly_iter *it)
{
    (void)job;
    while (hive_fly_next(it)) {
        ck_assert_int_eq(hive_bees_set_asleep(bees, hive_fly_at(it, 0), true), KIN_ERROR_INVALID);
        ck_assert_int_eq(hive_bees_destroy_entity(bees, hive_fly_at(it, 0)), KIN_ERROR_INVALID);
    }
}

START_TEST(par_06_direct_changes_in_jobs_are_refused_and_reported_once_with_the_systems_of_the_batch)
{
    hive_fill(600);
    hive_does.fly = change_directly;
    hive_update();
    ck_assert_ptr_nonnull(strstr(hive_errors.entries[0].message, "bees: a job of Fly, Look cannot change"));
    ck_assert_ptr_nonnull(strstr(hive_errors.entries[0].message, "4 calls were refused"));
    ck_assert_reported(&hive_errors, KIN_ERROR_INVALID);
    ck_assert_uint_eq(hive_bees_entity_count(bees), 600);
    ck_assert_int_eq(hive_bees_set_asleep(bees, hive_bee(), true), KIN_OK);
    hive_log_text();
}
END_TEST

START_TEST(par_07_jobs_read_and_look_up_what_the_system_declares)
{
    hive_fill(1);
    hive_bees_add_cell(bees, hive_bee(), (hive_Cell){3});
    hive_bees_add_tag(bees, hive_bee(), (hive_Tag){4});
    hive_does.fly = NULL;
    hive_fly_job job = {.base_ = {.contexts = (kin_context *const[]){&bees->base, NULL}, .self = hive}};
    hive_bees_entity found[2];
    ck_assert_uint_eq(hive_fly_copy_entities_with_cell_x(&job, 3, found, 2), 1);
    ck_assert_uint_eq(found[0].id, hive_bee().id);
    ck_assert_uint_eq(hive_fly_entity_with_tag_number(&job, 4).id, hive_bee().id);
    ck_assert_int_eq(hive_fly_get_energy(&job, hive_bee())->value, 10);
    ck_assert(hive_fly_has_tag(&job, hive_bee()) && !hive_fly_is_asleep(&job, hive_bee()));
    ck_assert_ptr_eq(hive_fly_user(&job), hive->user);
}
END_TEST

// ---- the same result

static void fly_by_slot(hive_fly_job *job, hive_fly_iter *it)
{
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            hive_bees_entity entity = hive_fly_at(it, i);
            uint32_t slot = kin_entity_slot(entity.id), birth = (uint32_t)kin_entity_creation_index(entity.id);
            it->position[i].x += it->velocity[i].x;
            if (birth % 7 == 0)
                hive_fly_replace_energy(job, entity, (hive_Energy){(int32_t)birth});
            if (birth % 11 == 0)
                hive_fly_replace_load(job, hive_fly_spawn_bee(job), (hive_Load){.from = entity});
            if (birth % 13 == 0)
                hive_fly_destroy_entity(job, entity);
            if (birth % 17 == 0)
                hive_fly_set_asleep(job, entity, slot % 2 == 0);
            if (birth % 19 == 0)
                hive_fly_publish_sting(job, (hive_Sting){.target = entity, .amount = (int32_t)slot});
        }
}

static void drift_by_slot(hive_drift_job *job, hive_drift_iter *it)
{
    (void)job;
    while (hive_drift_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->velocity[i].x += it->position[i].x;
}

// Returns a hash of the state after some updates.
static uint64_t play(const kin_executor *executor)
{
    kin_snapshot *snapshot = NULL;
    hive_end();
    hive_begin();
    hive_fill(1500);
    hive_does.fly = fly_by_slot;
    hive_does.drift = drift_by_slot;
    set_executor(executor);
    for (int i = 0; i < 6; i++)
        hive_update();
    hive_log_text();
    ck_assert_int_eq(hive_hive_world_save(hive, &snapshot), KIN_OK);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return hash;
}

START_TEST(par_03_the_state_is_the_same_for_any_executor)
{
    kin_executor *pools[] = {kin_pool_create(1), kin_pool_create(2), kin_pool_create(4)};
    const kin_executor *executors[] = {&backward, pools[0], pools[1], pools[2]};
    uint64_t expected = play(NULL);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_msg(play(executors[i]) == expected, "executor %u", (unsigned)i);
    for (uint32_t i = 0; i < 3; i++)
        kin_pool_destroy(pools[i]);
}
END_TEST

Suite *runtime_parallel_suite(void)
{
    Suite *suite = suite_create("runtime_parallel");
    TCase *tests = tcase_create("runtime_parallel");
    tcase_add_checked_fixture(tests, hive_begin, hive_end);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, par_01_each_member_is_in_one_piece_in_ascending_order_on_one_thread);
    tcase_add_test(tests, par_01_a_piece_in_which_no_chunk_can_match_is_not_called);
    tcase_add_test(tests, par_09_a_batch_prepares_all_its_systems_then_runs_all_jobs_then_the_next_begins);
    tcase_add_test(tests, par_09_each_system_of_a_batch_runs_once_whether_or_not_others_have_anything_to_do);
    tcase_add_test(tests, par_12_an_update_by_a_listener_runs_jobs_on_its_thread);
    tcase_add_test(tests, par_17_disabled_systems_and_those_with_an_empty_group_are_not_called);
    tcase_add_test(tests, par_16_in_a_fixed_node_every_step_runs_batches_and_commands);
    tcase_add_test(tests, par_12_the_executor_gets_all_jobs_of_a_batch_at_once);
    tcase_add_test(tests, par_04_jobs_run_on_the_updating_thread_after_three_cheap_turns);
    tcase_add_test(tests, par_12_an_executor_that_does_not_call_each_job_once_is_reported);
    tcase_add_test(tests, par_15_the_executor_is_set_between_updates);
    tcase_add_test(tests, par_18_the_last_turn_is_that_of_a_parallel_system);
    tcase_add_test(tests, par_06_direct_changes_in_jobs_are_refused_and_reported_once_with_the_systems_of_the_batch);
    tcase_add_test(tests, par_07_jobs_read_and_look_up_what_the_system_declares);
    tcase_add_test(tests, par_03_the_state_is_the_same_for_any_executor);
    suite_add_tcase(suite, tests);
    return suite;
}

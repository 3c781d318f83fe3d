// Commands of parallel systems: recorded by jobs, run after the last system of the node.
#include "runtime/support/hive_case.h"
#include "suites.h"

#include <check.h>
#include <kin/probe.h>
#include <string.h>

static void expect_message(const char *part)
{
    const char *message = hive_errors.entries[0].message;
    ck_assert_msg(strstr(message, part) != NULL, "%s", message);
}

// ---- order

static void tell_energy(hive_fly_job *job, hive_fly_iter *it)
{
    int32_t piece = (int32_t)hive_fly_piece(job);
    while (hive_fly_next(it))
        hive_fly_replace_energy(job, hive_fly_at(it, 0), (hive_Energy){100 + piece});
    hive_fly_publish_sting(job, (hive_Sting){.amount = piece});
}

static void look_at(hive_look_job *job)
{
    hive_look_set_asleep(job, hive_bee(), true);
}

static void log_change(const kin_change *change, void *user)
{
    (void)user;
    if (change->component == HIVE_BEES_ENERGY && change->value != NULL)
        hive_log("energy(%d) ", (int)((const hive_Energy *)change->value)->value);
    else
        hive_log("asleep ");
}

START_TEST(cmd_02_cmd_07_commands_run_after_the_last_system_of_the_node_by_system_piece_and_recording)
{
    hive_fill(1030);
    hive_update();
    kin_group *energetic = kin_context_group(&bees->base, KIN_MATCHER(KIN_ALL(HIVE_BEES_ENERGY)));
    kin_group *sleepers = kin_context_group(&bees->base, KIN_MATCHER(KIN_ALL(HIVE_BEES_ASLEEP)));
    kin_group_subscribe(energetic, KIN_MODIFIED, log_change, NULL);
    kin_group_subscribe(sleepers, KIN_ADDED, log_change, NULL);
    hive_log_text();
    hive_does.fly = tell_energy;
    hive_does.look = look_at;
    hive_update();
    ck_assert_str_eq(hive_log_text(), "energy(100) energy(101) energy(102) asleep "
                                      "land(0,dead) land(1,dead) land(2,dead) ");
}
END_TEST

static void alarm(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_fly_publish_alarm(job);
}

START_TEST(cmd_09_messages_reach_systems_whose_turn_is_to_come_and_others_in_the_next_update)
{
    hive_fill(1);
    hive_does.fly = tell_energy;
    hive_update();
    ck_assert_str_eq(hive_log_text(), "enter(1) first(1) land(0,dead) ");
    hive_does.fly = alarm; // Middle is in the same node: its turn is over when the commands run
    hive_update();
    ck_assert_str_eq(hive_log_text(), "sting(0) ");
    hive_does.fly = NULL;
    hive_update();
    ck_assert_str_eq(hive_log_text(), "alarm ");
}
END_TEST

// ---- every kind

static hive_bees_entity target;

static void change_everything(hive_fly_job *job, hive_fly_iter *it)
{
    static const int32_t grains[] = {7, 8, 9};
    char name[] = "Willy";
    (void)it;
    ck_assert_int_eq(hive_fly_add_name(job, target, (hive_Name){name}), KIN_OK);
    ck_assert_int_eq(hive_fly_add_tag(job, target, (hive_Tag){42}), KIN_OK);
    ck_assert_int_eq(hive_fly_add_load(job, target, (hive_Load){.grains = {grains, 3}, .from = target}), KIN_OK);
    ck_assert_int_eq(hive_fly_replace_grid(job, target, (hive_Grid){.a = 3, .b = 4}), KIN_OK);
    ck_assert_int_eq(hive_fly_remove_energy(job, target), KIN_OK);
    ck_assert_int_eq(hive_fly_set_asleep(job, target, true), KIN_OK);
    ck_assert_int_eq(hive_fly_replace_cell(job, target, (hive_Cell){5}), KIN_OK);
    memset(name, 'x', sizeof name - 1); // the command has a copy
    ck_assert_ptr_null(hive_bees_get_name(bees, target));
}

START_TEST(cmd_01_cmd_03_commands_are_calls_with_copies_of_their_values_made_later)
{
    hive_fill(1);
    target = hive_bee();
    hive_does.fly = change_everything;
    hive_update();
    ck_assert_str_eq(hive_bees_get_name(bees, target)->value, "Willy");
    ck_assert_uint_eq(hive_bees_entity_with_tag_number(bees, 42).id, target.id);
    const hive_Load *load = hive_bees_get_load(bees, target);
    ck_assert_uint_eq(load->grains.count, 3);
    ck_assert_int_eq(load->grains.at[2], 9);
    ck_assert_uint_eq(load->from.id, target.id);
    hive_Grid grid;
    ck_assert(hive_bees_read_grid(bees, target, &grid));
    ck_assert(grid.a == 3 && grid.b == 4);
    ck_assert(!hive_bees_has_energy(bees, target));
    ck_assert(hive_bees_is_asleep(bees, target));
    uint32_t count;
    ck_assert_uint_eq(hive_bees_entities_with_cell_x(bees, 5, &count)[0].id, target.id);
}
END_TEST

// ---- entities to come

static void spawn_family(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_bees_entity first = hive_fly_spawn_bee(job), queen = hive_fly_spawn_queen(job);
    ck_assert(!hive_bees_entity_is_alive(bees, first));
    ck_assert(!hive_fly_has_energy(job, queen));
    hive_fly_add_tag(job, first, (hive_Tag){1});
    hive_fly_add_tag(job, queen, (hive_Tag){2});
    hive_fly_add_load(job, first,
                      (hive_Load){.from = queen, .way = {{.at = first, .length = 1}, {.at = target, .length = 2}}});
    hive_fly_publish_sting(job, (hive_Sting){.target = queen, .amount = 3});
}

START_TEST(cmd_04_an_entity_to_come_stands_for_what_was_made_in_later_commands_of_its_job)
{
    hive_fill(1);
    target = hive_bee();
    hive_does.fly = spawn_family;
    hive_update();
    ck_assert_str_eq(hive_log_text(), "enter(1) first(1) land(3,alive) ");
    hive_bees_entity first = hive_bees_entity_with_tag_number(bees, 1);
    hive_bees_entity queen = hive_bees_entity_with_tag_number(bees, 2);
    ck_assert_int_eq(hive_bees_get_energy(bees, first)->value, 10);
    ck_assert_int_eq(hive_bees_get_energy(bees, queen)->value, 50);
    const hive_Load *load = hive_bees_get_load(bees, first);
    ck_assert_uint_eq(load->from.id, queen.id);
    ck_assert_uint_eq(load->way[0].at.id, first.id);
    ck_assert_uint_eq(load->way[1].at.id, target.id);
    ck_assert_uint_eq(hive_bees_entity_count(bees), 5); // with the two eggs of the queen
}
END_TEST

// ---- spawns with values

static void spawn_drones(hive_fly_job *job, hive_fly_iter *it)
{
    char name[] = "Willy";
    int32_t grains[] = {4, 5, 6};
    (void)it;
    hive_bees_entity bee = hive_fly_spawn_bee_with(job, (hive_bees_bee_value){.energy = {77}, .given.energy = true});
    hive_bees_drone_value value = {.name = {name}, .grid = {.a = 8, .b = 9}};
    value.load = (hive_Load){.grains = {grains, 3}, .from = bee, .way = {{.at = target}, {.at = bee}}};
    value.given.name = value.given.load = value.given.grid = true;
    hive_bees_entity drone = hive_fly_spawn_drone_with(job, value);
    hive_bees_entity plain = hive_fly_spawn_drone_with(job, (hive_bees_drone_value){.energy = {99}});
    ck_assert(!hive_fly_has_energy(job, bee) && !hive_bees_entity_is_alive(bees, drone));
    hive_fly_add_tag(job, bee, (hive_Tag){1});
    hive_fly_add_tag(job, drone, (hive_Tag){2});
    hive_fly_add_tag(job, plain, (hive_Tag){3});
    memset(name, 'x', sizeof name - 1); // the command has copies
    memset(grains, 0, sizeof grains);
}

START_TEST(fnd_40_a_job_spawns_with_values_that_are_copied_and_name_entities_to_come)
{
    hive_fill(1);
    target = hive_bee();
    hive_does.fly = spawn_drones;
    hive_update();
    hive_bees_entity bee = hive_bees_entity_with_tag_number(bees, 1);
    hive_bees_entity drone = hive_bees_entity_with_tag_number(bees, 2);
    hive_bees_entity plain = hive_bees_entity_with_tag_number(bees, 3);
    ck_assert_int_eq(hive_bees_get_energy(bees, bee)->value, 77);
    ck_assert_float_eq(hive_bees_get_velocity(bees, bee)->x, 1); // the blueprint's
    ck_assert_str_eq(hive_bees_get_name(bees, drone)->value, "Willy");
    ck_assert_int_eq(hive_bees_get_energy(bees, drone)->value, 3);
    const hive_Load *load = hive_bees_get_load(bees, drone);
    ck_assert_uint_eq(load->grains.count, 3);
    ck_assert_int_eq(load->grains.at[2], 6);
    ck_assert_uint_eq(load->from.id, bee.id);
    ck_assert_uint_eq(load->way[0].at.id, target.id);
    ck_assert_uint_eq(load->way[1].at.id, bee.id);
    hive_Grid grid;
    ck_assert(hive_bees_read_grid(bees, drone, &grid));
    ck_assert(grid.a == 8 && grid.b == 9);
    ck_assert_str_eq(hive_bees_get_name(bees, plain)->value, "drone");
    ck_assert_int_eq(hive_bees_get_energy(bees, plain)->value, 3); // 99 was not given
    ck_assert_uint_eq(hive_bees_get_load(bees, plain)->grains.count, 0);
    ck_assert_uint_eq(hive_last_of("Fly").recorded, 6);
}
END_TEST

static void spawn_queens(hive_fly_job *job, hive_fly_iter *it)
{
    hive_bees_queen_parts parts;
    (void)it;
    hive_bees_entity queen = hive_fly_spawn_queen_parts(job, &parts);
    ck_assert_uint_eq(queen.id, parts.entity.id);
    hive_fly_add_tag(job, parts.second.entity, (hive_Tag){7});
    hive_fly_replace_energy(job, parts.first.entity, (hive_Energy){11});
    hive_fly_destroy_entity(job, parts.first.entity);
    hive_bees_queen_value value = {.energy = {5}, .given.energy = true};
    hive_fly_add_tag(job, hive_fly_spawn_queen_with(job, value), (hive_Tag){8});
    hive_fly_add_tag(job, hive_fly_spawn_queen_parts(job, NULL), (hive_Tag){9});
}

START_TEST(fnd_40_a_job_spawns_with_children_that_later_commands_may_name)
{
    hive_fill(1);
    hive_does.fly = spawn_queens;
    hive_update();
    hive_bees_entity second = hive_bees_entity_with_tag_number(bees, 7);
    hive_bees_entity queen = hive_bees_get_child_of(bees, second)->parent;
    ck_assert_int_eq(hive_bees_get_energy(bees, queen)->value, 50);
    ck_assert_uint_eq(hive_bees_brood_count(bees, queen), 1); // without the first, which was destroyed
    ck_assert_int_eq(hive_bees_get_energy(bees, hive_bees_entity_with_tag_number(bees, 8))->value, 5);
    ck_assert_uint_eq(hive_bees_brood_count(bees, hive_bees_entity_with_tag_number(bees, 8)), 2);
    ck_assert_uint_eq(hive_bees_brood_count(bees, hive_bees_entity_with_tag_number(bees, 9)), 2);
    ck_assert_uint_eq(hive_errors.count, 0);
}
END_TEST

static void spawn_wrongly(hive_fly_job *job, hive_fly_iter *it)
{
    hive_bees_drone_value value = {.load = {.grains = {NULL, 2}}, .given.load = true};
    (void)it;
    ck_assert_uint_eq(hive_fly_spawn_drone_with(job, value).id, 0);
    hive_fly_set_asleep(job, target, true);
}

START_TEST(fnd_40_a_list_that_an_add_refuses_is_not_recorded_and_reported)
{
    hive_fill(1);
    target = hive_bee();
    hive_does.fly = spawn_wrongly;
    hive_update();
    expect_message("cannot record all commands of Fly: a list has a count and no address; pass the address");
    ck_assert_reported(&hive_errors, KIN_ERROR_INVALID);
    ck_assert_uint_eq(hive_last_of("Fly").recorded, 1);
    ck_assert(hive_bees_is_asleep(bees, target));
    ck_assert_uint_eq(hive_bees_entity_count(bees), 1);
}
END_TEST

static hive_bees_entity kept;

static void keep(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    if (kept.id == 0)
        kept = hive_fly_spawn_egg(job);
    else
        hive_fly_set_asleep(job, kept, true);
}

START_TEST(cmd_04_an_entity_to_come_is_dead_in_the_next_turn)
{
    hive_fill(1);
    kept = HIVE_BEES_NO_ENTITY;
    hive_does.fly = keep;
    hive_update();
    hive_update();
    ck_assert_reported(&hive_errors, KIN_ERROR_NOT_ALIVE);
}
END_TEST

// ---- ordered indices

static void walk_tags(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_bees_by_tag_iter walk = hive_fly_by_tag_begin(job);
    while (hive_fly_by_tag_next(&walk))
        hive_log("%d ", (int)hive_fly_get_tag(job, walk.entity)->number);
    walk = hive_fly_by_tag_from_last(job);
    while (hive_fly_by_tag_previous(&walk))
        hive_log("%d ", (int)hive_fly_get_tag(job, walk.entity)->number);
    walk = hive_fly_by_tag_from(job, 3, 0);
    ck_assert(hive_fly_by_tag_next(&walk));
    hive_log("from %d ", (int)hive_fly_get_tag(job, walk.entity)->number);
    walk = hive_fly_by_tag_range(job, 4, 0, 3, 9);
    while (hive_fly_by_tag_next(&walk))
        hive_log("range %d ", (int)hive_fly_get_tag(job, walk.entity)->number);
    hive_log("below %u ", (unsigned)hive_fly_by_tag_count_below(job, 2, 0));
    hive_bees_entity first = hive_fly_by_tag_first(job), last = hive_fly_by_tag_last(job);
    hive_log("%d %d", (int)hive_fly_get_tag(job, first)->number, (int)hive_fly_get_tag(job, last)->number);
    hive_fly_replace_tag(job, first, (hive_Tag){0}); // a command: the walks do not see it
    ck_assert_uint_eq(hive_fly_by_tag_first(job).id, first.id);
}

START_TEST(fnd_43_a_job_walks_ordered_indices_that_it_looks_up)
{
    for (int32_t number = 1; number <= 4; number++) {
        hive_bees_entity bee = hive_bees_spawn_bee(bees);
        hive_bees_add_tag(bees, bee, (hive_Tag){number});
        hive_bees_add_cell(bees, bee, (hive_Cell){number % 2});
    }
    hive_update();
    hive_log_text();
    hive_does.fly = walk_tags;
    hive_update();
    ck_assert_str_eq(hive_log_text(), "4 3 2 1 1 2 3 4 from 3 range 4 range 3 below 2 4 1");
    ck_assert_int_eq(hive_bees_get_tag(bees, hive_bees_by_tag_first(bees))->number, 3);
}
END_TEST

// ---- overtaken and refused commands

static void destroy_target(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_fly_destroy_entity(job, target);
    hive_fly_replace_energy(job, target, (hive_Energy){1});
    hive_fly_destroy_entity(job, target);
}

START_TEST(cmd_05_commands_for_an_entity_that_an_earlier_command_ended_are_dropped_and_counted)
{
    hive_fill(2);
    target = hive_bee();
    hive_does.fly = destroy_target;
    hive_update();
    ck_assert(!hive_bees_entity_is_alive(bees, target));
    kin_parallel last = hive_last_of("Fly");
    ck_assert_uint_eq(last.recorded, 3);
    ck_assert_uint_eq(last.dropped, 2);
    ck_assert_uint_eq(last.refused, 0);
}
END_TEST

static void look_at_target(hive_look_job *job)
{
    hive_look_set_asleep(job, target, true);
    hive_look_set_asleep(job, target, false);
}

START_TEST(cmd_05_commands_for_an_entity_that_an_earlier_system_ended_are_dropped_and_counted)
{
    hive_fill(2);
    target = hive_bee();
    hive_does.fly = destroy_target;
    hive_does.look = look_at_target;
    hive_update();
    ck_assert(!hive_bees_entity_is_alive(bees, target));
    ck_assert_uint_eq(hive_last_of("Look").dropped, 2);
    ck_assert_uint_eq(hive_last_of("Look").refused, 0);
    ck_assert_uint_eq(hive_errors.count, 0);
}
END_TEST

static void add_again(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_fly_add_energy(job, target, (hive_Energy){1});
    hive_fly_set_asleep(job, target, true);
}

START_TEST(cmd_06_a_refused_command_is_reported_with_its_system_and_the_rest_goes_on)
{
    hive_fill(1);
    target = hive_bee();
    hive_does.fly = add_again;
    hive_update();
    ck_assert_uint_eq(hive_errors.count, 1);
    expect_message("bees: system 'Fly' cannot add Energy of entity 1 in slot 0");
    ck_assert_reported(&hive_errors, KIN_ERROR_HAS_COMPONENT);
    ck_assert(hive_bees_is_asleep(bees, target));
    ck_assert_uint_eq(hive_last_of("Fly").refused, 1);
    hive_bees_add_energy(bees, target, (hive_Energy){1}); // a call of the program
    expect_message("bees: cannot add Energy of entity 1");
    ck_assert_reported(&hive_errors, KIN_ERROR_HAS_COMPONENT);
}
END_TEST

// ---- executors that call what they were not given

typedef struct tasks {
    kin_task *task;
    void *work;
    uint32_t count;
} tasks;

static tasks given;

static void *submit_wildly(kin_task *task, void *work, uint32_t count, void *user)
{
    given = (tasks){task, work, count};
    for (uint32_t i = 0; i < 2 * count; i++)
        task(work, i % count);
    task(work, count);
    task(work, UINT32_MAX);
    return user;
}

static void wait_for_nothing(void *ticket, void *user)
{
    (void)ticket, (void)user;
}

static void call_late(void)
{
    for (uint32_t i = 0; given.task != NULL && i <= given.count; i++)
        given.task(given.work, i);
}

// A command for each bee, which leaves it awake.
static void wake_all(hive_fly_job *job, hive_fly_iter *it)
{
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            hive_fly_set_asleep(job, hive_fly_at(it, i), false);
}

START_TEST(par_12_tasks_run_once_and_only_while_the_executor_has_them)
{
    hive_fill(1200);
    hive_does.fly = wake_all;
    given = (tasks){0};
    kin_executor wild = {.threads = 2, .submit = submit_wildly, .wait = wait_for_nothing, .user = &given};
    for (uint32_t gives = 0; gives < 2; gives++) { // also an executor that says that it has begun nothing
        wild.user = gives == 0 ? &given : NULL;
        ck_assert_int_eq(hive_hive_world_set_executor(hive, &wild), KIN_OK);
        hive_update();
        ck_assert_uint_eq(hive_last_of("Fly").recorded, 1200); // each command once
        ck_assert_uint_eq(hive_last_of("Fly").refused, 0);
        ck_assert_uint_gt(hive_errors.count, 0);
        expect_message("the executor made 2 calls that it was not given, or after its `wait`");
        error_log_clear(&hive_errors);
        call_late();
        hive_update();
        ck_assert_uint_eq(hive_last_of("Fly").recorded, 1200);
        error_log_clear(&hive_errors);
    }
    ck_assert_int_eq(hive_hive_world_set_executor(hive, NULL), KIN_OK);
    call_late();
    hive_update();
    error_log_clear(&hive_errors);
}
END_TEST

static void load_nothing(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_bees_entity made = hive_fly_spawn_bee(job);
    ck_assert_int_eq(hive_fly_add_load(job, made, (hive_Load){.grains = {NULL, 2}}), KIN_ERROR_INVALID);
    ck_assert_int_eq(hive_fly_replace_load(job, target, (hive_Load){.grains = {NULL, 2}}), KIN_ERROR_INVALID);
}

START_TEST(cmd_03_a_list_without_an_address_is_reported_when_the_batch_has_ended)
{
    hive_fill(1);
    target = hive_bee();
    hive_does.fly = load_nothing;
    hive_update();
    ck_assert_uint_eq(hive_errors.count, 1);
    expect_message("cannot record all commands of Fly: a list has a count and no address; pass the address");
    ck_assert_reported(&hive_errors, KIN_ERROR_INVALID);
    ck_assert(!hive_bees_has_load(bees, target));
    ck_assert_uint_eq(hive_last_of("Fly").refused, 2);
    hive_does.fly = NULL;
    hive_update();
    ck_assert_uint_eq(hive_last_of("Fly").refused, 0);
}
END_TEST

static void alarm_three_times(hive_fly_job *job, hive_fly_iter *it)
{
    for (uint32_t i = 0; i < 3; i++)
        alarm(job, it);
}

START_TEST(cmd_06_a_message_that_a_full_inbox_loses_is_reported_with_its_system)
{
    hive_fill(1);
    hive_does.fly = alarm_three_times;
    hive_update();
    ck_assert_uint_eq(hive_errors.count, 1);
    expect_message("system 'Fly' cannot publish Alarm to Middle: 2 messages fill its inbox");
    ck_assert_reported(&hive_errors, KIN_ERROR_LIMIT);
    hive_does.fly = NULL;
    hive_hive_publish_alarm(hive); // a call of the program
    expect_message("cannot publish Alarm to Middle");
    ck_assert_ptr_null(strstr(hive_errors.entries[0].message, "system"));
    ck_assert_reported(&hive_errors, KIN_ERROR_LIMIT);
}
END_TEST

static void destroy_by_middle(void)
{
    hive_bees_destroy_entity(bees, target);
}

START_TEST(cmd_06_a_command_for_an_entity_that_was_dead_before_the_commands_is_reported)
{
    hive_fill(2);
    target = hive_bee();
    hive_does.fly = add_again;
    hive_does.middle = destroy_by_middle;
    hive_hive_publish_alarm(hive);
    hive_update();
    ck_assert_uint_eq(hive_errors.count, 2);
    ck_assert_int_eq(hive_errors.entries[1].status, KIN_ERROR_NOT_ALIVE);
    error_log_clear(&hive_errors);
}
END_TEST

static void spawn_and_change(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_bees_entity egg = hive_fly_spawn_egg(job);
    hive_fly_set_asleep(job, egg, true);
    hive_fly_destroy_entity(job, egg);
}

START_TEST(cmd_08_commands_for_an_entity_that_could_not_be_made_are_dropped)
{
    hive_end();
    kin_context_options options = {
        .allocator = guard_begin(&hive_memory), .on_error = error_log_append, .error_user = &hive_errors};
    options.max_entities = 1;
    hive = hive_hive_world_create(&options, NULL);
    bees = hive->contexts->bees;
    hive_fill(1);
    hive_does.fly = spawn_and_change;
    hive_update();
    ck_assert_reported(&hive_errors, KIN_ERROR_LIMIT);
    kin_parallel last = hive_last_of("Fly");
    ck_assert_uint_eq(last.dropped, 2);
    ck_assert_uint_eq(last.refused, 1);
}
END_TEST

static uint32_t nested;

static void execute_again(const kin_change *change, void *user)
{
    (void)change;
    (void)user;
    if (nested++ == 0)
        kin_systems_execute(hive_hive_world_systems(hive), 1);
}

static void put_to_sleep_twice(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    hive_fly_set_asleep(job, target, true);
    hive_fly_set_asleep(job, target, false);
    hive_fly_add_energy(job, target, (hive_Energy){1}); // refused
}

START_TEST(cmd_07_systems_that_a_listener_executes_in_a_playback_leave_its_commands_alone)
{
    hive_fill(1);
    target = hive_bee();
    kin_group *sleepers = kin_context_group(&bees->base, KIN_MATCHER(KIN_ALL(HIVE_BEES_ASLEEP)));
    kin_group_subscribe(sleepers, KIN_ADDED, execute_again, NULL);
    nested = 0;
    hive_does.fly = put_to_sleep_twice;
    hive_update();
    ck_assert_uint_eq(nested, 1);
    ck_assert(!hive_bees_is_asleep(bees, target));
    ck_assert_uint_eq(hive_errors.count, 1);
    ck_assert_ptr_nonnull(strstr(hive_errors.entries[0].message, "system 'Fly'"));
    error_log_clear(&hive_errors);
    hive_does.fly = NULL;
    hive_update();
    ck_assert_uint_eq(hive_last_of("Fly").recorded, 0);
}
END_TEST

// ---- removed systems

static void disable_fly(void)
{
    kin_systems_remove(hive_hive_world_systems(hive), "Fly");
}

START_TEST(cmd_11_commands_of_a_system_that_is_removed_meanwhile_run)
{
    hive_fill(1);
    target = hive_bee();
    hive_does.fly = change_everything;
    hive_does.middle = disable_fly;
    hive_hive_publish_alarm(hive);
    hive_update();
    ck_assert(hive_bees_is_asleep(bees, target));
    ck_assert_ptr_nonnull(hive_bees_get_name(bees, target));
}
END_TEST

// ---- the time of a batch

static uint64_t now; // which only the jobs advance

static uint64_t read_now(void *user)
{
    (void)user;
    return now;
}

static void fly_takes_time(hive_fly_job *job, hive_fly_iter *it)
{
    (void)job;
    (void)it;
    now += 300000;
}

static void look_takes_time(hive_look_job *job)
{
    (void)job;
    now += 100;
}

// What the probe of the calls counts in an update, by system.
static uint64_t entered[2], counted[2];

static int number_of(const kin_call *call)
{
    const bool is_turn = call->role == KIN_ROLE_UPDATE || call->role == KIN_ROLE_EXECUTE;
    if (call->is_collection || !is_turn)
        return -1;
    if (strcmp(call->name, "Fly") == 0)
        return 0;
    return strcmp(call->name, "Look") == 0 ? 1 : -1;
}

static void note_enter(void *user, const kin_call *call)
{
    (void)user;
    if (number_of(call) >= 0)
        entered[number_of(call)] = now;
}

static void note_leave(void *user, const kin_call *call)
{
    int number = number_of(call);
    (void)user;
    if (number >= 0)
        counted[number] = (uint64_t)((double)(now - entered[number]) * call->share + 0.5);
}

static const struct {
    bool has_executor, has_clock;
    uint32_t updates;   // Look runs on the updating thread after three cheap ones
    uint64_t fly, look; // of the 600100 that the batch takes
} batches[] = {
    {false, false, 1, 600000, 100},
    {true, true, 1, 600000, 100},
    {true, true, 4, 600000, 100},
    {true, false, 1, 400066, 200033}, // two jobs and one
};

START_TEST(par_20_the_time_of_a_batch_is_counted_once)
{
    static const kin_call_probe probe = {note_enter, note_leave, NULL};
    kin_systems *systems = hive_hive_world_systems(hive);
    kin_executor executor = hive_late_executor;
    kin_timing fly, look;
    executor.now = batches[_i].has_clock ? read_now : NULL;
    hive_fill(600);
    hive_does = (hive_actions){.fly = fly_takes_time, .look = look_takes_time};
    if (batches[_i].has_executor)
        ck_assert_int_eq(hive_hive_world_set_executor(hive, &executor), KIN_OK);
    kin_systems_profile(systems, &(kin_clock){read_now, NULL}, 8);
    kin_systems_set_probe(systems, &probe);
    for (uint32_t i = 0; i < batches[_i].updates; i++)
        hive_update();
    kin_systems_timing(systems, "Fly", KIN_ROLE_UPDATE, &fly);
    kin_systems_timing(systems, "Look", KIN_ROLE_EXECUTE, &look);
    ck_assert_uint_le(fly.last > batches[_i].fly ? fly.last - batches[_i].fly : batches[_i].fly - fly.last, 1);
    ck_assert_uint_le(look.last > batches[_i].look ? look.last - batches[_i].look : batches[_i].look - look.last, 1);
    ck_assert_uint_eq(counted[0] + counted[1], 600100);
    ck_assert_uint_le(counted[0] - fly.last, 1);
    kin_systems_set_probe(systems, NULL);
    hive_log_text();
}
END_TEST

// ---- what jobs read without an iterator

static int32_t season_seen;
static bool is_smoky;

static void read_uniques(hive_fly_job *job, hive_fly_iter *it)
{
    (void)it;
    const hive_Season *season = hive_fly_season(job);
    season_seen = season == NULL ? -1 : season->value;
    is_smoky = hive_fly_is_unique_smoky(job);
    ck_assert(hive_fly_unique_season_entity(job).id == hive_bees_unique_season_entity(bees).id);
    ck_assert(hive_fly_unique_smoky_entity(job).id == hive_bees_unique_smoky_entity(bees).id);
}

START_TEST(fnd_41_a_job_reads_unique_components_without_an_entity)
{
    hive_fill(1);
    hive_does.fly = read_uniques;
    hive_update();
    ck_assert(season_seen == -1 && !is_smoky);
    hive_bees_set_unique_season(bees, (hive_Season){7});
    hive_bees_set_unique_smoky(bees, true);
    hive_update();
    ck_assert(season_seen == 7 && is_smoky);
}
END_TEST

static hive_bees_entity mother, daughters[3], granddaughter;
static uint32_t relations_read;

static void read_brood(hive_fly_job *job, hive_fly_iter *it)
{
    hive_bees_entity found[4];
    (void)it;
    ck_assert_uint_eq(hive_fly_brood_count(job, mother), 3);
    ck_assert(hive_fly_brood_first(job, mother).id == daughters[0].id);
    ck_assert(hive_fly_brood_last(job, mother).id == daughters[2].id);
    ck_assert(hive_fly_brood_next(job, daughters[0]).id == daughters[1].id);
    ck_assert(hive_fly_brood_previous(job, daughters[2]).id == daughters[1].id);
    ck_assert(hive_fly_brood_next(job, daughters[2]).id == 0 && hive_fly_brood_first(job, granddaughter).id == 0);
    ck_assert_uint_eq(hive_fly_copy_brood(job, mother, found, 2), 3);
    ck_assert(found[0].id == daughters[0].id && found[1].id == daughters[1].id);
    ck_assert(hive_fly_brood_root(job, granddaughter).id == mother.id);
    ck_assert_uint_eq(hive_fly_brood_depth(job, granddaughter), 2);
    ck_assert(hive_fly_brood_contains(job, mother, granddaughter));
    ck_assert(!hive_fly_brood_contains(job, daughters[0], granddaughter));
    kin_rule named = HIVE_BEES_ALL(HIVE_BEES_NAME);
    ck_assert(hive_fly_child_of_find_above(job, granddaughter, named).id == mother.id);
    hive_bees_brood_walk walk = hive_fly_brood_walk_from(job, mother);
    uint32_t steps = 0;
    while (hive_bees_brood_walk_next(&walk))
        steps++;
    ck_assert_uint_eq(steps, 5);
    relations_read++;
}

START_TEST(fnd_42_a_job_reads_relations_downwards)
{
    hive_fill(1);
    mother = hive_bees_create_entity(bees);
    hive_bees_add_name(bees, mother, (hive_Name){"mother"});
    for (uint32_t i = 0; i < 3; i++) {
        daughters[i] = hive_bees_create_entity(bees);
        hive_bees_add_child_of(bees, daughters[i], (hive_ChildOf){mother});
    }
    granddaughter = hive_bees_create_entity(bees);
    hive_bees_add_child_of(bees, granddaughter, (hive_ChildOf){daughters[1]});
    relations_read = 0;
    hive_does.fly = read_brood;
    hive_update();
    ck_assert_uint_eq(relations_read, 1);
}
END_TEST

Suite *runtime_jobs_suite(void)
{
    Suite *suite = suite_create("runtime_jobs");
    TCase *tests = tcase_create("runtime_jobs");
    tcase_add_checked_fixture(tests, hive_begin, hive_end);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, cmd_02_cmd_07_commands_run_after_the_last_system_of_the_node_by_system_piece_and_recording);
    tcase_add_test(tests, cmd_09_messages_reach_systems_whose_turn_is_to_come_and_others_in_the_next_update);
    tcase_add_test(tests, fnd_41_a_job_reads_unique_components_without_an_entity);
    tcase_add_test(tests, fnd_42_a_job_reads_relations_downwards);
    tcase_add_test(tests, cmd_01_cmd_03_commands_are_calls_with_copies_of_their_values_made_later);
    tcase_add_test(tests, cmd_04_an_entity_to_come_stands_for_what_was_made_in_later_commands_of_its_job);
    tcase_add_test(tests, cmd_04_an_entity_to_come_is_dead_in_the_next_turn);
    tcase_add_test(tests, fnd_40_a_job_spawns_with_values_that_are_copied_and_name_entities_to_come);
    tcase_add_test(tests, fnd_40_a_job_spawns_with_children_that_later_commands_may_name);
    tcase_add_test(tests, fnd_43_a_job_walks_ordered_indices_that_it_looks_up);
    tcase_add_test(tests, fnd_40_a_list_that_an_add_refuses_is_not_recorded_and_reported);
    tcase_add_test(tests, cmd_05_commands_for_an_entity_that_an_earlier_command_ended_are_dropped_and_counted);
    tcase_add_test(tests, cmd_05_commands_for_an_entity_that_an_earlier_system_ended_are_dropped_and_counted);
    tcase_add_test(tests, cmd_06_a_refused_command_is_reported_with_its_system_and_the_rest_goes_on);
    tcase_add_test(tests, par_12_tasks_run_once_and_only_while_the_executor_has_them);
    tcase_add_test(tests, cmd_03_a_list_without_an_address_is_reported_when_the_batch_has_ended);
    tcase_add_test(tests, cmd_06_a_message_that_a_full_inbox_loses_is_reported_with_its_system);
    tcase_add_test(tests, cmd_06_a_command_for_an_entity_that_was_dead_before_the_commands_is_reported);
    tcase_add_test(tests, cmd_08_commands_for_an_entity_that_could_not_be_made_are_dropped);
    tcase_add_test(tests, cmd_07_systems_that_a_listener_executes_in_a_playback_leave_its_commands_alone);
    tcase_add_test(tests, cmd_11_commands_of_a_system_that_is_removed_meanwhile_run);
    tcase_add_loop_test(tests, par_20_the_time_of_a_batch_is_counted_once, 0, sizeof batches / sizeof *batches);
    suite_add_tcase(suite, tests);
    return suite;
}

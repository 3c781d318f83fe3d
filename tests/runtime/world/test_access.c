// The access check: writes that no system of the batch declares.
#include "runtime/support/hive_case.h"
#include "store/store.h"
#include "suites.h"

#include <check.h>
#include <stdint.h>
#include <string.h>

// An entity with every component that the planted writes change.
static hive_bees_entity target;
static hive_smoke_entity puff;

static void make_target(void)
{
    static const int32_t grains[] = {7, 8, 9};
    hive_fill(600);
    target = hive_bee();
    hive_bees_add_name(bees, target, (hive_Name){"Willy"});
    hive_bees_add_load(bees, target, (hive_Load){.grains = {grains, 3}, .from = target});
    hive_bees_add_grid(bees, target, (hive_Grid){.a = 1, .b = 2});
    hive_bees_add_tag(bees, target, (hive_Tag){42});
    hive_bees_add_puff(bees, target, (hive_Puff){1});
    hive_smoke_context *smoke = hive->contexts->smoke;
    puff = hive_smoke_create_entity(smoke);
    hive_smoke_add_puff(smoke, puff, (hive_Puff){1});
}

// ---- planted writes

static void write_energy(void)
{
    ((hive_Energy *)(uintptr_t)hive_bees_get_energy(bees, target))->value++;
}

static void write_velocity(void)
{
    ((hive_Velocity *)(uintptr_t)hive_bees_get_velocity(bees, target))->x++;
}

static void write_name(void)
{
    ((hive_Name *)(uintptr_t)hive_bees_get_name(bees, target))->value++;
}

static void write_reference(void)
{
    ((hive_Load *)(uintptr_t)hive_bees_get_load(bees, target))->from.id++;
}

static void write_count(void)
{
    ((hive_Load *)(uintptr_t)hive_bees_get_load(bees, target))->grains.count--;
}

static void write_nested(void)
{
    ((hive_Load *)(uintptr_t)hive_bees_get_load(bees, target))->way[1].length = 5;
}

static void write_tag(void)
{
    ((hive_Tag *)(uintptr_t)hive_bees_get_tag(bees, target))->number++;
}

static void write_puff(void)
{
    ((hive_Puff *)(uintptr_t)hive_bees_get_puff(bees, target))->strength++;
}

static void write_smoke(void)
{
    ((hive_Puff *)(uintptr_t)hive_smoke_get_puff(hive->contexts->smoke, puff))->strength++;
}

static void write_grid(void)
{
    const void *b = kin__value_part(&bees->base, kin_entity_slot(target.id), HIVE_BEES_GRID, offsetof(hive_Grid, b));
    *(float *)(uintptr_t)b += 1;
}

static const struct {
    void (*write)(void);
    const char *context, *component;
} planted[] = {
    {write_energy, "bees", "Energy"},  {write_velocity, "bees", "Velocity"}, {write_name, "bees", "Name"},
    {write_reference, "bees", "Load"}, {write_count, "bees", "Load"},        {write_nested, "bees", "Load"},
    {write_tag, "bees", "Tag"},        {write_puff, "bees", "Puff"},         {write_smoke, "smoke", "Puff"},
    {write_grid, "bees", "Grid"},
};

static uint32_t number; // of the planted write

static void plant(hive_look_job *job)
{
    (void)job;
    planted[number].write();
}

START_TEST(par_19_a_write_that_no_system_of_the_batch_declares_is_reported_with_systems_component_and_chunk)
{
    make_target();
    hive_update();
    ck_assert_int_eq(hive_hive_world_check_access(hive, true), KIN_OK);
    number = (uint32_t)_i;
    hive_does.look = plant;
    hive_update();
    ck_assert_uint_eq(hive_errors.count, 1);
    ck_assert_int_eq(hive_errors.entries[0].status, KIN_ERROR_INVALID);
    const char *message = hive_errors.entries[0].message;
    ck_assert_ptr_nonnull(strstr(message, planted[number].context));
    ck_assert_ptr_nonnull(strstr(message, planted[number].component));
    ck_assert_ptr_nonnull(strstr(message, "Look cannot write"));
    ck_assert_ptr_nonnull(strstr(message, number == 8 ? "slots 0 to 511" : "slots 512 to 1023"));
    error_log_clear(&hive_errors);
    ck_assert_int_eq(hive_hive_world_check_access(hive, false), KIN_OK);
    hive_update();
}
END_TEST

static void move(hive_fly_job *job, hive_fly_iter *it)
{
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->position[i].x += it->velocity[i].x;
            hive_fly_replace_energy(job, hive_fly_at(it, i), (hive_Energy){(int32_t)i});
        }
}

static void slow_down(hive_drift_job *job, hive_drift_iter *it)
{
    (void)job;
    while (hive_drift_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->velocity[i].x /= 2;
}

START_TEST(par_19_declared_writes_and_commands_are_not_reported)
{
    make_target();
    ck_assert_int_eq(hive_hive_world_check_access(hive, true), KIN_OK);
    hive_does.fly = move;
    hive_does.drift = slow_down;
    hive_update();
    hive_update();
}
END_TEST

static void check_in_a_run(void)
{
    ck_assert_int_eq(hive_hive_world_check_access(hive, true), KIN_ERROR_INVALID);
}

START_TEST(par_19_the_check_is_switched_between_updates)
{
    hive_does.begin = check_in_a_run;
    hive_update();
    ck_assert_reported(&hive_errors, KIN_ERROR_INVALID);
    ck_assert_int_eq(hive_hive_world_check_access(NULL, true), KIN_ERROR_INVALID);
}
END_TEST

// Each request for memory fails once: the batch runs, checked or not.
START_TEST(par_19_without_memory_the_batch_runs_unchecked_with_a_report)
{
    make_target();
    hive_update();
    ck_assert_int_eq(hive_hive_world_check_access(hive, true), KIN_OK);
    hive_does.fly = move;
    guard_fail(&hive_memory, 1, false);
    hive_update();
    ck_assert(guard_has_failed(&hive_memory));
    guard_fail(&hive_memory, 0, false);
    ck_assert_uint_eq(hive_errors.count, 1);
    ck_assert_int_eq(hive_errors.entries[0].status, KIN_ERROR_NO_MEMORY);
    ck_assert_float_eq(hive_bees_get_position(bees, target)->x, 1);
    error_log_clear(&hive_errors);
}
END_TEST

Suite *runtime_access_suite(void)
{
    Suite *suite = suite_create("runtime_access");
    TCase *tests = tcase_create("runtime_access");
    tcase_add_checked_fixture(tests, hive_begin, hive_end);
    tcase_add_loop_test(
        tests, par_19_a_write_that_no_system_of_the_batch_declares_is_reported_with_systems_component_and_chunk, 0,
        sizeof planted / sizeof *planted);
    tcase_add_test(tests, par_19_declared_writes_and_commands_are_not_reported);
    tcase_add_test(tests, par_19_the_check_is_switched_between_updates);
    tcase_add_test(tests, par_19_without_memory_the_batch_runs_unchecked_with_a_report);
    suite_add_tcase(suite, tests);
    return suite;
}

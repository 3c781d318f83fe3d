#include "hive_case.h"

#include <check.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

hive_actions hive_does;
hive_hive_world *hive;
hive_bees_context *bees;
guard hive_memory;
error_log hive_errors;

static char logged[8192], returned[8192];
static hive_bees_entity last_bee;
static atomic_flag is_logging = ATOMIC_FLAG_INIT; // jobs of several threads log

void hive_log(const char *format, ...)
{
    va_list arguments;
    while (atomic_flag_test_and_set(&is_logging))
        continue;
    size_t size = strlen(logged);
    va_start(arguments, format);
    vsnprintf(logged + size, sizeof logged - size, format, arguments);
    va_end(arguments);
    atomic_flag_clear(&is_logging);
}

const char *hive_log_text(void)
{
    strcpy(returned, logged);
    logged[0] = '\0';
    return returned;
}

void hive_begin(void)
{
    kin_context_options options = {
        .allocator = guard_begin(&hive_memory), .on_error = error_log_append, .error_user = &hive_errors};
    memset(&hive_does, 0, sizeof hive_does);
    logged[0] = '\0';
    error_log_clear(&hive_errors);
    hive = hive_hive_world_create(&options, NULL);
    ck_assert_ptr_nonnull(hive);
    bees = hive->contexts->bees;
}

void hive_end(void)
{
    hive_hive_world_destroy(hive);
    guard_end(&hive_memory);
    ck_assert_msg(hive_errors.count == 0, "%s", hive_errors.entries[0].message);
}

kin_parallel hive_last_of(const char *system)
{
    kin_parallel last;
    ck_assert_int_eq(kin_systems_parallel(hive_hive_world_systems(hive), system, &last), KIN_OK);
    return last;
}

void hive_update(void)
{
    hive_hive_world_update(hive, 0.1);
}

void hive_fill(uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        last_bee = hive_bees_spawn_bee(bees);
}

hive_bees_entity hive_bee(void)
{
    return last_bee;
}

// ---- the systems

void hive_begin_execute(hive_hive_world *world, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    if (hive_does.begin != NULL)
        hive_does.begin();
}

void hive_fly_enter(hive_hive_world *world, const hive_bees_entity *entities, uint32_t count)
{
    (void)world;
    (void)entities;
    hive_log("enter(%u) ", (unsigned)count);
}

void hive_fly_leave(hive_hive_world *world, const hive_bees_entity *entities, uint32_t count)
{
    (void)world;
    (void)entities;
    hive_log("leave(%u) ", (unsigned)count);
}

void hive_fly_first_update(hive_hive_world *world, const hive_bees_entity *entities, uint32_t count)
{
    (void)world;
    (void)entities;
    hive_log("first(%u) ", (unsigned)count);
}

void hive_fly_on_sting(hive_hive_world *world, const hive_Sting *message)
{
    (void)world;
    hive_log("sting(%d) ", (int)message->amount);
}

void hive_fly_update(hive_fly_job *job, hive_fly_iter *it, const kin_tick *tick)
{
    (void)tick;
    if (hive_does.fly != NULL)
        hive_does.fly(job, it);
}

void hive_drift_update(hive_drift_job *job, hive_drift_iter *it, const kin_tick *tick)
{
    (void)tick;
    if (hive_does.drift != NULL)
        hive_does.drift(job, it);
}

void hive_look_execute(hive_look_job *job, const kin_tick *tick)
{
    (void)tick;
    if (hive_does.look != NULL)
        hive_does.look(job);
}

bool hive_hatch_filter_bees(hive_hive_world *world, hive_bees_entity entity)
{
    return hive_bees_entity_is_alive(world->contexts->bees, entity);
}

bool hive_hatch_filter_smoke(hive_hive_world *world, hive_smoke_entity entity)
{
    return hive_smoke_entity_is_alive(world->contexts->smoke, entity);
}

void hive_hatch_execute_bees(hive_hatch_job *job, const hive_bees_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; hive_does.hatch != NULL && i < count; i++)
        hive_does.hatch(job, entities[i]);
}

void hive_hatch_execute_smoke(hive_hatch_job *job, const hive_smoke_entity *entities, uint32_t count)
{
    for (uint32_t i = 0; hive_does.hatch_smoke != NULL && i < count; i++)
        hive_does.hatch_smoke(job, entities[i]);
}

void hive_middle_on_alarm(hive_hive_world *world)
{
    (void)world;
    hive_log("alarm ");
    if (hive_does.middle != NULL)
        hive_does.middle();
}

void hive_land_on_sting(hive_hive_world *world, const hive_Sting *message)
{
    hive_log("land(%d,%s) ", (int)message->amount,
             hive_bees_entity_is_alive(world->contexts->bees, message->target) ? "alive" : "dead");
}

void hive_land_execute(hive_hive_world *world, const kin_tick *tick)
{
    (void)world;
    (void)tick;
}

void hive_rest_update(hive_rest_job *job, hive_rest_iter *it, const kin_tick *tick)
{
    (void)tick;
    if (hive_does.rest != NULL)
        hive_does.rest(job, it);
}

void hive_winter_update(hive_winter_job *job, hive_winter_iter *it, const kin_tick *tick)
{
    (void)tick;
    if (hive_does.winter != NULL)
        hive_does.winter(job, it);
}

void hive_wake_update(hive_wake_job *job, hive_wake_iter *it, const kin_tick *tick)
{
    (void)job;
    (void)it;
    (void)tick;
}

void hive_brood_update(hive_brood_job *job, hive_brood_iter *it, const kin_tick *tick)
{
    (void)job;
    (void)it;
    (void)tick;
}

void hive_sum_execute(hive_sum_job *job, const kin_tick *tick)
{
    (void)job;
    (void)tick;
    if (hive_does.sum != NULL)
        hive_does.sum();
}

void hive_rest_all(hive_fly_job *job, hive_fly_iter *it)
{
    while (hive_fly_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            hive_fly_set_asleep(job, hive_fly_at(it, i), true);
}

// ---- the late executor

static kin_task *task_of;
static void *work_of;
static uint32_t work_count;

static void *submit(kin_task *task, void *work, uint32_t count, void *user)
{
    task_of = task;
    work_of = work;
    work_count = count;
    return user;
}

static void wait_for_tasks(void *ticket, void *user)
{
    (void)ticket, (void)user;
    while (work_count > 0)
        task_of(work_of, --work_count);
}

const kin_executor hive_late_executor = {.threads = 2, .submit = submit, .wait = wait_for_tasks, .user = &work_count};

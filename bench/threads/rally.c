#include "rally.h"

#include "rally/rally.h"
#include "turns.h"

#include <math.h>
#include <stdlib.h>

enum { TURNS = 301, WARMING_UP = 10, CARS = 10000 };

// ---- systems

static void drive(rally_Position *position, const rally_Velocity *velocity, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += velocity[i].x * 0.1f;
        position[i].y += velocity[i].y * 0.1f;
        position[i].z += velocity[i].z * 0.1f;
    }
}

void rally_drive_update(rally_rally_world *world, rally_drive_iter *it, const kin_tick *tick)
{
    (void)world;
    (void)tick;
    while (rally_drive_next(it))
        drive(it->position, it->velocity, it->count);
}

void rally_speed_update(rally_speed_job *job, rally_speed_iter *it, const kin_tick *tick)
{
    (void)job;
    (void)tick;
    while (rally_speed_next(it))
        drive(it->position, it->velocity, it->count);
}

// Some 15 microseconds for the Velocity of 10,000 cars, and half for their Fuel.
static float wear(float value)
{
    return sqrtf(value * value + 1) * 0.99f;
}

void rally_turn_update(rally_turn_job *job, rally_turn_iter *it, const kin_tick *tick)
{
    (void)job;
    (void)tick;
    while (rally_turn_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->velocity[i] = (rally_Velocity){wear(it->velocity[i].x), wear(it->velocity[i].y), it->velocity[i].z};
}

void rally_burn_update(rally_burn_job *job, rally_burn_iter *it, const kin_tick *tick)
{
    (void)job;
    (void)tick;
    while (rally_burn_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->fuel[i].litres = wear(it->fuel[i].litres);
}

// ---- turns

static rally_rally_world *create(uint32_t cars, const kin_executor *executor)
{
    rally_rally_world *world = rally_rally_world_create(NULL, NULL);
    if (world == NULL || rally_race_spawn_many_car(world->contexts->race, cars, NULL) != KIN_OK ||
        rally_rally_world_set_executor(world, executor) != KIN_OK)
        exit(EXIT_FAILURE);
    return world;
}

static double time_run(rally_rally_world *world, void (*run)(rally_rally_world *world, double delta))
{
    double start = turns_now();
    run(world, 1);
    return turns_now() - start;
}

static uint64_t hash_of(rally_rally_world *world)
{
    kin_snapshot *snapshot = NULL;
    if (rally_race_save(world->contexts->race, &snapshot) != KIN_OK)
        exit(EXIT_FAILURE);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return hash;
}

// The times of the turns of both sides, and their ratios.
static double times[3][TURNS];

static rally_result result_of(bool agree)
{
    rally_result result = {.agree = agree};
    result.ratio = turns_median(times[2], TURNS);
    result.plain = turns_median(times[0], TURNS) / 1e3;
    result.other = turns_median(times[1], TURNS) / 1e3;
    return result;
}

static void keep_times(uint32_t turn, double plain, double other)
{
    if (turn < WARMING_UP)
        return;
    times[0][turn - WARMING_UP] = plain;
    times[1][turn - WARMING_UP] = other;
    times[2][turn - WARMING_UP] = other / plain;
}

static rally_result compare(rally_rally_world *plain, void (*run_plain)(rally_rally_world *, double),
                            rally_rally_world *other, void (*run_other)(rally_rally_world *, double))
{
    for (uint32_t i = 0; i < TURNS + WARMING_UP; i++) {
        double plain_time = time_run(plain, run_plain);
        keep_times(i, plain_time, time_run(other, run_other));
    }
    bool agree = hash_of(plain) == hash_of(other);
    rally_rally_world_destroy(plain);
    rally_rally_world_destroy(other);
    return result_of(agree);
}

rally_result rally_split(uint32_t cars, const kin_executor *executor)
{
    return compare(create(cars, NULL), rally_rally_world_run_alone, create(cars, executor),
                   rally_rally_world_run_split);
}

// The pieces are not too cheap to be split if there is no clock.
rally_result rally_beside(const kin_executor *executor)
{
    kin_executor splitting = *executor;
    splitting.now = NULL;
    return compare(create(10000, NULL), rally_rally_world_run_beside, create(10000, &splitting),
                   rally_rally_world_run_beside);
}

// ---- commands

static void order_directly(rally_race_context *race, rally_orders orders, uint32_t turn)
{
    for (rally_race_cars_iter it = rally_race_cars_iterate(race); rally_race_cars_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            rally_race_entity car = rally_race_cars_at(&it, i);
            uint32_t number = kin_entity_slot(car.id);
            if (orders == RALLY_FLAG)
                rally_race_set_dirty(race, car, turn % 2 == 0);
            else if (orders == RALLY_REPLACE || number % 3 > 0)
                rally_race_replace_fuel(race, car, (rally_Fuel){(float)turn});
            else if (number % 2 == 0)
                rally_race_set_dirty(race, car, turn % 2 == 0);
            else if (turn % 2 == 0)
                rally_race_add_lap(race, car, (rally_Lap){(int32_t)turn});
            else
                rally_race_remove_lap(race, car);
        }
}

static void record(rally_race_context *race, rally_race_commands *commands, rally_orders orders, uint32_t turn)
{
    for (rally_race_cars_iter it = rally_race_cars_iterate(race); rally_race_cars_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            rally_race_entity car = rally_race_cars_at(&it, i);
            uint32_t number = kin_entity_slot(car.id);
            if (orders == RALLY_FLAG)
                rally_race_commands_set_dirty(commands, car, turn % 2 == 0);
            else if (orders == RALLY_REPLACE || number % 3 > 0)
                rally_race_commands_replace_fuel(commands, car, (rally_Fuel){(float)turn});
            else if (number % 2 == 0)
                rally_race_commands_set_dirty(commands, car, turn % 2 == 0);
            else if (turn % 2 == 0)
                rally_race_commands_add_lap(commands, car, (rally_Lap){(int32_t)turn});
            else
                rally_race_commands_remove_lap(commands, car);
        }
}

static double time_commands(rally_race_context *race, rally_race_commands *commands, rally_orders orders,
                            rally_part part, uint32_t turn)
{
    double start = turns_now();
    record(race, commands, orders, turn);
    double recorded = turns_now();
    rally_race_commands_play(commands);
    double played = turns_now();
    return part == RALLY_RECORD ? recorded - start : part == RALLY_PLAY ? played - recorded : played - start;
}

rally_result rally_commands(rally_orders orders, rally_part part)
{
    rally_rally_world *direct = create(CARS, NULL), *later = create(CARS, NULL);
    rally_race_commands *commands = rally_race_commands_create(later->contexts->race);
    if (commands == NULL)
        exit(EXIT_FAILURE);
    for (uint32_t i = 0; i < TURNS + WARMING_UP; i++) {
        double start = turns_now();
        order_directly(direct->contexts->race, orders, i);
        double plain = turns_now() - start;
        keep_times(i, plain, time_commands(later->contexts->race, commands, orders, part, i));
    }
    bool agree = hash_of(direct) == hash_of(later);
    rally_race_commands_destroy(commands);
    rally_rally_world_destroy(direct);
    rally_rally_world_destroy(later);
    return result_of(agree);
}

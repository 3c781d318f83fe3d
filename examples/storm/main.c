// Towers shoot at targets: bullets strike them, set them on fire and are gone. All of it runs on several threads, and
// the hash at the end is the same for any number of them.
//
//   storm [--threads N] [--ticks N] [--check-access] [--cheat]
//
// --check-access   finds writes that systems do not declare, and fails if there are any
// --cheat          makes Strike write the health of its target, which it does not declare
#include <storm/storm.h>

#include <inttypes.h>
#include <kin/pool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, TOWERS = 64, TARGETS = 3000 };

typedef struct game {
    uint32_t hits, errors;
    bool cheats;
} game;

// ---- systems

void shoot_update(shoot_job *job, shoot_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (shoot_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            int32_t turn = it->tower[i].turn++;
            field_entity bullet = shoot_spawn_bullet(job); // an entity to come, which later commands may name
            shoot_replace_cell(job, bullet, it->cell[i]);
            shoot_replace_bullet(
                job, bullet,
                (Bullet){.along_x = (int16_t)(turn % 3 - 1), .along_y = (int16_t)(turn / 3 % 3 - 1), .left = 40});
        }
}

// With --cheat it also does what no job may: it takes a const away and writes what another thread may be reading.
static void strike(strike_job *job, field_entity bullet, field_entity target)
{
    const Health *health = strike_get_health(job, target);
    const game *game = strike_user(job);
    if (game->cheats)
        ((Health *)(uintptr_t)health)->points--;
    strike_publish_hit(job, (Hit){.target = target, .damage = health->points < 10 ? health->points : 10});
    strike_replace_burning(job, target, (Burning){.left = 2}); // another bullet may have set it on fire
    strike_spawn_spark(job);
    strike_destroy_entity(job, bullet);
}

static int16_t wrap(int32_t place)
{
    return (int16_t)((place + SIDE) % SIDE);
}

static void fly(strike_job *job, field_entity bullet, const Bullet *flight, const Cell *cell)
{
    Cell next = {wrap(cell->x + flight->along_x), wrap(cell->y + flight->along_y)};
    if (flight->left == 0) {
        strike_destroy_entity(job, bullet);
        return;
    }
    strike_replace_cell(job, bullet, next);
    strike_replace_bullet(job, bullet, (Bullet){flight->along_x, flight->along_y, (int16_t)(flight->left - 1)});
}

void strike_update(strike_job *job, strike_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (strike_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            field_entity target;
            if (strike_copy_entities_with_target(job, it->cell[i].x, it->cell[i].y, &target, 1) > 0)
                strike(job, strike_at(it, i), target);
            else
                fly(job, strike_at(it, i), &it->bullet[i], &it->cell[i]);
        }
}

void fade_update(fade_job *job, fade_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (fade_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            if (--it->spark[i].left == 0)
                fade_destroy_entity(job, fade_at(it, i));
}

// Messages come one by one, on the thread that updates, so several bullets may hit one target.
void wound_on_hit(storm_world *world, const Hit *message)
{
    field_context *field = world->contexts->field;
    const Health *health = field_get_health(field, message->target);
    ((game *)world->user)->hits++;
    if (health == NULL)
        return;
    Health left = {health->points - message->damage};
    field_replace_health(field, message->target, left);
    if (left.points <= 0)
        field_set_dead(field, message->target, true);
}

void burn_update(burn_job *job, burn_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (burn_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            if (--it->health[i].points <= 0)
                burn_set_dead(job, burn_at(it, i), true);
            if (--it->burning[i].left == 0)
                burn_remove_burning(job, burn_at(it, i));
        }
}

void bury_update(bury_job *job, bury_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (bury_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            bury_destroy_entity(job, bury_at(it, i));
}

// ---- the program

static void place(field_context *field)
{
    uint32_t state = 1;
    for (uint32_t i = 0; i < TOWERS + TARGETS; i++) {
        field_entity entity = i < TOWERS ? field_spawn_tower(field) : field_spawn_target(field);
        state = state * 1664525 + 1013904223;
        field_replace_cell(field, entity,
                           (Cell){(int16_t)(state >> 8 & (SIDE - 1)), (int16_t)(state >> 20 & (SIDE - 1))});
        if (i < TOWERS)
            field_replace_tower(field, entity, (Tower){(int32_t)i});
    }
}

static void report(const kin_error *error, void *user)
{
    if (((game *)user)->errors++ < 3)
        printf("%s\n", error->message);
}

static uint64_t hash(field_context *field)
{
    kin_snapshot *snapshot = NULL;
    field_save(field, &snapshot);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return hash;
}

static void run(storm_world *world, const game *game, uint32_t ticks)
{
    field_context *field = world->contexts->field;
    for (uint32_t i = 1; i <= ticks; i++) {
        storm_world_update(world, 1);
        if (i % 50 == 0)
            printf("tick %" PRIu32 ": %" PRIu32 " hits, %" PRIu32 " targets, %" PRIu32 " bullets, %" PRIu32 " fires\n",
                   i, game->hits, kin_group_count(field_targets_group(field)),
                   kin_group_count(field_bullets_group(field)), kin_group_count(field_burning_group(field)));
    }
    printf("all: %016" PRIx64 "\n", hash(field));
}

static bool has_option(int count, char **arguments, const char *name)
{
    for (int i = 1; i < count; i++)
        if (strcmp(arguments[i], name) == 0)
            return true;
    return false;
}

// Returns the number after an option, or `otherwise` without the option.
static uint32_t number_option(int count, char **arguments, const char *name, uint32_t otherwise)
{
    for (int i = 1; i + 1 < count; i++)
        if (strcmp(arguments[i], name) == 0)
            return (uint32_t)strtoul(arguments[i + 1], NULL, 10);
    return otherwise;
}

int main(int count, char **arguments)
{
    game game = {.cheats = has_option(count, arguments, "--cheat")};
    kin_context_options options = {.on_error = report, .error_user = &game};
    kin_executor *pool = kin_pool_create(number_option(count, arguments, "--threads", 2));
    storm_world *world = storm_world_create(&options, &game);
    if (pool == NULL || world == NULL || storm_world_set_executor(world, pool) != KIN_OK)
        return EXIT_FAILURE;
    storm_world_check_access(world, has_option(count, arguments, "--check-access"));
    place(world->contexts->field);
    run(world, &game, number_option(count, arguments, "--ticks", 200));
    storm_world_destroy(world);
    kin_pool_destroy(pool);
    return game.errors > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

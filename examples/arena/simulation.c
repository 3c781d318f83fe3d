#include "simulation.h"

#include <stdlib.h>
#include <string.h>

// ---- random numbers

// xorshift64*; Vigna, 2014.
static uint32_t random_below(simulation *arena, uint32_t end)
{
    arena->random ^= arena->random >> 12;
    arena->random ^= arena->random << 25;
    arena->random ^= arena->random >> 27;
    return (uint32_t)(((arena->random * 2685821657736338717u) >> 32) * end >> 32);
}

static float random_sixteenths(simulation *arena, int first, int end)
{
    return (float)(first + (int)random_below(arena, (uint32_t)(end - first))) / 16.0f;
}

// ---- moving

static int cell_of(float coordinate)
{
    return (int)coordinate;
}

// Moves one coordinate, or reverses the direction at a wall. Returns true if it reversed.
static bool advance(float *at, float *by, float seconds)
{
    *at += *by * seconds;
    if (*at >= 0.0f && *at < (float)ARENA_SIZE)
        return false;
    *at -= *by * seconds;
    *by = -*by;
    return true;
}

// Writes positions in place, which notifies no listener. A unit that enters another cell is touched, so that the
// collector collects it.
static void move(void *self, const kin_tick *tick)
{
    simulation *arena = self;
    float seconds = (float)tick->delta;
    game_movers_iter it = game_movers_iterate(arena->game);
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            Vec2 *at = &it.position[i].at, *by = &it.velocity[i].by;
            int x = cell_of(at->x), y = cell_of(at->y);
            arena->tally.bounces += advance(&at->x, &by->x, seconds);
            arena->tally.bounces += advance(&at->y, &by->y, seconds);
            if (x != cell_of(at->x) || y != cell_of(at->y))
                game_touch_position(arena->game, game_movers_at(&it, i));
        }
}

static void count_moves(void *self, const kin_tick *tick)
{
    (void)tick;
    simulation *arena = self;
    arena->moved_last = kin_collector_count(arena->moved);
    arena->tally.moves += arena->moved_last;
    kin_collector_clear(arena->moved);
}

// ---- freezing

static void freeze(simulation *arena, game_entity unit)
{
    if (game_is_frozen(arena->game, unit))
        return;
    game_add_chill(arena->game, unit, chill_default());
    game_set_frozen(arena->game, unit, true);
    arena->tally.frozen++;
}

// Removes components that the group requires while it iterates over the group, which is always allowed.
static void thaw(void *self, const kin_tick *tick)
{
    simulation *arena = self;
    game_frozen_iter it = game_frozen_iterate(arena->game);
    while (game_frozen_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.chill[i].left -= (float)tick->delta;
            if (it.chill[i].left > 0.0f)
                continue;
            game_entity unit = game_frozen_at(&it, i);
            game_remove_chill(arena->game, unit);
            game_set_frozen(arena->game, unit, false);
            arena->tally.thawed++;
        }
}

// ---- fighting

static void hurt(simulation *arena, game_entity unit, int32_t points)
{
    Health health = *game_get_health(arena->game, unit);
    health.points -= points;
    game_replace_health(arena->game, unit, health);
    arena->tally.strikes++;
    if (health.points <= 0)
        game_set_dead(arena->game, unit, true);
    else if (random_below(arena, 4) == 0)
        freeze(arena, unit);
}

// Two units of different sides in one cell hurt each other.
static void strike_opponent(simulation *arena, game_entity unit, const Position *position, Side side)
{
    game_entity *standing = &arena->standing[cell_of(position->at.y)][cell_of(position->at.x)];
    const Team *other = game_get_team(arena->game, *standing);
    if (other != NULL && other->side != side && !game_is_dead(arena->game, *standing)) {
        hurt(arena, *standing, (int32_t)(10 + random_below(arena, 21)));
        hurt(arena, unit, (int32_t)(10 + random_below(arena, 21)));
    }
    *standing = unit;
}

// A unit that dies or freezes in the loop leaves the group at once, but the current run of the iterator is unchanged.
static void fight(void *self, const kin_tick *tick)
{
    (void)tick;
    simulation *arena = self;
    memset(arena->standing, 0, sizeof arena->standing);
    game_fighters_iter it = game_fighters_iterate(arena->game);
    while (game_fighters_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            game_entity unit = game_fighters_at(&it, i);
            if (!game_is_frozen(arena->game, unit) && !game_is_dead(arena->game, unit))
                strike_opponent(arena, unit, &it.position[i], it.team[i].side);
        }
}

// ---- dying

// Reactive: called with the units that entered the group of the dead since the last call.
static void report_deaths(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    simulation *arena = self;
    const game_context *game = game_context_of(context);
    for (uint32_t i = 0; i < count; i++) {
        game_entity unit = game_entity_of(entities[i]);
        arena->tally.deaths[game_get_team(game, unit)->side]++;
        arena->tally.died_frozen += game_is_frozen(game, unit);
    }
}

static void destroy_dead(void *self)
{
    simulation *arena = self;
    kin_group_destroy_entities(game_dead_group(arena->game));
}

// ---- setting up and running

static void create_unit(simulation *arena, Side side)
{
    game_context *game = arena->game;
    game_entity unit = game_create_entity(game);
    Vec2 at = {random_sixteenths(arena, 0, ARENA_SIZE * 16), random_sixteenths(arena, 0, ARENA_SIZE * 16)};
    Vec2 by = {random_sixteenths(arena, -48, 49), random_sixteenths(arena, -48, 49)};
    game_add_position(game, unit, (Position){at});
    game_add_velocity(game, unit, (Velocity){by});
    game_add_health(game, unit, health_default());
    game_add_team(game, unit, (Team){side});
}

static void add_systems(simulation *arena)
{
    kin_trigger died = {game_dead_group(arena->game), KIN_ADDED};
    kin_systems *systems = arena->systems;
    kin_systems_add(systems, (kin_system){.name = "move", .execute = move, .self = arena});
    kin_systems_add(systems, (kin_system){.name = "count moves", .execute = count_moves, .self = arena});
    kin_systems_add(systems, (kin_system){.name = "thaw", .execute = thaw, .self = arena});
    kin_systems_add(systems, (kin_system){.name = "fight", .execute = fight, .self = arena});
    kin_systems_add_reactive(
        systems,
        (kin_reactive_system){
            .name = "report deaths", .triggers = &died, .trigger_count = 1, .execute = report_deaths, .self = arena});
    kin_systems_add(systems, (kin_system){.name = "destroy dead", .cleanup = destroy_dead, .self = arena});
}

simulation *simulation_create(uint64_t seed)
{
    simulation *arena = calloc(1, sizeof *arena);
    if (arena == NULL)
        return NULL;
    arena->random = seed * 2 + 1; // anything but zero
    arena->game = game_context_create(NULL);
    arena->systems = kin_systems_create("arena", NULL);
    kin_trigger moved = {arena->game == NULL ? NULL : game_movers_group(arena->game), KIN_MODIFIED};
    arena->moved = kin_collector_create(&moved, 1);
    if (arena->game == NULL || arena->systems == NULL || arena->moved == NULL) {
        simulation_destroy(arena);
        return NULL;
    }
    for (uint32_t i = 0; i < ARENA_UNITS; i++)
        create_unit(arena, i % 2 == 0 ? SIDE_RED : SIDE_BLUE);
    add_systems(arena);
    return arena;
}

void simulation_destroy(simulation *arena)
{
    if (arena == NULL)
        return;
    kin_systems_destroy(arena->systems);
    kin_collector_destroy(arena->moved);
    game_context_destroy(arena->game);
    free(arena);
}

void simulation_step(simulation *arena, double seconds)
{
    kin_systems_execute(arena->systems, seconds);
    kin_systems_cleanup(arena->systems);
}

uint32_t simulation_count(simulation *arena, Side side)
{
    uint32_t count = 0, all = 0;
    const game_entity *entities = game_entities(arena->game, &all);
    for (uint32_t i = 0; i < all; i++)
        count += game_get_team(arena->game, entities[i])->side == side;
    return count;
}

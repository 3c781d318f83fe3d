#include "square.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float player_speed = 12; // metres a second
static const float citizen_speed = 3;
static const float longest_step = 4; // what a player may ask for at once

const Vec2 square_entrance = {COLUMNS / 2.0F, ROWS / 2.0F};

// ---- places

static Vec2 somewhere(kin_random *random)
{
    float x = (float)kin_random_below(random, COLUMNS);
    return (Vec2){x, (float)kin_random_below(random, ROWS)};
}

static float clamp(float place, float most)
{
    if (!(place > 0)) // NaN, too
        return 0;
    return place > most ? most : place;
}

// Moves a place towards another one. Returns whether it is there.
static bool walk(Vec2 *at, Vec2 to, float distance)
{
    float x = to.x - at->x;
    float y = to.y - at->y;
    float left = sqrtf(x * x + y * y);
    if (left <= distance) {
        *at = to;
        return true;
    }
    at->x += x / left * distance;
    at->y += y / left * distance;
    return false;
}

int32_t square_zone(Vec2 at)
{
    int32_t column = (int32_t)clamp(at.x, COLUMNS - 1) / ZONE_COLUMNS;
    int32_t row = (int32_t)clamp(at.y, ROWS - 1) / ZONE_ROWS;
    return row * ZONES + column;
}

static bool is_zone(int32_t place)
{
    return place >= 0 && place < ZONES;
}

uint32_t square_near(Vec2 at, kin_zone *zones)
{
    int32_t zone = square_zone(at);
    uint32_t count = 0;
    for (int32_t row = zone / ZONES - 1; row <= zone / ZONES + 1; row++)
        for (int32_t column = zone % ZONES - 1; column <= zone % ZONES + 1; column++)
            if (is_zone(row) && is_zone(column))
                zones[count++] = (kin_zone){.zone = row * ZONES + column};
    return count;
}

game_entity square_player(game_context *game, uint32_t peer)
{
    for (game_players_iter it = game_players_iterate(game); game_players_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            if (it.player[i].peer == peer)
                return game_players_at(&it, i);
    return GAME_NO_ENTITY;
}

// ---- beginning

static void put_coin(game_context *game, kin_random *random)
{
    Vec2 at = somewhere(random);
    game_entity coin = game_spawn_coin(game);
    game_replace_position(game, coin, (Position){at});
    game_replace_cell(game, coin, (Cell){square_zone(at)});
}

void square_start(plaza_world *world)
{
    game_context *game = world->contexts->game;
    kin_random random = kin_random_seeded(7);
    for (uint32_t i = 0; i < CITIZENS; i++) {
        Vec2 at = somewhere(&random);
        game_entity citizen = game_spawn_citizen(game);
        game_replace_position(game, citizen, (Position){at});
        game_replace_plan(game, citizen, (Plan){at});
        game_replace_cell(game, citizen, (Cell){square_zone(at)});
    }
    for (uint32_t i = 0; i < COINS; i++)
        put_coin(game, &random);
}

// ---- systems of the host

// They depend on the state of the world alone, so that a standby comes to the same.

// A peer says hello again if it does not see its player yet. It gets one.
void welcome_on_hello(plaza_world *world, const Hello *hello)
{
    game_context *game = world->contexts->game;
    Vec2 at = square_entrance;
    if (game_entity_is_alive(game, square_player(game, hello->sender)))
        return;
    game_entity player = game_spawn_player(game);
    Player named = {.peer = hello->sender};
    memcpy(named.name, hello->name, sizeof named.name);
    game_replace_player(game, player, named);
    game_replace_position(game, player, (Position){at});
    game_replace_goal(game, player, (Goal){at});
    game_replace_cell(game, player, (Cell){square_zone(at)});
}

void stroll_update(plaza_world *world, stroll_iter *it, const kin_tick *tick)
{
    float distance = citizen_speed * (float)tick->delta;
    while (stroll_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            if (!walk(&it->position[i].at, it->plan[i].to, distance))
                continue;
            kin_random random = stroll_random(world, stroll_at(it, i));
            if (kin_random_below(&random, 60) == 0)
                it->plan[i].to = somewhere(&random);
        }
}

// Returns a coin within a step of a place.
static game_entity find_coin(game_context *game, Vec2 at)
{
    for (game_coins_iter it = game_coins_iterate(game); game_coins_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            if (fabsf(it.position[i].at.x - at.x) < 1 && fabsf(it.position[i].at.y - at.y) < 1)
                return game_coins_at(&it, i);
    return GAME_NO_ENTITY;
}

void collect_update(plaza_world *world, collect_iter *it, const kin_tick *tick)
{
    (void)tick;
    game_context *game = world->contexts->game;
    while (collect_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            Vec2 at = it->position[i].at;
            game_entity coin = find_coin(game, at);
            if (!game_entity_is_alive(game, coin))
                continue;
            Taken taken = {.zone = square_zone(at)};
            memcpy(taken.name, it->player[i].name, sizeof taken.name);
            game_edit_purse(game, collect_at(it, i))->coins++;
            game_destroy_entity(game, coin);
            kin_random random = collect_random(world, collect_at(it, i));
            put_coin(game, &random);
            plaza_publish_taken(world, taken);
        }
}

void settle_update(plaza_world *world, settle_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (settle_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            it->cell[i].zone = square_zone(it->position[i].at);
}

// ---- systems of the host, which players run ahead of it

// What a peer asks for is checked here: any place may be in its message.
void steer_on_order(plaza_world *world, const Order *order)
{
    game_context *game = world->contexts->game;
    game_entity player = square_player(game, order->sender);
    if (!game_entity_is_alive(game, player))
        return;
    Vec2 at = game_get_position(game, player)->at;
    Vec2 to = at;
    walk(&to, (Vec2){clamp(order->to.x, COLUMNS - 1), clamp(order->to.y, ROWS - 1)}, longest_step);
    game_replace_goal(game, player, (Goal){to});
}

void walk_update(plaza_world *world, walk_iter *it, const kin_tick *tick)
{
    (void)world;
    while (walk_next(it))
        for (uint32_t i = 0; i < it->count; i++)
            walk(&it->position[i].at, it->goal[i].at, player_speed * (float)tick->delta);
}

// ---- systems of players

void tell_on_taken(plaza_world *world, const Taken *taken)
{
    square *square = world->user;
    snprintf(square->said, sizeof square->said, "%s has found a coin.", taken->name);
}

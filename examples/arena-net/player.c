#include "player.h"

#include "../terminal/terminal.h"

#include <plaza/plaza_net.h>

#include <stdio.h>

bool player_begin(process *player, kin_transport *transport)
{
    kin_session_options options = {.predicts = true};
    kin_zone zones[NEAR];
    player->transport = transport;
    player->world = plaza_world_create(NULL, &player->square);
    if (player->transport == NULL || player->world == NULL)
        return false;
    player->zone = -1;
    player->session = plaza_world_follow(player->world, player->transport, &options);
    uint32_t count = square_near(square_entrance, zones);
    return player->session != NULL && kin_session_see(player->session, zones, count) == KIN_OK;
}

void process_show(process *host, uint32_t peer, int32_t *zone)
{
    game_context *game = host->world->contexts->game;
    game_entity player = square_player(game, peer);
    kin_zone zones[NEAR];
    if (!game_entity_is_alive(game, player) || game_get_cell(game, player)->zone == *zone)
        return;
    uint32_t count = square_near(game_get_position(game, player)->at, zones);
    if (kin_session_show(host->session, peer, zones, count) == KIN_OK)
        *zone = game_get_cell(game, player)->zone;
}

void process_end(process *process)
{
    plaza_world_destroy(process->world); // and its session
    if (process->transport != NULL)
        process->transport->end(process->transport);
}

bool player_is_here(process *player, const char *name)
{
    game_context *game = player->world->contexts->game;
    if (game_entity_is_alive(game, square_player(game, player->transport->peer)))
        return true;
    Hello hello = {0};
    snprintf(hello.name, sizeof hello.name, "%s", name);
    if (player->wait-- > 0)
        return false;
    plaza_send_hello(player->world, hello);
    player->wait = RATE / 2;
    return false;
}

Vec2 player_place(const process *player)
{
    game_context *game = player->world->contexts->game;
    return game_get_position(game, square_player(game, player->transport->peer))->at;
}

void player_walk_to_coin(process *player)
{
    Vec2 at = player_place(player);
    Vec2 to = at;
    float least = 1e9F;
    for (game_coins_iter it = game_coins_iterate(player->world->contexts->game); game_coins_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            float x = it.position[i].at.x - at.x;
            float y = it.position[i].at.y - at.y;
            if (x * x + y * y < least) {
                least = x * x + y * y;
                to = it.position[i].at;
            }
        }
    plaza_send_order(player->world, (Order){.to = to}); // alone, host or player: the same line
}

void player_obey(process *player, int key)
{
    Vec2 to = player_place(player);
    to.x += 4.0F * (float)((key == KEY_RIGHT) - (key == KEY_LEFT));
    to.y += 4.0F * (float)((key == KEY_DOWN) - (key == KEY_UP));
    bool is_order = key == ' ' || (key >= KEY_UP && key <= KEY_RIGHT);
    if (is_order)
        plaza_send_order(player->world, (Order){.to = to});
}

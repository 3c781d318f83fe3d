// Harbour: a host and two replicas in one process, on a network in memory that loses 5 %, each seen by the inspector.
//
//     harbour [TOKEN]
//
// It updates 60 times a second until stdin ends.
#include "harbour/harbour.h"
#include "harbour/harbour_net.h"

#include <kin/inspect.h>

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { FRAME_MILLISECONDS = 16, SHIPS = 400, ZONES = 4, REPLICAS = 2 };

void sail_update(harbour_world *world, sail_iter *it, const kin_tick *tick)
{
    (void)world;
    while (sail_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->position[i].x += (float)tick->delta;
            if (i % 4 == 0)
                it->position[i].y -= (float)tick->delta;
        }
}

void obey_on_order(harbour_world *world, const Order *order)
{
    (void)world, (void)order;
}

static void fill(game_context *game)
{
    for (int32_t i = 0; i < SHIPS; i++) {
        game_entity ship = game_create_entity(game);
        game_add_position(game, ship, (Position){(float)(i % 20), (float)(i / 20)});
        game_add_cargo(game, ship, (Cargo){.name = "coal", .weight = i});
        game_add_cell(game, ship, (Cell){i % ZONES});
    }
}

int main(int count, char **arguments)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    kin_inspector_options options = {.name = "harbour", .token = count > 1 ? arguments[1] : NULL};
    kin_transport *network = kin_memory_transport_create(&(kin_memory_options){.seed = 3, .loss = 50});
    harbour_world *worlds[1 + REPLICAS];
    kin_transport *ends[1 + REPLICAS] = {network};
    char line[64];
    for (uint32_t i = 0; i <= REPLICAS; i++)
        worlds[i] = harbour_world_create(NULL, NULL);
    fill(worlds[0]->contexts->game);
    kin_session *session = harbour_world_host(worlds[0], network, NULL);
    kin_inspector *inspector = kin_inspect(harbour_world_base(worlds[0]), &options);
    for (uint32_t i = 1; i <= REPLICAS; i++) {
        ends[i] = kin_memory_transport_join(network);
        harbour_world_follow(worlds[i], ends[i], NULL);
        kin_inspector_add_world(inspector, harbour_world_base(worlds[i]));
    }
    for (bool is_shown = false; poll(&in, 1, FRAME_MILLISECONDS) <= 0 || read(STDIN_FILENO, line, sizeof line) > 0;) {
        for (uint32_t i = 0; i <= REPLICAS; i++)
            harbour_world_update(worlds[i], 0.5);
        if (!is_shown)
            is_shown = kin_session_show(session, ends[1]->peer, (kin_zone[]){{.zone = 1}, {.zone = 2}}, 2) == KIN_OK;
        harbour_send_order(worlds[1], (Order){.to = 7});
    }
    for (uint32_t i = REPLICAS; i > 0; i--)
        harbour_world_destroy(worlds[i]);
    harbour_world_destroy(worlds[0]);
    for (uint32_t i = 0; i <= REPLICAS; i++)
        ends[i]->end(ends[i]);
    return EXIT_SUCCESS;
}

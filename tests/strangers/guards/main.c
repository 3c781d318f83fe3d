// One program with package sea, context port_game, and package sea_port, context game.
#include "sea/sea.h"
#include "sea_port/sea_port.h"

int main(void)
{
    port_game_context *harbour = port_game_context_create(NULL);
    game_context *game = game_context_create(NULL);
    bool is_added = game_add_ship(game, game_create_entity(game), (Ship){1}) == KIN_OK;
    port_game_context_destroy(harbour);
    game_context_destroy(game);
    return is_added ? 0 : 1;
}

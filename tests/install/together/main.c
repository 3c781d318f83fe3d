// One program with all libraries of Kin.
#include "town/town.h"
#include "town/town_save.h"

#include <kin/inspect.h>
#include <kin/pool.h>
#include <stdio.h>

int main(void)
{
    kin_executor *pool = kin_pool_create(2);
    game_context *game = game_context_create(NULL);
    kin_inspector *inspector = kin_inspector_create(NULL);
    kin_inspector_add(inspector, &game->base, NULL);
    game_create_entity(game);

    kin_snapshot *snapshot = NULL;
    game_save(game, &snapshot);
    kin_status status = town_write_path(snapshot, "town.kin", NULL);

    kin_snapshot_destroy(snapshot);
    kin_inspector_destroy(inspector);
    game_context_destroy(game);
    kin_pool_destroy(pool);
    printf("saved: %d\n", status == KIN_OK);
}

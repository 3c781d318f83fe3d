#include "play.h"

#include "keys.h"
#include "scene.h"
#include "terminal.h"
#include "view.h"

#include <stdio.h>

static void run(player *player, const terminal *terminal)
{
    while (!player->quits) {
        scene_context *scene = player->world->contexts->scene;
        view_draw(terminal, scene, player->cursor);
        command command = keys_read(scene, is_scene_moving(scene));
        player_act(player, command);
        if (!player->quits)
            player_update(player);
    }
}

bool play(Rules rules)
{
    player player = {.seed = rules.seed};
    terminal *terminal = terminal_open();
    if (terminal == NULL)
        return false;
    if (player_begin(&player, rules))
        run(&player, terminal);
    terminal_close(terminal);
    bool played = player.world != NULL;
    if (!played)
        fputs("match_one: there is not enough memory\n", stderr);
    match_one_world_destroy(player.world);
    return played;
}

// Children that have the names of keywords are members with an underscore.
#include "camp/camp.h"

int main(void)
{
    game_context *game = game_context_create(NULL);
    game_tent_parts parts;
    game_spawn_tent_parts(game, &parts);
    bool is_right = game_has_place(game, parts.short_.class_.entity);
    is_right = is_right && game_has_place(game, parts.long_.default_.class_.entity);
    is_right = is_right && game_has_place(game, parts.nullptr_.entity);
    game_context_destroy(game);
    return is_right ? 0 : 1;
}

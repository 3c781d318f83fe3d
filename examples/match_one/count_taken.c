#include "match_one/match_one.h"

void count_taken_initialize(match_one_world *world)
{
    state_set_unique_score(world->contexts->state, (Score){0});
}

bool count_taken_filter(match_one_world *world, game_entity piece)
{
    const game_context *game = world->contexts->game;
    return game_is_destroyed(game, piece) && game_has_piece(game, piece);
}

void count_taken_execute(match_one_world *world, const game_entity *taken, uint32_t count)
{
    (void)taken;
    Score score = *state_get_unique_score(world->contexts->state);
    score.points += count;
    state_replace_unique_score(world->contexts->state, score);
}

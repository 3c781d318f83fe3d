#include "match_one/match_one.h"

static void take(game_context *game, game_entity piece)
{
    if (game_is_interactive(game, piece))
        game_set_destroyed(game, piece, true);
}

static void take_if_kind(game_context *game, Kind kind, Position at)
{
    game_entity piece = game_entity_with_cell(game, at.x, at.y);
    const Piece *found = game_get_piece(game, piece);
    if (found != NULL && found->kind == kind)
        take(game, piece);
}

static void take_neighbours(game_context *game, game_entity piece)
{
    Kind kind = game_get_piece(game, piece)->kind;
    Position at = *game_get_position(game, piece);
    take_if_kind(game, kind, (Position){at.x - 1, at.y});
    take_if_kind(game, kind, (Position){at.x + 1, at.y});
    take_if_kind(game, kind, (Position){at.x, at.y - 1});
    take_if_kind(game, kind, (Position){at.x, at.y + 1});
}

// Takes the neighbours of all taken pieces, repeatedly until none is added. A taken piece is no longer in its cell, so
// none is taken twice.
static void spread(game_context *game)
{
    uint32_t count = 0;
    do {
        const game_entity *taken = game_taken_entities(game, &count);
        for (uint32_t i = 0; i < count; i++)
            take_neighbours(game, taken[i]);
    } while (kin_group_count(game_taken_group(game)) > count);
}

void take_clicked_execute(match_one_world *world, const input_entity *clicks, uint32_t count)
{
    (void)clicks, (void)count; // the click is unique
    game_context *game = world->contexts->game;
    const Click *click = input_get_unique_click(world->contexts->input);
    take(game, game_entity_with_cell(game, click->x, click->y));
    if (input_is_unique_burst(world->contexts->input))
        spread(game);
}

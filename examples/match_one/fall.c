#include "pieces.h"
#include "systems.h"

static void fall_from(game_context *game, Position from)
{
    game_entity piece = game_entity_with_cell(game, from.x, from.y);
    if (!game_is_movable(game, piece))
        return;
    Position to = landing(game, from);
    if (to.y != from.y)
        game_replace_position(game, piece, to);
}

// Upward in each column, so that what is below has fallen already.
static void fall(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context, (void)entities, (void)count;
    match_one_contexts *contexts = self;
    Board board = *game_get_unique_board(contexts->game);
    for (int32_t x = 0; x < board.columns; x++)
        for (int32_t y = 1; y < board.rows; y++)
            fall_from(contexts->game, (Position){x, y});
}

void add_fall_system(kin_systems *systems, match_one_contexts *contexts)
{
    kin_trigger taken = {game_taken(contexts->game), KIN_ADDED};
    kin_systems_add_reactive(
        systems, (kin_reactive_system){
                     .name = "fall", .triggers = &taken, .trigger_count = 1, .execute = fall, .self = contexts});
}

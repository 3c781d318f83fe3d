#include "pieces.h"
#include "systems.h"

static void fill_column(match_one_contexts *contexts, int32_t x, int32_t rows)
{
    Position at = landing(contexts->game, (Position){x, rows});
    for (; at.y < rows; at.y++)
        create_piece(contexts, at);
}

static void fill(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context, (void)entities, (void)count;
    match_one_contexts *contexts = self;
    Board board = *game_get_unique_board(contexts->game);
    for (int32_t x = 0; x < board.columns; x++)
        fill_column(contexts, x, board.rows);
}

// A larger board has room too.
void add_fill_system(kin_systems *systems, match_one_contexts *contexts)
{
    kin_trigger triggers[] = {{game_taken(contexts->game), KIN_ADDED}, {game_boards(contexts->game), KIN_ADDED}};
    kin_systems_add_reactive(
        systems, (kin_reactive_system){
                     .name = "fill", .triggers = triggers, .trigger_count = 2, .execute = fill, .self = contexts});
}

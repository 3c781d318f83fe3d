#include "pieces.h"
#include "systems.h"

static void lay_out(void *self)
{
    match_one_contexts *contexts = self;
    Rules rules = *config_get_unique_rules(contexts->config);
    game_set_unique_board(contexts->game, (Board){rules.columns, rules.rows});
    for (int32_t y = 0; y < rules.rows; y++)
        for (int32_t x = 0; x < rules.columns; x++)
            if (chance(contexts, 100) < rules.blockers)
                create_blocker(contexts, (Position){x, y});
            else
                create_piece(contexts, (Position){x, y});
}

// These are destroyed, not taken: they do not count. The array stays as it is while they leave the group.
static void clear_outside(void *self, kin_context *context, const kin_entity *entities, uint32_t count)
{
    (void)context, (void)entities, (void)count; // the board is unique
    match_one_contexts *contexts = self;
    game_context *game = contexts->game;
    Board board = *game_get_unique_board(game);
    uint32_t piece_count = 0;
    const game_entity *pieces = game_pieces_entities(game, &piece_count);
    for (uint32_t i = 0; i < piece_count; i++) {
        const Position *at = game_get_position(game, pieces[i]);
        if (at->x >= board.columns || at->y >= board.rows)
            game_destroy_entity(game, pieces[i]);
    }
}

void add_board_system(kin_systems *systems, match_one_contexts *contexts)
{
    kin_trigger resized = {game_boards(contexts->game), KIN_ADDED};
    kin_systems_add_reactive(systems, (kin_reactive_system){.name = "board",
                                                            .triggers = &resized,
                                                            .trigger_count = 1,
                                                            .initialize = lay_out,
                                                            .execute = clear_outside,
                                                            .self = contexts});
}

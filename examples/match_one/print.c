#include "print.h"

#include <inttypes.h>
#include <stdio.h>

static const char letters[] = "RYGCBM#";

char letter_at(game_context *game, int32_t x, int32_t y)
{
    const Piece *piece = game_get_piece(game, game_entity_with_cell(game, x, y));
    return piece == NULL ? '.' : letters[piece->kind];
}

void print_board(game_context *game)
{
    Board board = *game_get_unique_board(game);
    printf("\n");
    for (int32_t y = board.rows - 1; y >= 0; y--) {
        printf("  %2" PRId32 " ", y);
        for (int32_t x = 0; x < board.columns; x++)
            printf(" %c", letter_at(game, x, y));
        printf("\n");
    }
    printf("    ");
    for (int32_t x = 0; x < board.columns; x++)
        printf(" %" PRId32, x % 10);
    printf("\n\n");
}

#include "demo.h"

#include "match.h"
#include "print.h"
#include "random.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOVES_A_BOARD = 10, MOVES_A_BURST = 3 }; // every third is a burst

static const char *const kinds[] = {"red", "yellow", "green", "cyan", "blue", "magenta", "blocker"};

// The demo learns the score from events only.
typedef struct demo {
    match_one_world *world;
    uint64_t random; // the state of the player's random generator, not of the game's
    int64_t score;
} demo;

static void on_score(state_context *state, state_entity entity, const Score *score, void *user)
{
    (void)state, (void)entity;
    demo *demo = user;
    demo->score = score->points;
}

// ---- playing

// Returns a random cell.
static Position choose(demo *demo)
{
    const Board *board = game_get_unique_board(demo->world->contexts->game);
    return (Position){.x = (int32_t)random_below(&demo->random, (uint32_t)board->columns),
                      .y = (int32_t)random_below(&demo->random, (uint32_t)board->rows)};
}

static void move(demo *demo, uint32_t number)
{
    game_context *game = demo->world->contexts->game;
    bool bursts = number % MOVES_A_BURST == 0;
    Position at = choose(demo);
    const Piece *piece = game_get_piece(game, game_entity_with_cell(game, at.x, at.y));
    const char *kind = piece == NULL ? "nothing" : kinds[piece->kind];
    int64_t before = demo->score;
    match_set_burst(demo->world, bursts);
    match_click(demo->world, at.x, at.y);
    match_one_world_update(demo->world, 1);
    printf("%3" PRIu32 " %s (%" PRId32 ", %" PRId32 ") %-7s", number, bursts ? "burst" : "click", at.x, at.y, kind);
    printf("  takes %2" PRId64 "  score %3" PRId64 "\n", demo->score - before, demo->score);
}

// Returns whether each piece is found in a cell of the board.
static bool balances(game_context *game)
{
    Board board = *game_get_unique_board(game);
    uint32_t found = 0;
    for (int32_t y = 0; y < board.rows; y++)
        for (int32_t x = 0; x < board.columns; x++)
            found += letter_at(game, x, y) != '.';
    return found == kin_group_count(game_pieces_group(game));
}

static void play(demo *demo, uint32_t moves)
{
    game_context *game = demo->world->contexts->game;
    print_board(game);
    for (uint32_t number = 1; number <= moves; number++) {
        move(demo, number);
        if (number % MOVES_A_BOARD == 0 || number == moves)
            print_board(game);
    }
}

bool demo_play(Rules rules, uint32_t moves)
{
    demo demo = {.world = match_create(rules), .random = random_seed(~rules.seed)};
    if (demo.world == NULL)
        return false;
    state_context *state = demo.world->contexts->state;
    state_add_any_score_listener(state, state_create_entity(state), on_score, &demo);
    match_one_world_update(demo.world, 1);
    printf("Match One, seed %" PRIu64 ", %" PRIu32 " moves\n", rules.seed, moves);
    play(&demo, moves);
    bool right = balances(demo.world->contexts->game) && demo.score == state_get_unique_score(state)->points;
    printf("score %" PRId64 "%s\n", demo.score, right ? "" : ": WRONG");
    match_one_world_destroy(demo.world);
    return right;
}

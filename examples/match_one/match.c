#include "match.h"

#include "random.h"

enum { SMALLEST = 3, LARGEST = 16 }; // columns and rows

static int32_t limited(int32_t size)
{
    return size < SMALLEST ? SMALLEST : size > LARGEST ? LARGEST : size;
}

// Passes the rules to begin_initialize as the world's user pointer.
match_one_world *match_create(Rules rules)
{
    match_one_world *world = match_one_world_create(NULL, &rules);
    if (world != NULL)
        world->user = NULL;
    return world;
}

void begin_initialize(match_one_world *world)
{
    Rules rules = *(const Rules *)world->user;
    rules.columns = limited(rules.columns);
    rules.rows = limited(rules.rows);
    config_set_unique_rules(world->contexts->config, rules);
    state_set_unique_random(world->contexts->state, (Random){random_seed(rules.seed)});
}

void match_click(match_one_world *world, int32_t x, int32_t y)
{
    input_replace_unique_click(world->contexts->input, (Click){x, y});
}

void match_set_burst(match_one_world *world, bool on)
{
    input_set_unique_burst(world->contexts->input, on);
}

void match_resize(match_one_world *world, int32_t columns, int32_t rows)
{
    game_replace_unique_board(world->contexts->game, (Board){limited(columns), limited(rows)});
}

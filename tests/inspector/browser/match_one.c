// Match-One with an inspector, which plays itself: a click on a random cell ten times a second, until stdin ends.
#include "match.h"
#include "random.h"

#include <kin/inspect.h>

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

enum { FRAME_MILLISECONDS = 16, FRAMES_A_CLICK = 6 };

static void click(match_one_world *world, uint64_t *random)
{
    const Board *board = game_get_unique_board(world->contexts->game);
    match_click(world, (int32_t)random_below(random, (uint32_t)board->columns),
                (int32_t)random_below(random, (uint32_t)board->rows));
}

int main(void)
{
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    match_one_world *world = match_create(rules_default());
    uint64_t random = random_seed(1);
    if (world == NULL || kin_inspect(match_one_world_base(world), NULL) == NULL)
        return EXIT_FAILURE;
    for (int frame = 0; poll(&in, 1, FRAME_MILLISECONDS) == 0; frame++) {
        if (frame % FRAMES_A_CLICK == 0)
            click(world, &random);
        match_one_world_update(world, FRAME_MILLISECONDS / 1000.0);
    }
    match_one_world_destroy(world);
    return EXIT_SUCCESS;
}

// Match-One in a window, by SDL2. It shares the code of the game with the terminal version.
//
//     match_one_window [--seed N] [--columns N] [--rows N] [--print-state] [--screenshot FILE]
//
// --print-state prints the board and the score at the end. --screenshot makes random moves, writes a picture and exits:
// the same picture for the same seed.

#include "../match.h"
#include "../options.h"
#include "../print.h"
#include "../random.h"
#include "window.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATUS_USAGE = 2, MOVES_BEFORE_PICTURE = 24, FRAMES_BEFORE_PICTURE = 6 };

typedef struct options {
    Rules rules;
    const char *screenshot;
    bool prints_state, has_seed;
} options;

static const char usage[] =
    "usage: match_one_window [--seed N] [--columns N] [--rows N] [--print-state] [--screenshot FILE]\n";

static bool read_option(options *options, const char *name, const char *text)
{
    if (strcmp(name, "--screenshot") != 0) {
        options->has_seed |= strcmp(name, "--seed") == 0;
        return option_rule(&options->rules, name, text);
    }
    options->screenshot = text;
    return text != NULL;
}

static bool read_options(options *options, char **arguments)
{
    while (*arguments != NULL)
        if (strcmp(*arguments, "--print-state") == 0) {
            options->prints_state = true;
            arguments++;
        } else {
            if (!read_option(options, arguments[0], arguments[1]))
                return false;
            arguments += 2;
        }
    return true;
}

// ---- a picture for the documentation

static void click_random_cell(player *player, uint64_t *random)
{
    const Board *board = game_get_unique_board(player->world->contexts->game);
    int32_t x = (int32_t)random_below(random, (uint32_t)board->columns);
    int32_t y = (int32_t)random_below(random, (uint32_t)board->rows);
    player_act(player, (command){ACTION_POINT, x, y});
}

// Waits after each move until nothing moves, except after the last: the picture shows pieces that fall and fade.
static bool take_picture(window *window, player *player, const char *path)
{
    uint64_t random = random_seed(player->seed);
    match_set_burst(player->world, true);
    for (int i = 0; i < MOVES_BEFORE_PICTURE; i++) {
        for (int second = 0; second < 2; second++)
            match_one_world_update(player->world, 1);
        click_random_cell(player, &random);
    }
    for (int i = 0; i < FRAMES_BEFORE_PICTURE; i++)
        match_one_world_update(player->world, 1.0 / 60);
    return window_save(window, player, path);
}

// ---- running

static void print_state(const match_one_contexts *contexts)
{
    print_board(contexts->game);
    printf("score %" PRId64 "\n", state_get_unique_score(contexts->state)->points);
    printf("burst %s\n", input_is_unique_burst(contexts->input) ? "on" : "off");
}

static bool show(const options *options, window *window)
{
    player player = {.seed = options->rules.seed};
    bool done = player_begin(&player, options->rules);
    if (!done)
        fputs("match_one_window: there is not enough memory\n", stderr);
    else if (options->screenshot != NULL)
        done = take_picture(window, &player, options->screenshot);
    else
        done = window_play(window, &player);
    if (done && options->prints_state)
        print_state(player.world->contexts);
    match_one_world_destroy(player.world);
    return done;
}

int main(int argc, char **argv)
{
    options options = {.rules = rules_default()};
    if (argc < 1 || !read_options(&options, argv + 1)) {
        fputs(usage, stderr);
        return STATUS_USAGE;
    }
    if (!options.has_seed)
        options.rules.seed = (uint64_t)time(NULL);
    window *window = window_open();
    bool done = window != NULL && show(&options, window);
    window_close(window);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

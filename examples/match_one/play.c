#include "play.h"

#include "keys.h"
#include "match.h"
#include "scene.h"
#include "terminal.h"
#include "view.h"

#include <stdio.h>
#include <time.h>

typedef struct player {
    match *match;
    terminal *terminal;
    Position cursor;
    uint64_t seed;
    double time; // of the last frame, in seconds
    bool quits;
} player;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// After a pause, while the player was thinking or the program was stopped, things go on where they were.
static double passed(player *player)
{
    static const double longest = 0.05;
    double seconds = now() - player->time;
    player->time += seconds;
    return seconds < longest ? seconds : longest;
}

static int32_t between(int32_t number, int32_t end)
{
    return number < 0 ? 0 : number >= end ? end - 1 : number;
}

static void put_cursor(player *player, int32_t x, int32_t y)
{
    const Board *board = game_get_unique_board(player->match->contexts->game);
    player->cursor = (Position){between(x, board->columns), between(y, board->rows)};
}

static void begin(player *player, Rules rules)
{
    rules.seed = player->seed++;
    match_start(player->match, rules);
    match_frame(player->match, 0);
    put_cursor(player, rules.columns / 2, rules.rows / 2);
}

// ---- what the player wants

static void do_nothing(player *player, command command)
{
    (void)player, (void)command;
}

static void move_cursor(player *player, command command)
{
    put_cursor(player, player->cursor.x + command.x, player->cursor.y + command.y);
}

static void take(player *player, command command)
{
    (void)command;
    match_click(player->match, player->cursor.x, player->cursor.y);
}

static void point(player *player, command command)
{
    put_cursor(player, command.x, command.y);
    take(player, command);
}

static void toggle_burst(player *player, command command)
{
    (void)command;
    match_set_burst(player->match, !input_is_unique_burst(player->match->contexts->input));
}

static void resize(player *player, command command)
{
    const Board *board = game_get_unique_board(player->match->contexts->game);
    match_resize(player->match, board->columns + command.x, board->rows + command.y);
    put_cursor(player, player->cursor.x, player->cursor.y);
}

static void restart(player *player, command command)
{
    (void)command;
    begin(player, *config_get_unique_rules(player->match->contexts->config));
}

static void quit(player *player, command command)
{
    (void)command;
    player->quits = true;
}

static void (*const acts[])(player *, command) = {
    [ACTION_NONE] = do_nothing,    [ACTION_MOVE] = move_cursor, [ACTION_TAKE] = take,       [ACTION_POINT] = point,
    [ACTION_BURST] = toggle_burst, [ACTION_RESIZE] = resize,    [ACTION_RESTART] = restart, [ACTION_QUIT] = quit,
};

// ---- the whole

static void run(player *player)
{
    scene_context *scene = player->match->contexts->scene;
    while (!player->quits) {
        view_draw(player->terminal, scene, player->cursor);
        command command = keys_read(scene, is_scene_moving(scene));
        acts[command.action](player, command);
        match_frame(player->match, passed(player));
    }
}

bool play(Rules rules)
{
    player player = {.match = match_create(), .seed = rules.seed};
    if (player.match == NULL) {
        fputs("match_one: there is not enough memory\n", stderr);
        return false;
    }
    player.terminal = terminal_open();
    if (player.terminal != NULL) {
        add_scene_systems(player.match->view, player.match->contexts);
        begin(&player, rules);
        run(&player);
    }
    bool played = player.terminal != NULL;
    terminal_close(player.terminal);
    match_destroy(player.match);
    return played;
}

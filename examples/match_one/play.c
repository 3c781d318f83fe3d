#include "play.h"

#include "keys.h"
#include "match.h"
#include "scene.h"
#include "terminal.h"
#include "view.h"

#include <stdio.h>
#include <time.h>

typedef struct player {
    match_one_world *world;
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
    const Board *board = game_get_unique_board(player->world->contexts->game);
    player->cursor = (Position){between(x, board->columns), between(y, board->rows)};
}

// A new game, in place of the one before. False when out of memory.
static bool begin(player *player, Rules rules)
{
    rules.seed = player->seed++;
    match_one_world_destroy(player->world);
    player->world = match_create(rules);
    if (player->world == NULL)
        return false;
    match_one_world_update(player->world, 0);
    put_cursor(player, rules.columns / 2, rules.rows / 2);
    return true;
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
    match_click(player->world, player->cursor.x, player->cursor.y);
}

static void point(player *player, command command)
{
    put_cursor(player, command.x, command.y);
    take(player, command);
}

static void toggle_burst(player *player, command command)
{
    (void)command;
    match_set_burst(player->world, !input_is_unique_burst(player->world->contexts->input));
}

static void resize(player *player, command command)
{
    const Board *board = game_get_unique_board(player->world->contexts->game);
    match_resize(player->world, board->columns + command.x, board->rows + command.y);
    put_cursor(player, player->cursor.x, player->cursor.y);
}

static void restart(player *player, command command)
{
    (void)command;
    player->quits = !begin(player, *config_get_unique_rules(player->world->contexts->config));
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
    while (!player->quits) {
        scene_context *scene = player->world->contexts->scene;
        view_draw(player->terminal, scene, player->cursor);
        command command = keys_read(scene, is_scene_moving(scene));
        acts[command.action](player, command);
        if (!player->quits)
            match_one_world_update(player->world, passed(player));
    }
}

bool play(Rules rules)
{
    player player = {.seed = rules.seed};
    player.terminal = terminal_open();
    if (player.terminal == NULL)
        return false;
    if (begin(&player, rules))
        run(&player);
    terminal_close(player.terminal);
    bool played = player.world != NULL;
    if (!played)
        fputs("match_one: there is not enough memory\n", stderr);
    match_one_world_destroy(player.world);
    return played;
}

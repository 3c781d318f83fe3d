#include "player.h"

#include "match.h"

#include <time.h>

static int32_t between(int32_t number, int32_t end)
{
    return number < 0 ? 0 : number >= end ? end - 1 : number;
}

static void put_cursor(player *player, int32_t x, int32_t y)
{
    const Board *board = game_get_unique_board(player->world->contexts->game);
    player->cursor = (Position){between(x, board->columns), between(y, board->rows)};
}

bool player_begin(player *player, Rules rules)
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

// ---- commands

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

static void aim(player *player, command command)
{
    put_cursor(player, command.x, command.y);
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
    player->quits = !player_begin(player, *config_get_unique_rules(player->world->contexts->config));
}

static void quit(player *player, command command)
{
    (void)command;
    player->quits = true;
}

static void (*const acts[])(player *, command) = {
    [ACTION_NONE] = do_nothing, [ACTION_MOVE] = move_cursor, [ACTION_TAKE] = take,
    [ACTION_AIM] = aim,         [ACTION_POINT] = point,      [ACTION_BURST] = toggle_burst,
    [ACTION_RESIZE] = resize,   [ACTION_RESTART] = restart,  [ACTION_QUIT] = quit,
};

void player_act(player *player, command command)
{
    acts[command.action](player, command);
}

// ---- time

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Limits the time since the last frame: after a pause in which no frame was drawn, pieces continue from where they
// were.
static double passed(player *player)
{
    static const double longest = 0.05;
    double seconds = now() - player->time;
    player->time += seconds;
    return seconds < longest ? seconds : longest;
}

void player_update(player *player)
{
    match_one_world_update(player->world, passed(player));
}

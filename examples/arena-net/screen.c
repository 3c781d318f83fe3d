#include "screen.h"

#include <plaza/plaza_net.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put(screen *screen, Vec2 corner, Vec2 at, char sign)
{
    int32_t column = (int32_t)(at.x - corner.x + 0.5F);
    int32_t row = (int32_t)(at.y - corner.y + 0.5F);
    bool is_in_width = column >= 0 && column < SCREEN_COLUMNS;
    bool is_in_height = row >= 0 && row < SCREEN_ROWS;
    if (is_in_width && is_in_height)
        screen->signs[row][column] = sign;
}

static void clear(screen *screen)
{
    for (uint32_t row = 0; row < SCREEN_ROWS; row++) {
        memset(screen->signs[row], ' ', SCREEN_COLUMNS);
        screen->signs[row][SCREEN_COLUMNS] = '\0';
    }
    snprintf(screen->state, sizeof screen->state, "Waiting for the host.");
}

// Where something is drawn: with a session between the last two states of the host, by the clock.
static Vec2 place_of(const kin_session *session, game_entity entity, Position position)
{
    return session != NULL ? game_blend_position(session, entity).at : position.at;
}

static Vec2 corner_of(int32_t zone)
{
    return (Vec2){(float)((zone % ZONES - 1) * ZONE_COLUMNS), (float)((zone / ZONES - 1) * ZONE_ROWS)};
}

static void write_state(screen *screen, game_context *game, game_entity own)
{
    const Purse *purse = game_get_purse(game, own);
    uint32_t citizens = kin_group_count(game_citizens_group(game));
    snprintf(screen->state, sizeof screen->state,
             "%s   %" PRId32 " coins   zone %" PRId32 "   %" PRIu32 " of %d citizens in sight",
             game_get_player(game, own)->name, purse == NULL ? 0 : purse->coins, game_get_cell(game, own)->zone,
             citizens, CITIZENS);
}

void screen_draw(screen *screen, plaza_world *world, const kin_session *session, uint32_t peer)
{
    game_context *game = world->contexts->game;
    game_entity own = square_player(game, peer);
    clear(screen);
    if (!game_entity_is_alive(game, own))
        return;
    Vec2 at = game_get_position(game, own)->at;
    Vec2 corner = corner_of(square_zone(at));
    for (game_citizens_iter it = game_citizens_iterate(game); game_citizens_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            put(screen, corner, place_of(session, game_citizens_at(&it, i), it.position[i]), '.');
    for (game_coins_iter it = game_coins_iterate(game); game_coins_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            put(screen, corner, it.position[i].at, '$');
    for (game_players_iter it = game_players_iterate(game); game_players_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            put(screen, corner, place_of(session, game_players_at(&it, i), it.position[i]), it.player[i].name[0]);
    put(screen, corner, at, '@');
    write_state(screen, game, own);
}

// ---- the terminal

static const char *style_of(char sign)
{
    switch (sign) {
    case '.':
        return "\033[0;2m";
    case '$':
        return "\033[0;33m";
    default:
        return "\033[0;1m";
    }
}

void screen_show(const screen *screen, const char *said)
{
    fputs("\033[H", stdout);
    for (uint32_t row = 0; row < SCREEN_ROWS; row++) {
        for (const char *sign = screen->signs[row]; *sign != '\0'; sign++)
            printf("%s%c", style_of(*sign), *sign);
        fputs("\033[0m\033[K\n", stdout);
    }
    printf("%s\033[K\n%s\033[K\narrows: walk   space: stop   q: quit\033[K", screen->state, said);
    fflush(stdout);
}

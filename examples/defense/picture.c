#include "picture.h"

#include <defense/defense_world.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void put(picture *picture, float x, float y, char sign, uint32_t colour)
{
    if (x < 0 || y < 0)
        return;
    uint32_t column = (uint32_t)(x + 0.5F);
    uint32_t row = (uint32_t)(y + 0.5F);
    if (column >= COLUMNS || row >= ROWS)
        return;
    picture->signs[row][column] = sign;
    picture->colours[row][column] = (uint8_t)colour;
}

static void draw_ground(picture *picture, game_context *game)
{
    for (uint32_t y = 0; y < ROWS; y++) {
        for (uint32_t x = 0; x < COLUMNS; x++)
            put(picture, (float)x, (float)y, level_is_lane(game, x, y) ? '.' : ' ', DIM);
        picture->signs[y][COLUMNS] = '\0';
    }
    for (game_lanes_iter it = game_lanes_iterate(game); game_lanes_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            Corner end = it.lane[i].corners.at[it.lane[i].corners.count - 1];
            put(picture, end.x, end.y, '#', 7);
        }
}

// The loop over `pictures` has the lower layers first. It leaves out what is off; `dark` has that.
void show_draw(defense_world *world)
{
    picture *picture = world->user;
    game_context *game = world->contexts->game;
    draw_ground(picture, game);
    for (game_pictures_iter it = game_pictures_iterate(game); game_pictures_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            put(picture, it.position[i].x, it.position[i].y, (char)it.glyph[i].sign, it.glyph[i].colour);
    for (game_dark_iter it = game_dark_iterate(game); game_dark_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            put(picture, it.position[i].x, it.position[i].y, '!', it.glyph[i].colour + DIM);
    for (game_marked_iter it = game_marked_iterate(game); game_marked_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            const Glyph *glyph = game_get_glyph(game, game_marked_at(&it, i));
            put(picture, it.position[i].x, it.position[i].y, (char)glyph->sign, glyph->colour + MARK);
        }
    for (game_bullets_iter it = game_bullets_iterate(game); game_bullets_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            put(picture, it.bullet[i].x, it.bullet[i].y, it.bullet[i].blast > 0 ? '*' : '\'', 7);
}

// The creep that has come furthest is the first one of an ordered index.
void picture_write_state(game_context *game, char *text, size_t size)
{
    const Progress *now = game_get_unique_progress(game);
    game_entity first = game_vanguard_first(game);
    int written = snprintf(text, size, "waves %" PRIu32 " of %" PRIu32 "   lives %" PRId32 "   gold %" PRId32,
                           now->wave, kin_group_count(game_waves_group(game)), game_get_unique_fort(game)->lives,
                           game_get_unique_purse(game)->gold);
    if (written > 0 && (size_t)written < size && game_entity_is_alive(game, first))
        snprintf(text + written, size - (size_t)written, "   %s leads at %.0f", game_get_creep(game, first)->title,
                 (double)game_get_march(game, first)->done);
}

// ---- the terminal

static void choose_colour(uint32_t colour, bool is_cursor)
{
    printf("\033[0;%u%s%s%sm", 30 + colour % DIM, (colour & DIM) != 0 ? ";2" : "", (colour & MARK) != 0 ? ";1" : "",
           is_cursor ? ";7" : "");
}

void picture_show(const picture *picture, Position cursor, const char *state, const char *help, const char *said)
{
    fputs("\033[H", stdout);
    for (uint32_t y = 0; y < ROWS; y++) {
        for (uint32_t x = 0; x < COLUMNS; x++) {
            choose_colour(picture->colours[y][x], (float)x == cursor.x && (float)y == cursor.y);
            putchar(picture->signs[y][x]);
        }
        fputs("\033[0m\033[K\n", stdout);
    }
    printf("%s\033[K\n%s\033[K\n%s\033[K", state, help, said);
    fflush(stdout);
}

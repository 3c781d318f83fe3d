#include "level.h"

#include <math.h>

// Lanes are parallel to the axes.
static float length_of(Corner from, Corner to)
{
    return fabsf(to.x - from.x) + fabsf(to.y - from.y);
}

Position level_place(const Lane *lane, float done, bool *has_arrived)
{
    const Corner *corners = lane->corners.at;
    *has_arrived = false;
    for (uint32_t i = 0; i + 1 < lane->corners.count; i++) {
        Corner from = corners[i];
        Corner to = corners[i + 1];
        float length = length_of(from, to);
        if (done < length)
            return (Position){from.x + (to.x - from.x) * (done / length), from.y + (to.y - from.y) * (done / length)};
        done -= length;
    }
    *has_arrived = true;
    Corner end = corners[lane->corners.count - 1];
    return (Position){end.x, end.y};
}

game_entity level_lane(game_context *game, uint32_t number)
{
    uint32_t left = number % kin_group_count(game_lanes_group(game));
    for (game_lanes_iter it = game_lanes_iterate(game); game_lanes_next(&it); left -= it.count)
        if (left < it.count)
            return game_lanes_at(&it, left);
    return GAME_NO_ENTITY;
}

static bool passes(const Lane *lane, float x, float y)
{
    for (uint32_t i = 0; i + 1 < lane->corners.count; i++) {
        Corner from = lane->corners.at[i];
        Corner to = lane->corners.at[i + 1];
        bool is_beside = x >= fminf(from.x, to.x) && x <= fmaxf(from.x, to.x);
        if (is_beside && y >= fminf(from.y, to.y) && y <= fmaxf(from.y, to.y))
            return true;
    }
    return false;
}

bool level_is_lane(game_context *game, uint32_t x, uint32_t y)
{
    for (game_lanes_iter it = game_lanes_iterate(game); game_lanes_next(&it);)
        for (uint32_t i = 0; i < it.count; i++)
            if (passes(&it.lane[i], (float)x, (float)y))
                return true;
    return false;
}

const Wave *level_wave(game_context *game, uint32_t number)
{
    return game_get_wave(game, game_entity_with_wave_number(game, number));
}

uint32_t level_wave_size(const Wave *wave)
{
    uint32_t size = 0;
    for (uint32_t i = 0; i < wave->troops.count; i++)
        size += wave->troops.at[i].count;
    return size;
}

const char *level_creep(const Wave *wave, uint32_t number)
{
    uint32_t i = 0;
    for (; i + 1 < wave->troops.count && number >= wave->troops.at[i].count; i++)
        number -= wave->troops.at[i].count;
    return wave->troops.at[i].creep;
}

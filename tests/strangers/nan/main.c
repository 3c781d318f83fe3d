// The constants of the schema have the bits of infinity and of a quiet NaN, whatever the compiler assumes of numbers.
#include "frost/frost.h"

#include <stdint.h>
#include <string.h>

static bool has_float(float value, uint32_t bits)
{
    return memcmp(&value, &bits, sizeof bits) == 0;
}

static bool has_double(double value, uint64_t bits)
{
    return memcmp(&value, &bits, sizeof bits) == 0;
}

static const uint32_t float_minus = 0xff800000, float_nan = 0x7fc00000;
static const uint64_t infinity = 0x7ff0000000000000, minus = 0xfff0000000000000, nan_bits = 0x7ff8000000000000;

void tell_on_signal(frost_world *world, const Signal *message)
{
    (void)world;
    (void)message;
}

static bool is_heat(const Heat *heat)
{
    return has_float(heat->measured, float_nan) && has_float(heat->samples[0], float_nan) &&
           has_float(heat->samples[2], float_minus) && has_double(heat->limit, infinity);
}

int main(void)
{
    game_context *game = game_context_create(NULL);
    game_entity stove = game_spawn_stove(game);
    const Heat *heat = game_get_heat(game, stove);
    const Clock *clock = game_get_clock(game, stove);
    const Log *log = game_get_log(game, stove);
    Track track = track_default();
    bool is_right = is_heat(heat) && has_float(heat->span.low, float_minus) && has_float(heat->span.high, 0x3f800000);
    is_right = is_right && has_double(clock->due, nan_bits) && has_double(clock->never, minus);
    is_right = is_right && log->values.count == 2 && has_double(log->values.at[0], infinity);
    is_right = is_right && has_double(log->values.at[1], nan_bits);
    is_right = is_right && has_float(track.x, float_nan) && has_double(track.y, minus);
    is_right = is_right && has_float(signal_default().strength, float_nan);
    is_right = is_right && game_info.components[GAME_HEAT].field_count == 5;
    game_context_destroy(game);
    return is_right ? 0 : 1;
}

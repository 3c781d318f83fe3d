// A shape is a signed distance function: it returns the distance of a point from the shape, negative inside. A tile
// spans from -1 to 1, x to the right, y downward.
#include "tile.h"

#include <math.h>

typedef struct point {
    float x, y;
} point;

typedef struct colour {
    float red, green, blue, opacity; // 0 to 1
} colour;

typedef float shape(point at);

static const colour white = {1, 1, 1, 1}, black = {0, 0, 0, 1};

// ---- shapes

static float rounded_box(point at, point half, float radius)
{
    float x = fabsf(at.x) - half.x + radius, y = fabsf(at.y) - half.y + radius;
    return hypotf(fmaxf(x, 0), fmaxf(y, 0)) + fminf(fmaxf(x, y), 0) - radius;
}

static float circle(point at)
{
    return hypotf(at.x, at.y) - 0.36f;
}

static float diamond(point at)
{
    return (fabsf(at.x) + fabsf(at.y)) * 0.71f - 0.32f;
}

static float square(point at)
{
    return rounded_box(at, (point){0.32f, 0.32f}, 0.08f);
}

static float triangle(point at)
{
    return fmaxf(at.y - 0.3f, fabsf(at.x) * 0.87f - (at.y + 0.44f) * 0.5f);
}

static float hexagon(point at)
{
    return fmaxf(fabsf(at.x) * 0.87f + fabsf(at.y) * 0.5f, fabsf(at.y)) - 0.34f;
}

static float cross(point at)
{
    return fminf(rounded_box(at, (point){0.4f, 0.14f}, 0.04f), rounded_box(at, (point){0.14f, 0.4f}, 0.04f));
}

static float bolts(point at)
{
    return hypotf(fabsf(at.x) - 0.5f, fabsf(at.y) - 0.5f) - 0.09f;
}

static float whole(point at)
{
    return rounded_box(at, (point){0.9f, 0.9f}, 0.3f);
}

// The face of a tile, above its lower rim.
static float face(point at)
{
    return rounded_box((point){at.x, at.y + 0.07f}, (point){0.9f, 0.83f}, 0.3f);
}

static float face_below_edge(point at)
{
    return rounded_box((point){at.x, at.y + 0.04f}, (point){0.86f, 0.80f}, 0.27f);
}

static float frame(point at)
{
    return fabsf(rounded_box(at, (point){0.93f, 0.93f}, 0.3f)) - 0.05f;
}

// ---- colours

static const struct {
    colour colour;
    shape *emblem;
} kinds[] = {
    [KIND_RED] = {{0.91f, 0.28f, 0.32f, 1}, circle},    [KIND_YELLOW] = {{0.96f, 0.74f, 0.20f, 1}, diamond},
    [KIND_GREEN] = {{0.27f, 0.74f, 0.42f, 1}, square},  [KIND_CYAN] = {{0.20f, 0.74f, 0.80f, 1}, triangle},
    [KIND_BLUE] = {{0.30f, 0.48f, 0.95f, 1}, hexagon},  [KIND_MAGENTA] = {{0.76f, 0.38f, 0.88f, 1}, cross},
    [KIND_BLOCKER] = {{0.36f, 0.39f, 0.47f, 1}, bolts},
};

static float mix(float one, float other, float part)
{
    return one + (other - one) * part;
}

static colour blend(colour one, colour other, float part)
{
    return (colour){mix(one.red, other.red, part), mix(one.green, other.green, part), mix(one.blue, other.blue, part),
                    one.opacity};
}

// Returns the covered part of a pixel of this size from the distance of its centre.
static float covered(float outside, float pixel)
{
    return fminf(fmaxf(0.5f - outside / pixel, 0), 1);
}

static colour colour_of_piece(int kind, point at, float pixel)
{
    colour base = kinds[kind].colour;
    shape *emblem = kinds[kind].emblem;
    float face_part = covered(face(at), pixel);
    colour made = blend(base, black, 0.42f);
    made = blend(made, blend(base, white, 0.3f - 0.3f * (at.y + 1) / 2), face_part);
    made = blend(made, white, 0.35f * face_part * (1 - covered(face_below_edge(at), pixel)) * (at.y < 0));
    made = blend(made, black, 0.22f * covered(emblem((point){at.x, at.y - 0.02f}), pixel));
    made = blend(made, white, 0.82f * covered(emblem((point){at.x, at.y + 0.07f}), pixel));
    made.opacity = covered(whole(at), pixel);
    return made;
}

static colour colour_at(int tile, point at, float pixel)
{
    if (tile == TILE_HOLE)
        return (colour){0.13f, 0.14f, 0.20f, covered(whole(at), pixel)};
    if (tile == TILE_CURSOR)
        return (colour){1, 1, 1, covered(frame(at), pixel)};
    return colour_of_piece(tile, at, pixel);
}

static uint32_t packed(colour colour)
{
    uint32_t red = (uint32_t)(colour.red * 255 + 0.5f), green = (uint32_t)(colour.green * 255 + 0.5f);
    uint32_t blue = (uint32_t)(colour.blue * 255 + 0.5f), opacity = (uint32_t)(colour.opacity * 255 + 0.5f);
    return red | green << 8 | blue << 16 | opacity << 24;
}

void tile_paint(int tile, int size, uint32_t *pixels)
{
    float pixel = 2 / (float)size;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            point at = {((float)x + 0.5f) * pixel - 1, ((float)y + 0.5f) * pixel - 1};
            pixels[y * size + x] = packed(colour_at(tile, at, pixel));
        }
}

// Finding by place: movers in a grid of cells, and buildings that cover tiles.

#include "grid/grid.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOVERS = 10000, STEPS = 100, WORLD = 8192, CELL = 128, CELLS = WORLD / CELL, RADIUS = 200 };

// ---- the functions that give the keys

static int32_t cell_at(int32_t x, int32_t y)
{
    return y / CELL * CELLS + x / CELL;
}

uint32_t cell_of(const Position *position, int32_t keys[KIN_INDEX_KEYS])
{
    keys[0] = cell_at(position->x, position->y);
    return 1;
}

// A building that covers more than KIN_INDEX_KEYS tiles is refused: returns their number, however many they are.
uint32_t tiles_of(const Building *building, Tile keys[KIN_INDEX_KEYS])
{
    uint32_t count = 0;
    for (int y = 0; y < building->height; y++)
        for (int x = 0; x < building->width; x++, count++)
            if (count < KIN_INDEX_KEYS)
                keys[count] = (Tile){(int16_t)(building->x + x), (int16_t)(building->y + y)};
    return count;
}

// ---- movers

// Bounces off the borders.
static void advance(int32_t *place, int32_t *velocity)
{
    *place += *velocity;
    if (*place >= 0 && *place < WORLD)
        return;
    *velocity = -*velocity;
    *place += 2 * *velocity;
}

// Writes in place, then touches each mover, so that the index learns where it is now.
static void move(game_context *game)
{
    game_movers_iter it = game_movers_iterate(game);
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            advance(&it.position[i].x, &it.velocity[i].x);
            advance(&it.position[i].y, &it.velocity[i].y);
            game_touch_position(game, game_movers_at(&it, i));
        }
}

static bool is_within(const Position *position, Position centre)
{
    int64_t x = position->x - centre.x, y = position->y - centre.y;
    return x * x + y * y <= (int64_t)RADIUS * RADIUS;
}

static int32_t bounded(int32_t place)
{
    return place < 0 ? 0 : place >= WORLD ? WORLD - 1 : place;
}

static uint32_t count_in_cell(game_context *game, int32_t cell, Position centre)
{
    uint32_t count, within = 0;
    const game_entity *entities = game_entities_with_near(game, cell, &count);
    for (uint32_t i = 0; i < count; i++)
        within += is_within(game_get_position_unchecked(game, entities[i]), centre);
    return within;
}

// Counts the movers within the radius: visits the cells of the box around the centre.
static uint32_t count_near(game_context *game, Position centre)
{
    int32_t left = bounded(centre.x - RADIUS) / CELL, right = bounded(centre.x + RADIUS) / CELL;
    int32_t top = bounded(centre.y - RADIUS) / CELL, bottom = bounded(centre.y + RADIUS) / CELL;
    uint32_t count = 0;
    for (int32_t row = top; row <= bottom; row++)
        for (int32_t column = left; column <= right; column++)
            count += count_in_cell(game, row * CELLS + column, centre);
    return count;
}

// The same from all movers.
static uint32_t count_slowly(game_context *game, Position centre)
{
    uint32_t count = 0;
    game_movers_iter it = game_movers_iterate(game);
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            count += is_within(&it.position[i], centre) && !game_is_hidden(game, game_movers_at(&it, i));
    return count;
}

static uint32_t draw(uint32_t *state, uint32_t limit)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % limit;
}

static void create_movers(game_context *game)
{
    uint32_t state = 1;
    for (uint32_t i = 0; i < MOVERS; i++) {
        game_entity mover = game_create_entity(game);
        Position position = {(int32_t)draw(&state, WORLD), (int32_t)draw(&state, WORLD)};
        game_add_position(game, mover, position);
        game_add_velocity(game, mover, (Velocity){(int32_t)draw(&state, 65) - 32, (int32_t)draw(&state, 65) - 32});
        if (i % 10 == 0)
            game_set_hidden(game, mover, true);
    }
}

// ---- buildings

static void on_error(const kin_error *error, void *user)
{
    (void)user;
    printf("  %s\n", error->message);
}

static void build(game_context *game, Building building)
{
    game_entity entity = game_create_entity(game);
    kin_status status = game_add_building(game, entity, building);
    printf("%d by %d tiles at (%d, %d): %s\n", building.width, building.height, building.x, building.y,
           status == KIN_OK ? "built" : kin_status_name(status));
    if (status != KIN_OK)
        game_destroy_entity(game, entity);
}

int main(void)
{
    game_context *game = game_context_create(&(kin_context_options){.on_error = on_error});
    if (game == NULL)
        return EXIT_FAILURE;
    create_movers(game);
    const Position centres[] = {{4096, 4096}, {0, 0}, {8000, 1000}};
    for (int step = 0; step <= STEPS; step++) {
        if (step % 25 == 0)
            for (int i = 0; i < 3; i++)
                printf("step %3d: %2u movers near (%d, %d), %2u by looking at all\n", step,
                       (unsigned)count_near(game, centres[i]), (int)centres[i].x, (int)centres[i].y,
                       (unsigned)count_slowly(game, centres[i]));
        move(game);
    }
    build(game, (Building){10, 10, 3, 2});
    build(game, (Building){12, 11, 4, 4});
    build(game, (Building){13, 10, 4, 4});
    build(game, (Building){20, 20, 5, 4});
    printf("on (16, 13): building %d\n",
           (int)kin_entity_creation_index(game_entity_with_tile(game, (Tile){16, 13}).id) - MOVERS);
    game_context_destroy(game);
    return EXIT_SUCCESS;
}

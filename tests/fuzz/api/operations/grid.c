// Grids (FND-10 to FND-14): circles, boxes, pairs and the nearest, compared with all entities, and open walks.
// What is written in place is found again after a refresh; until then nothing that is too far away is found.
#include "fuzz/api/values.h"
#include "fuzz/api/walk.h"

#include <kin/look.h>

// A point to look around. Values are on a diagonal, and at 0 in blueprints.
static Vec2 take_point(void)
{
    float x = (float)take_byte() - 4;
    return (Vec2){x, x + (float)take_below(3)};
}

static bool is_in_swarm(const game_context *game, game_entity entity, Vec2 *at)
{
    const Vel *vel = game_get_vel(game, entity);
    if (vel == NULL || game_is_doomed(game, entity))
        return false;
    *at = vel->v;
    return true;
}

static double square_between(Vec2 a, Vec2 b)
{
    double x = (double)a.x - b.x;
    double y = (double)a.y - b.y;
    return x * x + y * y;
}

static uint32_t count_near(const game_context *game, Vec2 at, double radius)
{
    uint32_t count = 0;
    Vec2 found;
    for (uint32_t slot = 0; slot < 64 * kin_look_words(&game->base); slot++) {
        game_entity entity = {kin_look_entity(&game->base, slot)};
        count += is_in_swarm(game, entity, &found) && square_between(found, at) <= radius * radius;
    }
    return count;
}

static void write_in_place(const place *at)
{
    Vel *vel = game_edit_vel(at->game, (game_entity){take_handle(&here->game_handles[at->package])});
    if (vel != NULL)
        *vel = make_vel();
}

static void see_circle(const place *at)
{
    Vec2 point = take_point();
    Vec2 found;
    double radius = take_below(3) == 0 ? 400 : take_below(12);
    uint32_t count = 0;
    game_swarm_refresh(at->game);
    game_swarm_iter it = game_swarm_near(at->game, point, radius);
    for (; game_swarm_next(&it); count++) {
        CHECK(is_in_swarm(at->game, it.entity, &found));
        CHECK(it.distance_squared == square_between(found, point) && it.distance_squared <= radius * radius);
    }
    CHECK(count == count_near(at->game, point, radius));
}

static void see_box(const place *at)
{
    int8_t low = (int8_t)take_byte();
    int8_t high = (int8_t)(take_below(4) == 0 ? 127 : low + (int8_t)take_below(9));
    game_tiles_iter it = game_tiles_in_box(at->game, low, -128, high, 127);
    uint32_t last = 0;
    uint32_t count = 0;
    for (; game_tiles_next(&it); count++) {
        const Cell *cell = game_get_cell(at->game, it.entity);
        CHECK(cell != NULL && game_is_lit(at->game, it.entity));
        CHECK(cell->x >= low && cell->x <= high);
        CHECK(count == 0 || kin_entity_slot(it.entity.id) != last);
        last = kin_entity_slot(it.entity.id);
    }
}

static void see_nearest(const place *at)
{
    enum { MOST = 70 };
    game_entity found[MOST];
    Vec2 point = take_point();
    Vec2 stands;
    double radius = take_below(40);
    double last = 0;
    uint32_t count = take_below(MOST + 1);
    game_swarm_refresh(at->game);
    uint32_t written = game_swarm_nearest(at->game, point, count, radius, found);
    for (uint32_t i = 0; i < written; i++) {
        CHECK(is_in_swarm(at->game, found[i], &stands));
        CHECK(square_between(stands, point) >= last && square_between(stands, point) <= radius * radius);
        last = square_between(stands, point);
    }
    uint32_t all = count_near(at->game, point, radius);
    CHECK(written == (all < count ? all : count));
}

static void see_pairs(const place *at)
{
    enum { MOST = 500 };
    double radius = take_below(5);
    game_swarm_pairs pairs = game_swarm_pairs_within(at->game, radius);
    Vec2 a, b;
    for (uint32_t i = 0; i < MOST && game_swarm_pairs_next(&pairs); i++) {
        CHECK(pairs.first.id != pairs.second.id);
        CHECK(is_in_swarm(at->game, pairs.first, &a) && is_in_swarm(at->game, pairs.second, &b));
        CHECK(pairs.distance_squared == square_between(a, b) && pairs.distance_squared <= radius * radius);
    }
}

// ---- open walks

static void step_walk(const place *at)
{
    walk *walk = &here->walks[WALKS + ORDERED_WALKS + take_below(GRID_WALKS)];
    Vec2 stands;
    if (walk->context == NULL) {
        walk->context = &at->game->base;
        walk->as.swarm = game_swarm_near(at->game, take_point(), take_below(2) == 0 ? 400 : take_below(30));
        return;
    }
    const game_context *game = (const game_context *)(const void *)walk->context;
    if (game_swarm_next(&walk->as.swarm))
        CHECK(is_in_swarm(game, walk->as.swarm.entity, &stands));
    else
        walk->context = NULL;
}

void do_grid(const place *at)
{
    static void (*const kinds[])(const place *at) = {step_walk, step_walk,   write_in_place, see_circle,
                                                     see_box,   see_nearest, see_pairs};
    if (at->game != NULL)
        kinds[take_below(sizeof kinds / sizeof *kinds)](at);
}

// Grids while anything changes, beside all pairs of points (FND). Changes happen between the steps of walks and in
// listeners. The model visits every entity: it knows the points at which those are filed whose values were written in
// place, and reads all others from the components.
//
//   KIN_STEPS  how many random steps the game takes
#include "runtime/support/case.h"
#include "runtime/support/environment.h"
#include "suites.h"

#include <kin/inventory.h>
#include <math.h>
#include <pasture/pasture.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 120, WALKS = 6, DEEPEST = 3, STEPS = 40000, CHECKED = 400, SLOTS = 1024, LIMIT = 1 << 30, MANY = 200 };

CASE(paddock)

static uint32_t state, depth;

static uint32_t draw(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)state * below >> 32);
}

typedef struct point {
    double at[3];
} point;

// ---- the grids

typedef struct iter {
    union {
        paddock_places_iter places;
        paddock_bodies_iter bodies;
        paddock_tiles_iter tiles;
        paddock_crates_iter crates;
    } of;
} iter;

typedef struct pairs {
    union {
        paddock_places_pairs places;
        paddock_bodies_pairs bodies;
        paddock_tiles_pairs tiles;
        paddock_crates_pairs crates;
    } of;
} pairs;

typedef struct pair {
    kin_entity first, second;
    double distance_squared;
} pair;

typedef struct grid {
    double cell;
    uint32_t number, parts;
    void (*near)(iter *it, point at, double radius);
    void (*box)(iter *it, point low, point high);
    kin_entity (*next)(iter *it, double *distance_squared);
    uint32_t (*nearest)(point at, uint32_t count, double limit, paddock_entity *entities);
    void (*pairs)(pairs *it, double radius);
    bool (*pairs_next)(pairs *it, pair *found);
    uint32_t (*refresh)(void);
    bool (*has)(paddock_entity entity);
    void (*put)(paddock_entity entity, point at);
    void (*write)(paddock_entity entity, point at); // in place; NULL: not this component
    void (*touch)(paddock_entity entity);
    void (*remove)(paddock_entity entity);
    point (*read)(paddock_entity entity);
} grid;

#define GRID(index, component, POINT, BOX)                                                                             \
    static void index##_near(iter *it, point p, double radius)                                                         \
    {                                                                                                                  \
        it->of.index = paddock_##index##_near(paddock, POINT(p), radius);                                              \
    }                                                                                                                  \
    static void index##_box(iter *it, point p, point q)                                                                \
    {                                                                                                                  \
        it->of.index = paddock_##index##_in_box(paddock, BOX(p, q));                                                   \
    }                                                                                                                  \
    static kin_entity index##_next(iter *it, double *distance_squared)                                                 \
    {                                                                                                                  \
        bool found = paddock_##index##_next(&it->of.index);                                                            \
        *distance_squared = it->of.index.distance_squared;                                                             \
        ck_assert(found == (it->of.index.entity.id != 0));                                                             \
        return it->of.index.entity.id;                                                                                 \
    }                                                                                                                  \
    static uint32_t index##_nearest(point p, uint32_t count, double limit, paddock_entity *entities)                   \
    {                                                                                                                  \
        return paddock_##index##_nearest(paddock, POINT(p), count, limit, entities);                                   \
    }                                                                                                                  \
    static void index##_pairs(pairs *it, double radius)                                                                \
    {                                                                                                                  \
        it->of.index = paddock_##index##_pairs_within(paddock, radius);                                                \
    }                                                                                                                  \
    static bool index##_pairs_next(pairs *it, pair *found)                                                             \
    {                                                                                                                  \
        bool is_found = paddock_##index##_pairs_next(&it->of.index);                                                   \
        *found = (pair){it->of.index.first.id, it->of.index.second.id, it->of.index.distance_squared};                 \
        return is_found;                                                                                               \
    }                                                                                                                  \
    static uint32_t index##_refresh(void)                                                                              \
    {                                                                                                                  \
        return paddock_##index##_refresh(paddock);                                                                     \
    }                                                                                                                  \
    static bool index##_has(paddock_entity entity)                                                                     \
    {                                                                                                                  \
        return paddock_has_##component(paddock, entity);                                                               \
    }                                                                                                                  \
    static void index##_touch(paddock_entity entity)                                                                   \
    {                                                                                                                  \
        paddock_touch_##component(paddock, entity);                                                                    \
    }                                                                                                                  \
    static void index##_remove(paddock_entity entity)                                                                  \
    {                                                                                                                  \
        paddock_remove_##component(paddock, entity);                                                                   \
    }                                                                                                                  \
    static void index##_put(paddock_entity entity, point p)                                                            \
    {                                                                                                                  \
        if (paddock_has_##component(paddock, entity))                                                                  \
            paddock_replace_##component(paddock, entity, index##_value(p));                                            \
        else                                                                                                           \
            paddock_add_##component(paddock, entity, index##_value(p));                                                \
    }

static int32_t whole(double number)
{
    return number > -1e9 && number < 1e9 ? (int32_t)floor(number) : (int32_t)(number < 0 ? -1e9 : 1e9);
}

static uint8_t small(double number)
{
    return number > 0 && number < 255 ? (uint8_t)number : 0;
}

#define FLAT(p)                                                                                                        \
    (Vec2)                                                                                                             \
    {                                                                                                                  \
        (float)(p).at[0], (float)(p).at[1]                                                                             \
    }
#define DEEP(p)                                                                                                        \
    (Vec3)                                                                                                             \
    {                                                                                                                  \
        (p).at[0], (p).at[1], (p).at[2]                                                                                \
    }
#define WHOLE(p)        whole((p).at[0]), whole((p).at[1])
#define MIXED(p)        (p).at[0], (float)(p).at[1], small((p).at[2])
#define FLAT_BOX(p, q)  FLAT(p), FLAT(q)
#define DEEP_BOX(p, q)  DEEP(p), DEEP(q)
#define WHOLE_BOX(p, q) WHOLE(p), WHOLE(q)
#define MIXED_BOX(p, q) MIXED(p), MIXED(q)

static Position places_value(point p)
{
    return (Position){.at = FLAT(p)};
}

static Body bodies_value(point p)
{
    return (Body){.at = DEEP(p)};
}

static Tile tiles_value(point p)
{
    return (Tile){.x = whole(p.at[0]), .y = whole(p.at[1])};
}

static Crate crates_value(point p)
{
    return (Crate){p.at[0], (float)p.at[1], small(p.at[2])};
}

GRID(places, position, FLAT, FLAT_BOX)
GRID(bodies, body, DEEP, DEEP_BOX)
GRID(crates, crate, MIXED, MIXED_BOX)
#define paddock_touch_tile(context, entity) tile_again(entity)
static void tile_again(paddock_entity entity)
{
    Tile value;
    if (paddock_read_tile(paddock, entity, &value))
        paddock_replace_tile(paddock, entity, value);
}
GRID(tiles, tile, WHOLE, WHOLE_BOX)

static point places_read(paddock_entity entity)
{
    const Position *position = paddock_get_position(paddock, entity);
    return (point){{position->at.x, position->at.y, 0}};
}

static point bodies_read(paddock_entity entity)
{
    const Body *body = paddock_get_body(paddock, entity);
    return (point){{body->at.x, body->at.y, body->at.z}};
}

static point crates_read(paddock_entity entity)
{
    const Crate *crate = paddock_get_crate(paddock, entity);
    return (point){{crate->x, crate->y, crate->z}};
}

static point tiles_read(paddock_entity entity)
{
    Tile value = {0};
    ck_assert(paddock_read_tile(paddock, entity, &value));
    return (point){{value.x, (double)value.y, 0}};
}

static void places_write(paddock_entity entity, point p)
{
    paddock_edit_position(paddock, entity)->at = FLAT(p);
}

static void bodies_write(paddock_entity entity, point p)
{
    paddock_edit_body(paddock, entity)->at = DEEP(p);
}

static void crates_write(paddock_entity entity, point p)
{
    *paddock_edit_crate(paddock, entity) = crates_value(p);
}

#define ROW(index, cell, number, parts, write)                                                                         \
    {                                                                                                                  \
        cell, number, parts, index##_near, index##_box, index##_next, index##_nearest, index##_pairs,                  \
            index##_pairs_next, index##_refresh, index##_has, index##_put, write, index##_touch, index##_remove,       \
            index##_read                                                                                               \
    }

enum { PLACES, BODIES, CRATES, TILES, GRIDS };

static grid grids[GRIDS] = {
    ROW(places, 4, 0, 2, places_write),
    ROW(bodies, 2.5, 0, 3, bodies_write),
    ROW(crates, 10, 0, 3, crates_write),
    ROW(tiles, 3, 0, 2, NULL),
};

// ---- the model

// The point at which an entity is filed, if its value was written in place since.
typedef struct filed {
    kin_entity entity; // 0: none
    point at;
} filed;

static filed written[GRIDS][SLOTS];

typedef struct cell {
    int32_t at[3];
    uint32_t slot;
} cell;

static void forget(uint32_t index)
{
    memset(written[index], 0, sizeof written[index]);
}

static void forget_all(void)
{
    for (uint32_t i = 0; i < GRIDS; i++)
        forget(i);
}

static int32_t place_of(double at, double side)
{
    double place = floor(at * (1 / side));
    if (!(place > -LIMIT))
        return -LIMIT;
    return place < LIMIT ? (int32_t)place : LIMIT;
}

static cell cell_of(uint32_t index, point at, uint32_t slot)
{
    cell cell = {.slot = slot};
    for (uint32_t i = 0; i < grids[index].parts; i++)
        cell.at[i] = place_of(at.at[i], grids[index].cell);
    return cell;
}

static int compare(const cell *a, const cell *b)
{
    for (int i = 2; i >= 0; i--)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i] ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

// Reads where an entity is filed. False if it is in no cell.
static bool find_filed(uint32_t index, paddock_entity entity, cell *cell)
{
    uint32_t slot = kin_entity_slot(entity.id);
    point at = grids[index].read(entity);
    if (written[index][slot].entity == entity.id)
        at = written[index][slot].at;
    *cell = cell_of(index, at, slot);
    for (uint32_t i = 0; i < grids[index].parts; i++)
        if (!isfinite(at.at[i]))
            return false;
    return true;
}

static bool is_member(uint32_t index, paddock_entity entity)
{
    return grids[index].has(entity) && (index != PLACES || !paddock_is_hidden(paddock, entity));
}

static double square(point a, point b)
{
    double x = a.at[0] - b.at[0], y = a.at[1] - b.at[1], z = a.at[2] - b.at[2];
    return x * x + y * y + z * z;
}

// What a walk looks for.
typedef struct wanted {
    uint32_t index;
    bool is_box;
    point at, high;
    double radius;
    int32_t low_cell[3], high_cell[3];
} wanted;

// A circle that ends at the border of a cell reaches into the next one.
static void set_bounds(wanted *wanted)
{
    for (uint32_t i = 0; i < grids[wanted->index].parts; i++) {
        double at = wanted->at.at[i];
        double reach = wanted->radius + (fabs(at) + wanted->radius) * 1e-15 + 1e-150;
        double low = wanted->is_box ? at : at - reach;
        double high = wanted->is_box ? wanted->high.at[i] : at + reach;
        wanted->low_cell[i] = place_of(low, grids[wanted->index].cell);
        wanted->high_cell[i] = isnan(high) ? LIMIT : place_of(high, grids[wanted->index].cell);
    }
}

static bool is_wanted(const wanted *wanted, point at, const cell *cell)
{
    for (uint32_t i = 0; i < grids[wanted->index].parts; i++) {
        if (cell->at[i] < wanted->low_cell[i] || cell->at[i] > wanted->high_cell[i])
            return false;
        if (wanted->is_box && !(at.at[i] >= wanted->at.at[i] && at.at[i] <= wanted->high.at[i]))
            return false;
    }
    return wanted->is_box || square(at, wanted->at) <= wanted->radius * wanted->radius;
}

// Returns the first entity after a cell and slot, NULL: from the first one on, with its own.
static kin_entity expect_next(const wanted *wanted, const cell *after, cell *found)
{
    uint32_t count;
    const paddock_entity *entities = paddock_entities(paddock, &count);
    kin_entity best = 0;
    for (uint32_t i = 0; i < count; i++) {
        cell at;
        if (!is_member(wanted->index, entities[i]) || !find_filed(wanted->index, entities[i], &at))
            continue;
        if ((after != NULL && compare(&at, after) <= 0) || (best != 0 && compare(&at, found) > 0))
            continue;
        if (!is_wanted(wanted, grids[wanted->index].read(entities[i]), &at))
            continue;
        *found = at;
        best = entities[i].id;
    }
    return best;
}

// ---- drawing

// Points and radii whose sums are not too near to the border of a cell. Some points are far away, or none at all.
static double draw_number(void)
{
    static const double numbers[] = {0, -0.0, 1e30, -1e30, 4e9, -4.4e9, 1e12, 4294967296.0, INFINITY, -INFINITY, NAN};
    if (draw(60) == 0)
        return numbers[draw(sizeof numbers / sizeof *numbers)];
    return (double)draw(80) / 2 - 20 + 0.125;
}

static point draw_point(void)
{
    return (point){{draw_number(), draw_number(), draw_number()}};
}

static point rounded(uint32_t index, point p)
{
    Position position = places_value(p);
    Crate crate = crates_value(p);
    Tile tile = tiles_value(p);
    if (index == PLACES)
        return (point){{position.at.x, position.at.y, 0}};
    if (index == CRATES)
        return (point){{crate.x, crate.y, crate.z}};
    if (index == TILES)
        return (point){{tile.x, (double)tile.y, 0}};
    return p;
}

static bool is_point(uint32_t index, point p)
{
    for (uint32_t i = 0; i < grids[index].parts; i++)
        if (isnan(p.at[i]))
            return false;
    return true;
}

static double draw_radius(void)
{
    static const double radii[] = {0, INFINITY, 1e10, 200.0625};
    return draw(12) == 0 ? radii[draw(4)] : draw(30) / 2.0 + 0.0625;
}

static wanted draw_wanted(void)
{
    wanted drawn = {.index = draw(GRIDS), .is_box = draw(3) == 0, .radius = draw_radius()};
    do
        drawn.at = rounded(drawn.index, draw_point());
    while (!is_point(drawn.index, drawn.at));
    do
        drawn.high = rounded(drawn.index, draw_point());
    while (!is_point(drawn.index, drawn.high));
    for (uint32_t i = 0; drawn.is_box && i < 3 && draw(8) > 0; i++)
        if (drawn.high.at[i] < drawn.at.at[i]) {
            double lower = drawn.high.at[i];
            drawn.high.at[i] = drawn.at.at[i];
            drawn.at.at[i] = lower;
        }
    set_bounds(&drawn);
    return drawn;
}

static void begin(iter *it, const wanted *wanted)
{
    if (wanted->is_box)
        grids[wanted->index].box(it, wanted->at, wanted->high);
    else
        grids[wanted->index].near(it, wanted->at, wanted->radius);
}

// ---- walks

typedef struct walk {
    iter iter;
    wanted wanted;
    cell at;
    bool is_begun, has_at, is_done;
} walk;

static walk walks[WALKS];

static void check_found(const wanted *wanted, kin_entity found, kin_entity expected, double distance_squared)
{
    ck_assert_uint_eq(found, expected);
    if (found == 0 || wanted->is_box)
        return;
    point at = grids[wanted->index].read((paddock_entity){found});
    double distance = square(at, wanted->at);
    ck_assert(distance_squared == distance || (isnan(distance) && isnan(distance_squared)));
}

static void step_walk(void)
{
    walk *walk = &walks[draw(WALKS)];
    cell found;
    double distance;
    if (!walk->is_begun || draw(25) == 0) {
        *walk = (struct walk){.wanted = draw_wanted(), .is_begun = true};
        begin(&walk->iter, &walk->wanted);
    }
    kin_entity expected = expect_next(&walk->wanted, walk->has_at ? &walk->at : NULL, &found);
    if (walk->is_done)
        expected = 0;
    kin_entity returned = grids[walk->wanted.index].next(&walk->iter, &distance);
    check_found(&walk->wanted, returned, expected, distance);
    walk->is_done = expected == 0;
    walk->has_at = true;
    walk->at = found;
}

// The walk through pairs that goes on over all changes.
typedef struct pair_walk {
    pairs pairs;
    wanted wanted; // from where the first entity was
    cell first_at, second_at;
    kin_entity first;
    bool is_begun, has_first, is_inside, has_second, is_done;
} pair_walk;

static pair_walk pair_walker;

static void begin_pairs(pair_walk *walk)
{
    *walk = (pair_walk){.wanted = {.index = draw(GRIDS), .radius = draw_radius()}, .is_begun = true};
    grids[walk->wanted.index].pairs(&walk->pairs, walk->wanted.radius);
}

// Whether the first entity is filed where it was.
static bool has_stayed(const pair_walk *walk)
{
    cell at;
    paddock_entity first = {walk->first};
    return paddock_entity_is_alive(paddock, first) && is_member(walk->wanted.index, first) &&
           find_filed(walk->wanted.index, first, &at) && compare(&at, &walk->first_at) == 0;
}

static kin_entity expect_second(pair_walk *walk)
{
    const wanted all = {.index = walk->wanted.index,
                        .radius = INFINITY,
                        .is_box = true,
                        .at = {{-INFINITY, -INFINITY, -INFINITY}},
                        .high = {{INFINITY, INFINITY, INFINITY}},
                        .low_cell = {-LIMIT, -LIMIT, -LIMIT},
                        .high_cell = {LIMIT, LIMIT, LIMIT}};
    while (!walk->is_done) {
        cell found;
        if (walk->is_inside && has_stayed(walk)) {
            walk->wanted.at = grids[walk->wanted.index].read((paddock_entity){walk->first});
            kin_entity second = expect_next(&walk->wanted, &walk->second_at, &found);
            walk->second_at = found;
            if (second != 0)
                return second;
        }
        walk->first = expect_next(&all, walk->has_first ? &walk->first_at : NULL, &found);
        walk->has_first = true;
        walk->is_done = walk->first == 0;
        if (walk->is_done)
            return 0;
        walk->first_at = walk->second_at = found;
        walk->wanted.at = grids[walk->wanted.index].read((paddock_entity){walk->first});
        walk->is_inside = is_point(walk->wanted.index, walk->wanted.at);
        set_bounds(&walk->wanted);
    }
    return 0;
}

static void step_pairs(void)
{
    pair found;
    if (!pair_walker.is_begun || pair_walker.is_done || draw(MANY) == 0)
        begin_pairs(&pair_walker);
    kin_entity expected = expect_second(&pair_walker);
    ck_assert(grids[pair_walker.wanted.index].pairs_next(&pair_walker.pairs, &found) == (expected != 0));
    ck_assert_uint_eq(found.second, expected);
    ck_assert_uint_eq(found.first, expected == 0 ? 0 : pair_walker.first);
}

// ---- whole look-ups

static void check_walk(const wanted *wanted)
{
    iter it;
    cell at;
    double distance;
    bool has_at = false;
    begin(&it, wanted);
    for (kin_entity expected = 1; expected != 0; has_at = true) {
        cell after = at;
        expected = expect_next(wanted, has_at ? &after : NULL, &at);
        kin_entity found = grids[wanted->index].next(&it, &distance);
        check_found(wanted, found, expected, distance);
    }
}

typedef struct candidate {
    double square;
    kin_entity entity;
} candidate;

static int compare_candidates(const void *a, const void *b)
{
    const candidate *left = a, *right = b;
    if (left->square != right->square)
        return left->square < right->square ? -1 : 1;
    return (kin_entity_slot(left->entity) > kin_entity_slot(right->entity)) -
           (kin_entity_slot(left->entity) < kin_entity_slot(right->entity));
}

// Only while no value was written in place: entities are filed where they are.
static void check_nearest(void)
{
    wanted wanted = draw_wanted();
    candidate candidates[SLOTS];
    paddock_entity found[SLOTS];
    uint32_t total, near = 0, count = draw(90);
    const paddock_entity *entities = paddock_entities(paddock, &total);
    for (uint32_t i = 0; i < total; i++) {
        cell at;
        if (!is_member(wanted.index, entities[i]) || !find_filed(wanted.index, entities[i], &at))
            continue;
        double distance = square(grids[wanted.index].read(entities[i]), wanted.at);
        if (distance <= wanted.radius * wanted.radius)
            candidates[near++] = (candidate){distance, entities[i].id};
    }
    qsort(candidates, near, sizeof *candidates, compare_candidates);
    uint32_t expected = near < count ? near : count;
    ck_assert_uint_eq(grids[wanted.index].nearest(wanted.at, count, wanted.radius, found), expected);
    for (uint32_t i = 0; i < expected; i++)
        ck_assert_uint_eq(found[i].id, candidates[i].entity);
}

static void check_pairs(void)
{
    pair_walk walk;
    pair found;
    begin_pairs(&walk);
    for (kin_entity expected = 1; expected != 0;) {
        expected = expect_second(&walk);
        ck_assert(grids[walk.wanted.index].pairs_next(&walk.pairs, &found) == (expected != 0));
        ck_assert_uint_eq(found.second, expected);
        if (expected == 0)
            continue;
        ck_assert_uint_eq(found.first, walk.first);
        ck_assert(found.distance_squared == square(grids[walk.wanted.index].read((paddock_entity){walk.first}),
                                                   grids[walk.wanted.index].read((paddock_entity){expected})));
    }
}

static void check_counts(uint32_t index)
{
    uint32_t count, filed = 0, lost = 0;
    const paddock_entity *entities = paddock_entities(paddock, &count);
    for (uint32_t i = 0; i < count; i++) {
        cell at;
        bool has_cell = is_member(index, entities[i]) && find_filed(index, entities[i], &at);
        filed += has_cell;
        lost += is_member(index, entities[i]) && !has_cell;
    }
    ck_assert_uint_eq(kin_index_count(&paddock->base, grids[index].number), filed);
    ck_assert_uint_eq(kin_index_lost(&paddock->base, grids[index].number), lost);
}

// ---- changes

static kin_snapshot *snapshot;

static paddock_entity any_entity(void)
{
    uint32_t count;
    const paddock_entity *entities = paddock_entities(paddock, &count);
    return count == 0 ? PADDOCK_NO_ENTITY : entities[draw(count)];
}

static void put(paddock_entity entity)
{
    uint32_t index = draw(GRIDS);
    point at = draw_point();
    if (grids[index].has(entity) && draw(2) == 0) {
        at = grids[index].read(entity);
        at.at[draw(3)] += 0.5;
    }
    written[index][kin_entity_slot(entity.id)] = (filed){0};
    grids[index].put(entity, at);
}

static void write(paddock_entity entity)
{
    uint32_t index = draw(GRIDS);
    if (grids[index].write == NULL || !grids[index].has(entity))
        return;
    filed *filed = &written[index][kin_entity_slot(entity.id)];
    if (filed->entity != entity.id)
        *filed = (struct filed){entity.id, grids[index].read(entity)};
    grids[index].write(entity, draw_point());
}

static void touch_or_remove(paddock_entity entity)
{
    uint32_t index = draw(GRIDS);
    if (!grids[index].has(entity))
        return;
    written[index][kin_entity_slot(entity.id)] = (filed){0};
    if (draw(2) == 0)
        grids[index].touch(entity);
    else
        grids[index].remove(entity);
}

// Returns how many entities a refresh has to move.
static uint32_t expect_moved(uint32_t index)
{
    uint32_t count, moved = 0;
    const paddock_entity *entities = paddock_entities(paddock, &count);
    for (uint32_t i = 0; i < count; i++) {
        cell before, now;
        if (!is_member(index, entities[i]) || written[index][kin_entity_slot(entities[i].id)].entity != entities[i].id)
            continue;
        bool was_filed = find_filed(index, entities[i], &before);
        filed filed = written[index][kin_entity_slot(entities[i].id)];
        written[index][kin_entity_slot(entities[i].id)].entity = 0;
        bool is_filed = find_filed(index, entities[i], &now);
        written[index][kin_entity_slot(entities[i].id)] = filed;
        moved += was_filed != is_filed || (is_filed && compare(&before, &now) != 0);
    }
    return moved;
}

static void refresh(uint32_t index)
{
    uint32_t expected = expect_moved(index);
    ck_assert_uint_eq(grids[index].refresh(), expected);
    forget(index);
}

static void refresh_all(void)
{
    for (uint32_t i = 0; i < GRIDS; i++)
        refresh(i);
}

// Handles are given again after a reset.
static void forget_dead(void)
{
    for (uint32_t i = 0; i < GRIDS; i++)
        for (uint32_t slot = 0; slot < SLOTS; slot++)
            if (!paddock_entity_is_alive(paddock, (paddock_entity){written[i][slot].entity}))
                written[i][slot] = (filed){0};
}

static void rare_change(void)
{
    switch (draw(12)) {
    case 0:
        paddock_context_reset(paddock);
        forget_dead();
        break;
    case 1:
        paddock_destroy_all_entities(paddock);
        break;
    case 2:
    case 3:
    case 4:
        if (depth == 0)
            paddock_save(paddock, &snapshot);
        break;
    case 5:
    case 6:
    case 7:
        if (depth > 0 || snapshot == NULL)
            break;
        forget_all();
        paddock_restore(paddock, snapshot, draw(2) == 0 ? KIN_RESTORE_ANEW : KIN_RESTORE_EXACTLY);
        break;
    default:
        if (depth == 0)
            kin_context_trim(&paddock->base);
    }
}

static paddock_entity make(paddock_entity other)
{
    if (other.id != 0 && draw(3) == 0)
        return paddock_clone_entity(paddock, other);
    return draw(4) == 0 ? paddock_spawn_sheep(paddock) : paddock_create_entity(paddock);
}

static void change(void)
{
    paddock_entity entity = any_entity();
    uint32_t count = paddock_entity_count(paddock);
    uint32_t drawn = draw(200);
    if (count == 0 || (count < MOST && drawn < 30)) {
        put(make(entity));
    } else if (drawn < 50) {
        paddock_destroy_entity(paddock, entity);
    } else if (drawn < 70) {
        touch_or_remove(entity);
    } else if (drawn < 80) {
        written[PLACES][kin_entity_slot(entity.id)] = (filed){0};
        paddock_set_hidden(paddock, entity, !paddock_is_hidden(paddock, entity));
    } else if (drawn < 110) {
        write(entity);
    } else if (drawn < 116) {
        refresh(draw(GRIDS));
    } else if (drawn == 116) {
        rare_change();
    } else {
        put(entity);
    }
}

static void react(const kin_change *made, void *user)
{
    (void)made, (void)user;
    if (depth == DEEPEST || draw(4) > 0)
        return;
    depth++;
    step_walk();
    change();
    step_walk();
    step_pairs();
    depth--;
}

static void subscribe(void)
{
    static const kin_group_event events[] = {KIN_ADDED, KIN_REMOVED, KIN_MODIFIED};
    for (uint32_t i = 0; i < 3; i++)
        kin_group_subscribe(paddock_standing_group(paddock), events[i], react, NULL);
}

// ---- equal states

// Returns a hash of what look-ups return. The points are drawn from a seed.
static uint64_t hash_look_ups(paddock_context *context, uint32_t seed)
{
    uint32_t kept = state;
    paddock_context *other = paddock;
    uint64_t hash = 1;
    state = seed;
    paddock = context;
    for (uint32_t i = 0; i < 12; i++) {
        wanted wanted = draw_wanted();
        paddock_entity nearest[8];
        iter it;
        pairs pairs;
        pair pair;
        double distance;
        begin(&it, &wanted);
        for (kin_entity found; (found = grids[wanted.index].next(&it, &distance)) != 0;)
            hash = (hash ^ found) * 1099511628211u;
        uint32_t count = grids[wanted.index].nearest(wanted.at, 8, wanted.radius, nearest);
        for (uint32_t k = 0; k < count; k++)
            hash = (hash ^ nearest[k].id) * 1099511628211u;
        grids[wanted.index].pairs(&pairs, wanted.radius);
        while (grids[wanted.index].pairs_next(&pairs, &pair))
            hash = ((hash ^ pair.first) * 1099511628211u ^ pair.second) * 1099511628211u;
    }
    state = kept;
    paddock = other;
    return hash;
}

static void check_equal_states(void)
{
    paddock_context *other = paddock_context_create(NULL);
    kin_snapshot *saved = NULL;
    ck_assert_ptr_nonnull(other);
    refresh_all();
    ck_assert_int_eq(paddock_save(paddock, &saved), KIN_OK);
    ck_assert_int_eq(paddock_restore(other, saved, KIN_RESTORE_EXACTLY), KIN_OK);
    uint32_t seed = draw(UINT32_MAX);
    ck_assert(hash_look_ups(paddock, seed) == hash_look_ups(other, seed));
    kin_snapshot_destroy(saved);
    paddock_context_destroy(other);
}

static void check(void)
{
    wanted wanted = draw_wanted();
    check_walk(&wanted);
    check_pairs();
    check_counts(draw(GRIDS));
    if (draw(3) > 0)
        return;
    refresh_all();
    check_nearest();
    check_equal_states();
}

static void find_numbers(void)
{
    static const char *const names[] = {"places", "bodies", "crates", "tiles"};
    for (uint32_t i = 0; i < paddock->base.info->index_count; i++)
        for (uint32_t k = 0; k < GRIDS; k++)
            if (strcmp(paddock->base.info->indices[i].name, names[k]) == 0)
                grids[k].number = i;
}

START_TEST(fnd_11_walks_are_those_of_all_points_whatever_changes)
{
    uint64_t steps = getenv("KIN_SWEEP_COUNTS") != NULL ? 300 : environment_steps(STEPS, 1);
    state = (uint32_t)environment_seed(1, 2);
    snapshot = NULL;
    depth = 0;
    memset(walks, 0, sizeof walks);
    pair_walker = (pair_walk){0};
    forget_all();
    paddock_begin_with(&(kin_context_options){.on_error = ignore_error});
    find_numbers();
    subscribe();
    for (uint64_t i = 0; i < steps; i++) {
        change();
        step_walk();
        step_walk();
        step_pairs();
        if (draw(CHECKED) == 0)
            ck_assert(kin__context_is_valid(&paddock->base));
        if (draw(CHECKED / 10) == 0)
            check();
    }
    check();
    kin_snapshot_destroy(snapshot);
    paddock_end();
}
END_TEST

Suite *runtime_grid_random_suite(void)
{
    Suite *suite = suite_create("runtime_grid_random");
    TCase *tests = tcase_create("grid_random");
    tcase_add_test(tests, fnd_11_walks_are_those_of_all_points_whatever_changes);
    suite_add_tcase(suite, tests);
    return suite;
}

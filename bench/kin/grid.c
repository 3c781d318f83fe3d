// Grids, against cells with linked lists by hand: two entities in a cell, a radius of one cell, and one entity in about
// seventy that changes its cell in a refresh. Coordinates are multiples of 1/64, so that distances are exact.

#include "side.h"
#include "spots/spots.h"
#include "workload.h"

#include <math.h>
#include <stdlib.h>

enum { ASKED = 20, CELL = 4, WANTED = 8, UNITS = 64 }; // one in ASKED entities is asked for its neighbours in a run

typedef struct crowd {
    lawn_context *lawn;
    lawn_entity *handles;
    float *x, *y;
    float *step_x, *step_y;
    uint32_t *by_cell; // entities in the order of their cells
    uint32_t *heads, *next, *previous, *cells;
    uint32_t count, mask, turn;
    float side;
    bool is_kin;
    uint64_t state, sum;
} crowd;

// ---- by hand

static int32_t part_of(float at)
{
    float scaled = at * (1.0F / CELL);
    int32_t whole = (int32_t)scaled;
    return whole - (scaled < (float)whole);
}

static uint32_t bucket_of(const crowd *crowd, int32_t x, int32_t y)
{
    return (((uint32_t)x * 0x9E3779B1U) ^ ((uint32_t)y * 0x85EBCA77U)) >> 5 & crowd->mask;
}

static uint32_t bucket_at(const crowd *crowd, uint32_t i)
{
    return bucket_of(crowd, part_of(crowd->x[i]), part_of(crowd->y[i]));
}

static void file(crowd *crowd, uint32_t i, uint32_t bucket)
{
    uint32_t head = crowd->heads[bucket];
    crowd->cells[i] = bucket;
    crowd->previous[i] = UINT32_MAX;
    crowd->next[i] = head;
    if (head != UINT32_MAX)
        crowd->previous[head] = i;
    crowd->heads[bucket] = i;
}

static void move(crowd *crowd, uint32_t i, uint32_t bucket)
{
    uint32_t next = crowd->next[i], previous = crowd->previous[i];
    if (previous == UINT32_MAX)
        crowd->heads[crowd->cells[i]] = next;
    else
        crowd->next[previous] = next;
    if (next != UINT32_MAX)
        crowd->previous[next] = previous;
    file(crowd, i, bucket);
}

static uint64_t count_by_hand(const crowd *crowd, float x, float y, float radius)
{
    uint64_t found = 0;
    for (int32_t cell_y = part_of(y - radius); cell_y <= part_of(y + radius); cell_y++)
        for (int32_t cell_x = part_of(x - radius); cell_x <= part_of(x + radius); cell_x++)
            for (uint32_t i = crowd->heads[bucket_of(crowd, cell_x, cell_y)]; i != UINT32_MAX; i = crowd->next[i]) {
                float off_x = crowd->x[i] - x, off_y = crowd->y[i] - y;
                bool is_here = part_of(crowd->x[i]) == cell_x && part_of(crowd->y[i]) == cell_y;
                if (is_here && off_x * off_x + off_y * off_y <= radius * radius)
                    found += i + 1;
            }
    return found;
}

// ---- both

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void sort_by_cell(crowd *crowd)
{
    uint64_t *keys = malloc(crowd->count * sizeof *keys);
    for (uint32_t i = 0; i < crowd->count; i++)
        keys[i] = (uint64_t)part_of(crowd->y[i]) << 44 | (uint64_t)part_of(crowd->x[i]) << 24 | i;
    qsort(keys, crowd->count, sizeof *keys, compare);
    for (uint32_t i = 0; i < crowd->count; i++)
        crowd->by_cell[i] = (uint32_t)(keys[i] & 0xFFFFFF);
    free(keys);
}

static float draw(crowd *crowd, float below)
{
    return floorf((float)workload_random_below(&crowd->state, 1 << 24) / (1 << 24) * below * UNITS) / UNITS;
}

static crowd *create(uint32_t count, bool is_kin)
{
    crowd *made = calloc(1, sizeof *made);
    float **floats[] = {&made->x, &made->y, &made->step_x, &made->step_y};
    uint32_t **numbers[] = {&made->by_cell, &made->next, &made->previous, &made->cells};
    for (uint32_t i = 0; i < 4; i++) {
        *floats[i] = malloc(count * sizeof **floats[i]);
        *numbers[i] = malloc(count * sizeof **numbers[i]);
    }
    for (made->mask = 1; made->mask < count; made->mask *= 2) {
    }
    made->heads = malloc(made->mask * sizeof *made->heads);
    for (uint32_t i = 0; i < made->mask; i++)
        made->heads[i] = UINT32_MAX;
    made->mask--;
    made->lawn = lawn_context_create(NULL);
    made->handles = malloc(count * sizeof *made->handles);
    made->count = count;
    made->is_kin = is_kin;
    made->side = CELL * sqrtf((float)count / 2);
    made->state = 88172645463325252u;
    for (uint32_t i = 0; i < count; i++) {
        made->x[i] = draw(made, made->side);
        made->y[i] = draw(made, made->side);
        made->step_x[i] = (float)(i % 5) / UNITS - 2.0F / UNITS;
        made->step_y[i] = (float)(i % 3) / UNITS - 1.0F / UNITS;
        if (!is_kin) {
            file(made, i, bucket_at(made, i));
            continue;
        }
        made->handles[i] = lawn_create_entity(made->lawn);
        lawn_add_spot(made->lawn, made->handles[i], (Spot){made->x[i], made->y[i]});
    }
    sort_by_cell(made);
    return made;
}

static void *create_grid(uint32_t count)
{
    return create(count, true);
}

static void *create_cells(uint32_t count)
{
    return create(count, false);
}

static uint64_t sum_of(void *user)
{
    const crowd *crowd = user;
    return crowd->sum;
}

static void destroy(void *user)
{
    crowd *crowd = user;
    lawn_context_destroy(crowd->lawn);
    void *arrays[] = {crowd->handles, crowd->x,    crowd->y,        crowd->step_x, crowd->step_y, crowd->by_cell,
                      crowd->heads,   crowd->next, crowd->previous, crowd->cells,  crowd};
    for (uint32_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

// ---- f.refresh

// Moves all points, forwards in one turn and backwards in the next.
static void prepare_step(void *user)
{
    crowd *crowd = user;
    float sign = crowd->turn++ % 2 == 0 ? 1 : -1;
    for (uint32_t i = 0; i < crowd->count; i++) {
        crowd->x[i] += sign * crowd->step_x[i];
        crowd->y[i] += sign * crowd->step_y[i];
        if (crowd->is_kin)
            *lawn_edit_spot(crowd->lawn, crowd->handles[i]) = (Spot){crowd->x[i], crowd->y[i]};
    }
}

static void refresh(void *user)
{
    crowd *crowd = user;
    lawn_spots_refresh(crowd->lawn);
}

static void refresh_by_hand(void *user)
{
    crowd *crowd = user;
    for (uint32_t i = 0; i < crowd->count; i++) {
        uint32_t bucket = bucket_at(crowd, i);
        if (bucket != crowd->cells[i])
            move(crowd, i, bucket);
    }
}

// ---- f.around, f.ordered, f.box

static uint64_t count_near(const crowd *crowd, float x, float y, float radius)
{
    uint64_t found = 0;
    lawn_spots_iter it = lawn_spots_near(crowd->lawn, x, y, radius);
    while (lawn_spots_next(&it))
        found += kin_entity_slot(it.entity.id) + 1;
    return found;
}

static void ask_near(void *user)
{
    crowd *crowd = user;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < crowd->count / ASKED; k++) {
        uint32_t i = workload_random_below(&crowd->state, crowd->count);
        sum += crowd->is_kin ? count_near(crowd, crowd->x[i], crowd->y[i], CELL)
                             : count_by_hand(crowd, crowd->x[i], crowd->y[i], CELL);
    }
    crowd->sum = sum;
}

static void ask_in_order(void *user)
{
    crowd *crowd = user;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < crowd->count / ASKED; k++) {
        uint32_t i = crowd->by_cell[k];
        sum += crowd->is_kin ? count_near(crowd, crowd->x[i], crowd->y[i], CELL)
                             : count_by_hand(crowd, crowd->x[i], crowd->y[i], CELL);
    }
    crowd->sum = sum;
}

static uint64_t count_box(const crowd *crowd, float x, float y)
{
    uint64_t found = 0;
    lawn_spots_iter it = lawn_spots_in_box(crowd->lawn, x - CELL, y - CELL, x + CELL, y + CELL);
    while (lawn_spots_next(&it))
        found += kin_entity_slot(it.entity.id) + 1;
    return found;
}

static uint64_t count_box_by_hand(const crowd *crowd, float x, float y)
{
    uint64_t found = 0;
    for (int32_t cell_y = part_of(y - CELL); cell_y <= part_of(y + CELL); cell_y++)
        for (int32_t cell_x = part_of(x - CELL); cell_x <= part_of(x + CELL); cell_x++)
            for (uint32_t i = crowd->heads[bucket_of(crowd, cell_x, cell_y)]; i != UINT32_MAX; i = crowd->next[i]) {
                bool is_here = part_of(crowd->x[i]) == cell_x && part_of(crowd->y[i]) == cell_y;
                if (is_here && fabsf(crowd->x[i] - x) <= CELL && fabsf(crowd->y[i] - y) <= CELL)
                    found += i + 1;
            }
    return found;
}

static void ask_boxes(void *user)
{
    crowd *crowd = user;
    uint64_t sum = 0;
    for (uint32_t k = 0; k < crowd->count / ASKED; k++) {
        uint32_t i = workload_random_below(&crowd->state, crowd->count);
        sum += crowd->is_kin ? count_box(crowd, crowd->x[i], crowd->y[i])
                             : count_box_by_hand(crowd, crowd->x[i], crowd->y[i]);
    }
    crowd->sum = sum;
}

// ---- f.pairs

static void count_pairs(void *user)
{
    crowd *crowd = user;
    uint64_t sum = 0;
    lawn_spots_pairs pairs = lawn_spots_pairs_within(crowd->lawn, CELL);
    while (lawn_spots_pairs_next(&pairs))
        sum += kin_entity_slot(pairs.first.id) + kin_entity_slot(pairs.second.id) + 2;
    crowd->sum = sum;
}

// Asks for the neighbours of each. Every entity is its own neighbour, and each pair is found twice.
static void count_pairs_by_hand(void *user)
{
    crowd *crowd = user;
    uint64_t sum = 0, own = 0;
    for (uint32_t k = 0; k < crowd->count; k++) {
        uint32_t i = crowd->by_cell[k];
        sum += count_by_hand(crowd, crowd->x[i], crowd->y[i], CELL);
        own += i + 1;
    }
    crowd->sum = sum - own;
}

// ---- f.nearest

static void find_nearest(void *user)
{
    crowd *crowd = user;
    uint64_t found = 0;
    lawn_entity entities[WANTED];
    for (uint32_t k = 0; k < crowd->count / ASKED; k++) {
        uint32_t i = workload_random_below(&crowd->state, crowd->count);
        found += lawn_spots_nearest(crowd->lawn, crowd->x[i], crowd->y[i], WANTED, 10 * CELL, entities);
    }
    crowd->sum = found;
}

// Asks with a radius that fits: there are about eight. The yardstick finds no exact number.
static void find_nearest_by_hand(void *user)
{
    crowd *crowd = user;
    uint64_t found = 0;
    for (uint32_t k = 0; k < crowd->count / ASKED; k++) {
        uint32_t i = workload_random_below(&crowd->state, crowd->count);
        found += count_by_hand(crowd, crowd->x[i], crowd->y[i], CELL) > 0 ? WANTED : 0;
    }
    crowd->sum = found;
}

const side_work kin_cell_works[] = {
    {"f.refresh", create_cells, prepare_step, refresh_by_hand, sum_of, destroy},
    {"f.around", create_cells, NULL, ask_near, sum_of, destroy},
    {"f.ordered", create_cells, NULL, ask_in_order, sum_of, destroy},
    {"f.box", create_cells, NULL, ask_boxes, sum_of, destroy},
    {"f.pairs", create_cells, NULL, count_pairs_by_hand, sum_of, destroy},
    {"f.nearest", create_cells, NULL, find_nearest_by_hand, sum_of, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
const side_work kin_grid_works[] = {
    {"f.refresh", create_grid, prepare_step, refresh, sum_of, destroy},
    {"f.around", create_grid, NULL, ask_near, sum_of, destroy},
    {"f.ordered", create_grid, NULL, ask_in_order, sum_of, destroy},
    {"f.box", create_grid, NULL, ask_boxes, sum_of, destroy},
    {"f.pairs", create_grid, NULL, count_pairs, sum_of, destroy},
    {"f.nearest", create_grid, NULL, find_nearest, sum_of, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

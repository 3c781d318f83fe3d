// Ordered indices. The yardstick of changes is a multi index, that of walks and searches a sorted array.

#include "ranks/ranks.h"
#include "side.h"
#include "workload.h"

#include <stdlib.h>

enum { CHANGED = 20, NEAR = 3 }; // one in so many entities is changed or looked up in a run

typedef struct ranks {
    league_context *league;
    league_entity *handles;
    uint32_t *keys, *sorted; // by entity, and ascending
    uint32_t count;
    bool is_ordered;
    uint64_t state, sum;
} ranks;

static int compare(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a;
    uint32_t right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static ranks *create(uint32_t count, bool is_ordered)
{
    ranks *made = calloc(1, sizeof *made);
    made->league = league_context_create(NULL);
    made->handles = malloc(count * sizeof *made->handles);
    made->keys = malloc(count * sizeof *made->keys);
    made->sorted = malloc(count * sizeof *made->sorted);
    made->count = count;
    made->is_ordered = is_ordered;
    made->state = 88172645463325252u;
    for (uint32_t i = 0; i < count; i++) {
        made->sorted[i] = made->keys[i] = workload_number(i);
        made->handles[i] = league_create_entity(made->league);
        if (is_ordered)
            league_add_points(made->league, made->handles[i], (Points){made->keys[i]});
        else
            league_add_badge(made->league, made->handles[i], (Badge){made->keys[i]});
    }
    qsort(made->sorted, count, sizeof *made->sorted, compare);
    return made;
}

static void *create_ordered(uint32_t count)
{
    return create(count, true);
}

static void *create_unordered(uint32_t count)
{
    return create(count, false);
}

static uint64_t sum_of(void *user)
{
    const ranks *ranks = user;
    uint64_t sum = ranks->sum;
    for (uint32_t i = 0; i < ranks->count; i++)
        sum += ranks->keys[i];
    return sum;
}

static void destroy(void *user)
{
    ranks *ranks = user;
    league_context_destroy(ranks->league);
    free(ranks->handles);
    free(ranks->keys);
    free(ranks->sorted);
    free(ranks);
}

// ---- f.far, f.near

static void replace(ranks *ranks, uint32_t i, uint32_t key)
{
    ranks->keys[i] = key;
    if (ranks->is_ordered)
        league_replace_points(ranks->league, ranks->handles[i], (Points){key});
    else
        league_replace_badge(ranks->league, ranks->handles[i], (Badge){key});
}

static void replace_far(void *user)
{
    ranks *ranks = user;
    for (uint32_t i = 0; i < ranks->count / CHANGED; i++)
        replace(ranks, workload_random_below(&ranks->state, ranks->count), workload_random(&ranks->state));
}

static void replace_near(void *user)
{
    ranks *ranks = user;
    for (uint32_t i = 0; i < ranks->count / CHANGED; i++) {
        uint32_t at = workload_random_below(&ranks->state, ranks->count);
        replace(ranks, at, ranks->keys[at] ^ NEAR);
    }
}

// ---- f.walk

static void walk(void *user)
{
    ranks *ranks = user;
    uint64_t sum = 0;
    league_points_value_iter it = league_points_value_begin(ranks->league);
    while (league_points_value_next(&it))
        sum += it.entity.id;
    ranks->sum = sum;
}

static void walk_array(void *user)
{
    ranks *ranks = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ranks->count; i++) {
        WORKLOAD_BARRIER();
        sum += ranks->handles[i].id;
    }
    ranks->sum = sum;
}

// ---- f.from, f.count

static void find(void *user)
{
    ranks *ranks = user;
    uint64_t found = 0;
    for (uint32_t i = 0; i < ranks->count / CHANGED; i++) {
        league_points_value_iter it = league_points_value_from(ranks->league, workload_random(&ranks->state));
        found += league_points_value_next(&it);
    }
    ranks->sum = found;
}

static void count(void *user)
{
    ranks *ranks = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ranks->count / CHANGED; i++)
        sum += league_points_value_count_below(ranks->league, workload_random(&ranks->state));
    ranks->sum = sum;
}

static uint32_t count_in_array(const ranks *ranks, uint32_t key)
{
    uint32_t low = 0;
    for (uint32_t left = ranks->count; left > 0;) {
        uint32_t half = left / 2;
        bool is_below = ranks->sorted[low + half] < key;
        low = is_below ? low + half + 1 : low;
        left = is_below ? left - half - 1 : half;
    }
    return low;
}

static void find_in_array(void *user)
{
    ranks *ranks = user;
    uint64_t found = 0;
    for (uint32_t i = 0; i < ranks->count / CHANGED; i++)
        found += count_in_array(ranks, workload_random(&ranks->state)) < ranks->count;
    ranks->sum = found;
}

static void sum_in_array(void *user)
{
    ranks *ranks = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < ranks->count / CHANGED; i++)
        sum += count_in_array(ranks, workload_random(&ranks->state));
    ranks->sum = sum;
}

const side_work kin_unordered_works[] = {
    {"f.far", create_unordered, NULL, replace_far, sum_of, destroy},
    {"f.near", create_unordered, NULL, replace_near, sum_of, destroy},
    {"f.walk", create_unordered, NULL, walk_array, sum_of, destroy},
    {"f.from", create_unordered, NULL, find_in_array, sum_of, destroy},
    {"f.count", create_unordered, NULL, sum_in_array, sum_of, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
const side_work kin_ordered_works[] = {
    {"f.far", create_ordered, NULL, replace_far, sum_of, destroy},
    {"f.near", create_ordered, NULL, replace_near, sum_of, destroy},
    {"f.walk", create_ordered, NULL, walk, sum_of, destroy},
    {"f.from", create_ordered, NULL, find, sum_of, destroy},
    {"f.count", create_ordered, NULL, count, sum_of, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

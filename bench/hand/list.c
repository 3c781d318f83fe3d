// Lists on hand-written arrays: one growing array for each entity.

#include "bench/bench.h"
#include "side.h"
#include "store.h"

#include <stdlib.h>

enum { ELEMENTS = 16, LEAST_CAPACITY = 8 };

typedef struct array {
    Item *at;
    uint32_t count, capacity;
} array;

typedef struct lists {
    hand_world *base;
    array *arrays; // by entity, in order of creation
    uint64_t sum;
} lists;

static void push(array *array, Item value)
{
    if (array->count == array->capacity) {
        uint32_t capacity = array->capacity == 0 ? LEAST_CAPACITY : 2 * array->capacity;
        Item *grown = realloc(array->at, capacity * sizeof *grown);
        if (grown == NULL)
            abort();
        array->at = grown;
        array->capacity = capacity;
    }
    array->at[array->count++] = value;
}

static void clear(void *user)
{
    lists *lists = user;
    for (uint32_t i = 0; i < lists->base->count; i++) {
        free(lists->arrays[i].at);
        lists->arrays[i] = (array){.at = NULL};
    }
}

static void push_all(void *user)
{
    lists *lists = user;
    for (uint32_t i = 0; i < lists->base->count; i++)
        for (uint32_t k = 0; k < ELEMENTS; k++)
            push(&lists->arrays[i], (Item){.amount = i + k});
}

static void *create_empty(uint32_t count)
{
    lists *made = malloc(sizeof *made);
    made->base = hand_world_create(count);
    made->base->count = count;
    made->arrays = calloc(count, sizeof *made->arrays);
    made->sum = 0;
    return made;
}

static void *create_full(uint32_t count)
{
    lists *made = create_empty(count);
    push_all(made);
    return made;
}

static void read_all(void *user)
{
    lists *lists = user;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < lists->base->count; i++)
        for (uint32_t k = 0; k < lists->arrays[i].count; k++)
            sum += lists->arrays[i].at[k].amount;
    lists->sum = sum;
}

static uint64_t sum_of_lists(void *user)
{
    read_all(user);
    return ((lists *)user)->sum;
}

static void destroy(void *user)
{
    lists *lists = user;
    clear(lists);
    hand_world_destroy(lists->base);
    free(lists->arrays);
    free(lists);
}

const side_work hand_list_works[] = {
    {"l.push", create_empty, clear, push_all, sum_of_lists, destroy},
    {"l.read", create_full, NULL, read_all, sum_of_lists, destroy},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

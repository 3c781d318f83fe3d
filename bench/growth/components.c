// Growth by components: the same work in a context with COMPONENTS components, of which each entity has one. bench.mk
// makes a schema and compiles a program for each number; each program prints a line.

#include "breadth/breadth.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ENTITIES = 10000, WARMING_UP = 2, TURNS = 15 };

typedef struct town {
    game_context *game;
    game_entity *entities;
    size_t held;
    uint64_t sum;
} town;

static void *allocate(size_t size, size_t alignment, void *user)
{
    ((town *)user)->held += size;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void release(void *memory, size_t size, void *user)
{
    ((town *)user)->held -= size;
    free(memory);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void create(town *town)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        town->entities[i] = game_create_entity(town->game);
        game_add_body(town->game, town->entities[i], (Body){1, 2, 3});
    }
}

static void iterate(town *town)
{
    game_bodies_iter it = game_bodies_iterate(town->game);
    while (game_bodies_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.body[i].x += 1;
            it.body[i].y += 1;
            it.body[i].z += 1;
        }
}

static void get(town *town)
{
    for (uint32_t i = 0; i < ENTITIES; i++)
        town->sum += (uint64_t)game_get_body(town->game, town->entities[i])->x;
}

static void toggle(town *town)
{
    for (uint32_t i = 0; i < ENTITIES; i++)
        game_remove_body(town->game, town->entities[i]);
    for (uint32_t i = 0; i < ENTITIES; i++)
        game_add_body(town->game, town->entities[i], (Body){1, 2, 3});
}

static void clone(town *town)
{
    for (uint32_t i = 0; i < ENTITIES; i++)
        town->sum += game_clone_entity(town->game, town->entities[0]).id;
}

static void destroy(town *town)
{
    for (uint32_t i = 0; i < ENTITIES; i++)
        game_destroy_entity(town->game, town->entities[i]);
}

enum { WORKS = 6 };

static void (*const works[WORKS])(town *town) = {create, iterate, get, toggle, clone, destroy};

static void measure(town *town, double figures[WORKS])
{
    for (uint32_t i = 0; i < WORKS; i++) {
        double start = now();
        works[i](town);
        figures[i] = (now() - start) / ENTITIES;
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double figures[TURNS][WORKS], uint32_t work)
{
    double sorted[TURNS];
    for (uint32_t i = 0; i < TURNS; i++)
        sorted[i] = figures[i][work];
    qsort(sorted, TURNS, sizeof(double), compare);
    return sorted[TURNS / 2];
}

// Measures in a new context. The bytes are those of the entities, without the empty context.
static double turn(double figures[WORKS])
{
    town town = {.entities = malloc(ENTITIES * sizeof *town.entities)};
    town.game = game_context_create(&(kin_context_options){.allocator = {allocate, release, &town}});
    size_t before = town.held;
    create(&town);
    double bytes = (double)(town.held - before) / ENTITIES;
    destroy(&town);
    measure(&town, figures);
    game_context_destroy(town.game);
    free(town.entities);
    return bytes - sizeof(Body);
}

int main(void)
{
    double figures[TURNS][WORKS], bytes = 0;
    for (uint32_t i = 0; i < WARMING_UP + TURNS; i++)
        bytes = turn(figures[i < WARMING_UP ? 0 : i - WARMING_UP]);
    if (COMPONENTS == 1)
        printf("\n%-12s %10s %10s %10s %10s %10s %10s %10s\n", "components", "create", "iterate", "get", "toggle",
               "clone", "destroy", "bytes");
    printf("%-12d", COMPONENTS);
    for (uint32_t i = 0; i < WORKS; i++)
        printf(" %10.2f", median(figures, i));
    printf(" %10.1f\n", bytes);
}

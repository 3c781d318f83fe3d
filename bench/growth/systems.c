// Growth by systems: the cost of a world's schedule with SYSTEMS systems of a kind that do almost nothing, and of a
// message of 16 bytes from publishing to reading. bench.mk makes a schema and compiles a program for each number; each
// program prints a line.

#include "crowd/crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ENTITIES = 1000, MESSAGES = 1000, RUNS = 15, UPDATES = 1 + 20000 / SYSTEMS };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Returns the time of one update: the median of several runs of many updates.
static double measure(crowd_world *world, void (*prepare)(crowd_world *world))
{
    double figures[RUNS];
    for (uint32_t run = 0; run < RUNS; run++) {
        double start = now();
        for (uint32_t i = 0; i < UPDATES; i++) {
            prepare(world);
            crowd_world_update(world, 1);
        }
        figures[run] = (now() - start) / UPDATES;
    }
    qsort(figures, RUNS, sizeof *figures, compare);
    return figures[RUNS / 2];
}

static void nothing(crowd_world *world)
{
    (void)world;
}

static void publish(crowd_world *world)
{
    for (int32_t i = 0; i < MESSAGES; i++)
        crowd_publish_hit(world, (Hit){.target = GAME_NO_ENTITY, .amount = i});
}

// Returns the time of an update in which only one node runs; NULL: no node.
static double only(crowd_world *world, const char *node)
{
    static const char *const nodes[] = {"plain", "group", "reading"};
    kin_systems *systems = crowd_world_systems(world);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
        kin_systems_set_enabled(systems, nodes[i], node != NULL && nodes[i][0] == node[0]);
    return measure(world, node != NULL && node[0] == 'r' ? publish : nothing);
}

int main(void)
{
    uint64_t sum = 0;
    crowd_world *world = crowd_world_create(NULL, &sum);
    for (uint32_t i = 0; i < ENTITIES; i++)
        game_add_body(world->contexts->game, game_create_entity(world->contexts->game), (Body){1, 2, 3});
    double none = only(world, NULL), plain = only(world, "plain"), group = only(world, "group");
    double message = only(world, "reading");
    if (SYSTEMS == 1)
        printf("\n%8s  %18s  %18s  %18s  %14s\n", "systems", "plain, ns each", "group, ns each", "plain, µs update",
               "message, ns");
    printf("%8d  %18.1f  %18.1f  %18.2f  %14.1f\n", SYSTEMS, (plain - none) / SYSTEMS, (group - none) / SYSTEMS,
           plain / 1000, (message - none) / MESSAGES);
    crowd_world_destroy(world);
    return sum == 0;
}

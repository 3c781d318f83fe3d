// A flock of fifty thousand birds. Prints the time of a tick, and a hash of all birds: it is the same for any number of
// threads.
//
//   flock [--threads N] [--ticks N]
#include <starlings/starlings.h>

#include <float.h>
#include <inttypes.h>
#include <kin/pool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BIRDS = 50000, SIDE = 1024, SQUARE = 8 };

// ---- systems

typedef struct sight {
    float x, y, velocity_x, velocity_y; // sums
    uint32_t count;
} sight;

// Looks at the birds in the same square of the sky, this one included. The square is a cell of the grid: a circle would
// reach into the cells around it.
static sight look(const steer_job *job, const Position *from)
{
    sight sight = {0};
    static const float below = 1 - FLT_EPSILON / 2; // the upper borders are in the next square
    float x = (float)((int32_t)from->x / SQUARE * SQUARE);
    float y = (float)((int32_t)from->y / SQUARE * SQUARE);
    sky_air_iter it = steer_air_in_box(job, x, y, (x + SQUARE) * below, (y + SQUARE) * below);
    for (; sky_air_next(&it); sight.count++) {
        const Position *position = steer_get_position(job, it.entity);
        const Velocity *velocity = steer_get_velocity(job, it.entity);
        sight.x += position->x;
        sight.y += position->y;
        sight.velocity_x += velocity->x;
        sight.velocity_y += velocity->y;
    }
    return sight;
}

// Returns a velocity towards the centre of the birds in sight and along with them.
static float steer(float velocity, float place, float sum_of_places, float sum_of_velocities, uint32_t count)
{
    float towards = sum_of_places / (float)count - place, along = sum_of_velocities / (float)count - velocity;
    float turned = velocity + towards * 0.005f + along * 0.05f;
    return turned > 1 ? 1 : turned < -1 ? -1 : turned;
}

void steer_update(steer_job *job, steer_iter *it, const kin_tick *tick)
{
    (void)tick;
    while (steer_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            sight sight = look(job, &it->position[i]);
            if (sight.count == 0)
                continue;
            it->heading[i].x = steer(it->velocity[i].x, it->position[i].x, sight.x, sight.velocity_x, sight.count);
            it->heading[i].y = steer(it->velocity[i].y, it->position[i].y, sight.y, sight.velocity_y, sight.count);
        }
}

// The sky is a torus.
static float wrap(float place)
{
    return place >= SIDE ? place - SIDE : place < 0 ? place + SIDE : place;
}

void fly_update(fly_job *job, fly_iter *it, const kin_tick *tick)
{
    (void)job, (void)tick;
    while (fly_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->velocity[i] = (Velocity){it->heading[i].x, it->heading[i].y};
            it->position[i].x = wrap(it->position[i].x + it->velocity[i].x);
            it->position[i].y = wrap(it->position[i].y + it->velocity[i].y);
        }
}

// ---- the program

static float random_below(float limit)
{
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return (float)(state >> 8) / (1 << 24) * limit;
}

static void place_birds(sky_context *sky)
{
    for (uint32_t i = 0; i < BIRDS; i++) {
        sky_entity bird = sky_spawn_bird(sky);
        Position position = {random_below(SIDE), random_below(SIDE)};
        Velocity velocity = {random_below(2) - 1, random_below(2) - 1};
        sky_replace_position(sky, bird, position);
        sky_replace_velocity(sky, bird, velocity);
    }
}

static uint64_t hash(sky_context *sky)
{
    kin_snapshot *snapshot = NULL;
    sky_save(sky, &snapshot);
    uint64_t hash = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return hash;
}

typedef struct options {
    uint32_t threads, ticks;
} options;

// Reads the options. Returns false if one is unknown or lacks its number.
static bool read_options(int count, char **arguments, options *options)
{
    for (int i = 1; i < count; i += 2) {
        uint32_t *number = strcmp(arguments[i], "--threads") == 0 ? &options->threads
                           : strcmp(arguments[i], "--ticks") == 0 ? &options->ticks
                                                                  : NULL;
        char *end = NULL;
        if (number == NULL || i + 1 == count)
            return false;
        *number = (uint32_t)strtoul(arguments[i + 1], &end, 10);
        if (end == arguments[i + 1] || *end != '\0')
            return false;
    }
    return true;
}

static int fly_birds(starlings_world *world, const kin_executor *pool, const options *options)
{
    place_birds(world->contexts->sky);
    uint64_t began = pool->now(pool->user);
    for (uint32_t i = 0; i < options->ticks; i++)
        starlings_world_update(world, 1);
    double each = (double)(pool->now(pool->user) - began) / 1e6 / (options->ticks > 0 ? options->ticks : 1);
    printf("%" PRIu32 " thread%s: %.2f ms a tick\n", options->threads, options->threads == 1 ? "" : "s", each);
    printf("all birds: %016" PRIx64 "\n", hash(world->contexts->sky));
    return EXIT_SUCCESS;
}

int main(int count, char **arguments)
{
    options options = {.threads = 2, .ticks = 100};
    if (!read_options(count, arguments, &options)) {
        fprintf(stderr, "usage: flock [--threads N] [--ticks N]\n");
        return 2;
    }
    kin_executor *pool = kin_pool_create(options.threads);
    starlings_world *world = starlings_world_create(NULL, NULL);
    int status = EXIT_FAILURE;
    if (pool != NULL && world != NULL && starlings_world_set_executor(world, pool) == KIN_OK)
        status = fly_birds(world, pool, &options);
    starlings_world_destroy(world);
    kin_pool_destroy(pool);
    return status;
}

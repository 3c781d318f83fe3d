// Loops over runs as in docs/speed.md. The first line of a loop has a comment with the compilers that vectorize it,
// such as `vectors: gcc clang`; tests/tools/vectors.sh checks that they do.
#include <flock/flock.h>

void move_structs(flock_context *flock, float step);
void move_flat(flock_context *flock, float step);
void move_fields(flock_context *flock, float step);
void add_fields_of_two_types(flock_context *flock);
void add_bytes(flock_context *flock);
void add_integers(flock_context *flock, int32_t more);

// Clang vectorizes this loop too, but gathers the fields of four structs one by one, which takes three times as long.
void move_structs(flock_context *flock, float step)
{
    flock_birds_iter it = flock_birds_iterate(flock);
    while (flock_birds_next(&it))
        for (uint32_t i = 0; i < it.count; i++) { // vectors: gcc
            it.position[i].x += it.velocity[i].x * step;
            it.position[i].y += it.velocity[i].y * step;
            it.position[i].z += it.velocity[i].z * step;
        }
}

// All fields are floats, so that a run of structs is a run of floats, three times as long.
void move_flat(flock_context *flock, float step)
{
    flock_birds_iter it = flock_birds_iterate(flock);
    while (flock_birds_next(&it)) {
        float *position = &it.position->x;
        const float *velocity = &it.velocity->x;
        for (uint32_t i = 0; i < 3 * it.count; i++) // vectors: gcc clang
            position[i] += velocity[i] * step;
    }
}

void move_fields(flock_context *flock, float step)
{
    flock_fish_iter it = flock_fish_iterate(flock);
    while (flock_fish_next(&it))
        for (uint32_t i = 0; i < it.count; i++) { // vectors: gcc clang
            it.place.x[i] += it.speed.x[i] * step;
            it.place.y[i] += it.speed.y[i] * step;
            it.place.z[i] += it.speed.z[i] * step;
        }
}

// Compilers can vectorize this loop only because the address of the iterator is not passed on: else a store to a field
// might change the iterator's own members.
void add_fields_of_two_types(flock_context *flock)
{
    flock_tallies_iter it = flock_tallies_iterate(flock);
    while (flock_tallies_next(&it))
        for (uint32_t i = 0; i < it.count; i++) { // vectors: gcc clang
            it.tally.sum[i] += it.tally.part[i];
            it.tally.count[i] += 1;
        }
}

void add_bytes(flock_context *flock)
{
    flock_warm_iter it = flock_warm_iterate(flock);
    while (flock_warm_next(&it))
        for (uint32_t i = 0; i < it.count; i++) // vectors: gcc clang
            it.heat.level[i] = (uint8_t)(it.heat.level[i] + it.heat.rise[i]);
}

void add_integers(flock_context *flock, int32_t more)
{
    flock_weights_iter it = flock_weights_iterate(flock);
    while (flock_weights_next(&it))
        for (uint32_t i = 0; i < it.count; i++) // vectors: gcc clang
            it.weight[i].grams += more;
}

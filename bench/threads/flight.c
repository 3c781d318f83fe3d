// Flight: the loops, each once for the plain iterator and once for that of a piece.
#include "flight.h"

#include "workload.h"

#include <kin/share.h>
#include <math.h>
#include <stdlib.h>

enum { SINES = 24, WALL = 1000 };

// ---- loops

static inline void fly_cheap(game_movers_iter it)
{
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            it.position[i].x += it.velocity[i].x * workload_step;
            it.position[i].y += it.velocity[i].y * workload_step;
            it.position[i].z += it.velocity[i].z * workload_step;
        }
}

static inline void fly_middling(game_movers_iter it)
{
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            Position *p = &it.position[i];
            Velocity *v = &it.velocity[i];
            float length = sqrtf(v->x * v->x + v->y * v->y + v->z * v->z) + 1e-6f;
            p->x += v->x / length;
            p->y += v->y / length;
            p->z += v->z / length;
            if (p->x > WALL || p->x < -WALL)
                v->x = -v->x;
            if (p->y > WALL || p->y < -WALL)
                v->y = -v->y;
        }
}

static inline void fly_costly(game_movers_iter it)
{
    while (game_movers_next(&it))
        for (uint32_t i = 0; i < it.count; i++) {
            float x = it.position[i].x;
            for (int k = 0; k < SINES; k++)
                x = x * 0.9f + sinf(x) * 0.1f;
            it.position[i].x = x + it.velocity[i].x;
        }
}

// ---- tasks

static void cheap_piece(void *work, uint32_t piece)
{
    fly_cheap(game_movers_iterate_piece(work, piece, 0));
}

static void middling_piece(void *work, uint32_t piece)
{
    fly_middling(game_movers_iterate_piece(work, piece, 0));
}

static void costly_piece(void *work, uint32_t piece)
{
    fly_costly(game_movers_iterate_piece(work, piece, 0));
}

static kin_task *const tasks[] = {cheap_piece, middling_piece, costly_piece};

void flight_plain(flight *flight)
{
    game_movers_iter it = game_movers_iterate(flight->game);
    if (flight->loop == FLIGHT_CHEAP)
        fly_cheap(it);
    else if (flight->loop == FLIGHT_MIDDLING)
        fly_middling(it);
    else
        fly_costly(it);
}

void flight_pieces(flight *flight, const kin_executor *executor)
{
    uint32_t count = game_movers_piece_count(flight->game, 0);
    kin_task *task = tasks[flight->loop];
    kin_context_begin_shared(&flight->game->base);
    void *ticket = executor == NULL ? NULL : executor->submit(task, flight->game, count, executor->user);
    if (ticket != NULL)
        executor->wait(ticket, executor->user);
    for (uint32_t i = 0; ticket == NULL && i < count; i++)
        task(flight->game, i);
    kin_context_end_shared(&flight->game->base);
}

// ---- the context

static void fill(game_context *game)
{
    uint32_t number = 0;
    for (game_movers_iter it = game_movers_iterate(game); game_movers_next(&it);)
        for (uint32_t i = 0; i < it.count; i++, number++) {
            it.position[i] = workload_position(number);
            it.velocity[i] = workload_velocity(number);
        }
}

flight *flight_create(uint32_t count, flight_loop loop)
{
    flight *made = malloc(sizeof *made);
    game_context *game = game_context_create(NULL);
    if (made == NULL || game == NULL || game_spawn_many_mover(game, count, NULL) != KIN_OK)
        exit(EXIT_FAILURE);
    *made = (flight){game, loop};
    fill(game);
    return made;
}

void flight_destroy(flight *flight)
{
    game_context_destroy(flight->game);
    free(flight);
}

// FNV-1a of the bits, in order of the members.
static uint64_t add_floats(uint64_t hash, const float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

uint64_t flight_hash(const flight *flight)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (game_movers_iter it = game_movers_iterate(flight->game); game_movers_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            hash = add_floats(hash, &it.position[i].x, 3);
            hash = add_floats(hash, &it.velocity[i].x, 3);
        }
    return hash;
}

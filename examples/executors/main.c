// The same swarm on any executor: prints the name of the executor, the number of threads and a hash of the state, which
// is the same for all of them.
//
//   executors_… [THREADS]
#include "executor.h"

#include <inttypes.h>
#include <kin/share.h>
#include <stdio.h>
#include <stdlib.h>
#include <swarm/swarm.h>

enum { BEES = 50000, FRAMES = 100, MOST_PIECES = 128 };

typedef struct frame {
    game_context *game;
    float x[MOST_PIECES], y[MOST_PIECES]; // sums of each piece
    float centre_x, centre_y;
} frame;

static game_context *create(void)
{
    game_context *game = game_context_create(NULL);
    if (game == NULL || game_spawn_many_bee(game, BEES, NULL) != KIN_OK)
        exit(EXIT_FAILURE);
    uint32_t number = 0;
    for (game_bees_iter it = game_bees_iterate(game); game_bees_next(&it);)
        for (uint32_t i = 0; i < it.count; i++, number++) {
            it.position[i] = (Position){(float)(number % 211), (float)(number % 197)};
            it.velocity[i] = (Velocity){(float)(number % 13) - 6, (float)(number % 11) - 5};
        }
    return game;
}

// Each bee is drawn to the centre of the last frame. Sums are kept by piece, as the order of adding matters.
static void fly(void *work, uint32_t piece)
{
    frame *frame = work;
    float x = 0, y = 0;
    for (game_bees_iter it = game_bees_iterate_piece(frame->game, piece, 0); game_bees_next(&it);)
        for (uint32_t i = 0; i < it.count; i++) {
            it.velocity[i].x += (frame->centre_x - it.position[i].x) * 0.01f;
            it.velocity[i].y += (frame->centre_y - it.position[i].y) * 0.01f;
            x += it.position[i].x += it.velocity[i].x * 0.1f;
            y += it.position[i].y += it.velocity[i].y * 0.1f;
        }
    frame->x[piece] = x;
    frame->y[piece] = y;
}

static void run(const kin_executor *executor, kin_task *task, void *work, uint32_t count)
{
    void *ticket = executor->threads < 2 ? NULL : executor->submit(task, work, count, executor->user);
    if (ticket != NULL)
        executor->wait(ticket, executor->user);
    for (uint32_t i = 0; ticket == NULL && i < count; i++)
        task(work, i);
}

static void step(const kin_executor *executor, frame *frame)
{
    uint32_t pieces = game_bees_piece_count(frame->game, 0);
    kin_context_begin_shared(&frame->game->base);
    run(executor, fly, frame, pieces);
    kin_context_end_shared(&frame->game->base);
    frame->centre_x = frame->centre_y = 0;
    for (uint32_t i = 0; i < pieces; i++) {
        frame->centre_x += frame->x[i] / BEES;
        frame->centre_y += frame->y[i] / BEES;
    }
}

int main(int count, char **arguments)
{
    static frame frame;
    kin_snapshot *snapshot = NULL;
    const kin_executor *executor = executor_begin(count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 2);
    if (executor == NULL)
        return EXIT_FAILURE;
    frame.game = create();
    for (uint32_t i = 0; i < FRAMES; i++)
        step(executor, &frame);
    game_save(frame.game, &snapshot);
    printf("%s, %" PRIu32 " threads: %016" PRIx64 "\n", executor_name, executor->threads, kin_snapshot_hash(snapshot));
    kin_snapshot_destroy(snapshot);
    game_context_destroy(frame.game);
    executor_end();
    return EXIT_SUCCESS;
}

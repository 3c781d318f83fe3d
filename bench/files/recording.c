// Measures what recording adds to the frames of a world of 10,000 entities, with one input before each update, beside
// two saves and a hash of the same world. Both are the time of a frame less that of a frame alone; all take turns.
#include "recording.h"

#include <hamlet/hamlet.h>
#include <hamlet/hamlet_save.h>

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 10000, MOVING = 1000, TURNS = 31, WARMING_UP = 3, FRAMES = 20 };

typedef struct measured {
    hamlet_world *world;
    hamlet_entity *entities;
    kin_snapshot *before, *after;
    uint32_t frame;
    size_t written; // bytes
} measured;

void march_update(hamlet_world *world, march_iter *it, const kin_tick *tick)
{
    (void)world;
    while (march_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->place[i].at.x += it->motion[i].by.x * (float)tick->delta;
            it->place[i].at.y += it->motion[i].by.y * (float)tick->delta;
        }
}

static void check(bool holds)
{
    if (!holds)
        abort();
}

// A tenth of the town moves.
static void fill(measured *measured)
{
    hamlet_context *hamlet = measured->world->contexts->hamlet;
    check((measured->entities = malloc(COUNT * sizeof *measured->entities)) != NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        hamlet_entity entity = measured->entities[i] = hamlet_create_entity(hamlet);
        hamlet_add_place(hamlet, entity, (Place){{(float)i, 2}});
        hamlet_add_motion(hamlet, entity, (Motion){{1.5f, -1}});
        hamlet_add_health(hamlet, entity, (Health){100});
        hamlet_add_team(hamlet, entity, (Team){SIDE_RED});
        if (i < MOVING)
            hamlet_add_mana(hamlet, entity, (Mana){3});
    }
}

// ---- a frame

static void give_input(measured *measured)
{
    hamlet_entity entity = measured->entities[measured->frame++ * 7 % COUNT];
    hamlet_edit_health(measured->world->contexts->hamlet, entity)->hp = (int16_t)measured->frame;
}

static void run(measured *measured)
{
    give_input(measured);
    hamlet_world_update(measured->world, 0.01);
}

static void run_and_save(measured *measured)
{
    give_input(measured);
    check(hamlet_world_save(measured->world, &measured->before) == KIN_OK);
    hamlet_world_update(measured->world, 0.01);
    check(hamlet_world_save(measured->world, &measured->after) == KIN_OK);
    check(kin_snapshot_hash(measured->after) != 0);
}

static bool count_bytes(const void *bytes, size_t size, void *user)
{
    (void)bytes;
    ((measured *)user)->written += size;
    return true;
}

// ---- measuring

// Returns the nanoseconds of a frame.
static double time_of(measured *measured, void (*frame)(struct measured *))
{
    double start = time_now();
    for (int i = 0; i < FRAMES; i++)
        frame(measured);
    return (time_now() - start) / FRAMES;
}

static int compare(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

static double median(double *samples)
{
    qsort(samples, TURNS, sizeof *samples, compare);
    return samples[TURNS / 2];
}

static void measure(measured *measured, const char *id, const char *what, kin_record_options options, double bar)
{
    double saved[TURNS], recorded[TURNS], ratios[TURNS];
    for (int i = -WARMING_UP; i < TURNS; i++) {
        double alone = time_of(measured, run), one = time_of(measured, run_and_save) - alone;
        check(hamlet_world_record(measured->world, (kin_sink){count_bytes, measured}, &options) == KIN_OK);
        time_of(measured, run);
        measured->written = 0;
        double other = time_of(measured, run) - alone;
        size_t written = measured->written / FRAMES;
        check(hamlet_world_stop_recording(measured->world) == KIN_OK);
        if (i < 0)
            continue;
        saved[i] = one;
        recorded[i] = other;
        ratios[i] = other / one;
        measured->written = written;
    }
    double ratio = median(ratios);
    printf("%-10s %-32s %12.2f %12.2f %8.2f", id, what, median(saved) / 1000, median(recorded) / 1000, ratio);
    if (bar > 0)
        printf("  %4.2f %s", bar, ratio < bar + 0.005 ? "met" : "above");
    printf("   %zu bytes a frame\n", measured->written);
}

void measure_recordings(void)
{
    measured measured = {.world = hamlet_world_create(NULL, NULL)};
    check(measured.world != NULL);
    fill(&measured);
    printf("\nRecording %u entities, of which %u move, beside two saves and a hash, us a frame: saves, kin, ratio, "
           "bar.\n\n",
           (unsigned)COUNT, (unsigned)MOVING);
    measure(&measured, "f.record", "record, one input a frame", (kin_record_options){.level = 0}, 1);
    measure(&measured, "f.recordz", "the same, compressed at level 3", (kin_record_options){.level = 3}, 0);
    measure(&measured, "f.states", "the same, with states, plain", (kin_record_options){.states = true}, 0);
    kin_snapshot_destroy(measured.before);
    kin_snapshot_destroy(measured.after);
    hamlet_world_destroy(measured.world);
    free(measured.entities);
}

// Two peers, each of which sees the other's keys late. A peer guesses that the keys have not changed and continues. If
// the guess was wrong, it restores the state before that frame and runs the frames again. A third world runs without
// lag, for comparison.
//
//   rollback [--lag 7] [--frames 600] [--break FRAME] [--no-times]

#include "rollback/rollback.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UNITS = 2000, RING = 16, MOST_FRAMES = 10000 };
static const double STEP = 1;

typedef struct peer {
    rollback_world *world;
    kin_snapshot *ring[RING]; // ring[f % RING] is the state before frame f
    int number;
    int used[MOST_FRAMES]; // by frame that was run: the other peer's key, real or guessed
    int seen;              // number of frames for which the other peer's key is known
    int rewinds, farthest; // how often it restored a state, and most frames that it went back
} peer;

static int keys[2][MOST_FRAMES];     // the key that each player presses, by frame
static int arrivals[2][MOST_FRAMES]; // the frame in which the other peer receives it
static int lag, frames, broken_frame;
static kin_snapshot *shown; // the state that a view of A shows
static uint64_t changes;    // differences that were reported to the view
static struct {
    double seconds;
    long count;
} saves, restores;

// ---- the game: an update depends on components alone

static void break_units(game_context *game)
{
    uint32_t count = 0;
    const game_entity *units = game_units_entities(game, &count);
    for (uint32_t i = 40; i < count && i < 44; i++)
        game_edit_position(game, units[i])->at.x += 0.25f;
}

void steer_update(rollback_world *world, steer_iter *it, const kin_tick *tick)
{
    static const Vec2 pushes[] = {{0, 0}, {0.25f, 0}, {-0.25f, 0}, {0, 0.25f}, {0, -0.25f}};
    const Keys *pressed = game_get_unique_keys(world->contexts->game);
    const peer *self = world->user;
    while (steer_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            Vec2 push = pushes[pressed->pressed[it->player[i].number]];
            it->velocity[i].by.x += push.x;
            it->velocity[i].by.y += push.y;
        }
    if (self != NULL && self->number == 1 && (int)tick->frame == broken_frame) // a mistake: only B does this
        break_units(world->contexts->game);
}

static float wrap(float place)
{
    return place < 0 ? place + 1024 : place >= 1024 ? place - 1024 : place;
}

void move_update(rollback_world *world, move_iter *it, const kin_tick *tick)
{
    (void)world, (void)tick;
    while (move_next(it))
        for (uint32_t i = 0; i < it->count; i++) {
            it->position[i].at.x = wrap(it->position[i].at.x + it->velocity[i].by.x);
            it->position[i].at.y = wrap(it->position[i].at.y + it->velocity[i].by.y);
        }
}

static rollback_world *begin_world(peer *peer)
{
    rollback_world *world = rollback_world_create(NULL, peer);
    if (world == NULL)
        exit(EXIT_FAILURE);
    game_context *game = world->contexts->game;
    game_set_unique_keys(game, (Keys){{0, 0}});
    for (int i = 0; i < UNITS; i++) {
        game_entity unit = game_spawn_unit(game);
        game_replace_position(game, unit, (Position){{(float)(i % 50 * 20), (float)(i / 50 * 20)}});
        game_replace_player(game, unit, (Player){i % 2});
    }
    return world;
}

static void update(rollback_world *world, int first_key, int second_key)
{
    game_replace_unique_keys(world->contexts->game, (Keys){{first_key, second_key}});
    rollback_world_update(world, STEP);
}

// ---- saving and restoring

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void save(peer *peer, int frame)
{
    double began = now();
    if (rollback_world_save(peer->world, &peer->ring[frame % RING]) != KIN_OK)
        exit(EXIT_FAILURE);
    saves.seconds += now() - began;
    saves.count++;
}

static void restore(peer *peer, int frame)
{
    double began = now();
    if (rollback_world_restore(peer->world, peer->ring[frame % RING], KIN_RESTORE_EXACTLY) != KIN_OK)
        exit(EXIT_FAILURE);
    restores.seconds += now() - began;
    restores.count++;
}

// ---- a peer

// Returns the other peer's key in a frame; if it is not known yet, guesses the last known key.
static int key_of_other(const peer *peer, int frame)
{
    const int *real = keys[1 - peer->number];
    return frame < peer->seen ? real[frame] : peer->seen > 0 ? real[peer->seen - 1] : 0;
}

// Runs a frame, and saves the state after it.
static void run(peer *peer, int frame)
{
    int own = keys[peer->number][frame], other = peer->used[frame] = key_of_other(peer, frame);
    update(peer->world, peer->number == 0 ? own : other, peer->number == 0 ? other : own);
    save(peer, frame + 1);
}

// Receives keys that have arrived after `frame` frames. If a guess was wrong, runs again from that frame.
static void receive(peer *peer, int time, int frame)
{
    int other = 1 - peer->number, first = frame;
    for (; peer->seen < frames && arrivals[other][peer->seen] <= time; peer->seen++)
        if (peer->seen < first && peer->used[peer->seen] != keys[other][peer->seen])
            first = peer->seen;
    if (first == frame)
        return;
    peer->rewinds++;
    peer->farthest = frame - first > peer->farthest ? frame - first : peer->farthest;
    for (restore(peer, first); first < frame; first++)
        run(peer, first);
}

// ---- comparing

static bool show_difference(const kin_difference *difference, void *user)
{
    (void)difference;
    ++*(uint64_t *)user; // a view would update its picture of difference->entity
    return true;
}

static bool describe_first(const kin_difference *difference, void *user)
{
    char *text = user;
    if (text[0] == '\0')
        kin_difference_describe(difference, text, 200);
    return true;
}

// Compares the states after a frame whose keys both peers know.
static bool agree(const peer *a, const peer *b, int frame)
{
    kin_snapshot *one = a->ring[(frame + 1) % RING], *other = b->ring[(frame + 1) % RING];
    char first[200] = "";
    if (kin_snapshot_hash(one) == kin_snapshot_hash(other))
        return true;
    uint64_t count = kin_snapshot_compare(one, other, describe_first, first);
    printf("frame %d: A and B differ: %s, and %" PRIu64 " more\n", frame, first, count - 1);
    return false;
}

// ---- the whole run

static uint32_t random_below(uint32_t end)
{
    static uint64_t state = 7;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33) % end;
}

// Players change their keys in every third frame or so. Messages arrive in order, up to `lag` frames late.
static void press_keys(void)
{
    for (int player = 0; player < 2; player++)
        for (int frame = 0, arrival = 0; frame < frames; frame++) {
            int due = frame + (int)random_below((uint32_t)lag + 1);
            arrivals[player][frame] = arrival = due > arrival ? due : arrival;
            bool same = frame > 0 && random_below(3) > 0;
            keys[player][frame] = same ? keys[player][frame - 1] : (int)random_below(5);
        }
}

// Updates the view of A with the net differences, however many frames ran again in between.
static void show(const peer *a, int frame)
{
    kin_snapshot_compare(shown, a->ring[frame % RING], show_difference, &changes);
    rollback_world_save(a->world, &shown);
}

static bool play(peer *a, peer *b)
{
    int confirmed = 0;
    save(a, 0);
    save(b, 0);
    rollback_world_save(a->world, &shown);
    for (int time = 0; time <= frames + lag; time++) {
        int frame = time < frames ? time : frames;
        receive(a, time, frame);
        receive(b, time, frame);
        for (; confirmed < frame && confirmed < a->seen && confirmed < b->seen; confirmed++)
            if (!agree(a, b, confirmed))
                return false;
        if (time < frames) {
            run(a, frame);
            run(b, frame);
        }
        show(a, time < frames ? frame + 1 : frame);
    }
    return true;
}

static uint64_t truth(void)
{
    kin_snapshot *end = NULL;
    rollback_world *world = begin_world(NULL);
    for (int frame = 0; frame < frames; frame++)
        update(world, keys[0][frame], keys[1][frame]);
    uint64_t hash = rollback_world_save(world, &end) == KIN_OK ? kin_snapshot_hash(end) : 0;
    kin_snapshot_destroy(end);
    rollback_world_destroy(world);
    return hash;
}

// Returns whether the peers, and the run without lag, agree.
static bool report(const peer *a, const peer *b, bool times)
{
    uint64_t hash = kin_snapshot_hash(a->ring[frames % RING]);
    bool same = hash == truth() && hash == kin_snapshot_hash(b->ring[frames % RING]);
    printf("2,000 units, %d frames: A rewound %d times, %d frames at most; B %d times\n", frames, a->rewinds,
           a->farthest, b->rewinds);
    if (times && restores.count > 0)
        printf("a save %.0f us, a restore %.0f us; ", saves.seconds / (double)saves.count * 1e6,
               restores.seconds / (double)restores.count * 1e6);
    printf("peers, and the run without lag, %s: hash %016" PRIx64 "\n", same ? "agree" : "differ", hash);
    return same;
}

static void end(peer *peer)
{
    for (int i = 0; i < RING; i++)
        kin_snapshot_destroy(peer->ring[i]);
    rollback_world_destroy(peer->world);
}

static int number_after(int count, char **arguments, const char *option, int otherwise)
{
    for (int i = 1; i + 1 < count; i++)
        if (strcmp(arguments[i], option) == 0)
            return atoi(arguments[i + 1]);
    return otherwise;
}

int main(int count, char **arguments)
{
    static peer a = {.number = 0}, b = {.number = 1};
    bool times = count < 2 || strcmp(arguments[count - 1], "--no-times") != 0;
    lag = number_after(count, arguments, "--lag", 7);
    frames = number_after(count, arguments, "--frames", 600);
    broken_frame = number_after(count, arguments, "--break", -1);
    if (lag < 0 || lag > RING - 2 || frames < 1 || frames > MOST_FRAMES) {
        fprintf(stderr, "usage: rollback [--lag 0 to 14] [--frames 1 to 10000] [--break FRAME] [--no-times]\n");
        return EXIT_FAILURE;
    }
    press_keys();
    a.world = begin_world(&a);
    b.world = begin_world(&b);
    bool same = play(&a, &b) && report(&a, &b, times);
    kin_snapshot_destroy(shown);
    end(&a);
    end(&b);
    return same || broken_frame >= 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

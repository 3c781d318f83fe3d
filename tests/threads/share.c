// A flock whose sheep move in pieces, look at others, and change between the pieces on one thread alone.
#include "hostile.h"
#include "runtime/context/refusals.h"
#include "save/buffer.h"
#include "scenes.h"

#include <kin/pool.h>
#include <kin/share.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHEEP = 4000, ZONES = 7, TICKS = 8, MOST_PIECES = 64, SHARERS = 3, REFUSERS = 8 };

typedef struct flock {
    commons_context *commons;
    uint32_t grain, tick, errors;
    float sums[MOST_PIECES];
    uint64_t hashes[TICKS];
} flock;

static void ignore(const kin_error *error, void *user)
{
    (void)error;
    ++*(uint32_t *)user;
}

static bool begin(flock *flock, uint32_t grain)
{
    memset(flock, 0, sizeof *flock);
    flock->grain = grain;
    flock->commons = commons_context_create(&(kin_context_options){.on_error = ignore, .error_user = &flock->errors});
    if (flock->commons == NULL || commons_spawn_many_sheep(flock->commons, SHEEP, NULL) != KIN_OK)
        return false;
    uint32_t count, number = 0;
    const commons_entity *all = commons_entities(flock->commons, &count);
    for (uint32_t i = 0; i < count; i++) {
        commons_replace_stand(flock->commons, all[i], (Stand){(float)(i % 97), (float)(i % 89)});
        commons_replace_zone(flock->commons, all[i], (Zone){(int32_t)(i % ZONES)});
        if (i % 5 == 0)
            commons_add_number(flock->commons, all[i], (Number){number++});
        if (i % 3 == 0)
            commons_add_trail(flock->commons, all[i], (Trail){0});
    }
    return true;
}

// Looks at other sheep: by number, by zone, through a group.
static float look(const commons_context *commons, uint32_t i)
{
    commons_entity near[4];
    commons_entity other = commons_entity_with_number_value((commons_context *)(uintptr_t)commons, i % (SHEEP / 5));
    const Pace *pace = commons_get_pace(commons, other);
    uint32_t count = commons_copy_entities_with_zone_zone(commons, (int32_t)(i % ZONES), near, 4);
    bool is_near = count > 0 && commons_has_trail(commons, near[0]);
    return (pace == NULL ? 0 : pace->x) + (float)(count % 10) + (is_near ? 0.25f : 0);
}

static void move(void *work, uint32_t piece)
{
    flock *flock = work;
    float sum = 0;
    commons_movers_iter it = commons_movers_iterate_piece(flock->commons, piece, flock->grain);
    while (commons_movers_next(&it)) {
        float seen = look(flock->commons, it.count + piece);
        for (uint32_t i = 0; i < it.count; i++) {
            it.stand[i].x += it.pace[i].x + seen;
            it.stand[i].y = it.stand[i].y * 0.5f + (float)kin_group_count(commons_movers_group(flock->commons)) * 0.01f;
            sum += it.stand[i].x;
        }
    }
    for (commons_trails_iter age = commons_trails_iterate_piece(flock->commons, piece, flock->grain);
         commons_trails_next_block(&age);)
        KIN_EACH_BIT(i, age.mask)
    age.trail.length[i]++;
    flock->sums[piece] = sum;
}

// Structure changes between the pieces, by what they left.
static void change(flock *flock, uint32_t pieces)
{
    float sum = 0;
    uint32_t count;
    for (uint32_t i = 0; i < pieces; i++)
        sum += flock->sums[i];
    const commons_entity *movers = commons_movers_entities(flock->commons, &count);
    for (uint32_t i = flock->tick; i < count; i += 311)
        commons_set_shorn(flock->commons, movers[i], true);
    if (flock->tick % 3 == 0)
        commons_spawn_sheep_with(flock->commons,
                                 (commons_sheep_value){.stand = {sum * 1e-6f, 1}, .pace = {1, 2}, .zone = {2}});
}

static uint64_t hash(flock *flock)
{
    kin_snapshot *snapshot = NULL;
    commons_save(flock->commons, &snapshot);
    uint64_t result = kin_snapshot_hash(snapshot);
    kin_snapshot_destroy(snapshot);
    return result;
}

// Plays all ticks on an executor.
static bool play_on(flock *flock, const kin_executor *executor, uint32_t grain)
{
    bool begun = begin(flock, grain);
    for (flock->tick = 0; begun && flock->tick < TICKS; flock->tick++) {
        uint32_t pieces = commons_movers_piece_count(flock->commons, grain);
        if (kin_context_begin_shared(&flock->commons->base) != KIN_OK)
            return false;
        run_tasks(executor, move, flock, pieces);
        if (kin_context_end_shared(&flock->commons->base) != KIN_OK)
            return false;
        change(flock, pieces);
        flock->hashes[flock->tick] = hash(flock);
    }
    commons_context_destroy(flock->commons);
    return begun;
}

static bool is_same_on(const kin_executor *executor, const flock *expected)
{
    static flock found;
    return executor != NULL && play_on(&found, executor, expected->grain) &&
           memcmp(expected->hashes, found.hashes, sizeof found.hashes) == 0;
}

static bool is_same_everywhere(const flock *expected)
{
    static const uint32_t threads[] = {1, 2, 4, 16};
    bool same = true;
    for (uint32_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        kin_executor *pool = kin_pool_create(threads[i]);
        same = is_same_on(pool, expected) && same;
        kin_pool_destroy(pool);
    }
    for (uint32_t i = 0; i < HOSTILE_COUNT; i++)
        same = is_same_on(&hostile_executors[i], expected) && same;
    return same;
}

bool share_pieces(void)
{
    static const uint32_t grains[] = {0, 2048, UINT32_MAX};
    static flock expected;
    bool same = true;
    for (uint32_t i = 0; i < sizeof grains / sizeof *grains; i++)
        same = play_on(&expected, NULL, grains[i]) && is_same_everywhere(&expected) && same;
    return same;
}

// ---- refusals

static void call_all(void *work, uint32_t index)
{
    (void)index;
    for (const refusal *each = refusals; each->name != NULL; each++)
        if (!each->is_refused()) {
            printf("%s was not refused\n", each->name);
            atomic_fetch_add((atomic_uint *)work, 1);
        }
}

bool refuse_in_threads(void)
{
    uint32_t errors = 0;
    atomic_uint faults = 0;
    kin_context_options options = {.on_error = ignore, .error_user = &errors};
    commons_context *commons = commons_context_create(&options);
    refusals_begin(commons);
    refusals_watch_all();
    kin_context_begin_shared(&commons->base);
    run_tasks(&hostile_executors[HOSTILE_CROWD], call_all, &faults, REFUSERS);
    bool was_quiet = errors == 0;
    kin_context_end_shared(&commons->base);
    refusals_end();
    commons_context_destroy(commons);
    return atomic_load(&faults) == 0 && was_quiet && errors == 1;
}

// ---- snapshots

enum { ATTEMPTS = 20 };

typedef struct shared_save {
    flock *flock;
    kin_snapshot *former, *snapshot;
    buffer file;
    uint64_t differences;
    kin_status status;
    bool is_refused;
} shared_save;

static void *write_shared(void *argument)
{
    shared_save *save = argument;
    save->differences = kin_snapshot_compare(save->former, save->snapshot, NULL, NULL);
    save->status = kin_snapshot_write(save->snapshot, buffer_sink(&save->file), NULL);
    return NULL;
}

// Tries to overwrite and to restore the snapshot that another thread writes.
static void *save_shared(void *argument)
{
    shared_save *save = argument;
    commons_context *commons = save->flock->commons;
    save->is_refused = true;
    for (uint32_t i = 0; i < ATTEMPTS; i++) {
        kin_snapshot *same = save->snapshot, *made = NULL;
        save->is_refused = save->is_refused && commons_save(commons, &same) == KIN_ERROR_INVALID &&
                           same == save->snapshot && commons_save(commons, &made) == KIN_ERROR_INVALID &&
                           made == NULL && commons_restore(commons, same, KIN_RESTORE_EXACTLY) == KIN_ERROR_INVALID;
    }
    return NULL;
}

// Moves the sheep on a pool, while threads write the snapshot, and try to save.
static bool move_and_save(shared_save *there, const kin_executor *pool)
{
    pthread_t threads[2];
    flock *flock = there->flock;
    uint32_t pieces = commons_movers_piece_count(flock->commons, flock->grain), errors = flock->errors;
    if (kin_context_begin_shared(&flock->commons->base) != KIN_OK)
        return false;
    if (pthread_create(&threads[0], NULL, write_shared, there) != 0 ||
        pthread_create(&threads[1], NULL, save_shared, there) != 0)
        return false;
    run_tasks(pool, move, flock, pieces);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return kin_context_end_shared(&flock->commons->base) == KIN_OK && flock->errors == errors + 1;
}

static bool is_same_file(const buffer *one, const buffer *other)
{
    return one->size == other->size && memcmp(one->bytes, other->bytes, one->size) == 0;
}

// The file and the differences are those that one thread found before.
static bool save_a_tick(flock *flock, kin_snapshot **former, kin_snapshot **snapshot, const kin_executor *pool)
{
    if (commons_save(flock->commons, snapshot) != KIN_OK)
        return false;
    shared_save here = {.flock = flock, .former = *former, .snapshot = *snapshot}, there = here;
    write_shared(&here);
    bool same = move_and_save(&there, pool) && there.is_refused && here.status == KIN_OK && there.status == KIN_OK &&
                here.differences == there.differences && is_same_file(&here.file, &there.file);
    buffer_release(&here.file);
    buffer_release(&there.file);
    change(flock, commons_movers_piece_count(flock->commons, flock->grain));
    flock->hashes[flock->tick] = hash(flock);
    return same;
}

bool save_while_shared(void)
{
    static flock expected, flock;
    kin_snapshot *snapshots[2] = {0};
    kin_executor *pool = kin_pool_create(2);
    bool same = pool != NULL && play_on(&expected, NULL, 512) && begin(&flock, 512) &&
                commons_save(flock.commons, &snapshots[1]) == KIN_OK;
    for (flock.tick = 0; same && flock.tick < TICKS; flock.tick++)
        same = save_a_tick(&flock, &snapshots[(flock.tick + 1) % 2], &snapshots[flock.tick % 2], pool);
    kin_snapshot_destroy(snapshots[0]);
    kin_snapshot_destroy(snapshots[1]);
    commons_context_destroy(flock.commons);
    kin_pool_destroy(pool);
    return same && memcmp(expected.hashes, flock.hashes, sizeof flock.hashes) == 0;
}

// ---- one pool

typedef struct sharer {
    flock flock;
    const kin_executor *pool;
    bool played;
} sharer;

static void *play_own(void *own)
{
    sharer *self = own;
    self->played = play_on(&self->flock, self->pool, 512);
    return NULL;
}

bool share_one_pool(void)
{
    static sharer sharers[SHARERS];
    static flock expected;
    pthread_t threads[SHARERS];
    kin_executor *pool = kin_pool_create(3);
    bool same = pool != NULL && play_on(&expected, NULL, 512);
    for (uint32_t i = 0; i < SHARERS; i++) {
        sharers[i].pool = pool;
        if (pthread_create(&threads[i], NULL, play_own, &sharers[i]) != 0)
            return false;
    }
    for (uint32_t i = 0; i < SHARERS; i++) {
        pthread_join(threads[i], NULL);
        same =
            same && sharers[i].played && memcmp(sharers[i].flock.hashes, expected.hashes, sizeof expected.hashes) == 0;
    }
    kin_pool_destroy(pool);
    return same;
}

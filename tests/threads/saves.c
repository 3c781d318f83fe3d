// A snapshot is written and compared by another thread while its context goes on (SNP-12).
#include "runtime/support/play.h"
#include "save/buffer.h"
#include "scenes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { AUTOSAVES = 40, STEPS = 6, STEP_OPERATIONS = 60 };

static void ignore(const kin_error *error, void *user)
{
    (void)error;
    (void)user;
}

typedef struct autosave {
    kin_snapshot *former, *snapshot;
    buffer file;
    uint64_t differences;
    kin_status status;
} autosave;

static void *write_snapshot(void *argument)
{
    autosave *autosave = argument;
    autosave->differences = kin_snapshot_compare(autosave->former, autosave->snapshot, NULL, NULL);
    autosave->status = kin_snapshot_write(autosave->snapshot, buffer_sink(&autosave->file), NULL);
    return NULL;
}

// Changes, saves, hashes, trims and restores the context. Returns false if a call failed.
static bool go_on(cellar_context *cellar, const kin_snapshot *saved, uint64_t seed)
{
    static play play;
    kin_snapshot *ring[3] = {0};
    bool done = true;
    for (uint32_t step = 0; step < STEPS; step++) {
        play.size = 0;
        play_run(&play, cellar, seed + step, STEP_OPERATIONS);
        kin_status status = cellar_save(cellar, &ring[step % 3]);
        done = done && (status == KIN_OK || status == KIN_ERROR_RETAINED) && kin_snapshot_hash(ring[step % 3]) != 0;
        if (step % 3 == 1)
            kin_context_trim(&cellar->base);
        if (step % 3 == 2)
            done = done && cellar_restore(cellar, saved, KIN_RESTORE_EXACTLY) == KIN_OK;
    }
    for (uint32_t i = 0; i < 3; i++)
        kin_snapshot_destroy(ring[i]);
    return done;
}

// Writes a snapshot here, then in another thread while the context goes on. Both give the same bytes.
static bool save_once(cellar_context *cellar, autosave *here, uint64_t seed)
{
    autosave there = {.former = here->former, .snapshot = here->snapshot};
    pthread_t thread;
    write_snapshot(here);
    if (pthread_create(&thread, NULL, write_snapshot, &there) != 0)
        return false;
    bool done = go_on(cellar, here->snapshot, seed);
    pthread_join(thread, NULL);
    done = done && here->status == KIN_OK && there.status == KIN_OK && here->differences == there.differences &&
           here->file.size == there.file.size && memcmp(here->file.bytes, there.file.bytes, there.file.size) == 0;
    buffer_release(&here->file);
    buffer_release(&there.file);
    return done;
}

bool save_in_threads(void)
{
    kin_context_options options = {.on_error = ignore};
    cellar_context *cellar = cellar_context_create(&options);
    kin_snapshot *snapshots[2] = {0};
    bool same = cellar != NULL && cellar_save(cellar, &snapshots[1]) == KIN_OK;
    for (uint64_t i = 0; same && i < AUTOSAVES; i++) {
        kin_status status = cellar_save(cellar, &snapshots[i % 2]);
        autosave here = {.former = snapshots[(i + 1) % 2], .snapshot = snapshots[i % 2]};
        same = (status == KIN_OK || status == KIN_ERROR_RETAINED) && save_once(cellar, &here, i * STEPS);
    }
    kin_snapshot_destroy(snapshots[0]);
    kin_snapshot_destroy(snapshots[1]);
    cellar_context_destroy(cellar);
    return same;
}

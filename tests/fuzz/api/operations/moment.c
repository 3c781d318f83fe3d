// Snapshots of contexts: saved, restored in any order, also in another context of the same schema, merged, and
// destroyed.
#include "fuzz/api/ledger.h"
#include "fuzz/api/mirror.h"

#include <kin/snapshot.h>

bool kin__context_is_valid(const kin_context *context); // of the runtime's checked build

enum { MOST_MERGED = 64 }; // entities of a context that is merged into

static kin_snapshot **take_snapshot(void)
{
    return &here->moments[take_below(MOMENTS)];
}

static void save(const place *at, bool is_game)
{
    kin_snapshot **snapshot = take_snapshot();
    uint32_t count = is_game ? game_entity_count(at->game) : other_entity_count(at->other);
    attempt attempt = attempt_begin();
    kin_status status = is_game ? game_save(at->game, snapshot) : other_save(at->other, snapshot);
    attempt_end_quiet(attempt, status);
    if ((status == KIN_OK || status == KIN_ERROR_RETAINED) && attempt_is_alone(&attempt))
        CHECK(kin_snapshot_count(*snapshot, is_game ? &game_info : &other_info) == count);
}

// What the mirror and the ledger knew is no longer so.
static void lose(const place *at)
{
    mirror_lose(at->package);
    ledger_lose(at->package);
}

static void restore(const place *at, bool is_game)
{
    const kin_snapshot *snapshot = *take_snapshot();
    kin_restore_mode mode = take_below(8) == 0 ? KIN_RESTORE_ANEW : KIN_RESTORE_EXACTLY;
    kin_context *context = is_game ? &at->game->base : &at->other->base;
    uint32_t count = kin_snapshot_count(snapshot, context->info);
    attempt attempt = attempt_begin();
    kin_status status = is_game ? game_restore(at->game, snapshot, mode) : other_restore(at->other, snapshot, mode);
    attempt_end_quiet(attempt, status);
    if (status != KIN_OK)
        return;
    if (is_game)
        lose(at);
    if (!attempt_is_alone(&attempt))
        return; // a listener of the restore may have ended the context
    CHECK(kin__context_is_valid(context));
    CHECK(kin__entity_count(context) == count);
    if (is_game)
        verify_game(at->game);
}

// Listeners that merge again would soon fill the context.
static void merge(const place *at, bool is_game)
{
    const kin_snapshot *snapshot = *take_snapshot();
    kin_context *context = is_game ? &at->game->base : &at->other->base;
    uint32_t before = kin__entity_count(context), count = kin_snapshot_count(snapshot, context->info);
    if (before > MOST_MERGED)
        return;
    here->has_merged = true;
    attempt attempt = attempt_begin();
    kin_status status = is_game ? game_merge(at->game, snapshot, NULL) : other_merge(at->other, snapshot, NULL);
    attempt_end(attempt, status);
    if (!attempt_is_alone(&attempt))
        return;
    CHECK(kin__context_is_valid(context));
    CHECK(kin__entity_count(context) == before + (status == KIN_OK ? count : 0));
    if (is_game)
        verify_game(at->game);
}

static void end_snapshot(void)
{
    kin_snapshot **snapshot = take_snapshot();
    kin_snapshot *ended = *snapshot;
    *snapshot = NULL;
    kin_snapshot_destroy(ended);
}

void do_moment(const place *at)
{
    uint32_t kind = take_below(14);
    bool is_game = kind % 4 != 0;
    if (kind == 11)
        end_snapshot();
    else if (here->error_depth > 0 || (is_game ? (void *)at->game : (void *)at->other) == NULL)
        return;
    else if (kind < 6)
        save(at, is_game);
    else if (kind > 11)
        merge(at, is_game);
    else
        restore(at, is_game);
}

void end_moments(void)
{
    for (uint32_t i = 0; i < MOMENTS; i++) {
        kin_snapshot_destroy(here->moments[i]);
        here->moments[i] = NULL;
    }
}

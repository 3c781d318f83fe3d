// Rehearsing: runs an update twice from one state, to find updates that depend on anything else.

#include "world_snapshot/world_snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char verb[] = "rehearse an update of";

// Snapshots before the update, after it, and after its repetition.
typedef struct rehearsal {
    kin_snapshot *before, *once, *twice;
} rehearsal;

static void release(const rehearsal *rehearsal)
{
    kin_snapshot_destroy(rehearsal->before);
    kin_snapshot_destroy(rehearsal->once);
    kin_snapshot_destroy(rehearsal->twice);
}

bool kin__divergence_write(const kin_difference *difference, void *user)
{
    kin_divergence *divergence = user;
    size_t begin = strlen(divergence->text);
    divergence->context = difference->context;
    divergence->component = difference->component;
    divergence->entity = difference->entity;
    kin_difference_describe(difference, divergence->text + begin, sizeof divergence->text - begin);
    return false;
}

static kin_status compare(const kin__world *world, const rehearsal *rehearsal, kin_divergence *first)
{
    char reason[sizeof first->text + 64];
    *first = (kin_divergence){.frame = world->root->frame == 0 ? 0 : world->root->frame - 1};
    snprintf(first->text, sizeof first->text, "frame %" PRIu64 ": ", first->frame);
    if (kin_snapshot_compare(rehearsal->once, rehearsal->twice, kin__divergence_write, first) == 0) {
        *first = (kin_divergence){0};
        return KIN_OK;
    }
    if (first->context == NULL)
        snprintf(first->text, sizeof first->text, "frame %" PRIu64 ": the state of systems differs", first->frame);
    snprintf(reason, sizeof reason, "two updates of one state differ: %s", first->text);
    return kin__world_refuse(world, KIN_ERROR_INVALID, verb, reason);
}

static kin_status update(kin__world *world, double delta, kin_snapshot **after)
{
    kin__world_update_unprobed(world, delta);
    return kin__world_save(world, after);
}

static kin_status run(kin__world *world, double delta, rehearsal *rehearsal)
{
    kin_status status = kin__world_save(world, &rehearsal->before);
    if (status == KIN_OK)
        status = update(world, delta, &rehearsal->once);
    if (status == KIN_OK)
        status = kin__world_restore(world, rehearsal->before, KIN_RESTORE_EXACTLY);
    return status == KIN_OK ? update(world, delta, &rehearsal->twice) : status;
}

kin_status kin__world_rehearse(kin__world *world, double delta, kin_divergence *first)
{
    rehearsal rehearsal = {0};
    kin_divergence own;
    if (!kin__world_may_save(world, verb))
        return KIN_ERROR_INVALID;
    if (!kin__is_finite(delta))
        return kin__world_refuse(world, KIN_ERROR_INVALID, verb, "the delta is not a finite number; pass one that is");
    kin_status status = run(world, delta, &rehearsal);
    if (status == KIN_OK)
        status = compare(world, &rehearsal, first != NULL ? first : &own);
    release(&rehearsal);
    return status;
}

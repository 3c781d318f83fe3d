#include "play/player.h"

#include "play/apply.h"
#include "play/diverge.h"
#include "play/made.h"
#include "world/world.h"

static const char verb[] = "play a recording in the world";

// ---- calls

bool kin__player_may(kin_player *player, const char *what)
{
    kin__world *world = player->recording.world;
    if (world == NULL)
        return false;
    if (player->in_call) {
        kin__world_refuse(world, KIN_ERROR_INVALID, what, "the player is being called; call this after it returns");
        return false;
    }
    return kin__world_may_save(world, what);
}

kin_status kin__player_end_call(kin_player *player, const char *what)
{
    kin__fault fault = player->recording.fault;
    player->recording.fault = (kin__fault){KIN_OK, ""};
    player->in_call = false;
    if (fault.status == KIN_OK || player->recording.world == NULL)
        return fault.status;
    player->is_over |= fault.status != KIN_ERROR_NO_MEMORY && fault.status != KIN_ERROR_INVALID;
    return kin__world_refuse(player->recording.world, fault.status, what, fault.text);
}

// ---- moments

// Saves the world. False, with a fault noted, when out of memory.
static bool save(kin_player *player, kin_snapshot **snapshot)
{
    return kin__world_save_unreported(player->recording.world, snapshot) != KIN_ERROR_NO_MEMORY ||
           kin__fault_note(&player->recording.fault, KIN_ERROR_NO_MEMORY,
                           "no memory for a snapshot; free some and try again");
}

bool kin__player_restore_moment(kin_player *player)
{
    kin__world *world = player->recording.world;
    if (!save(player, &player->begun))
        return false;
    kin__systems_pin(world->root); // the source cannot destroy the world
    bool is_read = kin__moment_read(&player->recording, player->begun);
    kin__systems_unpin(world->root);
    return is_read && kin__world_restore(world, player->begun, KIN_RESTORE_EXACTLY) == KIN_OK;
}

// ---- frames

bool kin__player_read_frame(kin_player *player)
{
    if (player->is_over)
        return false;
    if (player->has_frame)
        return true;
    uint64_t keys = 0;
    kin__world *world = player->recording.world;
    kin__systems_pin(world->root); // the source cannot destroy the world
    player->has_frame = kin__recording_next_frame(&player->recording, &keys) == KIN__RECORDING_FRAME;
    kin__systems_unpin(world->root);
    player->is_over = !player->has_frame;
    return player->has_frame;
}

// Puts what had changed into the world. After a divergence it need not fit.
static bool put_outside(kin_player *player, const kin__read_frame *frame)
{
    kin__recording *recording = &player->recording;
    if (frame->outside.count == 0)
        return true;
    if (kin__frame_apply(recording, player->begun, &frame->outside))
        return kin__world_restore(recording->world, player->begun, KIN_RESTORE_EXACTLY) == KIN_OK;
    if (!player->has_divergence || recording->fault.status == KIN_ERROR_NO_MEMORY)
        return false;
    recording->fault = (kin__fault){KIN_OK, ""};
    return true;
}

// Compares what the update made with what was recorded.
static void compare(kin_player *player, const kin__read_frame *frame)
{
    kin__played_frame played = {frame, player->begun, player->after};
    bool is_known = true;
    if (player->has_divergence || !save(player, &player->after))
        return;
    played.after = player->after;
    player->has_divergence = kin__divergence_find(&player->recording, &played, &player->divergence, &is_known);
    if (!is_known)
        kin__fault_note(&player->recording.fault, KIN_ERROR_NO_MEMORY,
                        "no memory to compare a frame; it was played all the same");
}

static bool play(kin_player *player, const kin__read_frame *frame)
{
    if (!save(player, &player->begun) || !put_outside(player, frame) || player->recording.world == NULL)
        return false;
    kin__world_update_unprobed(player->recording.world, frame->delta);
    player->has_frame = false;
    player->position++;
    player->frame = frame->number + 1;
    if (player->recording.world != NULL)
        compare(player, frame);
    return true;
}

bool kin__player_play_frame(kin_player *player)
{
    kin__read_frame frame = {0};
    kin__heap heap = {.memory = &player->memory, .fault = &player->recording.fault};
    bool is_played = kin__frame_read(&frame, &player->recording.file.blocks, &heap) && play(player, &frame);
    kin__heap_release(&heap);
    return is_played;
}

bool kin_player_step(kin_player *player)
{
    if (player == NULL || !kin__player_may(player, verb))
        return false;
    player->in_call = true;
    bool is_played = kin__player_read_frame(player) && kin__player_play_frame(player);
    kin__player_end_call(player, verb);
    return is_played;
}

const kin_divergence *kin_player_divergence(const kin_player *player)
{
    return player == NULL || !player->has_divergence ? NULL : &player->divergence;
}

// ---- beginning and ending

static void release_world(kin_player *player)
{
    kin__recording_close(&player->recording);
    kin_snapshot_destroy(player->begun);
    kin_snapshot_destroy(player->after);
    player->begun = player->after = NULL;
    player->recording.world = NULL;
}

static void world_ends(kin__tracker *tracker)
{
    release_world((void *)tracker);
}

static kin_player *make(kin__world *world, kin_source source)
{
    kin__memory memory = kin__memory_of(world->memory.allocator);
    kin_player *player = kin__allocate_zero(&memory, sizeof *player);
    if (player == NULL) {
        world->memory.refused = memory.refused;
        return NULL;
    }
    player->memory = memory;
    player->tracker.world_ends = world_ends;
    player->recording.world = world;
    player->recording.source = source;
    kin__world_track(world, &player->tracker);
    return player;
}

static void release(kin_player *player)
{
    if (player->recording.world != NULL) {
        kin__world_untrack(player->recording.world, &player->tracker);
        release_world(player);
    }
    kin__memory memory = player->memory;
    kin__release(&memory, player, sizeof *player);
}

static bool begin(kin_player *player)
{
    kin__world *world = player->recording.world;
    kin__systems_pin(world->root); // the source cannot destroy the world
    bool is_open = kin__recording_open(&player->recording);
    kin__systems_unpin(world->root);
    player->frame = player->recording.file.head.frame;
    return is_open && kin__player_restore_moment(player);
}

kin_player *kin__player_create(kin__world *world, kin_source source, const kin__migrations *migrations)
{
    if (!kin__world_may_save(world, verb))
        return NULL;
    if (source.read == NULL) {
        kin__world_refuse(world, KIN_ERROR_INVALID, verb, "the source has no function; pass one that reads");
        return NULL;
    }
    kin_player *player = make(world, source);
    if (player == NULL) {
        kin__world_refuse(world, KIN_ERROR_NO_MEMORY, verb, NULL);
        return NULL;
    }
    player->recording.migrations = migrations;
    player->in_call = true;
    bool has_begun = begin(player);
    if (has_begun) {
        player->in_call = false;
        return player;
    }
    kin__fault fault = player->recording.fault;
    release(player);
    if (fault.status != KIN_OK)
        kin__world_refuse(world, fault.status, verb, fault.text);
    return NULL;
}

void kin_player_destroy(kin_player *player)
{
    if (player == NULL)
        return;
    if (!player->in_call)
        release(player);
    else if (player->recording.world != NULL)
        kin__world_refuse(player->recording.world, KIN_ERROR_INVALID, "destroy a player of the world",
                          "it is being called; destroy it after the call returns");
}

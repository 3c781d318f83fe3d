// Seeking: finds the frame in the recording, and the last key before it; then plays from that key.
#include "file/file.h"
#include "play/player.h"
#include "world_snapshot/world_snapshot.h"

#include <inttypes.h>

static const char verb[] = "seek in a recording of the world";

// Where to go to, in numbers of frames before it; and the key to begin with.
typedef struct target {
    uint64_t frame, position;
    uint64_t key, key_position; // how many keys come before it, and frames; 0: the first moment
} target;

// ---- finding

static bool read_from_start(kin_player *player)
{
    return kin__recording_reopen(&player->recording) && kin__recording_skip_moment(&player->recording);
}

// Finds the target. False, with a fault noted, if there is no such frame.
static bool find(kin_player *player, target *target)
{
    kin__recording *recording = &player->recording;
    uint64_t keys = 0;
    uint64_t next = recording->file.head.frame;
    for (target->position = 0;; target->position++, next++) {
        kin__recording_block block = kin__recording_next_frame(recording, &keys);
        if (block == KIN__RECORDING_FAULT)
            return false;
        if (keys > target->key) {
            target->key = keys;
            target->key_position = target->position;
        }
        if (block == KIN__RECORDING_FRAME)
            next = kin__frame_number(&recording->file.blocks);
        if (next == target->frame)
            return true;
        if (block == KIN__RECORDING_END)
            return kin__fault_note(&recording->fault, KIN_ERROR_INVALID,
                                   "it has no frame %" PRIu64 "; seek one from %" PRIu64 " to %" PRIu64, target->frame,
                                   recording->file.head.frame, next);
    }
}

// ---- going there

static bool note_other(kin_player *player)
{
    return kin__fault_note(&player->recording.fault, KIN_ERROR_STREAM,
                           "the source gave other bytes than before; give one that begins again");
}

// Reads as many frames.
static bool go_to_frame(kin_player *player, uint64_t position)
{
    uint64_t keys = 0;
    if (!read_from_start(player))
        return false;
    for (uint64_t at = 0; at < position; at++)
        if (kin__recording_next_frame(&player->recording, &keys) != KIN__RECORDING_FRAME)
            return note_other(player);
    return true;
}

// Reads to the moment of the key.
static bool go_to_key(kin_player *player, const target *target)
{
    if (target->key == 0)
        return kin__recording_reopen(&player->recording);
    if (!read_from_start(player))
        return false;
    for (uint64_t at = 0; at < target->key; at++)
        if (!kin__recording_next_key(&player->recording))
            return note_other(player);
    return true;
}

static bool play_to(kin_player *player, const target *target)
{
    while (player->position < target->position)
        if (!kin__player_read_frame(player) || !kin__player_play_frame(player))
            return false;
    return true;
}

// ---- all together

static bool has_world(const kin_player *player)
{
    return player->recording.world != NULL;
}

// Finds the target with the world pinned, so that the source cannot destroy it. If there is none, the recording is read
// to where it was.
static bool look_up(kin_player *player, target *target)
{
    kin__recording *recording = &player->recording;
    kin__world *world = recording->world;
    kin__systems_pin(world->root);
    bool is_found = read_from_start(player) && find(player, target);
    kin__fault fault = recording->fault;
    recording->fault = (kin__fault){KIN_OK, ""};
    bool is_there = is_found ? go_to_key(player, target) : go_to_frame(player, player->position);
    kin__systems_unpin(world->root);
    if (!is_found)
        recording->fault = fault;
    return is_found && is_there;
}

static bool seek(kin_player *player, uint64_t frame)
{
    target target = {.frame = frame};
    bool was_over = player->is_over;
    player->has_frame = false;
    if (!look_up(player, &target))
        return false;
    player->is_over = false;
    if (!kin__player_restore_moment(player)) {
        player->is_over = was_over || has_world(player);
        return false;
    }
    player->position = target.key_position;
    if (player->has_divergence && player->divergence.frame >= frame)
        player->has_divergence = false;
    return play_to(player, &target);
}

kin_status kin_player_seek(kin_player *player, uint64_t frame)
{
    if (player == NULL || !kin__player_may(player, verb))
        return KIN_ERROR_INVALID;
    if (player->recording.source.begin_again == NULL)
        return kin__world_refuse(player->recording.world, KIN_ERROR_INVALID, verb,
                                 "the source cannot begin again; give one that can");
    player->in_call = true;
    bool is_there = seek(player, frame);
    kin_status status = kin__player_end_call(player, verb);
    return is_there || status != KIN_OK ? status : KIN_ERROR_INVALID;
}

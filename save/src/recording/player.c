#include "recording/recording.h"

#include "file/file.h"
#include "world/world.h"

#include <inttypes.h>
#include <kin/prefab.h>
#include <kin/reflect.h>
#include <string.h>

static const char verb[] = "play a recording in the world";

// A player: a recording and a place in it. The world links it, to say when it ends; then nothing of the world is left.
//
// Invariants:
//   1. `in_call` while a function of the source, of the world's systems or of its listeners may be called: then the
//      player cannot be destroyed
//   2. `has_frame` while the block that was read last is a frame that was not played yet

struct kin_player {
    kin__tracker tracker;     // first
    kin__recording recording; // its world is NULL once that has ended
    kin__memory memory;       // of the player
    uint64_t position;        // frames played
    uint64_t frame;           // how often the world has been updated, as the recording says
    bool in_call, has_frame;
    bool is_over; // at the end, or at a fault
    bool has_divergence;
    kin_divergence divergence;
    kin_snapshot *begun, *after; // the moments of the frame that was played last
};

// ---- calls

static bool may_call(kin_player *player, const char *what)
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

// Reports the fault of the recording, if there is one, and forgets it; ends the call. Returns its status.
static kin_status end_call(kin_player *player, const char *what)
{
    kin__fault fault = player->recording.fault;
    player->recording.fault = (kin__fault){KIN_OK, ""};
    KIN_ASSERT(player->in_call);
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

// Returns whether a context of the world has content.
static bool has_content(const kin__world *world)
{
    void *content;
    bool has = false;
    for (uint32_t i = 0; !has && i < world->info->context_count; i++)
        has = kin_content_face_of(world->contexts[i], &content) != NULL;
    return has;
}

// Returns whether the content of a context is that of its state, Content.version: then systems that spawn by name find
// what they found when the world was recorded. True without content.
static bool has_content_of_state(const kin_context *context, uint64_t *state)
{
    void *content;
    const kin_content_face *face = kin_content_face_of(context, &content);
    kin_component_id id = face == NULL ? KIN_NO_COMPONENT : kin_component_find(context->info, "Content");
    if (id == KIN_NO_COMPONENT || context->carriers[id] == 0)
        return true;
    memcpy(state, kin_get(context, context->carriers[id], id), sizeof *state);
    return *state == face->version(content);
}

static bool check_content(kin_player *player)
{
    kin__world *world = player->recording.world;
    uint64_t version;
    for (uint32_t i = 0; i < world->info->context_count; i++)
        if (!has_content_of_state(world->contexts[i], &version))
            return kin__fault_note(&player->recording.fault, KIN_ERROR_SHAPE,
                                   "context '%s' was recorded with version %016" PRIx64
                                   " of its content; open the pack of that version",
                                   world->contexts[i]->info->name, version);
    return true;
}

// Restores the moment that was read. With other content, the world stays as it was, in `after`.
static bool put_moment(kin_player *player)
{
    kin__world *world = player->recording.world;
    if (kin__world_restore(world, player->begun, KIN_RESTORE_EXACTLY) != KIN_OK)
        return false;
    if (check_content(player))
        return true;
    kin__world_restore(world, player->after, KIN_RESTORE_EXACTLY);
    return false;
}

// Reads the moment that comes next, and restores it, inside a call.
static bool restore_moment(kin_player *player)
{
    kin__world *world = player->recording.world;
    if (!save(player, &player->begun) || (has_content(world) && !save(player, &player->after)))
        return false;
    kin__systems_pin(world->root); // the source cannot destroy the world
    bool is_read = kin__moment_read(&player->recording, player->begun);
    kin__systems_unpin(world->root);
    return is_read && put_moment(player);
}

// ---- frames

static bool read_frame(kin_player *player)
{
    KIN_ASSERT(player->in_call);
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
    if (!save(player, &player->begun) || !put_outside(player, frame))
        return false;
    if (player->recording.world == NULL)
        return false;
    kin__world_update_unprobed(player->recording.world, frame->delta);
    player->has_frame = false;
    player->position++;
    player->frame = frame->number + 1;
    if (player->recording.world != NULL)
        compare(player, frame);
    return true;
}

// Plays the frame that was read, inside a call. False with a fault, or with what the world has reported.
static bool play_frame(kin_player *player)
{
    kin__read_frame frame = {0};
    KIN_ASSERT(player->in_call && player->has_frame);
    kin__heap heap = {.memory = &player->memory, .fault = &player->recording.fault};
    bool is_played = kin__frame_read(&frame, &player->recording.file.blocks, &heap) && play(player, &frame);
    kin__heap_release(&heap);
    return is_played;
}

bool kin_player_step(kin_player *player)
{
    if (player == NULL || !may_call(player, verb))
        return false;
    player->in_call = true;
    bool is_played = read_frame(player) && play_frame(player);
    end_call(player, verb);
    return is_played;
}

const kin_divergence *kin_player_divergence(const kin_player *player)
{
    if (player == NULL || !player->has_divergence)
        return NULL;
    return &player->divergence;
}

// ---- beginning and ending

static void release_world(kin_player *player)
{
    kin__recording_close(&player->recording);
    kin_snapshot_destroy(player->begun);
    kin_snapshot_destroy(player->after);
    player->begun = NULL;
    player->after = NULL;
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
    return is_open && restore_moment(player);
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

// ---- seeking

// Finds the frame in the recording, and the last key before it; then plays from that key.

static const char seek_verb[] = "seek in a recording of the world";

// Where to go to, in numbers of frames before it; and the key to begin with.
typedef struct target {
    uint64_t frame, position;
    uint64_t key, key_position; // how many keys come before it, and frames; both are 0 for the first moment
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
    bool is_there;
    if (is_found)
        is_there = go_to_key(player, target);
    else
        is_there = go_to_frame(player, player->position);
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
    if (!restore_moment(player)) {
        player->is_over = was_over || has_world(player);
        return false;
    }
    player->position = target.key_position;
    if (player->has_divergence && player->divergence.frame >= frame)
        player->has_divergence = false;
    while (player->position < target.position)
        if (!read_frame(player) || !play_frame(player))
            return false;
    return true;
}

kin_status kin_player_seek(kin_player *player, uint64_t frame)
{
    if (player == NULL || !may_call(player, seek_verb))
        return KIN_ERROR_INVALID;
    if (player->recording.source.begin_again == NULL)
        return kin__world_refuse(player->recording.world, KIN_ERROR_INVALID, seek_verb,
                                 "the source cannot begin again; give one that can");
    player->in_call = true;
    bool is_there = seek(player, frame);
    kin_status status = end_call(player, seek_verb);
    if (!is_there && status == KIN_OK)
        return KIN_ERROR_INVALID;
    return status;
}

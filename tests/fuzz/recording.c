// Fuzzing recordings: any bytes as a recording of a town, with the sums of its blocks made right, played and sought in.
// Bytes that do not begin like a file edit a recording that is made here: a place, what to do there, and a value.
//
// What is accepted is played in a world whose contexts a checked build checks after each restore. Then the world is
// saved, written and updated like any other.
#include "fuzz/repair.h"
#include "save/record/record_case.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MOST_FRAMES = 64, EDIT_SIZE = 6 };

// ---- the recording

// Frames in which entities come and go, with keys, and with states if `has_states`.
static void make_recording(bool has_states)
{
    kin_record_options options = {.states = has_states, .key_interval = 3};
    record_town(6);
    if (record_start(&options) != KIN_OK)
        abort();
    record_frames(8, 5);
    record_stop();
}

static void edit(const uint8_t *bytes)
{
    size_t at = (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)(bytes[2] & 1) << 16;
    unsigned char *place = recording.bytes + at % (recording.size - sizeof(uint32_t));
    uint32_t value = (uint32_t)bytes[4] | (uint32_t)bytes[5] << 8;
    switch (bytes[3] % 4) {
    case 0:
        place[0] = bytes[4];
        break;
    case 1:
        place[0] ^= (unsigned char)(1 << bytes[4] % 8);
        break;
    case 2:
        kin__little_write_32(place, bytes[5] % 2 == 0 ? bytes[4] : value * 0x10001);
        break;
    default:
        place[0] = (unsigned char)(place[0] + bytes[4]);
    }
}

// Makes each of the two recordings once, and copies it.
static void copy_recording(bool has_states)
{
    static buffer made[2];
    buffer *copied = &made[has_states];
    if (copied->size == 0) {
        make_recording(has_states);
        *copied = recording;
        recording = (buffer){0};
    }
    buffer_sink(&recording).write(copied->bytes, copied->size, &recording);
}

static void make_edited(const uint8_t *bytes, size_t size)
{
    copy_recording(bytes[0] % 2 != 0);
    for (size_t at = 1; at + EDIT_SIZE <= size && at < 8 * EDIT_SIZE; at += EDIT_SIZE)
        edit(bytes + at);
    if (bytes[0] % 16 == 2)
        recording.size -= recording.size * bytes[0] / 256;
}

static void make_given(const uint8_t *bytes, size_t size)
{
    recording.bytes = malloc(size);
    recording.size = size;
    memcpy(recording.bytes, bytes, size);
    memcpy(recording.bytes, kin__magic, KIN__MAGIC_SIZE);
}

// ---- playing

static void play(void)
{
    uint32_t frames = 0;
    kin_snapshot *moment = NULL;
    buffer file = {0};
    while (frames < MOST_FRAMES && kin_player_step(player)) {
        log_begin();
        frames++;
    }
    for (uint64_t frame = 0; frame < 4; frame++) {
        log_begin();
        kin_player_seek(player, frame * 7);
    }
    log_begin();
    if (town_world_save(played, &moment) == KIN_OK)
        kin_snapshot_write(moment, buffer_sink(&file), NULL);
    kin_snapshot_destroy(moment);
    buffer_release(&file);
    town_world_update(played, 0.25);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < KIN__MAGIC_SIZE + KIN__BLOCK_HEAD)
        return 0;
    record_begin();
    if (bytes[0] == kin__magic[0])
        make_given(bytes, size);
    else
        make_edited(bytes, size);
    repair(recording.bytes, recording.size, NULL);
    play_begin();
    if (player != NULL)
        play();
    record_end();
    return 0;
}

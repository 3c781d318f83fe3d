// Fuzzing recordings: any bytes as a recording of a town, with the sums of its blocks made right, played and sought in.
//
// What is accepted is played in a world whose contexts a checked build checks after each restore. Then the world is
// saved, written and updated like any other.
#include "base/little.h"
#include "frame/format.h"
#include "save/record_case.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MOST_FRAMES = 64, COUNT = 4 };

// Cuts blocks that are longer than what is left, and makes their sums right, and the number of blocks in DONE.
static void repair(unsigned char *bytes, size_t size)
{
    uint32_t number = 0;
    memcpy(bytes, kin__magic, KIN__MAGIC_SIZE);
    for (size_t at = KIN__MAGIC_SIZE; at + KIN__BLOCK_HEAD <= size; number++) {
        unsigned char *block = bytes + at, *payload = block + KIN__BLOCK_HEAD;
        size_t left = size - at - KIN__BLOCK_HEAD, length = kin__little_read_32(block + 4);
        if (length > left)
            kin__little_write_32(block + 4, (uint32_t)(length = left));
        if (memcmp(block, "DONE", 4) == 0 && length >= COUNT)
            kin__little_write_32(payload, number);
        kin__little_write_64(block + 8, kin__block_sum((char *)block, (uint32_t)length, number, payload));
        at += KIN__BLOCK_HEAD + length;
    }
}

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
    recording.bytes = malloc(size);
    recording.size = size;
    memcpy(recording.bytes, bytes, size);
    repair(recording.bytes, size);
    play_begin();
    if (player != NULL)
        play();
    record_end();
    return 0;
}

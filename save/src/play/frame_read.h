// A frame as it is read: FRAM (record/frame_write.h).
//
// Its parts point into the payload, and stay until the next block is read.
#ifndef KIN_SRC_FRAME_READ_H
#define KIN_SRC_FRAME_READ_H

#include "frame/decode.h"
#include "frame/heap.h"

// A block that replaces another one.
typedef struct kin__frame_part {
    char kind[4];
    kin__decoder decoder; // of its payload
} kin__frame_part;

typedef struct kin__frame_parts {
    kin__frame_part *parts;
    uint32_t count;
} kin__frame_parts;

typedef struct kin__frame_hash {
    uint32_t context, component;
    uint64_t hash;
} kin__frame_hash;

typedef struct kin__read_frame {
    uint64_t number;
    double delta;
    uint64_t hash;
    kin__frame_hash *hashes;
    uint32_t hash_count;
    kin__frame_parts outside, states;
} kin__read_frame;

// Reads the block that was read last. Its lists are in the heap. False, with a fault noted, if it is wrong.
bool kin__frame_read(kin__read_frame *frame, kin__block_reader *reader, kin__heap *heap);

// Returns the number of the frame that was read last, and nothing else of it.
uint64_t kin__frame_number(const kin__block_reader *reader);

static inline bool kin__frame_part_is(const kin__frame_part *part, const char *kind)
{
    return part->kind[0] == kind[0] && part->kind[1] == kind[1] && part->kind[2] == kind[2] && part->kind[3] == kind[3];
}

#endif

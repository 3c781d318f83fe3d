// The state of a system, or of a node of the schedule, as a line of JSON: runtime/src/world_snapshot/world_encode.h has
// its bytes.
//
//   {"system":"","enabled":true,"time":1.5,"frame":90,"pushed":[{"delta":1,"time":2,"frame":3}],"published":7}
//   {"system":"update/Move","enabled":true,"updated":true,"current":true,"time":0,"frame":0,
//    "step":{"left":0,"origin":0,"dropped":0,"steps":4,"step_frame":9},
//    "collected":[{"game":"1@0"}],"members":["1@0"],
//    "inboxes":[{"message":"Hit","messages":[{"serial":5,"value":{"damage":3}}]}],"warned":[true],
//    "others":[[{"game":"2@1"}]],"marks":[1,0]}
//
// Keys without a value, and lists without items, are left out. The root has the path "", and comes first.
#ifndef KIN_GENERATOR_SAVE_SYSTEM_H
#define KIN_GENERATOR_SAVE_SYSTEM_H

#include "generator/base/base.h"
#include "save/save_chunk.h"

// Bits of the first byte.
enum {
    SAVE_SYSTEM_ENABLED = 1,
    SAVE_SYSTEM_UPDATED = 2,
    SAVE_SYSTEM_CURRENT = 4,
    SAVE_SYSTEM_DEACTIVATED = 8,
    SAVE_SYSTEM_OTHERS = 16,
    SAVE_SYSTEM_MARKS = 32,
    SAVE_SYSTEM_WARNED = 64
};

// Appends the line of the block SYST that was read last. False, with a fault noted, if it is wrong.
bool save_append_system(text *out, save_walk *walk);

#endif

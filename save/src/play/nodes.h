// Nodes: the state of systems of a snapshot, in which blocks SYST replace nodes.
//
// A node keeps from before what files do not have: its name and kind, and in which contexts it collects. A path that no
// node has is passed over, as are contexts and messages that are no more.
#ifndef KIN_SRC_PLAY_NODES_H
#define KIN_SRC_PLAY_NODES_H

#include "play/frame_read.h"
#include "play/recording.h"
#include "snapshot/systems_state.h"

typedef struct kin__made_nodes {
    kin__recording *recording;
    const kin_snapshot *before;
    const kin__frame_parts *parts;
    kin__heap *heap; // of all bytes
    unsigned char *bytes;
    size_t size, capacity;
} kin__made_nodes;

// Makes the bytes. False, with a fault noted, if a part is wrong, and when out of memory.
bool kin__nodes_make(kin__made_nodes *made);

// Lists in the reading the entities that they have collected in its context and that are not alive in it. `part` is the
// number of the context in the snapshot. False, with a fault noted, if one is in a slot that another entity has, or that
// the context does not have.
bool kin__nodes_list_held(kin__made_nodes *made, uint32_t part, kin__reading *reading);

#endif

// The state of systems as canonical bytes, for hashes and files; and what of it differs.
//
//   flags:u8 (1 enabled, 2 updated once, 4 members current, 8 deactivated, 16 more collectors, 32 marks, 64 warned),
//   time:f64, frame:u64,
//   fixed step:u8, and if 1 left, origin, dropped:f64, steps, frame:u64,
//   collected:u32 × { context:u32, entity:u64 }, members:u32 × entity:u64,
//   inboxes:u16 × { message:u32, count:u32 × { serial:u64, the leaves of the message } },
//   if 16, collectors:u16 × what the others have collected; if 32, of a system over a tree, words:u32 × u64 of marks;
//   if 64, for each inbox warned:u8, 1 if it is full and that was reported
//
// The root comes first, followed by the pushed ticks:u8 × { delta, time:f64, frame:u64 }, and the count of published
// messages:u64. Contexts and messages are numbered in the order of their identities.
#ifndef KIN_SRC_WORLD_ENCODE_H
#define KIN_SRC_WORLD_ENCODE_H

#include "snapshot/snapshot.h"
#include "world_snapshot/message_leaves.h"

enum {
    KIN__ENCODED_MORE = 16,
    KIN__ENCODED_ORDER = 32,
    KIN__ENCODED_WARNED = 64,
    KIN__PATH_DEPTH = 64 // nodes that are nested deeper have the path of those at this depth
};

// Returns the name that saves have of a node. `info` may be NULL.
const char *kin__node_identity(const kin_world_info *info, const kin__saved_node *saved);

// Appends the bytes of the node at the state, or of the root before the first one; and moves past it. Without leaves,
// messages are left out.
void kin__node_encode(kin__encoder *encoder, const kin_snapshot *snapshot, kin__state *state,
                      const kin__message_leaves *leaves);

extern const kin__systems_functions kin__world_functions;

#endif

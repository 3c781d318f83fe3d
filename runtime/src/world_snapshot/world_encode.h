// The state of systems as canonical bytes, for hashes; and what of it differs.
//
//   flags:u8 (1 enabled, 2 updated once, 4 members current, 8 deactivated), time:f64, frame:u64,
//   fixed step:u8, and if 1 left, origin, dropped:f64, steps, frame:u64,
//   collected:u32 × { context:u32, entity:u64 }, members:u32 × entity:u64,
//   inboxes:u16 × { message:u32, count:u32 × { serial:u64, the leaves of the message } },
//   then of a system with several collectors, what the others have collected; over a tree, words:u32 × u64 of marks
//
// The root comes first. Behind it are the pushed ticks:u8 × { delta, time:f64, frame:u64 }, and how many messages were
// published:u64. Contexts and messages are numbered in the order of their identities.
#ifndef KIN_SRC_WORLD_ENCODE_H
#define KIN_SRC_WORLD_ENCODE_H

#include "encode/encoder.h"
#include "snapshot/snapshot.h"

extern const kin__systems_functions kin__world_functions;

// A system or collection of a world's snapshot, as block SYST: its path, and the bytes above. The path of the root is
// empty; others are the names of all nodes from the top, such as "noon/square/Clock".
typedef struct kin__node_block kin__node_block;
typedef bool kin__node_visitor(const kin__node_block *block, void *user);

// Visits the root, then all nodes in the order in which they run, until the visitor returns false. False then, and when
// out of memory. A snapshot of a context has none.
bool kin__nodes_visit(const kin_snapshot *snapshot, kin__node_visitor *visit, void *user);

// Whether the node has this path; where it is in the bytes of the state of systems.
bool kin__node_is_at(const kin__node_block *block, const char *path, size_t size);
size_t kin__node_offset(const kin__node_block *block);

void kin__node_encode_path(kin__encoder *encoder, const kin__node_block *block);
void kin__node_encode_content(kin__encoder *encoder, const kin__node_block *block);

#endif

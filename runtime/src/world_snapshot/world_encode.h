// Encodes the state of systems as canonical bytes, for hashes and comparisons.
//
//   flags:u8 (1 enabled, 2 updated once, 4 members current, 8 deactivated), time:f64, frame:u64,
//   fixed step:u8, then if 1 left, origin, dropped:f64, steps, frame:u64,
//   collected:u32 × { context:u32, entity:u64 }, members:u32 × entity:u64,
//   inboxes:u16 × { message:u32, count:u32 × { serial:u64, the leaves of the message } },
//   then, for a system with several collectors, the content of the others;
//   for a system over a tree, words:u32 × u64 of marks
//
// The root comes first, followed by the pushed ticks:u8 × { delta, time:f64, frame:u64 }, and the count of published
// messages:u64. Contexts and messages are numbered in the order of their identities.
#ifndef KIN_SRC_WORLD_ENCODE_H
#define KIN_SRC_WORLD_ENCODE_H

#include "snapshot/snapshot.h"

extern const kin__systems_functions kin__world_functions;

#endif

// State besides entities, as JSON lines: which slots come next, last values, the order of shared values, and the order
// of the holders of relations.
//
//   {"game":"slots","next":5,"first":1,"pools":[{"blueprint":"","fresh":3,"fresh_end":512,"free":[2,1]}],"chunks":[0]}
//   {"game":"kept","slot":4,"stashed":true,"Position":{"x":1,"y":2}}
//   {"game":"shared","component":"Look","first":0,"uses":[4,null,2,{"kept":7}]}
//   {"game":"links","component":"Parent","field":"of","target":2,"holders":[5,3]}
//
// `usable` of a pool has its eight words. A chunk of no pool is null. `uses` has for each number, from `first` on, the
// first slot with the value; null for a free number.
#ifndef KIN_GENERATOR_SAVE_STATE_H
#define KIN_GENERATOR_SAVE_STATE_H

#include "generator/base/base.h"
#include "save/save_chunk.h"

// Append the lines of the block that was read last. False, with a fault noted, if it is wrong.
bool save_append_slots(text *out, save_walk *walk);
bool save_append_kept(text *out, save_walk *walk);
bool save_append_shared(text *out, save_walk *walk);
bool save_append_links(text *out, save_walk *walk);

#endif

// Difference: what has changed between two results of the same request, as streams send it.
//
//   last    {"total":2,"next":null,"rows":[{"e":"7:0","v":{"P":{"x":1,"y":2}}},{"e":"8:1","v":{"P":{"x":3,"y":4}}}]}
//   now     {"total":1,"next":null,"rows":[{"e":"7:0","v":{"P":{"x":5,"y":2}}}]}
//   change  {"total":1,"rows":[{"e":"7:0","v":{"P":{"x":5}}}],"gone":["8:1"]}
//
// It has the members of the result that differ, each whole. With rows of entities, `rows` has those that are new or
// differ, and `gone` the handles of those that are not there any more. A row that was there before has only what
// differs: objects are merged, all else is replaced; with "whole": true it replaces the former one. A new row is put in
// order of slots. What cannot be said so has no difference, such as a member that has gone, or rows in another order.
//
// Both texts are compact, as json.h writes them. Memory: none but that of the change. Cost: reads each text once or
// twice.
#ifndef KIN_INSPECT_DIFFERENCE_H
#define KIN_INSPECT_DIFFERENCE_H

#include "text/json.h"

// A part of a text.
typedef struct kin__json_part {
    const char *at;
    size_t size;
} kin__json_part;

// Returns the value of a member of an object, which is not empty; an empty part if it has no such member.
kin__json_part kin__json_member(const char *object, const char *name);

// Writes the difference of two results. Returns false if there is none, or if it does not fit: what was written is then
// of no use. `has_rows`: the member `rows` has entities.
bool kin__difference_write(kin__json *change, kin__json_part last, kin__json_part now, bool has_rows);

#endif

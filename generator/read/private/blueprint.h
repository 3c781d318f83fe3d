// What the two halves of reading `blueprints` share.
//
// A part of a blueprint begins as that of the one that it extends, or with the defaults of its component; then the
// fields that the schema gives take the place of theirs, in structs member by member.
#ifndef KIN_GENERATOR_READ_BLUEPRINT_H
#define KIN_GENERATOR_READ_BLUEPRINT_H

#include "read/private/reader.h"

// Reads what the pair gives for the part's component; `what` is the blueprint.
void read_blueprint_part(reader *reader, const tree_pair *pair, const char *what, blueprint_part *part);

#endif

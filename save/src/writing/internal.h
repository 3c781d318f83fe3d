// What the files of this room share: the blocks LINK and SYST.
#ifndef KIN_SRC_SAVE_WRITING_INTERNAL_H
#define KIN_SRC_SAVE_WRITING_INTERNAL_H

#include "world/world.h"
#include "writing/writing.h"

// Writes the blocks LINK of one context, which has this number in the file.
void kin__links_write(kin__block_writer *writer, const kin__written_part *part, uint32_t context);

// Blocks SYST have the state of the systems of a world. First comes the root, whose path is empty, then the others in
// the order in which they run.
//
//   SYST   path:text ("simulation/physics/Move"), then the bytes that world.h describes

// Where the bytes of systems go to.
typedef struct kin__systems_writer {
    kin__block_writer *writer;
    const kin__written_parts *parts;
    kin__encoder *encoder; // appends to the payload of the writer
    void (*add_pair)(uint64_t path_hash, uint64_t content_hash, void *user);
    void *user;
} kin__systems_writer;

// Writes all systems of the snapshot, which may have none.
void kin__systems_write(const kin__systems_writer *to, const kin_snapshot *snapshot);

#endif

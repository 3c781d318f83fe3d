// SYST: the state of the systems of a world. First the root, whose path is empty, then the others in the order in which
// they run.
//
//   SYST   path:text ("simulation/physics/Move"), then the bytes that world_encode.h describes
#ifndef KIN_SRC_WRITE_SYSTEMS_H
#define KIN_SRC_WRITE_SYSTEMS_H

#include "file/file.h"
#include "world_snapshot/world_encode.h"

// Where the bytes of systems go to.
typedef struct kin__systems_writer {
    kin__block_writer *writer;
    const kin__written_parts *parts;
    kin__encoder *encoder;                                       // which appends to the payload of the writer
    void (*add_pair)(uint64_t path, uint64_t bytes, void *user); // gets the hashes of each block, in order
    void *user;
} kin__systems_writer;

// Writes all systems of the snapshot, which may have none.
void kin__systems_write(const kin__systems_writer *to, const kin_snapshot *snapshot);

#endif

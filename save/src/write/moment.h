// Moments: the blocks of a snapshot from the first CTXT to DONE, as saves and recordings have them.
#ifndef KIN_SRC_WRITE_MOMENT_H
#define KIN_SRC_WRITE_MOMENT_H

#include "file/file.h"

// Writes them. `parts` are those of the snapshot.
void kin__moment_write(kin__block_writer *writer, const kin_snapshot *snapshot, const kin__written_parts *parts);

#endif

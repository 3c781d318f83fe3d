// A file that is read: its blocks in their order, which go to the readings of contexts and systems, and what is checked
// once all were read. What it has of other contexts is passed over, and so are systems unless a world is read.
#ifndef KIN_SRC_READ_FILE_H
#define KIN_SRC_READ_FILE_H

#include "file/file.h"
#include "read/reading.h"
#include "read/systems.h"

typedef struct kin__file_reading {
    kin__block_reader blocks;
    kin__file_schema schema;
    kin__heap heap; // of the schema
    const kin_package_info *package;
    const kin_read_options *options;
    kin__reading *contexts; // that are read
    uint32_t context_count;
    kin__systems_reading *systems; // NULL: a context is read
    uint64_t position;             // of the last block, so that none is twice or out of order
    kin__head head;                // its texts are not valid any more
    kin__fault *fault;
} kin__file_reading;

// Reads all blocks from a source that has begun, and completes the parts of the contexts. False, with a fault noted, if
// the file is refused; the parts are for the caller to release.
bool kin__file_read(kin__file_reading *file);

// The same for a recording, in which moments follow: the head and the names, then the blocks of one moment up to DONE.
// The shapes, values and systems of the readings were made.
bool kin__file_read_names(kin__file_reading *file);
bool kin__file_read_moment(kin__file_reading *file);

// Takes memory for the values of a block.
bool kin__reading_take_values(kin__reading *reading);

// Completes the part of a context, whose slots were checked.
bool kin__reading_finish(kin__reading *reading);

#endif

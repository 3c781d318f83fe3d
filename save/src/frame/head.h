// Head: the first two blocks of a file, HEAD and META.
//
//   HEAD   format:u16 what:u16 version:u32 frame:u64 package:text writer:text
//   META   the program's own bytes; may be missing
#ifndef KIN_SRC_HEAD_H
#define KIN_SRC_HEAD_H

#include "frame/reader.h"
#include "frame/writer.h"

typedef struct kin__head {
    uint32_t version;
    uint64_t frame;
    bool is_recording;
    const char *package; // `package_size` letters without a NUL; after a read valid until the next block is read
    size_t package_size;
} kin__head;

// Writes both. `package` ends with a NUL.
void kin__head_write(kin__block_writer *writer, const kin__head *head, const kin_write_options *options);

// Reads HEAD, the first block.
bool kin__head_read(kin__block_reader *reader, kin__head *head);

#endif

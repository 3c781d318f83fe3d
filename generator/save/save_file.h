// Save file: a file of Kin while it is read, block by block. What is wrong with it is in `fault`.
//
//   save_file_begin     opens the file, reads its head and its names
//   save_file_next      the next block, in its order, checked
//   save_file_end
//
// Memory: one block, and what the caller keeps. The file itself may be of any size.
#ifndef KIN_GENERATOR_SAVE_FILE_H
#define KIN_GENERATOR_SAVE_FILE_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "frame/decode.h"
#include "path/file.h"
#include "read/schema.h"
#include "save/save_hash.h"

typedef struct save_file {
    arena *arena;
    const char *path;
    kin__fault fault;
    kin__read_file bytes;
    kin__input input;
    kin__block_reader blocks;
    kin__memory memory;
    kin__heap heap;
    // The head.
    const char *package, *writer;
    uint32_t version;
    uint64_t frame;
    bool is_recording;
    const char *meta; // `meta_size` bytes; NULL: the file has none
    size_t meta_size;
    kin__file_schema schema;
    // The block that was read last.
    save_place place;
    kin__decoder decoder; // after its numbers
    bool has_block, is_done;
    save_hash hashing;
    uint64_t hash;    // of the whole state, when all was read
    kin__heap frames; // of the frame that was read last (save_frame.h)
} save_file;

// Opens the file at `path`, or standard input if that is "-". False when it cannot be read. End it in any case.
bool save_file_begin(save_file *file, arena *arena, const char *path);

// Reads the next block. False at the end, and when it is wrong: `fault` says which.
bool save_file_next(save_file *file);

void save_file_end(save_file *file);

// Notes that the block that was read last is wrong. Returns false.
bool save_file_wrong(save_file *file, int code, const char *what);

// Reports the fault, if there is one. Returns the exit status.
int save_file_report(const save_file *file, diagnostics *diagnostics);

static inline bool save_file_is_faulty(const save_file *file)
{
    return file->fault.status != KIN_OK;
}

#endif

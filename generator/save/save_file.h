// Save file: a file of Kin while it is read, block by block. What is wrong with it is in `fault`.
//
//   save_file_begin     opens the file, reads its head and its names
//   save_file_next      the next block, in its order, checked
//   save_file_replay    makes it return the blocks of the moment that it keeps
//   save_file_end
//
// Memory: one block, the moment, and what the caller keeps. The file itself may be of any size.
#ifndef KIN_GENERATOR_SAVE_FILE_H
#define KIN_GENERATOR_SAVE_FILE_H

#include "frame/decode.h"
#include "generator/base/base.h"
#include "generator/source/source.h"
#include "path/file.h"
#include "read/schema.h"
#include "save/save_hash.h"
#include "save/save_moment.h"

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
    uint64_t schema_hash; // equal in files with the same names and types
    // The block that was read last.
    save_place place;
    kin__decoder decoder; // after its numbers
    bool has_block, is_done;
    save_hash hashing;
    uint64_t hash;    // of the whole state, when all was read
    kin__heap frames; // of the frame that was read last (save_frame.h)
    // The state after the frame that was read last; NULL: it is not kept.
    save_moment *moment;
    const save_moment *other; // while the moment is replayed: what is unknown there is left out
    bool is_replayed;
} save_file;

// Opens the file at `path`, or standard input if that is "-". False when it cannot be read. End it in any case.
bool save_file_begin(save_file *file, arena *arena, const char *path);

// Reads the next block. False at the end, and when it is wrong: `fault` says which.
bool save_file_next(save_file *file);

// Makes save_file_next return the blocks of the moment, without those that are unknown there or in `other`, if that is
// not NULL.
void save_file_replay(save_file *file, const save_moment *other);

void save_file_end(save_file *file);

// Reads the numbers of the block that `file->decoder` has, and whose kind is in `file->blocks`. False, with a fault
// noted, if there can be no such block.
bool save_file_read_place(save_file *file);

// Puts the block at `file->place` into the moment, if it is kept. False, with a fault noted, if that gets too large.
bool save_file_keep(save_file *file);

// Notes that the block that was read last is wrong. Returns false.
bool save_file_wrong(save_file *file, int code, const char *what);

// Reports the fault, if there is one. Returns the exit status.
int save_file_report(const save_file *file, diagnostics *diagnostics);

static inline bool save_file_is_faulty(const save_file *file)
{
    return file->fault.status != KIN_OK;
}

#endif

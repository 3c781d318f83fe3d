// Files: a file is written beside the former one, flushed to the disk and renamed, then the folder is flushed. Whenever
// this is interrupted, the path has the former file or the new one. Links, rights, pipes and devices stay what they are
// (target.h).
#ifndef KIN_SRC_FILE_H
#define KIN_SRC_FILE_H

#include "frame/fault.h"
#include "path/target.h"

#include <kin/save.h>

typedef struct kin__file {
    const char *path;
    kin__target target;
    char *beside;   // the path of the target with ".new"; the stream itself
    bool is_beside; // else a stream is written
    int number;     // the descriptor; -1: not open
    kin__fault *fault;
} kin__file;

// Opens the file beside `path`. False, with a fault noted, when that fails. Call kin__file_end in any case.
bool kin__file_begin(kin__file *file, const char *path, kin__fault *fault);

// Returns a sink that writes to the file, and notes a fault with the system's message.
kin_sink kin__file_sink(kin__file *file);

// Renames the file to `path`; after a fault, removes it instead. False after a fault.
bool kin__file_end(kin__file *file);

// A file to read from.
typedef struct kin__read_file {
    const char *path;
    int number;
    kin__fault *fault;
} kin__read_file;

// Opens the file. False, with a fault noted, when that fails.
bool kin__read_file_begin(kin__read_file *file, const char *path, kin__fault *fault);

// Returns a source that reads the file, and notes a fault with the system's message.
kin_source kin__read_file_source(kin__read_file *file);

void kin__read_file_end(kin__read_file *file);

#endif

// Files: written beside the former one, flushed to the disk, renamed, and the folder flushed. Whenever that stops, the
// file is the former one or the new one.
#ifndef KIN_SRC_FILE_H
#define KIN_SRC_FILE_H

#include "frame/fault.h"

#include <kin/save.h>

typedef struct kin__file {
    const char *path;
    char *beside; // path with ".new"
    int number;   // the descriptor; -1: not open
    kin__fault *fault;
} kin__file;

// Opens the file beside `path`. False, with a fault noted, when that fails. Call kin__file_end in any case.
bool kin__file_begin(kin__file *file, const char *path, kin__fault *fault);

// A sink that writes to it, and notes a fault in the system's words.
kin_sink kin__file_sink(kin__file *file);

// Puts it in place of the former one, unless there is a fault; then removes it. False when there is a fault.
bool kin__file_end(kin__file *file);

// A file to read from.
typedef struct kin__read_file {
    const char *path;
    int number;
    kin__fault *fault;
} kin__read_file;

// Opens it. False, with a fault noted, when that fails.
bool kin__read_file_begin(kin__read_file *file, const char *path, kin__fault *fault);

// A source that reads it, and notes a fault in the system's words.
kin_source kin__read_file_source(kin__read_file *file);

void kin__read_file_end(kin__read_file *file);

#endif

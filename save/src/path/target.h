// Target: what stands at a path that is to be written. Files are what the user has made them: links are followed, and
// the file at their end is replaced; it keeps its rights. Pipes and devices are written to, and so are descriptors of
// the process, such as /dev/stdout, at their position.
#ifndef KIN_SRC_TARGET_H
#define KIN_SRC_TARGET_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

enum { KIN__TARGET_SIZE = 4096 };

typedef enum kin__target_kind {
    KIN__TARGET_MISSING, // to be created
    KIN__TARGET_FILE,    // to be replaced
    KIN__TARGET_STREAM   // a pipe, a device or a file without a name: to be written to
} kin__target_kind;

typedef struct kin__target {
    kin__target_kind kind;
    char path[KIN__TARGET_SIZE]; // without links at its end; of a stream as given
    int descriptor;              // that the path names; else -1
    struct stat status;          // of a file
} kin__target;

// Finds what stands at the path. Returns 0 or the errno: ELOOP for a circle of links, EISDIR for a folder, EACCES for a
// file without the right to write.
int kin__target_find(kin__target *target, const char *path);

// Opens a stream to write to. Returns the descriptor; negative, with errno set, if that fails.
int kin__target_open(const kin__target *target);

// Gives a new file the owner, the rights and the attributes of the file that it is to replace, as far as the process
// may. A file that was missing has the rights that it was created with.
void kin__target_keep(const kin__target *target, int descriptor);

#endif

// Viewers, and when each asked last. A viewer is the name in its header `Kin-Viewer`, or its connection.
//
// Invariants:
//   1. a name is in the table once
//   2. when the table is full, the viewer that was silent for longest makes room
//
// The lock is held for a walk over the table alone. The game's thread takes it when a viewer changes the time.
#ifndef KIN_INSPECT_VIEWER_H
#define KIN_INSPECT_VIEWER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { KIN__MAX_VIEWERS = 32, KIN__VIEWER_NAME = 65 };

typedef struct kin__viewer {
    char name[KIN__VIEWER_NAME]; // "": free
    uint64_t seen;               // when it asked last
} kin__viewer;

typedef struct kin__viewers {
    pthread_mutex_t lock;
    kin__viewer all[KIN__MAX_VIEWERS];
} kin__viewers;

// Returns whether a text can be a name: 1 to 64 visible characters of ASCII, without `"` and `\`.
bool kin__viewer_name_is_valid(const char *name);

// Notes that the viewer asked for something.
void kin__viewers_note(kin__viewers *viewers, const char *name, uint64_t now);

// Forgets a viewer that cannot come back.
void kin__viewers_forget(kin__viewers *viewers, const char *name);

// Returns when the viewer asked last, or 0 if it is not known.
uint64_t kin__viewers_seen(kin__viewers *viewers, const char *name);

// Returns the viewers that asked for something in the last ten seconds.
uint32_t kin__viewers_count(kin__viewers *viewers, uint64_t now);

#endif

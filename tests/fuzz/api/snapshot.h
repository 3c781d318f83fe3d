// Snapshots: copies of arrays that the runtime has returned. An array does not change until the next call of its kind.
#ifndef KIN_TESTS_FUZZ_API_SNAPSHOT_H
#define KIN_TESTS_FUZZ_API_SNAPSHOT_H

#include <kin/kin.h>

enum { SNAPSHOTS = 32 };

typedef enum snapshot_kind {
    SHOWN_ENTITIES,
    SHOWN_MEMBERS,
    SHOWN_COLLECTED,
    SHOWN_CONTEXTS,
    SHOWN_BY_INDEX
} snapshot_kind;

// The call that returns an array: arrays of equal sources replace each other.
typedef struct snapshot_source {
    const void *owner; // a context, group or collector
    snapshot_kind kind;
    uint32_t index; // of SHOWN_BY_INDEX
    uint64_t key;
} snapshot_source;

typedef struct snapshot {
    snapshot_source source;
    const kin_context *context; // the array ends with it; NULL: of a collector
    const void *shown;
    void *copy;
    size_t size;
} snapshot;

typedef struct snapshot_list {
    snapshot items[SNAPSHOTS];
    uint32_t next;
} snapshot_list;

// Call before the next request for the array.
void snapshot_forget(snapshot_source source);
void snapshot_keep(snapshot_source source, const kin_context *context, const void *shown, size_t size);
void snapshot_forget_context(const kin_context *context);
void snapshot_release_all(void);

// Fails the run if an array has changed.
void snapshot_compare_all(void);

#endif

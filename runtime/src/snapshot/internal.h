// What the files of this room share: the sections of a part
//
// A section is one kind of state that a part has: some fields of kin__context_snapshot, and the functions that fill and
// read them. kin__sections is the table of all sections. Saving, copying, restoring, releasing and comparing walk
// through it in its order; a new kind of state is one more row.
//
//   section           fields                            blocks of files
//   blocks            images, has, chunk_pools          SLOT, COLM; LINK is written by save/src/writing
//   counts            counts, pools                     CTXT
//   holds             owners, held                      none: owners are addresses, and collectors are in SYST
//   last values       keepsakes, kept_lists             KEEP
//   shared values     limits, shared, first_uses        SHAR
//   keys of indices   keys                              none: the functions are called again
//
// Invariants:
//   1. each field after `previous` is in one section, each kind of block in at most one; a test checks both
//   2. a part whose save or copy has failed in any section can be released
#ifndef KIN_SRC_SNAPSHOT_INTERNAL_H
#define KIN_SRC_SNAPSHOT_INTERNAL_H

#include "snapshot/snapshot.h"

enum { KIN__SECTION_COUNT = 6, KIN__SECTION_FIELDS = 4 };

// A field of kin__context_snapshot. The rest of the array `fields` of a section is zero.
typedef struct kin__part_field {
    const char *name;
    size_t offset;
    size_t size;
    bool is_bytes; // it is a kin__bytes: its memory is released, counted and emptied for the section
} kin__part_field;

#define KIN__PART_FIELD(name)                                                                                          \
    {                                                                                                                  \
#name, offsetof(kin__context_snapshot, name), sizeof(((kin__context_snapshot *)0)->name), false                \
    }
#define KIN__PART_BYTES(name)                                                                                          \
    {                                                                                                                  \
#name, offsetof(kin__context_snapshot, name), sizeof(((kin__context_snapshot *)0)->name), true                 \
    }

// A function that is NULL has nothing to do for the section. The functions that return false are out of memory.
typedef struct kin__section {
    const char *name;
    kin__part_field fields[KIN__SECTION_FIELDS];
    uint32_t block_kinds; // one bit for each kin__block_kind that has its state

    // Fill the fields of an empty part: from its context, or from a part of another context with the same schema.
    // `is_alone` is as in kin__part_save. Without `copy` the bytes are copied as they are.
    bool (*save)(kin_context *context, kin__context_snapshot *part, bool is_alone);
    bool (*copy)(kin_context *context, const kin__context_snapshot *part, kin__context_snapshot *own);

    // Releases what the part pins, and empties it.
    void (*let_go)(kin_context *context, kin__context_snapshot *part);

    // The steps of a restore (snapshot.h). kin__restore_reserve calls `reserve` of all sections, kin__restore_commit
    // first `leave` of all, which removes what the restore replaces, and then `restore` of all, and
    // kin__restore_settle `settle` of all.
    bool (*reserve)(kin_context *context, const kin__context_snapshot *part);
    void (*leave)(kin_context *context, const kin__context_snapshot *part);
    void (*restore)(kin_context *context, const kin__context_snapshot *part);
    void (*settle)(kin_context *context, const kin__context_snapshot *part);

    // Counts differences that a comparison does not visit. One of the parts may be NULL.
    uint64_t (*count_differences)(const kin__context_snapshot *before, const kin__context_snapshot *after);
    bool differs_with_others; // counted only if nothing else differs, as most other differences change it too
} kin__section;

extern const kin__section kin__blocks_section; // part_blocks.c
extern const kin__section kin__kept_section;   // part_kept.c
extern const kin__section kin__shared_section; // part_shared.c

extern const kin__section *const kin__sections[KIN__SECTION_COUNT];

#define EACH_SECTION(section)                                                                                          \
    for (const kin__section *const *kin__row = kin__sections, *section;                                                \
         kin__row < kin__sections + KIN__SECTION_COUNT && (section = *kin__row, true); kin__row++)

// Returns a copy of a part of another context with the same schema. NULL when out of memory.
kin__context_snapshot *kin__part_copy(kin_context *context, const kin__context_snapshot *part);

// Returns the bytes that a part uses; and releases the memory of spare parts.
size_t kin__part_used(const kin__context_snapshot *part);
void kin__parts_release_spare(kin_context *context);

// Returns how many boxes restoring the column of a boxed component takes from the slab.
uint32_t kin__column_restore_boxes(const kin_context *context, uint32_t chunk, const kin__image *image);

// Finds the last values of one component in one chunk.
void kin__kept_find(const kin__context_snapshot *part, uint32_t chunk, kin_component_id id, kin__kept *kept);

#endif

// Replaced: which blocks of a context the parts of a frame replace, or say to be no more.
//
//   columns[chunk * components + id]    COLM; `kept` is of KEEP
//   slots[chunk]                        SLOT
//   links[chunk * relations + number]   LINK
//
// Parts of what the schema gave up replace nothing.
#ifndef KIN_SRC_PLAY_REPLACED_H
#define KIN_SRC_PLAY_REPLACED_H

#include "file/file.h"
#include "reading/reading.h"

typedef struct kin__replaced {
    uint32_t chunk_count, component_count, relation_count;
    unsigned char *slots, *columns, *kept, *links;
    const kin__frame_part *context; // CTXT; NULL: not replaced
} kin__replaced;

// Finds them. A block may be replaced once. False, with a fault noted, if a part is wrong. `chunk_count`: of the
// present.
bool kin__replaced_find(kin__replaced *replaced, kin__reading *reading, const kin__frame_parts *parts,
                        uint32_t chunk_count);

// Whether a part is of the context that is read; its decoder is then after the number.
static inline bool kin__part_is_of(const kin__reading *reading, const kin__frame_part *part, kin__decoder *decoder)
{
    *decoder = part->decoder;
    return !kin__frame_part_is(part, "SYST") && kin__decode_32(decoder) == reading->number;
}

#endif

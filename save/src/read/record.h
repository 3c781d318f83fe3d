// Records: the entities of a chunk as the file has them, for migrations.
//
//   record    file | columns, by number of the component | place
//                        └→ has[8] | leaves ─→ the payload of a block COLM, or of KEEP for stashed values
//
// Invariants:
//   1. the payloads were decoded before (values.h), so that counts and lengths in them are those of the bytes that
//      follow
//   2. nothing of a record is read before a migration asks for it; asking for ascending entities and elements costs no
//      more than one walk over the payload
#ifndef KIN_SRC_RECORD_H
#define KIN_SRC_RECORD_H

#include "base/bits.h"
#include "core/core.h"
#include "file/file.h"

// Where a leaf is in a payload, and the last text that was asked for.
typedef struct kin__record_leaf {
    const unsigned char *counts;   // elements of each list; NULL: it is none
    const unsigned char *lengths;  // of texts; NULL: it has none
    const unsigned char *elements; // of all values
    uint32_t number;               // of a value
    size_t first;                  // elements of all values before it
    size_t element, text;          // a text by its number among all, and where it begins
} kin__record_leaf;

// The values that entities of the chunk had, or had put aside.
typedef struct kin__record_column {
    uint64_t has[KIN__CHUNK_WORDS];
    uint64_t places[KIN__CHUNK_WORDS]; // of the values in the payload, which may have more
    const unsigned char *bytes;
    kin__record_leaf *leaves; // NULL before one was asked for
} kin__record_column;

struct kin_record {
    const kin__file_context *file;
    kin__record_column *columns, *stashed; // by number of the component
    uint32_t place;
    uint32_t version;
    void *user;
    kin__heap *heap; // of leaves and texts
};

#endif

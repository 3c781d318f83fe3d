// SHAP: the identities and types of everything in the file. All lists are sorted by the bytes of their names; later
// blocks refer to entries by their index.
//
//   SHAP    contexts:u32 × context, messages:u32 × message
//   context name:text, components:u32 × { name:text, flags:u8 (1 unique), leaves:u16 × leaf }
//   message name:text, leaves:u16 × leaf
//   leaf    path:text, type:u8 (kin_type, and 128 of a list), elements:u32, values:u16 × { name:text, number:i64 }
//
// The values of an enum are its names; a handle of one context has that context, with the number 0, as its only value.
// `elements` of a list counts those in each of its elements.
#ifndef KIN_SRC_WRITE_SCHEMA_H
#define KIN_SRC_WRITE_SCHEMA_H

#include "frame/writer.h"
#include "write/parts.h"

enum {
    KIN__LEAF_IS_LIST = 128,
    KIN__COMPONENT_IS_UNIQUE = 1,
    KIN__FILE_COMPONENTS = 65535, // of a file, at most; also the names of an enum, and the leaves of a component
};

// Notes a fault if a list is longer than files may have it.
void kin__schema_write(kin__block_writer *writer, const kin__written_parts *parts);

#endif

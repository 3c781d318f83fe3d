// SHAP: what the file has, by identities. All lists are sorted by the bytes of their names, and their places are the
// numbers that the blocks behind it use.
//
//   SHAP    contexts:u32 × context, messages:u32 × message
//   context name:text, components:u32 × { name:text, flags:u8 (1 unique), leaves:u16 × leaf }
//   message name:text, leaves:u16 × leaf
//   leaf    path:text, type:u8 (kin_type, and 128 of a list), elements:u32, values:u16 × { name:text, number:i64 }
//
// The values of an enum are its names; those of a handle are the one context that it is of, with the number 0, or none.
// The elements of a list are those of one of its elements.
#ifndef KIN_SRC_WRITE_SCHEMA_H
#define KIN_SRC_WRITE_SCHEMA_H

#include "frame/writer.h"
#include "write/parts.h"

enum { KIN__LEAF_IS_LIST = 128, KIN__COMPONENT_IS_UNIQUE = 1 };

void kin__schema_write(kin__block_writer *writer, const kin__written_parts *parts);

#endif

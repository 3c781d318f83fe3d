// The schema of a file, from its block SHAP (write/schema.h). Names are copies, which end with a NUL.
//
// Invariants: names of one list ascend, so each occurs once; a file has up to 65,535 components.
#ifndef KIN_SRC_READ_SCHEMA_H
#define KIN_SRC_READ_SCHEMA_H

#include "frame/decode.h"
#include "frame/heap.h"
#include "snapshot/snapshot.h"

#include <kin/generated/save.h>
#include <kin/world.h>

// A name of an enum, or the context of a handle.
typedef struct kin__file_value {
    const char *name;
    int64_t number;
    int64_t now;   // the current number of the name
    bool is_known; // the current enum has the name
    bool is_given_up;
} kin__file_value;

typedef struct kin__file_leaf {
    const char *path;
    kin_type type;
    bool is_list;
    uint32_t elements, value_count;
    kin__file_value *values;
    const kin__value_leaf *now; // NULL: dropped
    bool is_converted;
} kin__file_leaf;

typedef struct kin__file_component {
    const char *name;
    uint32_t leaf_count;
    kin__file_leaf *leaves;
    bool is_unique;
    bool is_reshaped;                            // other fields, types, lengths, names of values, or `unique`, than now
    const kin__component_shape *now;             // NULL: dropped
    const kin__migration *migration;             // of the component of now; NULL: it has none
    bool is_converted, is_defaulted, is_dropped; // for each value: of some of its fields
} kin__file_component;

typedef struct kin__file_context {
    const char *name;
    uint32_t component_count;
    kin__file_component *components;
    const kin_world_info *world; // of the contexts that handles may be of; NULL: not known
} kin__file_context;

typedef struct kin__file_schema {
    uint32_t context_count;
    kin__file_context *contexts;
    uint32_t message_count;
    kin__file_component *messages;
} kin__file_schema;

// Parses the block that was read last. False, with a fault noted, if it is invalid.
bool kin__file_schema_read(kin__file_schema *schema, kin__block_reader *reader, kin__heap *heap);

#endif

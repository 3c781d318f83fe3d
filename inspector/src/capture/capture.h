// Capture: what the thread of the game copies for a request, in one block that was allocated before.
//
//   [ value | text of a string | elements of a list | value | … ]     pointers in values lead into the block
//
// A captured value has the layout of the schema and can be read by any thread. Hidden fields and opaque values in it
// are zero (INS-29). A string is kept up to a limit, and its whole length is in front of it; so is the count of a list.
//
// Cost: a copy of the value; for one with strings, lists, hidden or opaque fields also a visit of each field.
#ifndef KIN_INSPECT_CAPTURE_H
#define KIN_INSPECT_CAPTURE_H

#include <kin/kin.h>

typedef struct kin__capture {
    char *at;
    size_t size, capacity;
    size_t string_limit; // bytes kept of a string
    bool is_full;        // something did not fit
} kin__capture;

// Elements of a list that are kept.
enum { KIN__CAPTURED_ELEMENTS = 1024 };

// The true size of a captured string or list, in front of its bytes.
typedef struct kin__captured_size {
    uint32_t whole, kept;
} kin__captured_size;

// Returns aligned bytes that are all zero, or NULL when they do not fit.
void *kin__capture_reserve(kin__capture *capture, size_t size);

// Returns a copy of the string as a captured string; NULL for NULL, and when it does not fit.
const char *kin__capture_string(kin__capture *capture, const char *text);

// Returns a copy of a component of a living entity that has it, or NULL when it does not fit. A flag gives a byte.
void *kin__capture_component(kin__capture *capture, const kin_context *context, kin_entity entity, kin_component_id id);

// Makes a copied value of fields captured: copies what its pointers lead to. Returns false when that does not fit.
bool kin__capture_fields(kin__capture *capture, const kin_field_info *fields, uint32_t count, char *value);

// Returns the size of a captured string, or of a captured list by its elements.
kin__captured_size kin__captured_size_of(const void *captured);

// Returns a captured copy of the component that has the label of an entity, or NULL.
const void *kin__capture_label(kin__capture *capture, const kin_context *context, kin_entity entity);

// Returns the blueprint or the child of a blueprint that the living entity was spawned from, or a unique component that
// it has: a constant name of the schema. NULL if nothing says which.
const char *kin__name_of(const kin_context *context, kin_entity entity);

#endif

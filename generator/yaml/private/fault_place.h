// Shared by the files that translate libyaml's errors: the error and the lines around it.
//
// All offsets are bytes of the source.
#ifndef KIN_GENERATOR_YAML_FAULT_PLACE_H
#define KIN_GENERATOR_YAML_FAULT_PLACE_H

#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"
#include "yaml/private/fault.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct fault {
    diagnostics *diagnostics;
    const source *source;
    size_t at;      // where libyaml stopped
    size_t context; // start of what libyaml was reading
    tree_surroundings surroundings;
} fault;

bool fault_is_space(char byte);

// Returns the byte at an offset; empty at the end of the source.
span fault_byte(const fault *fault, size_t offset);

span fault_line(const source *source, size_t offset);

// Returns the span without surrounding spaces and without a comment after it.
span fault_trimmed(span span);

// Returns the offset of the first colon that ends a key in the span, or the span's end.
size_t fault_key_end(span span);

// Returns the nearest earlier line that has more than spaces and a comment; empty if there is none.
span fault_line_before(const source *source, size_t offset);

// Returns the length, for "%.*s".
int fault_length(span span);
const char *fault_text(span span);

#endif

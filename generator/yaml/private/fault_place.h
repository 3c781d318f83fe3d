// What the translators of libyaml's faults share: the fault itself, and the lines around it.
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
    size_t context; // what it was reading began here
    tree_surroundings around;
} fault;

bool fault_is_space(char byte);

// The byte at an offset; empty at the end of the source.
span fault_byte(const fault *fault, size_t offset);

span fault_line(const source *source, size_t offset);

// Without spaces around it and without a comment after it.
span fault_trimmed(span span);

// The offset of the first colon that ends a key in the span, or the span's end.
size_t fault_key_end(span span);

// The nearest line before the offset's line that has more than blanks and a comment; empty when there is none.
span fault_line_before(const source *source, size_t offset);

// For "%.*s".
int fault_length(span span);
const char *fault_text(span span);

#endif

// Writer: text of any length into a buffer of fixed size, as snprintf writes: what fits, with a NUL, and the length of
// the whole.
#ifndef KIN_SRC_WRITER_H
#define KIN_SRC_WRITER_H

#include <stdbool.h>
#include <stddef.h>

// Text that is being written into `size` bytes; `length` counts also what did not fit.
typedef struct kin__writer {
    char *text;
    size_t size, length;
    bool is_key; // the number -0 is written as 0, which is the same key
} kin__writer;

// `text` may be NULL if `size` is 0.
kin__writer kin__writer_begin(char *text, size_t size);

void kin__writer_append(kin__writer *writer, const char *text);

// Appends `size` bytes of a string of a user in quotes, escaped and shortened (escape.h). NULL is written as NULL.
void kin__writer_append_string(kin__writer *writer, const char *string, size_t size);

#endif

// Escape: makes strings of users in messages safe for a terminal, on one line.
//
//   bob          unchanged
//   \x1b[31m     control characters, DEL, marks of the writing direction, invisible characters, and bytes that are not
//                UTF-8: each byte in hexadecimal
//   first ...    a long string is cut between two characters
//
// Names of the schema are C identifiers and need no escaping.
#ifndef KIN_SRC_ESCAPE_H
#define KIN_SRC_ESCAPE_H

#include <stddef.h>

enum {
    KIN__ESCAPE_LIMIT = 48,                           // bytes of a string that are shown
    KIN__ESCAPED_SIZE = 4 * KIN__ESCAPE_LIMIT + 3 + 1 // of the result, if all bytes are escaped, with ellipsis and NUL
};

// Writes `size` bytes of a string, escaped and without quotes, and returns the result.
const char *kin__escape(char escaped[KIN__ESCAPED_SIZE], const char *string, size_t size);

#endif

// Escape: strings of users in messages, safe for a terminal and on one line.
//
//   bob          as it is
//   \x1b[31m     control characters, DEL, marks of the writing direction, other characters that show nothing, and bytes
//                that are no UTF-8: each byte in hexadecimal
//   first ...    a long string is cut between two characters
//
// Names of the schema are identifiers of C and need none of this.
#ifndef KIN_SRC_ESCAPE_H
#define KIN_SRC_ESCAPE_H

#include <stddef.h>

enum {
    KIN__ESCAPE_LIMIT = 48,                           // bytes of a string that are shown
    KIN__ESCAPED_SIZE = 4 * KIN__ESCAPE_LIMIT + 3 + 1 // of the result: all bytes escaped, the ellipsis, the NUL
};

// Writes the `size` bytes of a string, escaped, and returns the result, without quotes around it.
const char *kin__escape(char escaped[KIN__ESCAPED_SIZE], const char *string, size_t size);

#endif

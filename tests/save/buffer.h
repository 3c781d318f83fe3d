// Buffer: a file in memory, as a sink and a source that can be made to fail.
#ifndef KIN_TESTS_SAVE_BUFFER_H
#define KIN_TESTS_SAVE_BUFFER_H

#include <kin/save.h>

typedef struct buffer {
    unsigned char *bytes;
    size_t size, capacity;
    size_t at;         // of the source
    size_t part;       // bytes that the source gives at most in one call; 0: all
    size_t fail_after; // calls of the sink that succeed; 0: all do
    size_t calls;
} buffer;

kin_sink buffer_sink(buffer *buffer);

// Reads from the beginning.
kin_source buffer_source(buffer *buffer);

void buffer_release(buffer *buffer);

#endif

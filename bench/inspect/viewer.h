// Viewers: threads that read streams of an inspector, and connections that do nothing.
#ifndef KIN_BENCH_VIEWER_H
#define KIN_BENCH_VIEWER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct viewer viewer;

// Opens a stream of a method of the inspector with this address; NULL on failure. One that does not read leaves the
// events in the socket.
viewer *viewer_open(const char *address, const char *method, const char *parameters, bool reads);
// Closes it. Returns the bytes that it read. NULL is allowed.
uint64_t viewer_close(viewer *viewer);

// Opens a connection that sends half of a request; -1 on failure.
int viewer_half_open(const char *address);
// Asks kin.hello on a connection of its own. Returns nanoseconds until the answer, or -1 without one in 10 s.
double viewer_hello(const char *address);

#endif

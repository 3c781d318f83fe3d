// Frames: 60 a second until stdin ends.
#ifndef KIN_TESTS_PAGE_FRAMES_H
#define KIN_TESTS_PAGE_FRAMES_H

#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

static inline bool next_frame(void)
{
    return poll(&(struct pollfd){.fd = STDIN_FILENO, .events = POLLIN}, 1, 16) == 0;
}

#endif

// PNG: writes a picture to a file. It is compressed by what costs little: rows that are like the row above, and runs.
#ifndef MATCH_ONE_PNG_H
#define MATCH_ONE_PNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct picture {
    uint8_t *pixels; // red, green and blue, row by row from the top
    uint32_t width, height;
} picture;

// False when it cannot be written, or memory is out.
bool png_write(const picture *picture, const char *path);

#endif

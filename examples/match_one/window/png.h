// PNG: writes a picture to a file, with cheap compression: differences to the row above, and runs.
#ifndef MATCH_ONE_PNG_H
#define MATCH_ONE_PNG_H

#include <stdbool.h>
#include <stdint.h>

typedef struct picture {
    uint8_t *pixels; // red, green and blue, row by row from the top
    uint32_t width, height;
} picture;

// Returns false if the file cannot be written, or when out of memory.
bool png_write(const picture *picture, const char *path);

#endif

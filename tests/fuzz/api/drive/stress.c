// Stress: long random inputs, one after the other. stress FIRST COUNT [FILE]
//
// Input `n` is always the same. FILE gets the current input, so that it has the failing one.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { SHORTEST = 3000, LONGEST = 63000, FAVOURITES = 16 };

static uint64_t state;

// xorshift; Marsaglia, 2003.
static uint32_t draw(uint32_t end)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % end;
}

// Each input has its own mix: the weight of some bytes, the share of small bytes, and how much callbacks do.
static size_t make_input(uint8_t *bytes, uint64_t number)
{
    state = number * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (int i = 0; i < 9; i++)
        draw(2);
    uint8_t favourites[FAVOURITES];
    for (int i = 0; i < FAVOURITES; i++)
        favourites[i] = (uint8_t)draw(256);
    size_t size = SHORTEST + draw(LONGEST - SHORTEST);
    uint32_t bias = draw(4), range = UINT32_C(4) << draw(7);
    bool is_passive = draw(3) == 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t choice = draw(8);
        if (choice < bias)
            bytes[i] = favourites[draw(FAVOURITES)];
        else if (choice < 5)
            bytes[i] = (uint8_t)draw(range);
        else
            bytes[i] = (uint8_t)(is_passive ? 90 + draw(166) : draw(256));
    }
    bytes[0] = (uint8_t)draw(256);
    return size;
}

static void write_input(const char *name, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        perror(name);
        exit(EXIT_FAILURE);
    }
}

int main(int count, char **arguments)
{
    static uint8_t bytes[LONGEST];
    if (count < 3) {
        fputs("usage: stress FIRST COUNT [FILE]\n", stderr);
        return EXIT_FAILURE;
    }
    uint64_t first = strtoull(arguments[1], NULL, 10), inputs = strtoull(arguments[2], NULL, 10);
    for (uint64_t number = first; number < first + inputs; number++) {
        size_t size = make_input(bytes, number);
        if (count > 3)
            write_input(arguments[3], bytes, size);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    printf("%" PRIu64 " inputs\n", inputs);
    return EXIT_SUCCESS;
}

#include "sky.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Characters are twice as high as wide.
enum { WIDTH = 53, HEIGHT = 27 };

static void put(char sky[HEIGHT][WIDTH + 1], const Place *place, char symbol)
{
    long column = lroundf(place->x * 2) + WIDTH / 2, row = HEIGHT / 2 - lroundf(place->y);
    if (column >= 0 && column < WIDTH && row >= 0 && row < HEIGHT)
        sky[row][column] = symbol;
}

void sky_draw(space_context *space)
{
    char sky[HEIGHT][WIDTH + 1];
    memset(sky, ' ', sizeof sky);
    space_bodies_iter it = space_bodies_iterate(space);
    while (space_bodies_next(&it))
        for (uint32_t i = 0; i < it.count; i++)
            put(sky, &it.place[i], (char)it.name[i].symbol);
    for (int row = 0; row < HEIGHT; row++) {
        int end = WIDTH;
        while (end > 0 && sky[row][end - 1] == ' ')
            end--;
        printf("%.*s\n", end, sky[row]);
    }
}

#include "look.h"

const look look_blocks = {
    .tiles =
        {
            [KIND_RED] = {"▗▖▗▖", "▀██▀"},
            [KIND_YELLOW] = {" ▗▖ ", "▝▜▛▘"},
            [KIND_GREEN] = {"▄▄▄▄", "█▄▄█"},
            [KIND_CYAN] = {" ▗▖ ", "▄██▄"},
            [KIND_BLUE] = {"▗▄▄▖", "▜██▛"},
            [KIND_MAGENTA] = {"▄▄▄▄", " ▜▛ "},
            [KIND_BLOCKER] = {"▒▒▒▒", "▒▒▒▒"},
        },
    .fading = {" ▚▞ ", " ▞▚ "},
    .cursor = {"┏    ┓", "┗    ┛"},
};

const look look_letters = {
    .tiles =
        {
            [KIND_RED] = {"/RR\\", "\\RR/"},
            [KIND_YELLOW] = {"/YY\\", "\\YY/"},
            [KIND_GREEN] = {"/GG\\", "\\GG/"},
            [KIND_CYAN] = {"/CC\\", "\\CC/"},
            [KIND_BLUE] = {"/BB\\", "\\BB/"},
            [KIND_MAGENTA] = {"/MM\\", "\\MM/"},
            [KIND_BLOCKER] = {"####", "####"},
        },
    .fading = {" \\/ ", " /\\ "},
    .cursor = {"[    ]", "[    ]"},
};

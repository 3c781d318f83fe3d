// Growth by entities: workloads of the bench with 10^3 to 10^7 entities.

#include "growth.h"

enum { SIZES = 5, TURNS = 5, MOST_IN_TURN = 200000 };

static const uint32_t sizes[SIZES] = {1000, 10000, 100000, 1000000, 10000000};

static const struct {
    const char *what, *unit, *work;
    uint32_t share; // a run is count / share operations; 0: 100 operations
} lines[] = {
    {"create with two components", "ns/entity", "b", 1}, {"iterate two components", "ns/entity", "f", 1},
    {"get at random, checked", "ns/get", "i", 1},        {"add and remove a component", "ns/pair", "k", 1},
    {"replace, one listener", "ns/replace", "m", 1},     {"change 1 %, collect, drain", "ns/changed", "n1", 100},
    {"look up by a number", "ns/lookup", "o.int", 1},    {"count and array, unchanged", "ns/call", "p", 0},
    {"destroy, one by one", "ns/entity", "d", 1},
};

void growth_entities(void)
{
    growth_print_head("entities", sizes, SIZES);
    for (uint32_t line = 0; line < sizeof lines / sizeof lines[0]; line++) {
        double figures[SIZES];
        for (uint32_t size = 0; size < SIZES; size++) {
            uint32_t passes = sizes[size] < MOST_IN_TURN ? MOST_IN_TURN / sizes[size] : 1;
            double operations = lines[line].share == 0 ? 100 : (double)sizes[size] / lines[line].share;
            figures[size] =
                measure_work(side_find_kin(lines[line].work), sizes[size], passes, TURNS).median / operations;
        }
        growth_print_line(lines[line].what, lines[line].unit, figures, SIZES);
    }
}

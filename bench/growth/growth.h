// Growth: the cost of Kin's operations as a world grows. Each part prints a table with a line for each operation and a
// column for each size, in nanoseconds.
#ifndef KIN_BENCH_GROWTH_H
#define KIN_BENCH_GROWTH_H

#include "measure.h"
#include "side.h"

void growth_print_head(const char *title, const uint32_t *sizes, uint32_t count);
// Prints a line of figures. `unit` is their unit, such as "ns/entity".
void growth_print_line(const char *what, const char *unit, const double *figures, uint32_t count);

void growth_entities(void);   // 10^3 to 10^7 entities
void growth_groups(void);     // 1 to 1,000 groups
void growth_collectors(void); // 1 to 64 collectors

#endif

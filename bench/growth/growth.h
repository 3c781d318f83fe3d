// Growth: what an operation costs as a world grows, Kin alone. Each part prints a table: a line an operation, a column a
// size, nanoseconds.
#ifndef KIN_BENCH_GROWTH_H
#define KIN_BENCH_GROWTH_H

#include "measure.h"
#include "side.h"

void growth_print_head(const char *title, const uint32_t *sizes, uint32_t count);
// A line of figures; `unit` is what they are of.
void growth_print_line(const char *what, const char *unit, const double *figures, uint32_t count);

void growth_entities(void);   // 10^3 to 10^7 entities
void growth_groups(void);     // 1 to 1,000 groups
void growth_collectors(void); // 1 to 64 collectors

#endif

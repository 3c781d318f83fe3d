// Prints the cost of operations for increasing numbers of entities, groups and collectors. The programs of components.c
// print it for increasing numbers of components.

#include "growth.h"
#include "machine.h"

#include <stdio.h>

void growth_print_head(const char *title, const uint32_t *sizes, uint32_t count)
{
    printf("\n%-46s", title);
    for (uint32_t i = 0; i < count; i++)
        printf(" %10u", sizes[i]);
    printf("\n");
}

void growth_print_line(const char *what, const char *unit, const double *figures, uint32_t count)
{
    printf("%-32s %-13s", what, unit);
    for (uint32_t i = 0; i < count; i++)
        printf(figures[i] < 1000 ? " %10.2f" : " %10.0f", figures[i]);
    printf("\n");
    fflush(stdout);
}

int main(void)
{
    machine machine = machine_prepare();
    printf("%s, %s\n%s\n", machine.compiler, machine.flags, machine.processor);
    growth_entities();
    growth_groups();
    growth_collectors();
}

// Report: prints the results as a table, as JSON and as a chart.
#ifndef KIN_BENCH_REPORT_H
#define KIN_BENCH_REPORT_H

#include "machine.h"
#include "measure.h"
#include "memory.h"

enum { REPORT_ROWS = 256 };

typedef struct report {
    machine machine;
    memory_figures memory;
    measured rows[REPORT_ROWS];
    uint32_t count;
} report;

// Print the table of ROW_ENTITIES, a line as soon as it is measured.
void report_print_head(const report *report);
void report_print_row(const measured *measured);
void report_print_memory(const memory_figures *memory);
// Prints a table of the ratios at all sizes.
void report_print_sizes(const report *report);
void report_print_sum(const report *report);

// Return false, after a message on stderr, if the file cannot be written.
bool report_write_json(const report *report, const char *path);
bool report_write_chart(const report *report, const char *path);

// Returns the result of a row at a size; NULL if it was not measured.
const measured *report_find(const report *report, const row *row, uint32_t count);

#endif

// Report: what was measured, as a table, as JSON for other programs and as a chart.
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

// The table of ROW_ENTITIES, line by line as it is measured.
void report_print_head(const report *report);
void report_print_row(const measured *measured);
void report_print_memory(const memory_figures *memory);
// The ratios of all sizes beside each other.
void report_print_sizes(const report *report);
void report_print_sum(const report *report);

// False, with a line on stderr, when the file could not be written.
bool report_write_json(const report *report, const char *path);
bool report_write_chart(const report *report, const char *path);

// The row as it was measured at a size; NULL when it was not.
const measured *report_find(const report *report, const row *row, uint32_t count);

#endif

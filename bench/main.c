// Measures every row on both sides; fails when a checksum differs.
//
//   bench [-o FOLDER]     all rows at all sizes, and bench.json and bench.svg in the folder
//   bench ROW [COUNT]     one row

#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static report result;

static bool measure(const row *row, uint32_t count)
{
    measured *measured = &result.rows[result.count++];
    *measured = measure_row(row, count);
    if (count == row_count(row))
        report_print_row(measured);
    return measured->agree;
}

static bool measure_rows(void)
{
    bool agree = true;
    for (const row *row = rows; row->id != NULL; row++)
        agree = measure(row, row_count(row)) && agree;
    return agree;
}

// Measures the rows again with other numbers of entities.
static bool measure_size(uint32_t size)
{
    bool agree = true;
    for (const row *row = rows; row->id != NULL; row++)
        if ((row->scale >> size & 1) != 0 && row_sizes[size] != row_count(row))
            agree = measure(row, row_sizes[size]) && agree;
    return agree;
}

static bool write_files(const char *folder)
{
    char json[4096], chart[4096];
    snprintf(json, sizeof json, "%s/bench.json", folder);
    snprintf(chart, sizeof chart, "%s/bench.svg", folder);
    return report_write_json(&result, json) && report_write_chart(&result, chart);
}

static bool measure_all(const char *folder)
{
    result.memory = memory_measure();
    result.machine = machine_prepare();
    report_print_head(&result);
    bool agree = measure_rows() && result.memory.agree;
    report_print_memory(&result.memory);
    for (uint32_t size = 0; size < ROW_SIZES; size++)
        agree = measure_size(size) && agree;
    report_print_sizes(&result);
    report_print_sum(&result);
    return (folder == NULL || write_files(folder)) && agree;
}

static bool measure_one(const char *id, uint32_t count)
{
    result.machine = machine_prepare();
    for (const row *row = rows; row->id != NULL; row++)
        if (strcmp(row->id, id) == 0) {
            measured measured = measure_row(row, count > 0 ? count : row_count(row));
            report_print_row(&measured);
            return measured.agree;
        }
    fprintf(stderr, "there is no row '%s'\n", id);
    return false;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "-o") == 0)
        return measure_all(argv[2]) ? 0 : 1;
    if (argc > 1)
        return measure_one(argv[1], argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0) ? 0 : 1;
    return measure_all(NULL) ? 0 : 1;
}

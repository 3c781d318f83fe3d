// Report: the tables on stdout.

#include "report.h"

#include <stdio.h>

const measured *report_find(const report *report, const row *row, uint32_t count)
{
    for (uint32_t i = 0; i < report->count; i++)
        if (report->rows[i].row == row && report->rows[i].count == count)
            return &report->rows[i];
    return NULL;
}

void report_print_head(const report *report)
{
    printf("%s, %s\n%s%s\n", report->machine.compiler, report->machine.flags, report->machine.processor,
           report->machine.is_pinned ? ", pinned to one processor" : ", not pinned");
    printf("Nanoseconds an operation, median and minimum of %u turns in which hand and kin take it by turns; %d "
           "entities,\n"
           "ratio: median of the turns' ratios; peer: the best of flecs, EnTT and "
           "gaia-ecs.\n\n",
           row_turns(ROW_ENTITIES), ROW_ENTITIES);
    printf("%-10s %-34s %9s %9s %9s %9s %7s %6s %-5s %6s  %s\n", "row", "work", "hand", "min", "kin", "min", "ratio",
           "bar", "", "peer", "ns per");
}

static const char *verdict(const measured *measured)
{
    if (measured->row->bar <= 0)
        return "";
    return measure_is_met(measured) ? "met" : "above";
}

// Returns an empty string for zero.
static const char *optional(char *text, size_t size, double value)
{
    text[0] = '\0';
    if (value > 0)
        snprintf(text, size, "%.2f", value);
    return text;
}

void report_print_row(const measured *measured)
{
    char bar[16], peer[16], ratio[16];
    const row *row = measured->row;
    printf("%-10s %-34s %9.2f %9.2f %9.2f %9.2f %7s %6s %-5s %6s  %s\n", row->id, row->what, measured->hand.median,
           measured->hand.least, measured->kin.median, measured->kin.least,
           optional(ratio, sizeof ratio, row->measure == ROW_RATIO ? measured->ratio : 0),
           optional(bar, sizeof bar, row->bar), verdict(measured), optional(peer, sizeof peer, row->peer), row->unit);
    fflush(stdout);
}

static void print_memory_side(const char *name, const memory_side *side)
{
    printf("         %-5s %6.1f resident (%.1f at most), %.1f asked for\n", name, side->resident - MEMORY_PAYLOAD,
           side->peak - MEMORY_PAYLOAD, side->held - MEMORY_PAYLOAD);
}

void report_print_memory(const memory_figures *memory)
{
    printf("\ns        bytes an entity over the %d of its two vectors, %d entities; bar %d: %s; best peer 24\n",
           MEMORY_PAYLOAD, MEMORY_ENTITIES, MEMORY_BAR,
           memory->kin.held - MEMORY_PAYLOAD <= MEMORY_BAR ? "met" : "above");
    print_memory_side("hand", &memory->hand);
    print_memory_side("kin", &memory->kin);
}

static void print_cell(const measured *measured)
{
    if (measured == NULL)
        printf(" |%26s", "");
    else
        printf(" | %8.2f %8.2f %7.2f", measured->hand.median, measured->kin.median, measured->ratio);
}

void report_print_sizes(const report *report)
{
    printf("\nThe same by number of entities: hand, kin, ratio.\n\n%-8s", "row");
    for (uint32_t s = 0; s < ROW_SIZES; s++)
        printf(" | %17u entities", row_sizes[s]);
    printf("\n");
    for (const row *row = rows; row->id != NULL; row++) {
        printf("%-8s", row->id);
        for (uint32_t s = 0; s < ROW_SIZES; s++)
            print_cell(report_find(report, row, row_sizes[s]));
        printf("\n");
    }
}

void report_print_sum(const report *report)
{
    uint32_t bars = 0, met = 0;
    for (uint32_t i = 0; i < report->count; i++)
        if (report->rows[i].count == row_count(report->rows[i].row) && report->rows[i].row->bar > 0) {
            bars++;
            met += measure_is_met(&report->rows[i]);
        }
    printf("\n%u of %u bars are met.\n", met, bars);
}

// Report as a chart: the ratios with ROW_ENTITIES on a logarithmic scale, a line for each row.
//
// A line has a rectangle as long as Kin's ratio, whose colour shows whether the row's limit (its bar) is met; a tick at
// the limit; and a ring at the best ratio of other libraries. The same figures give the same bytes.

#include "report.h"

#include <math.h>
#include <stdio.h>

enum { LEFT = 290, WIDTH = 600, RIGHT = 70, TOP = 110, STEP = 22, BOTTOM = 20 };

#define MET   "#3b7ab8"
#define ABOVE "#e08a2c"
#define FREE  "#a9a9a9" // the row has no bar

static const double least = 0.25, most = 16;

static double place(double ratio)
{
    double clipped = ratio < least ? least : ratio > most ? most : ratio;
    return LEFT + WIDTH * log2(clipped / least) / log2(most / least);
}

static void write_bar(FILE *file, double from, double to, uint32_t y, const char *colour)
{
    fprintf(file, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"12\" fill=\"%s\"/>\n", from < to ? from : to,
            y - 6, fabs(to - from), colour);
}

static void write_tick(FILE *file, double x, uint32_t y)
{
    fprintf(file, "<rect x=\"%.1f\" y=\"%u\" width=\"3\" height=\"18\" fill=\"#111\"/>\n", x - 1.5, y - 9);
}

static void write_ring(FILE *file, double x, uint32_t y)
{
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%u\" r=\"5\" fill=\"white\" stroke=\"#111\" stroke-width=\"1.5\"/>\n", x,
            y);
}

static void write_text(FILE *file, double x, uint32_t y, const char *text)
{
    fprintf(file, "<text x=\"%.1f\" y=\"%u\">%s</text>\n", x, y + 5, text);
}

static void write_legend(FILE *file)
{
    write_bar(file, LEFT, LEFT + 22, 72, MET);
    write_text(file, LEFT + 30, 72, "Kin, bar met");
    write_bar(file, LEFT + 140, LEFT + 162, 72, ABOVE);
    write_text(file, LEFT + 170, 72, "Kin, above it");
    write_tick(file, LEFT + 290, 72);
    write_text(file, LEFT + 300, 72, "the bar");
    write_ring(file, LEFT + 390, 72);
    write_text(file, LEFT + 402, 72, "best of flecs, EnTT, gaia-ecs");
}

static void write_head(FILE *file, const report *report, uint32_t height)
{
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" font-family=\"sans-serif\"",
            LEFT + WIDTH + RIGHT, height);
    fprintf(file, " font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
    fprintf(file,
            "<text x=\"16\" y=\"28\" font-size=\"18\">Time as a multiple of the same work on hand-written arrays,"
            " %d entities</text>\n",
            ROW_ENTITIES);
    fprintf(file, "<text x=\"16\" y=\"50\" fill=\"#555\">%s, %s; less is better</text>\n", report->machine.compiler,
            report->machine.flags);
    write_legend(file);
}

static void write_grid(FILE *file, uint32_t bottom)
{
    for (double ratio = least; ratio <= most; ratio *= 2) {
        fprintf(file, "<rect x=\"%.1f\" y=\"%d\" width=\"1\" height=\"%u\" fill=\"%s\"/>\n", place(ratio), TOP - 8,
                bottom - TOP + 8, ratio < 1 || ratio > 1 ? "#ddd" : "#111");
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"#555\">%g</text>\n", place(ratio),
                TOP - 12, ratio);
    }
}

static const char *colour_of(const measured *measured)
{
    if (measured->row->bar <= 0)
        return FREE;
    return measure_is_met(measured) ? MET : ABOVE;
}

static void write_row(FILE *file, const measured *measured, uint32_t y)
{
    const row *row = measured->row;
    char figure[32];
    snprintf(figure, sizeof figure, "%.2f", measured->ratio);
    write_text(file, 16, y, row->id);
    write_text(file, 80, y, row->what);
    write_bar(file, place(1), place(measured->ratio), y, colour_of(measured));
    if (row->bar > 0)
        write_tick(file, place(row->bar), y);
    if (row->peer > 0)
        write_ring(file, place(row->peer), y);
    write_text(file, LEFT + WIDTH + 14, y, figure);
}

static bool is_shown(const measured *measured)
{
    return measured->count == row_count(measured->row) && measured->row->measure == ROW_RATIO;
}

static void write_chart(FILE *file, const report *report)
{
    uint32_t bottom = TOP;
    for (uint32_t i = 0; i < report->count; i++)
        bottom += is_shown(&report->rows[i]) ? STEP : 0;
    write_head(file, report, bottom + BOTTOM);
    write_grid(file, bottom);
    uint32_t y = TOP + STEP / 2;
    for (uint32_t i = 0; i < report->count; i++)
        if (is_shown(&report->rows[i])) {
            write_row(file, &report->rows[i], y);
            y += STEP;
        }
    fprintf(file, "</svg>\n");
}

bool report_write_chart(const report *report, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file != NULL)
        write_chart(file, report);
    if (file != NULL && fclose(file) == 0)
        return true;
    perror(path);
    return false;
}

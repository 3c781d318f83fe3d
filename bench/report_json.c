// Report as JSON, for other programs.

#include "report.h"

#include <stdio.h>

#include <kin/platform.h>

// Writes a string. Strings of the program and the machine have no control characters except tabs.
static void write_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else
            fputc(*text == '\t' ? ' ' : *text, file);
    fputc('"', file);
}

static void write_side(FILE *file, const char *name, const measure_side *side)
{
    fprintf(file, ", \"%s\": {\"median\": %.3f, \"minimum\": %.3f}", name, side->median, side->least);
}

static void write_row(FILE *file, const measured *measured)
{
    const row *row = measured->row;
    fprintf(file, "    {\"id\": \"%s\", \"work\": \"%s\", \"unit\": \"ns/%s\"", row->id, row->what, row->unit);
    fprintf(file, ", \"entities\": %u, \"turns\": %u", measured->count, measured->turns);
    write_side(file, "hand", &measured->hand);
    write_side(file, "kin", &measured->kin);
    fprintf(file, ", \"ratio\": %.3f", measured->ratio);
    if (row->bar > 0)
        fprintf(file, ", \"bar\": %.2f, \"bar_of\": \"%s\", \"met\": %s", row->bar,
                row->measure == ROW_RATIO ? "ratio" : "kin", measure_is_met(measured) ? "true" : "false");
    if (row->peer > 0)
        fprintf(file, ", \"peer\": %.2f", row->peer);
    fprintf(file, ", \"checksums_agree\": %s}", measured->agree ? "true" : "false");
}

static void write_memory_side(FILE *file, const char *name, const memory_side *side)
{
    fprintf(file, ", \"%s\": {\"resident\": %.2f, \"peak\": %.2f, \"asked_for\": %.2f}", name, side->resident,
            side->peak, side->held);
}

static void write_memory(FILE *file, const memory_figures *memory)
{
    fprintf(file,
            "  \"memory\": {\"id\": \"s\", \"unit\": \"bytes/entity\", \"entities\": %d, \"payload\": %d, \"bar\": %d",
            MEMORY_ENTITIES, MEMORY_PAYLOAD, MEMORY_PAYLOAD + MEMORY_BAR);
    write_memory_side(file, "hand", &memory->hand);
    write_memory_side(file, "kin", &memory->kin);
    fprintf(file, "},\n");
}

static void write_report(FILE *file, const report *report)
{
    fprintf(file, "{\n  \"kin\": \"%s\",\n  \"compiler\": ", KIN_VERSION);
    write_text(file, report->machine.compiler);
    fprintf(file, ",\n  \"flags\": ");
    write_text(file, report->machine.flags);
    fprintf(file, ",\n  \"processor\": ");
    write_text(file, report->machine.processor);
    fprintf(file, ",\n  \"pinned\": %s,\n  \"entities\": %d,\n", report->machine.is_pinned ? "true" : "false",
            ROW_ENTITIES);
    write_memory(file, &report->memory);
    fprintf(file, "  \"rows\": [\n");
    for (uint32_t i = 0; i < report->count; i++) {
        write_row(file, &report->rows[i]);
        fprintf(file, i + 1 < report->count ? ",\n" : "\n");
    }
    fprintf(file, "  ]\n}\n");
}

bool report_write_json(const report *report, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file != NULL)
        write_report(file, report);
    if (file != NULL && fclose(file) == 0)
        return true;
    perror(path);
    return false;
}

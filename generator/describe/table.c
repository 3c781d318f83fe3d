// Tables of text with aligned columns.
#include "generator/describe/internal.h"

#include "generator/base/base.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { INDENTATION = 2, GAP = 2, LAST_WIDTH = 24 }; // LAST_WIDTH is the last column's minimum

typedef struct widths {
    size_t columns[TABLE_COLUMN_LIMIT]; // 0 for columns left out
    size_t start, room;                 // of the last column
} widths;

table table_create(arena *arena, const table_column *columns, size_t count)
{
    assert(count > 0 && count <= TABLE_COLUMN_LIMIT);
    return (table){.arena = arena, .columns = columns, .column_count = count};
}

void table_append(table *table, table_row row)
{
    table_row *copy = arena_allocate(table->arena, sizeof *copy);
    assert(row.next == NULL);
    *copy = row;
    for (size_t i = 0; i < TABLE_COLUMN_LIMIT; i++) {
        assert(i < table->column_count || row.cells[i] == NULL);
        copy->cells[i] = text_or_empty(row.cells[i]);
    }
    if (table->first == NULL)
        table->first = copy;
    else
        table->last->next = copy;
    table->last = copy;
}

static size_t width_of(const char *text)
{
    return utf8_count(text, strlen(text));
}

const char *table_cut(arena *arena, const char *text, size_t width)
{
    if (text == NULL)
        return "";
    size_t size = strcspn(text, "\n");
    while (size > 0 && text[size - 1] == ' ')
        size--;
    if (utf8_count(text, size) <= width)
        return arena_copy(arena, text, size);
    size_t end = 0;
    for (size_t i = 0; i + 3 < width; i++)
        end += utf8_next(text + end, size - end).size;
    while (end > 0 && text[end - 1] == ' ')
        end--;
    return arena_format(arena, "%.*s...", (int)end, text);
}

static widths measure(const table *table)
{
    widths widths = {.start = INDENTATION};
    size_t last = table->column_count - 1;
    for (size_t i = 0; i < last; i++) {
        for (const table_row *row = table->first; row != NULL; row = row->next)
            if (width_of(row->cells[i]) > widths.columns[i])
                widths.columns[i] = width_of(row->cells[i]);
        size_t heading = width_of(table->columns[i].heading);
        if (widths.columns[i] > 0 && heading > widths.columns[i])
            widths.columns[i] = heading;
        if (widths.columns[i] > 0)
            widths.start += widths.columns[i] + GAP;
    }
    widths.room = LAST_WIDTH;
    if (widths.start + LAST_WIDTH < TABLE_WIDTH)
        widths.room = TABLE_WIDTH - widths.start;
    assert(widths.room >= LAST_WIDTH);
    return widths;
}

static void append_spaces(text *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_append_string(out, " ");
}

static void append_cells(const table *table, const widths *widths, const table_row *row, text *out)
{
    size_t pending = INDENTATION; // spaces to print before the next cell that is not empty
    for (size_t i = 0; i + 1 < table->column_count; i++) {
        size_t width = widths->columns[i];
        size_t used = width_of(row->cells[i]);
        if (width == 0)
            continue;
        assert(used <= width);
        size_t before = 0; // spaces of the column to the left of a number, else to the right
        if (table->columns[i].is_number)
            before = width - used;
        pending += before;
        if (used > 0) {
            append_spaces(out, pending);
            text_append_string(out, row->cells[i]);
            pending = 0;
        }
        pending += GAP + width - used - before;
    }
    if (row->remark != NULL || row->cells[table->column_count - 1][0] != '\0')
        append_spaces(out, pending);
}

// Returns the bytes of a cell that go on one line: up to the last separator that fits, or the first if none fits.
static size_t line_size(const char *cell, size_t room, char separator)
{
    size_t size = 0;
    for (size_t end = 0; cell[end] != '\0'; end++) {
        if (cell[end + 1] != separator && cell[end + 1] != '\0')
            continue;
        if (size > 0 && utf8_count(cell, end + 1) > room)
            break;
        size = end + 1;
    }
    return size;
}

// Appends a cell; lines after the first start at the last column.
static void append_flow(const char *cell, const widths *widths, text *out)
{
    assert(widths->room > 0);
    while (*cell != '\0') {
        size_t size = line_size(cell, widths->room, '\n');
        text_append_line(out, arena_copy(out->arena, cell, size));
        cell += size;
        if (*cell == '\0')
            break;
        cell++;
        text_append_string(out, "\n");
        append_spaces(out, widths->start);
    }
}

// Appends at most two lines of the remark.
static void append_remark(arena *arena, const char *remark, const widths *widths, text *out)
{
    size_t size = line_size(remark, widths->room, ' ');
    const char *rest = remark + size;
    text_append_string(out, table_cut(arena, arena_copy(arena, remark, size), widths->room));
    if (*rest == '\0')
        return;
    text_append_string(out, "\n");
    append_spaces(out, widths->start);
    text_append_string(out, table_cut(arena, rest + 1, widths->room));
}

static void append_row(const table *table, const widths *widths, const table_row *row, text *out)
{
    const char *remark = table_cut(table->arena, row->remark, SIZE_MAX);
    const char *last = row->cells[table->column_count - 1];
    append_cells(table, widths, row, out);
    append_flow(last, widths, out);
    if (last[0] != '\0' && remark[0] != '\0') {
        text_append_string(out, "\n");
        append_spaces(out, widths->start);
    }
    append_remark(table->arena, remark, widths, out);
    text_append_string(out, "\n");
}

void table_print(const table *table, text *out)
{
    if (table->first == NULL)
        return;
    assert(table->last != NULL && table->last->next == NULL);
    widths widths = measure(table);
    table_row head = {.remark = NULL};
    for (size_t i = 0; i < table->column_count; i++)
        head.cells[i] = table->columns[i].heading;
    append_row(table, &widths, &head, out);
    for (const table_row *row = table->first; row != NULL; row = row->next)
        append_row(table, &widths, row, out);
}

// Table: rows of texts in aligned columns, 80 columns wide if possible.
//
//     id  component  size  fields
//      0  Position      8  x float, y float
//                          Where it is.
//
// The last column takes the remaining width. Its cells continue on the next line only at line breaks, which otherwise
// print as spaces. A remark is the first line of a text; it is printed below its row, or in the last column if that is
// empty, and cut after two lines. Columns whose cells are all empty are left out. Widths are counted in code points.
#ifndef KIN_GENERATOR_DESCRIBE_TABLE_H
#define KIN_GENERATOR_DESCRIBE_TABLE_H

#include "generator/base/base.h"

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_COLUMN_LIMIT = 6, TABLE_WIDTH = 80 };

typedef struct table_column {
    const char *heading;
    bool is_number; // aligned right
} table_column;

typedef struct table_row {
    const char *cells[TABLE_COLUMN_LIMIT];
    const char *remark; // NULL if none
    struct table_row *next;
} table_row;

typedef struct table {
    arena *arena;
    const table_column *columns;
    size_t column_count;
    table_row *first, *last;
} table;

table table_create(arena *arena, const table_column *columns, size_t count);

// Appends a row of empty cells, which the caller fills. The table keeps the pointers.
table_row *table_append(table *table);

// Prints headings and rows; nothing if there are no rows.
void table_print(const table *table, text *out);

// Returns the first line of a text, cut to `width` code points; "" for NULL.
const char *table_cut(arena *arena, const char *text, size_t width);

#endif

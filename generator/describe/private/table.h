// Table: rows of texts in aligned columns, as wide as a terminal of 80 columns where that can be.
//
//     id  component  size  fields
//      0  Position      8  x float, y float
//                          Where it is.
//
// The last column takes what room is left: a cell of it goes on below itself, broken only where it has a line break,
// which is a space otherwise. A remark is of one line of a text; it stands below its row, or in it where that has
// nothing in the last column, and is cut behind two lines. A column whose cells are all empty is left out. Columns are
// counted in code points.
#ifndef KIN_GENERATOR_DESCRIBE_TABLE_H
#define KIN_GENERATOR_DESCRIBE_TABLE_H

#include "base/arena.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_COLUMN_LIMIT = 6, TABLE_WIDTH = 80 };

typedef struct table_column {
    const char *heading;
    bool is_number; // aligned on the right
} table_column;

typedef struct table_row {
    const char *cells[TABLE_COLUMN_LIMIT];
    const char *remark; // NULL: none
    struct table_row *next;
} table_row;

typedef struct table {
    arena *arena;
    const table_column *columns;
    size_t column_count;
    table_row *first, *last;
} table;

table table_create(arena *arena, const table_column *columns, size_t count);

// A row of empty cells, to be filled by the caller; what it is given must stay.
table_row *table_append(table *table);

// All rows below the headings; nothing for a table without rows.
void table_print(const table *table, text *out);

// The first line of a text, cut to `width` code points; "" for NULL.
const char *table_cut(arena *arena, const char *text, size_t width);

#endif

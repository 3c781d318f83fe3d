// What the parts of the tables of a list share. Private to list*.c.
#ifndef KIN_GENERATOR_LIST_TABLES_H
#define KIN_GENERATOR_LIST_TABLES_H

#include "arena.h"
#include "schema.h"
#include "table.h"
#include "text.h"

// A table below an empty line; nothing where it has no rows.
void list_append_table(text *out, const table *table);

// Cells: "x float, y float = 1 (cells)", and a size or '?'.
const char *list_fields_text(arena *arena, const field_list *list);
const char *list_size_text(arena *arena, memory_layout layout);

// The tables of the package's world; nothing where it has none.
void list_append_world(text *out, const package *package);

#endif

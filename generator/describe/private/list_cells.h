// The table cells of a list, shared by its tables.
#ifndef KIN_GENERATOR_DESCRIBE_LIST_CELLS_H
#define KIN_GENERATOR_DESCRIBE_LIST_CELLS_H

#include "describe/private/table.h"
#include "generator/base/base.h"
#include "generator/schema/schema.h"

// Appends an empty line and the table; nothing if it has no rows.
void list_append_table(text *out, const table *table);

// Return the text of cells. Line breaks are allowed after commas and semicolons: "all Position, Velocity; none Frozen",
// "Cell.x, Cell.y; all Piece", "Position {x: 3, y: 1}, Frozen", "initialize, on Damage (256, oldest)", "group movers;
// writes Position".
const char *list_group_text(arena *arena, const group *group);
const char *list_index_text(arena *arena, const entity_index *index);
const char *list_parts_text(arena *arena, const blueprint_part *parts, size_t count);
const char *list_roles_text(arena *arena, const declared_system *system);
const char *list_works_on_text(arena *arena, const declared_system *system);

// Returns what a parallel system accesses and records: "writes Position; reads Team; changes Dead; destroys".
const char *list_access_text(arena *arena, const declared_system *system);

// Return the text of cells: "x float, y float = 1 range [0, 9] inspect hidden (cells)", a size, "8 bytes"; '?' if it
// is unknown.
const char *list_fields_text(arena *arena, const field_list *list);
const char *list_size_text(arena *arena, memory_layout layout);
const char *list_bytes_text(arena *arena, memory_layout layout);

// Appends the table of the context's relations; nothing if it has none.
void list_append_relations_of(text *out, const package *package, const context *context);

// Appends the tables of the package's world; nothing if it has none.
void list_append_world(text *out, const package *package);

#endif

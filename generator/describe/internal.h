// What lists and pages share: tables, their cells, and parts in words.
#ifndef KIN_GENERATOR_DESCRIBE_INTERNAL_H
#define KIN_GENERATOR_DESCRIBE_INTERNAL_H

#include "generator/describe/describe.h"

#include "generator/base/base.h"
#include "generator/render/render.h"
#include "generator/schema/schema.h"

#include <stdbool.h>
#include <stddef.h>

// ---- table
//
// Rows of texts in aligned columns, 80 columns wide if possible.
//
//     id  component  size  fields
//      0  Position      8  x float, y float
//                          Where it is.
//
// The last column takes the remaining width. Its cells continue on the next line only at line breaks, which otherwise
// print as spaces. A remark is the first line of a text; it is printed below its row, or in the last column if that is
// empty, and cut after two lines. Columns whose cells are all empty are left out. Widths are counted in code points.

enum { TABLE_COLUMN_LIMIT = 6, TABLE_WIDTH = 80 };

typedef struct table_column {
    const char *heading;
    bool is_number; // aligned right
} table_column;

typedef struct table_row {
    const char *cells[TABLE_COLUMN_LIMIT]; // NULL if empty
    const char *remark;                    // NULL if none
    struct table_row *next;
} table_row;

typedef struct table {
    arena *arena;
    const table_column *columns;
    size_t column_count;
    table_row *first, *last;
} table;

table table_create(arena *arena, const table_column *columns, size_t count);
#define TABLE_CREATE(arena, columns) table_create(arena, columns, sizeof(columns) / sizeof *(columns))

// Appends a row. The table keeps the pointers.
void table_append(table *table, table_row row);

// Prints headings and rows; nothing if there are no rows.
void table_print(const table *table, text *out);

// Returns the first line of a text, cut to `width` code points; "" for NULL.
const char *table_cut(arena *arena, const char *text, size_t width);

// ---- parts in words
//
// Shared by the tables and the JSON of a list: spellings of what no key of the schema says, and values.

const char *list_definition_kind_name(definition_kind kind); // "enum", "struct", "opaque"
const char *list_type_kind_name(type_kind kind);             // scalars by their names; "string", "entity", "enum", …
const char *list_rule_name(rule_kind kind);
const char *list_event_text(const component_event *event);   // "removed", "added or replaced"
const char *list_blueprint_name(const blueprint *blueprint); // NULL for NULL
// Returns the name that saves have of a thing that has another; NULL if it is the same.
const char *list_was(const char *name, const saved_name *saved);
const char *list_layout_name(const component *component); // "flag", "column", "boxed", "shared", "soa"
const char *list_system_kind_name(system_kind kind);

// ---- keys of the language
//
// What lists and pages say of the keys of an element, from the rows of the language.

// The facts of an element: the keys that have a heading and another value than their default, in the order of the rows.
typedef struct list_facts {
    arena *arena;
    const void *element;
    const char *element_name;
    const language_key *next;
    const language_key *key;
    const char *value; // as the schema spells it
} list_facts;

list_facts list_facts_begin(arena *arena, const language_value *keys, const void *element, const char *name);
bool list_next_fact(list_facts *facts);

// The keys of an element that are written as JSON: those whose rows have a key of JSON. Each is written once.
typedef struct list_keys {
    json_writer *writer;
    const language_value *keys;
    const void *element;
    const char *element_name;
    uint64_t written; // a bit for each row
} list_keys;

list_keys list_keys_begin(json_writer *writer, const language_value *keys, const void *element, const char *name);
void list_set_key(list_keys *list, const char *name);
void list_set_other_keys(list_keys *list);

// ---- numbers and systems

// Returns the fewest digits that read back as the same number.
const char *list_number_text(arena *arena, double number);

// Returns the range of a field as the schema could spell it, such as "[0, ~]"; NULL if it has none.
const char *list_range_text(arena *arena, const field *field);

// Returns a constant as the schema could spell it; only its beginning if it is longer than a line.
const char *list_constant_text(arena *arena, const constant *constant);

// Returns the names of systems that do not depend on each other by what they declare, but do not all run side by side:
// they could if all were parallel. One string for each level with such systems, ending in NULL. All systems must be of
// one stage.
const char *const *list_independent(arena *arena, const declared_system *const *systems, size_t count,
                                    const char *separator);

// Returns the names of the systems that record commands; NULL if there are none.
const char *list_commanders(arena *arena, const declared_system *const *systems, size_t count, const char *separator);

// Returns how a parallel system is divided: "1", "up to 128" or "of 512"; "" for other systems.
const char *list_pieces_text(arena *arena, const declared_system *system);

// Returns the number after the last system of the stage that begins with system `first`: they are in one node, and no
// node runs between them.
size_t list_stage_end(const package *package, size_t first);

// Returns the number after the last system of the batch that begins with system `first`.
size_t list_batch_end(const package *package, size_t first);

// Returns whether the package has a type whose size only the compiler knows.
bool list_has_guesses(const package *package);

// ---- cells
//
// The table cells of a list, shared by its tables.

// Appends an empty line and the table; nothing if it has no rows.
void list_append_table(text *out, table table);

// Return the groups of a context by name and rules; its blueprints by name, the one that each extends, and components;
// and the children of these by path, blueprint, and components. The remarks are docs.
table list_groups(arena *arena, const package *package, const context *context);
table list_blueprints(arena *arena, const package *package, const context *context);
table list_children(arena *arena, const package *package, const context *context);

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

// Returns which indices follow what the system has written, "then refreshes places"; "" if none do.
const char *list_refreshes_text(arena *arena, const package *package, const declared_system *system,
                                const char *separator);

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

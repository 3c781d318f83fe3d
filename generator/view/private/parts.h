// View parts: the pieces of a view that several files show.
#ifndef KIN_GENERATOR_VIEW_PARTS_H
#define KIN_GENERATOR_VIEW_PARTS_H

#include "base/arena.h"
#include "base/dictionary.h"
#include "model/schema.h"
#include "template/value.h"

#include <stdbool.h>

// What every part needs to name things.
typedef struct view_scope {
    arena *arena;
    const package *package;
    const char *upper_prefix;
    dictionary *components, *definitions; // by name: what view_component and view_definition have made
} view_scope;

view_scope view_scope_create(arena *arena, const package *package);

// ---- texts

void view_set_text(const view_scope *scope, value *map, const char *key, const char *text);
void view_set_name(const view_scope *scope, value *map, const char *name); // `name` and, as C, `name_text`
void view_set_count(const view_scope *scope, value *map, const char *key, size_t count);
void view_set_bool(const view_scope *scope, value *map, const char *key, bool boolean);

// C promises 4095 characters of a literal; what is longer becomes an array of characters, which C++ does not have.
enum { VIEW_LITERAL_LIMIT = 4000 };

// The C literal of a text, or NULL for none.
const char *view_literal(arena *arena, const char *bytes, size_t size);

// Sets `doc`, a list of comment lines, followed by the unit if there is one; also `has_doc` and `doc_text`.
void view_set_doc(const view_scope *scope, value *map, const char *doc, const char *unit);

// ---- names in C

const char *view_type_name(const view_scope *scope, const char *name); // my_Position
// The struct that `edit` shows: my_PositionEdit where the component owns opaque values, else its own.
const char *view_edited_type(const view_scope *scope, const component *component);
const char *view_context_name(const view_scope *scope, const context *context); // my_game
const char *view_upper_name(const view_scope *scope, const char *name);         // MY_HTTP_SERVER
const char *view_component_id(const view_scope *scope, const context *context, const component *component);
const char *view_enumerator_name(const view_scope *scope, const definition *definition, const enumerator *enumerator);

// ---- types

// An entry of `types`, with `fields` and `defaults` or `values`.
value *view_definition(const view_scope *scope, const definition *definition);

// `fields`, `field_count` and `defaults`.
void view_set_fields(const view_scope *scope, value *map, const field_list *list);

// The type of a field in C where nothing hides it.
const char *view_field_type(const view_scope *scope, const field_type *type);

// Whether a component is its bit and its value, in a column that has just values: nothing owned, boxed or stashed.
bool view_is_plain(const component *component);

// A component with fields, or a flag.
value *view_component(const view_scope *scope, const component *component);

// `name`, `context` and `CONTEXT`, in a map of their own or among others.
void view_set_context_names(const view_scope *scope, value *map, const context *context);
value *view_context_names(const view_scope *scope, const context *context);

// A declared group of a context, the `number`-th of its groups by name.
value *view_group(const view_scope *scope, const group *group, size_t number);

// `columns` of a walk over the group: for a system, which writes those alone that it says, or NULL for any loop.
value *view_columns(const view_scope *scope, const group *group, const declared_system *writer);

// A list of `kind`, `id_count` and `ids`.
value *view_rule(const view_scope *scope, const context *context, const rule *rule);

// `events` of a context, in the order of delivery.
void view_set_events(const view_scope *scope, value *map, const context *context);

// `blueprints` of a context.
void view_set_blueprints(const view_scope *scope, value *map, const context *context);

// Assignments of a value to a field, one for each part of it that is not all zero: as `defaults` of a component has.
void view_append_assignments(const view_scope *scope, value *list, const field *field, const constant *constant);

// How many words of one bit a component the row of an entity has.
size_t view_row_words(const context *context);

// A system of the world.
value *view_system(const view_scope *scope, const declared_system *system);

// All of the world that the schema's systems make.
void view_set_world(const view_scope *scope, value *map);

// `indices` of a context, and the parts of their keys, `keys`.
void view_set_indices(const view_scope *scope, value *map, const context *context);

#endif

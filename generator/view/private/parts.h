// Parts of views that several files use.
#ifndef KIN_GENERATOR_VIEW_PARTS_H
#define KIN_GENERATOR_VIEW_PARTS_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "template/value.h"

#include <stdbool.h>

// The data that every part needs to form names.
typedef struct view_scope {
    arena *arena;
    const package *package;
    const char *upper_prefix;
    dictionary *components, *definitions; // by name: values of view_component and view_definition
} view_scope;

view_scope view_scope_create(arena *arena, const package *package);

// ---- strings

void view_set_text(const view_scope *scope, value *map, const char *key, const char *text);
void view_set_name(const view_scope *scope, value *map, const char *name); // `name` and, as C, `name_text`
void view_set_count(const view_scope *scope, value *map, const char *key, size_t count);
void view_set_bool(const view_scope *scope, value *map, const char *key, bool boolean);

// C guarantees literals of 4095 characters. A longer string becomes a compound literal of characters, which C++ lacks.
enum { VIEW_LITERAL_LIMIT = 4000 };

// Sets `identity`, the name that saves have as C; null if it is the name.
void view_set_identity(const view_scope *scope, value *map, const char *name, const saved_name *saved);

// Sets what the table of each context has of its package: `version` and `removals`.
void view_set_package(const view_scope *scope, value *map);

// Returns the C literal of a string; NULL for NULL.
const char *view_literal(arena *arena, const char *bytes, size_t size);

// Sets `doc`, a list of comment lines, followed by the unit if there is one; also `has_doc` and `doc_text`.
void view_set_doc(const view_scope *scope, value *map, const char *doc, const char *unit);

// ---- names in C

const char *view_type_name(const view_scope *scope, const char *name); // my_Position
// Returns the struct that `edit` returns: my_PositionEdit if the component owns opaque values, else the component's
// struct.
const char *view_edited_type(const view_scope *scope, const component *component);
const char *view_context_name(const view_scope *scope, const context *context); // my_game
const char *view_upper_name(const view_scope *scope, const char *name);         // MY_HTTP_SERVER
const char *view_component_id(const view_scope *scope, const context *context, const component *component);
const char *view_enumerator_name(const view_scope *scope, const definition *definition, const enumerator *enumerator);

// ---- types

// Returns an entry of `types`, with `fields` and `initializers`, or with `values`.
value *view_definition(const view_scope *scope, const definition *definition);

// Sets `fields`, `field_count` and, of the default values, `initializers`.
void view_set_fields(const view_scope *scope, value *map, const field_list *list);

// Sets `inspect`, the kin_inspect_mode; null for KIN_INSPECT_EDIT, which a table need not show.
void view_set_inspect(const view_scope *scope, value *map, inspect_kind inspect);

// Sets `on_destroy`, the kin_on_destroy, and `reverse_text`, both null if the field has none; and `is_tree`.
void view_set_relation_keys(const view_scope *scope, value *map, const field *field);

// Returns what `fields` has of a field, among those of `list`.
value *view_field(const view_scope *scope, const field_list *list, const field *field);

// Returns the C initializer of a new element of a list; NULL if all its bytes are 0.
const char *view_element_default(const view_scope *scope, const field *field);

// Sets `layout`, a hash of what the map has so far, without docs and values.
void view_set_layout(const view_scope *scope, value *map);

// Returns the C type of a field, assuming that no member name hides it.
const char *view_field_type(const view_scope *scope, const field_type *type);

// Returns whether the component's values are copied bytewise, in a column without owned memory, boxes or stashes.
bool view_is_plain(const component *component);

// Returns a component with fields, or a flag.
value *view_component(const view_scope *scope, const component *component);

// Returns a macro of a part of the package, such as "_game", without its end: KIN_GENERATED_SEA_GAME.
const char *view_macro_name(const view_scope *scope, const char *part);

// Returns the macro with the stamp of a part of the package, such as "_game", or of the shared types, "".
const char *view_stamp_macro(const view_scope *scope, const char *part);

// Sets `name`, `context`, `CONTEXT` and other names of a context in a map.
void view_set_context_names(const view_scope *scope, value *map, const context *context);
value *view_context_names(const view_scope *scope, const context *context);

// Returns a declared group; `number` is its index among the context's groups by name.
value *view_group(const view_scope *scope, const group *group, size_t number);

// Returns the columns of an iteration over the group that are not optional, numbered as `at`. With a writer, only the
// components in its `writes` are writable.
value *view_columns(const view_scope *scope, const group *group, const declared_system *writer);

// Sets the names and `columns` of the iterator of a group, or of a system with that group, and its optional columns
// again as `maybe`, with `has_maybe` and `maybe_count`; for a declared group also `view`. Names of functions begin with
// `walk`.
void view_set_iterator(const view_scope *scope, value *map, const char *walk, const group *group,
                       const declared_system *writer);

// Sets `named` to the id of the `first` component whose changes can change the group and a list of the `others`; false
// if there are too many.
void view_set_named(const view_scope *scope, value *map, const group *group);

// Returns a map with `kind`, `id_count` and `ids`.
value *view_rule(const view_scope *scope, const context *context, const rule *rule);

// Sets `function`, NULL if fields give the keys of the index, its `inputs`, and `key_fields`: the type of its keys as
// if it were a field.
void view_set_index_function(const view_scope *scope, value *map, const entity_index *index);

// Sets `migrated`, the components with `migrate: true`, and `migrations`, the same in each of their contexts;
// `has_migrations` and `migration_count`.
void view_set_migrations(const view_scope *scope, value *map);

// Returns the names of the function that decides about a component: `function`, `type` and `component`.
value *view_migrated(const view_scope *scope, const component *component);

// Sets the `events` of a context, in delivery order.
void view_set_events(const view_scope *scope, value *map, const context *context);

// The components of a blueprint, or of a child, with their values. Names of what writes these end in `writer`.
typedef struct view_parts {
    const context *context;
    const blueprint_part *parts;
    size_t count;
    const char *writer;
} view_parts;

// Sets `parts` with their values, `part_count`, `writer`, and `has_values` with `first_component`.
void view_set_parts(const view_scope *scope, value *map, const view_parts *parts);

// Set the `below` of a blueprint: the entities of its children, depth first; the distinct `children` of a context,
// whose parts follow those of the blueprints; and the `part_structs` of a context, each after those of its members.
// (child.c)
void view_set_nodes(const view_scope *scope, value *map, const blueprint *blueprint);
void view_set_children(const view_scope *scope, value *map, const context *context, size_t first_part);
void view_set_part_structs(const view_scope *scope, value *map, const context *context);

// Sets the `blueprints` of a context.
void view_set_blueprints(const view_scope *scope, value *map, const context *context);

// Appends designated initializers of the constant at `path`, one for each part that is not all zero bytes.
void view_append_initializers(const view_scope *scope, value *list, const char *path, const field *field,
                              const constant *constant);

// Sets `initializers` and `has_initializers`.
void view_set_initializers(const view_scope *scope, value *map, value *list);

// Sets `default_symbol`, the constant in a .c file that has the default value of a type. `owner` is the context or the
// world to which that file belongs: packages with a type of the same name can be in one program.
void view_set_default_symbol(const view_scope *scope, value *map, const char *owner, const char *name);

// Returns the number of words in an entity's row mask, which has one bit per component.
size_t view_row_words(const context *context);

// Sets `tree`, what the header has of a system that iterates its group in the order of a tree, and `tree_info`, the
// rest; both false for any other system. The map has the `columns` of the system. (tree.c)
void view_set_tree(const view_scope *scope, value *map, const declared_system *system);

// Sets `is_parallel`, and for a parallel system `batch`, `grain` and the lists `job_...` of what its jobs may do.
// (job.c)
void view_set_job(const view_scope *scope, value *map, const declared_system *system);

// view_set_context sets the names of a context that functions of a system are about. view_context_number returns its
// index in the order of names. (job.c)
void view_set_context(const view_scope *scope, value *map, const context *context);
size_t view_context_number(const view_scope *scope, const context *context);

// Returns a system of the world.
value *view_system(const view_scope *scope, const declared_system *system);

// Sets `info` of a system and of the world: what only the tables for tools show. (world_info.c)
void view_set_system_info(const view_scope *scope, value *map, const declared_system *system);
void view_set_world_info(const view_scope *scope, value *map);

// Returns the kin_role of a role; NULL for ROLE_FILTER.
const char *view_role_id(system_role role);

// Returns whether a field of the list is of the type.
bool view_uses(const field_list *list, const definition *definition);

// Sets all keys of the world.
void view_set_world(const view_scope *scope, value *map);

// Sets the `parameters` of the look-up functions of an index, with the `argument` that passes each on.
void view_set_parameters(const view_scope *scope, value *map, const entity_index *index);

// Sets the `indices` of a context and `keys`, the parts of their keys.
void view_set_indices(const view_scope *scope, value *map, const context *context);

// Sets the `relations` of a context.
void view_set_relations(const view_scope *scope, value *map, const context *context);

// Sets whether changes of a component of the context are inlined with those of its relation, and what that needs.
void view_set_related(const view_scope *scope, value *map, const context *context, const component *component);

#endif

// View of a scaffold: the values for the templates of the files with functions that the game must implement, one for
// each system, one for each function that gives the keys of an index, and one for each that migrates a component.
//
// In the file of a system each function is a section: a boolean named after the role, or a list if there can be several
// functions.
#ifndef KIN_GENERATOR_VIEW_SCAFFOLD_H
#define KIN_GENERATOR_VIEW_SCAFFOLD_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "template/value.h"

value *view_scaffold(arena *arena, const package *package, const declared_system *system);

value *view_scaffold_index(arena *arena, const package *package, const entity_index *index);

value *view_scaffold_migration(arena *arena, const package *package, const component *component);

// Returns the name of the file of the system, of the index's function, or of the migration. All names differ.
const char *view_scaffold_path(arena *arena, const declared_system *system);
const char *view_scaffold_index_path(arena *arena, const package *package, const entity_index *index);
const char *view_scaffold_migration_path(arena *arena, const package *package, const component *component);

#endif

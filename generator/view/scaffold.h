// View of a scaffold: the values for the template of a system's file.
//
// Each function that the game must implement is a section: a boolean named after the role, or a list if there can be
// several functions.
#ifndef KIN_GENERATOR_VIEW_SCAFFOLD_H
#define KIN_GENERATOR_VIEW_SCAFFOLD_H

#include "base/arena.h"
#include "model/world.h"
#include "template/value.h"

value *view_scaffold(arena *arena, const package *package, const declared_system *system);

// Returns the name of the system's file.
const char *view_scaffold_path(arena *arena, const declared_system *system);

#endif

// View of a scaffold: what the template of a system's file sees of the system.
//
// Each function that the game has to write is a section of its own: a bool by the name of its role, or a list where there
// may be several.
#ifndef KIN_GENERATOR_VIEW_SCAFFOLD_H
#define KIN_GENERATOR_VIEW_SCAFFOLD_H

#include "base/arena.h"
#include "model/world.h"
#include "template/value.h"

value *view_scaffold(arena *arena, const package *package, const declared_system *system);

// The name of its file.
const char *view_scaffold_path(arena *arena, const declared_system *system);

#endif

// Render: turns a view and the templates into files in memory.
//
// Every generated file must contain the mark that identifies it as generated (generated_file.h), and the stamp that
// lets compilers detect that it does not match a file that it includes. A template that omits one is an error.
#ifndef KIN_GENERATOR_RENDER_H
#define KIN_GENERATOR_RENDER_H

#include "generator/source/source.h"
#include "render/generated_file.h"
#include "template/set.h"
#include "view/view.h"

#include <stdint.h>

// Increment whenever equal templates and values give other bytes than before.
enum { RENDER_NUMBER = 1 };

// Sets the view's stamps. Returns a hash of all inputs of render_view.
uint64_t render_stamp(arena *arena, const template_set *set, view *view);

// Returns one file for each of the view's, in its order; the view must have its stamps. Returns NULL after reporting
// every invalid template.
const generated_file *render_view(diagnostics *diagnostics, const template_set *set, view *view);

#endif

// Render: a view and the templates to files in memory.
//
// Every generated file must carry the mark by which kin knows its own (output.h), so that a template that leaves it
// out is found out here, and not by the next run, which would refuse to replace the file.
#ifndef KIN_GENERATOR_RENDER_H
#define KIN_GENERATOR_RENDER_H

#include "arena.h"
#include "mustache.h"
#include "output.h"
#include "text.h"
#include "view.h"

// One file for each of the view's, in its order; NULL when a template is wrong. Every wrong one adds a line to
// `faults`.
const output_file *render_view(arena *arena, const mustache_library *library, const view *view, text *faults);

#endif

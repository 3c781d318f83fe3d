// Render: a view and the templates to files in memory.
//
// Every generated file must carry the mark by which people and kin know it for generated (generated_file.h), and the stamp by
// which a compiler knows its set, so that a template that leaves one out is found out here.
#ifndef KIN_GENERATOR_RENDER_H
#define KIN_GENERATOR_RENDER_H

#include "diagnostic/diagnostic.h"
#include "render/generated_file.h"
#include "template/set.h"
#include "view/view.h"

#include <stdint.h>

// Raised whenever the same templates and values come to give other bytes than before.
enum { RENDER_NUMBER = 1 };

// Gives the view its stamp. What is returned stands for all that render_view makes the files from.
uint64_t render_stamp(arena *arena, const template_set *set, view *view);

// One file for each of the view's, which has its stamp, in its order; NULL when a template is wrong. Every wrong one
// has been reported.
const generated_file *render_view(diagnostics *diagnostics, const template_set *set, view *view);

#endif

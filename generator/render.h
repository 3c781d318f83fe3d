// Render: a view and the templates to files in memory.
//
// Every generated file must carry the mark by which people and kin know it for generated (output.h), and the stamp by
// which a compiler knows its set, so that a template that leaves one out is found out here.
#ifndef KIN_GENERATOR_RENDER_H
#define KIN_GENERATOR_RENDER_H

#include "diagnostic.h"
#include "output.h"
#include "template_set.h"
#include "view.h"

// One file for each of the view's, in its order; NULL when a template is wrong. Every wrong one has been reported. The
// view gets its stamp.
const output_file *render_view(diagnostics *diagnostics, const template_set *set, view *view);

#endif

// Templates: those of templates/, and the texts of diagnostic/explanations/, compiled into the program so that it is
// one file that runs anywhere.
//
// The arrays are made at build time by tools/embed.c, each sorted by name. A name is that of its file without the
// directory and without `.mustache` or `.txt`.
#ifndef KIN_GENERATOR_TEMPLATE_TEMPLATES_H
#define KIN_GENERATOR_TEMPLATE_TEMPLATES_H

#include "template/mustache.h"

extern const mustache_library templates_builtin;    // of generated code
extern const mustache_library templates_init;       // of templates/init: the files of a new project
extern const mustache_library templates_scaffold;   // of templates/scaffold: the file of a system
extern const mustache_library templates_doc;        // of templates/doc: a page about a package
extern const mustache_library templates_completion; // of templates/completion: by shell
extern const mustache_library explanations;         // of diagnostic/explanations/, by code; they are texts without tags

#endif

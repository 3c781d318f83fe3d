// Reading: helpers of the tests of the generator's front end. Each test has one arena and one list of diagnostics,
// created by reading_begin in its set-up and released by reading_end in its tear-down.
#ifndef KIN_TESTS_READING_H
#define KIN_TESTS_READING_H

#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

void reading_begin(void);
void reading_end(void);

arena *reading_arena(void);
diagnostics *reading_diagnostics(void);

// Returns a source with that text, named "test.yaml" in diagnostics.
const source *reading_source(const char *text);
const tree_node *reading_tree(const char *text);
package *reading_package(const char *text);

// Reads a package with one context, `game`, followed by the text of `rest`.
package *reading_package_in_game(const char *rest);

// Reads a component with one field whose type is `field`, in YAML's flow style, and returns that field. The package
// also declares a struct Vec2 { x, y = 1 } and an enum Side { Red = 4, Blue = 0 }. Fails the test on any diagnostic.
const field *reading_field(const char *field);

// Return the diagnostics as kin prints them: those of this test, or of another list.
const char *reading_printed(void);
const char *reading_print(const diagnostics *diagnostics);

// Fails the test if there is any diagnostic.
void reading_expect_nothing(void);

#endif

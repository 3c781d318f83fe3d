// Reading: what the tests of the generator's front end share. One arena and one list of diagnostics for a test, made in
// its set-up and given back in its tear-down.
#ifndef KIN_TESTS_READING_H
#define KIN_TESTS_READING_H

#include "base/arena.h"
#include "diagnostic/diagnostic.h"
#include "diagnostic/source.h"
#include "model/schema.h"
#include "yaml/tree.h"

void reading_begin(void);
void reading_end(void);

arena *reading_arena(void);
diagnostics *reading_diagnostics(void);

// A source of that text, shown as "test.yaml".
const source *reading_source(const char *text);
const tree_node *reading_tree(const char *text);
package *reading_package(const char *text);

// A package with one context, `game`, and that behind it.
package *reading_package_in_game(const char *rest);

// The only field of a component with that type, written as it may stand in braces. There are a struct Vec2 { x, y = 1 }
// and an enum Side { Red = 4, Blue = 0 }. Fails the test when it is wrong.
const field *reading_field(const char *field);

// All that has been reported, as it is printed; the same of another list.
const char *reading_printed(void);
const char *reading_print(const diagnostics *diagnostics);

// Fails the test when there is anything to print.
void reading_expect_nothing(void);

#endif

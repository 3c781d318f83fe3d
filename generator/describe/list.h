// List: what a package has, to read: as tables for people, and as JSON for other tools.
//
// The tables are for terminals of 80 columns. What is too long for them is cut; the JSON has all of the model.
#ifndef KIN_GENERATOR_DESCRIBE_LIST_H
#define KIN_GENERATOR_DESCRIBE_LIST_H

#include "base/text.h"
#include "model/schema.h"

void list_append_tables(text *out, const package *package);

// The schedule as a tree: the systems of each node in their order, with their kinds and roles, and which of them could
// run side by side.
void list_append_schedule(text *out, const package *package);

// The same for Graphviz. A line leads from a system to each that the schema says runs behind it; a dotted one from each
// to the next where that is so for another reason. Those that could run side by side stand so.
void list_append_dot(text *out, const package *package);

// One map. Every key is always there, in the same order; what the schema does not say is null, and so are sizes that
// only the compiler knows. Lists stand as the generated tables have them: components by name, which is by id, events
// in order of delivery. Integers that not every reader of JSON can hold, beyond 2^53, are texts.
//
//   format       1; counts the changes that a tool has to know of. New keys are none
//   package, prefix, files (the root first)
//   contexts     name, doc, is_default, components (names by id), place
//   types        name, kind, doc, size, alignment, padding, fields, values, c_type, header, drop, place
//   components   name, c_name (as functions have it), doc, contexts (names), layout ("flag", "column", "boxed" or "soa"),
//                is_unique, is_owned, is_editable, flag_prefix, cleanup, size, alignment, padding, fields, place
//   groups       name, context, doc, rules (rule, components), place
//   indices      name, context, kind, is_custom, doc, key (component, field), rules, place
//   blueprints   name, context, doc, extends (a name), components (component, values by field), place; those of what it
//                extends are among them
//   events       name (as the listener has it), context, component, target, type, priority, place
//   messages     name, c_name, doc, size, alignment, padding, fields, place
//   schedule     the nodes as they are walked: name, doc, parent (a name), fixed (the length of a step), max_steps, place
//                (null of those that are there because the schema has no schedule)
//   systems      in the order in which they run: name, c_name, doc, kind ("plain", "group" or "reactive"), node, roles,
//                group, on_leave, reads, writes, react (group, event), inbox (message, capacity, full), behind (those
//                that the schema says run before it), batch (those of a node with the same could run side by side),
//                place
//
//   fields       name, doc, unit, type (as the schema spells it), kind, of (its name in types), target (its context, of
//                an entity), length (most bytes, of an inline string), count (elements, of an array), offset, size,
//                has_default, default (of an array of more than 16 elements that are all the same: a map with that one
//                as `each`), index, place
//   place        file, line, column
void list_append_json(text *out, const package *package);

#endif

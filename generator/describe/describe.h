// describe: shows a package to readers: tables, JSON, a graph, a page
//
// Makes no decisions: it shows what the model has.
#ifndef KIN_GENERATOR_DESCRIBE_H
#define KIN_GENERATOR_DESCRIBE_H

#include "generator/base/base.h"
#include "generator/render/render.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"

// ---- list
//
// Describes a package as tables for people and as JSON for tools.
//
// The tables fit terminals of 80 columns and cut long texts. The JSON has the whole model.

void list_append_tables(text *out, const package *package);

// Appends the schedule as a tree: the systems of each node in run order, with kinds, roles, and which could run side by
// side; with a parallel system also with batches, pieces, accesses, and where commands run.
void list_append_schedule(text *out, const package *package);

// Appends the schedule for Graphviz. A solid line leads from a system to each that `before` or `after` makes run later;
// a dotted line leads to the next system if nothing else connects the two. Systems that could run side by side have the
// same rank; those that do are in a dashed box.
void list_append_dot(text *out, const package *package);

// Appends the relations of each context as a table; or for Graphviz: an arrow leads from each component with a relation
// to the entities that it names, and is bold for a tree.
void list_append_relations(text *out, const package *package);
void list_append_relations_dot(text *out, const package *package);

// Appends what of each context is sent over the network: to whom, and in how many bytes; which messages; and where the
// systems run.
void list_append_net(text *out, const package *package);

// Appends one JSON map. Every key is always present, in the same order; values that the schema does not give are null,
// and so are sizes that only the compiler knows. Lists have the order of the generated tables: components by name,
// hence by id; events in delivery order. Integers beyond 2^53, which not every JSON parser can represent, are strings.
//
//   format       1; incremented when a change breaks readers; new keys do not
//   package, prefix, version (the user's), removed (name, identity, place), files (the root first)
//   contexts     name, doc, is_default, label (component, field), off, identity, is_saved, is_replicated, components
//                (names by id), place
//   types        name, kind, doc, size, alignment, padding, fields, values (name, value, identity, place), c_type,
//                header, drop, save, load, place
//   components   name, c_name (as in functions), doc, contexts (names), layout ("flag", "column", "boxed", "shared" or
//                "soa"), is_unique, is_owned, is_editable, flag_prefix, cleanup, inspect, identity, is_saved,
//                migrates, replicate ("all", "owner" or "none"), size, alignment, padding, fields, place
//   groups       name, context, doc, rules (rule, components), maybe (optional columns), order (an index), questions
//                (question: "holder_of" or "held_by", component, field, rules), place
//   indices      name, context, kind, is_custom, doc, key (component, field; empty if a function gives the keys),
//                function, key_type (of the keys that it gives), of (components that it reads), rules, place
//   relations    name (the `reverse`, null without one), context, component, field, on_destroy, is_tree, place
//   blueprints   name, context, doc, extends (a name), components (component, values by field), children, place;
//                includes the components and children of the extended blueprint
//   children     name, of (a blueprint, null for none), tree (a reverse), components, is_whole (it has exactly the
//                children of that blueprint, which are not repeated), children, place
//   events       name (as in the listener), context, component, target, type, priority, place
//   messages     name, c_name, doc, identity, from, to ("replica" or null), size, alignment, padding, fields, place
//   schedule     the nodes in run order: name, doc, parent (a name), fixed (length of a step), max_steps, manual, runs,
//                place
//                (null for the default nodes of a schema without a schedule)
//   systems      in run order: name, c_name, doc, kind ("plain", "group" or "reactive"), node, roles, group (a name),
//                own_group (as in groups), maybe (in addition to that of its group), tree (name of a relation), only
//                ("changed" or null), order ("depth" or "breadth" with tree, else an index or null), on_leave, reads,
//                writes, react (group, event), inbox (message, capacity, full), behind (systems that run before it by
//                `before` or `after`), is_parallel, has_pieces, grain (places of a piece; null if Kin chooses),
//                looks_up (index, context), changes, spawns, destroys, publishes, batch (systems of a node with the
//                same batch run side by side), level (systems of a node with the same level could, if all were
//                parallel), commands_after (the system after which its commands run, null without any), runs (where
//                the schema says that it runs, or null), identity, place
//
//   fields       name, doc, unit, type (as in the schema), kind, of (its name in types), target (context of an
//                entity), length (maximum bytes of an inline string), count (elements of an array), offset, size,
//                has_default, default (for an array of more than 16 equal elements: a map with the element as `each`),
//                range (lowest and highest value, null for no bound), inspect, index, on_destroy (null unless the
//                field is a relation), reverse, is_tree, identity, is_saved, is_sent, precision, is_blended, is_zone,
//                is_peer, place
//   identity     the name that saves have
//   place        file, line, column
//
// With errors the map has what is known of the package: what an error is about is left out or null, such as the type of
// a field, and systems whose orders contradict each other are in the order of the schema. One more key is last:
//
//   diagnostics  code, severity, message, file, line, column, end, notes, fix; as `--diagnostics json` prints them
void list_append_json(text *out, const package *package, const diagnostics *diagnostics);

// ---- page
//
// The values for the templates of templates/doc/. Texts in table cells have no line breaks, and their bars are
// escaped.

value *view_doc(arena *arena, const package *package);

#endif

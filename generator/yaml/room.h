// yaml: the strict subset of YAML: a source as a tree of nodes with their places
//
// Owns the rules that libyaml does not know: which parts of YAML are refused, and the causes of libyaml's errors.
//
//   tree.h  parses a source; the nodes, their keys and items

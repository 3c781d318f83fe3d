// yaml: the strict subset of YAML: parses a source into a tree of nodes with their places
//
// Owns the rules that libyaml does not know: the excluded parts of YAML, and the causes of libyaml's errors.
//
//   tree.h  parses a source; the nodes, their keys and items

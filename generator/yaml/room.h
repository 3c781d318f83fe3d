// yaml: the strict subset of YAML: a source as a tree of nodes with their places
//
// Owns what libyaml is not told of: what of YAML is refused, and the cause of what libyaml cannot read.
//
//   tree.h  parses a source; the nodes, their keys and items

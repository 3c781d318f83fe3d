// shape: components and their values in canonical order, which is the same for every schema with the same identities
//
// Owns the tables that say in which order hashes and files have components and the numbers in them: sorted by the bytes
// of their identities, and not by id or offset.
//
//   identity.h  what a context, component, field or value is called in files, and whether it is in them
//   leaf.h      the leaves of a value: its numbers, strings and so on, each with a path
//   shape.h     the components of a context, each with its leaves

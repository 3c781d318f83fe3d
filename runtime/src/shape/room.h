// shape: components and their values in canonical order, which is the same for every schema with the same identities
//
// Owns the tables that order components and their fields in hashes and files: by the bytes of their identities, not by
// id or offset.
//
//   identity.h  the name of a context, component, field or value in files, and whether it is saved
//   leaf.h      the leaves of a value: its numbers, strings and so on, each with a path
//   shape.h     the components of a context, each with its leaves

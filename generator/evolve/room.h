// evolve: what becomes of saves when a schema changes
//
// Owns the decision under which name saves have a thing, and which changes lose what saves have.
//
//   evolve.h   compares a schema with what saves have, and makes the lock of both
//   convert.h  which types values can be read into

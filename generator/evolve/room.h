// evolve: compares schemas with saves of earlier versions
//
// Owns the decisions which name a thing has in saves, and which changes lose values of saves.
//
//   evolve.h   compares a schema with a lock, and makes the lock of both
//   convert.h  which types values can be read into
//   find.c     which node of saves a thing of the schema was

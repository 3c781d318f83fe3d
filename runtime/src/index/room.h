// index: entities by key
//
// Owns, for each index of the schema, the table from keys to entities, updated with every change of a component.
//
//   index.h        checks a change before it is made, makes it, and finds entities
//   index_copy.c   the entities of a key, in an array of the caller
//   index_walk.c   the entities of an index, for tools
//   list_sort.c    the lists of a multi index by slot
//   index_restore.h  what is in indices after a restore of a snapshot
//   plain.h        the fast path of indices over one short field
//   key.h          keys as bytes: reading, hashing, comparing and describing them
//   given_keys.h   keys that C functions give: calling, keeping and following them
//   table.h        hash tables from words to entities or nodes

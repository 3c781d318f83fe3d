// index: entities by key
//
// Owns, for each index of the schema, the table from keys to entities, which follows every change of a component.
//
//   index.h   checks a change before it is made, follows it, and finds entities
//   key.h     keys as bytes: reading, hashing, comparing and describing them
//   table.h   hash tables from words to entities or nodes

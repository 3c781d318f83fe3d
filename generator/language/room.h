// language: the keys and values that a schema may have, each with its documentation
//
// Owns the tables of the language: the reader knows no other keys, and the manual is made from them.
//
//   language.h     the tables
//   json_schema.h  the tables as a JSON Schema

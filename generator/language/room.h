// language: the keys and values of a schema, each with its documentation
//
// Owns the tables of the language. The reader accepts only these keys, and the manual is generated from them.
//
//   language.h     the tables
//   json_schema.h  the tables as a JSON Schema

// read: reads a tree into the model, and reports every error
//
// Owns the package under construction. Each file reads one part of a schema: component.c reads an entry of
// `components`.
//
//   read.h  the package of a source and its included files

// read: a tree to the model, with a message for everything that is wrong
//
// Owns the package while it grows. A file reads one part of a schema: component.c reads an entry of `components`.
//
//   read.h  the package of a source and the files that it includes

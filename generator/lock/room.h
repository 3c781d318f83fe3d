// lock: the lock of a package, a text file: everything that saves may have
//
// Owns the notation of the file. evolve decides what is in it.
//
//   lock.h  the lock as a tree, read from a file or written as text
//   type.h  the types of leaves: their notation, and the types that a leaf had over time

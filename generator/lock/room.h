// lock: the lock of a package, a text file that lists everything that saves may have
//
// Owns the notation of the file. Room evolve decides its content.
//
//   lock.h  the lock as a tree, read from a file or written as text
//   type.h  the types of leaves: their notation, and the types that a leaf had over time

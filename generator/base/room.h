// base: memory, strings and numbers that all other rooms use
//
// Owns no state: the caller's arena holds all memory.
//
//   arena.h        the memory of one run
//   text.h         a growing string
//   utf8.h         code points
//   dictionary.h   a map from strings to pointers
//   hash.h         XXH64
//   json_writer.h  JSON, appended piece by piece
//   status.h       exit statuses

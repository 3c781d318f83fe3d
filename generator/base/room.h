// base: memory, strings and numbers that all other rooms use
//
// Owns nothing but what a caller creates: all of it lives in an arena of the caller.
//
//   arena.h        the memory of one run
//   text.h         a growing string
//   utf8.h         code points
//   dictionary.h   names to what they stand for
//   hash.h         XXH64
//   json_writer.h  JSON, written as it goes along
//   status.h       what the exit status says

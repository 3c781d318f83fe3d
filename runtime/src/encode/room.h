// encode: blocks of a snapshot as canonical bytes, for hashes and files
//
// Owns the encoding of blocks of format 1. The bytes depend on the state and the identities alone: not on the machine,
// the compiler, the order of the schema, or how values are stored. Nothing here allocates memory.
//
//   encoder.h         buffers bytes, and passes them to a function
//   encode_number.h   numbers that lie at equal distances
//   encode_value.h    the values of a column, leaf by leaf
//   encode_pool.h     which slots are used next
//   kept.h            the last values of a chunk
//   block.h           the blocks of a snapshot, in order, and their bytes

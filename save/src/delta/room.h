// delta: the differences between two moments of a world, block by block
//
//   delta.h         the blocks of two snapshots that differ
//   part_hash.h     hashes of the components of a context, to say where two moments differ
//   systems_hash.h  the hash of the systems of a world

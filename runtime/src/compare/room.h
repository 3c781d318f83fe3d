// compare: differences and hashes of snapshots
//
// Owns nothing: reads snapshots, and caches hashes in their images.
//
//   hash.h          kin_snapshot_hash, and hashes of blocks
//   compare.c       kin_snapshot_compare: compares, slot by slot, the blocks that two snapshots do not share
//   same.h          whether two values are equal
//   compare_kept.h  differences of last values
//   difference.c    kin_difference_describe

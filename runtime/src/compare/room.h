// compare: differences and hashes of snapshots
//
// Owns nothing: reads snapshots, and keeps the hashes of images with them.
//
//   hash.h          kin_snapshot_hash, and hashes of blocks
//   compare.c       kin_snapshot_compare: slot by slot through the blocks that two snapshots do not share
//   same.h          whether two values are equal
//   compare_kept.h  differences of last values
//   difference.c    kin_difference_describe

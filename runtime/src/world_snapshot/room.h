// world_snapshot: snapshots of worlds: saving and restoring
//
// Owns nothing. A snapshot of a world has a part for each of its contexts that are saved, and the state of its systems.
// A save makes all parts before it touches the snapshot, and a restore reserves all memory before it changes anything.
//
//   world_snapshot.h   what saving and restoring share
//   world_save.c       saving
//   world_restore.c    restoring
//   world_encode.h     the state of systems as canonical bytes, for hashes and comparisons
//   message_leaves.h   the leaves of messages, for these bytes
//   world_rehearse.c   updating twice from one state

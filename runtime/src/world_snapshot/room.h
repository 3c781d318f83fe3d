// world_snapshot: saves and restores snapshots of worlds
//
// Owns nothing. A snapshot of a world has a part for each saved context, and the state of its systems. A save makes all
// parts before it changes the snapshot, and a restore reserves all memory before it changes anything.
//
//   world_snapshot.h   functions that saving and restoring share
//   world_save.c       saving
//   world_restore.c    restoring
//   world_encode.h     the state of systems as canonical bytes, for hashes and comparisons
//   message_leaves.h   the leaves of messages, for these bytes
//   world_rehearse.c   updating twice from one state

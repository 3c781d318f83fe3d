// snapshot: snapshots of contexts: saving, restoring, destroying
//
//   snapshot.h  what a snapshot consists of
//   save.h      the parts of contexts as they are now
//   restore.h   contexts as they were

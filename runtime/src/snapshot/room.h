// snapshot: saves, restores and destroys snapshots of contexts
//
//   snapshot.h  what a snapshot consists of
//   save.h      makes parts from the current state of contexts
//   restore.h   restores contexts from parts

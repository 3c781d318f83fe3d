// write: writes snapshots as files
//
//   parts.h     the contexts of a snapshot, in the order of their numbers in a file
//   schema.h    the block SHAP: the names and types of everything in the file
//   links.h     the blocks LINK: the order of the holders of targets
//   check.h     what the reader of the same program refuses
//   keys.h      keys that two entities have
//   systems.h   the blocks SYST: the state of systems
//   snapshot.c  kin_snapshot_write, kin_snapshot_write_path

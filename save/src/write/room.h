// write: snapshots as files
//
//   parts.h     the contexts of a snapshot, in the order of their numbers in a file
//   schema.h    the block SHAP: what the file has, by names
//   links.h     the blocks LINK: the order of the holders of targets
//   systems.h   the blocks SYST: the state of systems
//   snapshot.c  kin_snapshot_write, kin_snapshot_write_path

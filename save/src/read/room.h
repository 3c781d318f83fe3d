// read: files as snapshots, whatever version of the schema wrote them
//
//   heap.h      memory of a reading, released as a whole
//   schema.h    the block SHAP: what the file has
//   match.h     what of the file is what in the schema now, and which values are converted
//   convert.h   one value of a file as one of now
//   values.h    the values of a block, leaf by leaf
//   column.h    the blocks COLM: values
//   slots.h     the blocks CTXT and SLOT: entities and free slots
//   kept.h      the blocks KEEP: values that were lost or put aside
//   shared.h    which numbers shared values get
//   links.h     the blocks LINK: the order of the holders of targets
//   keys.h      what a context has once: unique components, primary keys
//   reading.h   the reading of one context
//   systems.h   the blocks SYST: the state of the systems of a world
//   file.h      the blocks in their order
//   snapshot.c  kin_context_read, kin_world_read

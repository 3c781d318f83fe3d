// read: reads files of any version of the schema as snapshots
//
//   schema.h    the block SHAP: the schema of the file
//   match.h     finds things of the file in the current schema, and the conversions of values
//   convert.h   converts one value of a file to its current type
//   unfit.h     what is said of names, types and values that do not fit
//   values.h    the values of a block, leaf by leaf
//   storing.h   values as the image of a column
//   column.h    the blocks COLM: values
//   slots.h     the blocks CTXT and SLOT: entities and free slots
//   kept.h      the blocks KEEP: values that were removed or stashed
//   shared.h    the order of shared values
//   links.h     the blocks LINK: the order of the holders of targets
//   record.h    what a migration sees of an entity
//   migrate.h   functions of the program that decide about components
//   keys.h      what a context has once: unique components, primary keys
//   reading.h   the reading of one context
//   systems.h   the blocks SYST: the state of the systems of a world
//   file.h      the blocks in their order
//   snapshot.c  kin_context_read, kin_world_read

// save: saves as lines of JSON and back, and their differences
//
// Knows the format of files, and no context: blocks and names are read and written by save/src/file.
//
//   save_file.h     a file while it is read: head, names, blocks, hash
//   save_order.h    which block may follow which
//   save_chunk.h    the entities of a chunk with all their values
//   save_values.h   the values of a block, one entity after the other
//   save_state.h    the blocks CTXT, KEEP and LINK
//   save_system.h   the blocks SYST
//   save_frame.h    the frames of a recording
//   save_moment.h   the state of a recording after a frame
//   save_text.h     values, handles and names as JSON
//   save_hash.h     the hash of a state from its blocks
//   dump.h          a file as lines of JSON
//   json_reader.h   one line of JSON as a tree with places
//   save_shape.h    what saves of a schema have
//   pack.h          a file from lines of JSON, by a schema; pack_name.c has what lines may call things
//   save_diff.h     what differs between two files

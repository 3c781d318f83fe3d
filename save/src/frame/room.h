// frame: files as blocks with checksums, compressed or not
//
//   format.h  the numbers of the format
//   fault.h   why a file was refused, as a message
//   zstd.h    compression, which a program can omit
//   output.h  bytes to a sink
//   input.h   bytes from a source
//   heap.h    memory that is released as a whole
//   writer.h  blocks, written one after the other
//   reader.h  blocks, read one after the other
//   decode.h  the numbers and texts of a block
//   head.h    the first two blocks
//   enum_value.h  the names of enum values

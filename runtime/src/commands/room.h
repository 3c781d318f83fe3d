// commands: buffers of calls that are made later
//
//   commands.h   buffers and their blocks
//   record.c     appends commands and values
//   play.c       finds the commands to call, and the entities that they name

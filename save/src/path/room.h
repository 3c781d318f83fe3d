// path: replaces files as a whole
//
//   file.h    writes beside a file, and renames
//   target.h  what stands at a path: links, rights, pipes and devices

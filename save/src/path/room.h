// path: replaces files as a whole
//
//   file.h  writes beside a file, and renames

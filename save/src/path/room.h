// path: files that are replaced as a whole
//
//   file.h  writes beside a file, and renames

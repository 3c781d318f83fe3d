// output: files in memory to the disk, all or none, and never over what others wrote
//
// Owns the files of a package on the disk, and the manifest that says which files these are.
//
//   output.h   writes the files of a package as one set, or compares them
//   depfile.h  what the files depend on, for make
//   path.h     paths, and the folders that lead there
//   write.h    one file, staged and then renamed, or new

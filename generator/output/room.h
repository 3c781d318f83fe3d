// output: writes files to the disk, all or none, and never over files of others
//
// Owns the files of a package on the disk, and the manifest that lists them.
//
//   output.h   writes the files of a package as one set, or compares them
//   depfile.h  dependencies of the files, for make
//   path.h     paths and their parent folders
//   write.h    one file: staged then renamed, or created

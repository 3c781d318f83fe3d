// render: a view and its templates to files in memory
//
// Owns the text of the files until it is written.
//
//   render.h          all files of a view, and the stamp that tells whether rendering would change them
//   generated_file.h  a file in memory, and the mark that every generated file has

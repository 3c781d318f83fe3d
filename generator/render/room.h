// render: turns a view and its templates into files in memory
//
// Owns the text of the files until it is written.
//
//   render.h          all files of a view, and the hash that shows whether rendering would change them
//   generated_file.h  a file in memory, and the mark that every generated file has

// view: turns the model into the values that templates show; all decisions about the generated C
//
// Owns every name, type and value in the generated C. Templates only place them.
//
//   view.h      the files of a package, each with its template and values
//   scaffold.h  the same for a system's file

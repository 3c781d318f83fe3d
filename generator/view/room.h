// view: the model to the values that templates show: all decisions about the generated C
//
// Owns every name, type and value of the generated C. A template only puts them in place.
//
//   view.h      the files of a package, each with its template and what it shows
//   scaffold.h  the same for a system's file

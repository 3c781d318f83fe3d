// check: the whole model: names that collide, and advice
//
// Owns the list of all names that will be generated.
//
//   package.h  a source to a package that is read and checked: what every verb calls
//   symbols.h  all generated names, and those that collide
//   advice.h   warnings about what a schema may say and its author may regret

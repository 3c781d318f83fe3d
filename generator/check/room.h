// check: checks the whole model: colliding names, and advice
//
// Owns the list of all names that will be generated.
//
//   package.h  reads and checks a schema; every verb calls it
//   symbols.h  all generated names, and those that collide
//   advice.h   warnings about valid schemas that are probably mistakes

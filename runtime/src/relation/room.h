// relation: which entities name which in the relations of the schema
//
// Owns, for each relation, the lists of the entities that name one target, updated with every change of a component
// with a relation.
//
//   relation.h         checks a change before it is made, makes it, and finds holders and targets
//   relation_make.c    makes relations, trims and releases their memory
//   relation_query.c   what generated code asks: lists and trees
//   relation_walk.c    walks over trees
//   relation_valid.c   checks the invariants

// relation: the relations of the schema: which entities name which targets
//
// Owns, for each relation, the lists of the entities that name one target, updated with every change of a component
// with a relation.
//
//   relation.h         checks changes, applies them to the lists, and finds holders and targets
//   relation_make.c    makes relations, trims and releases their memory
//   relation_query.c   queries of generated code: lists and trees
//   relation_walk.c    walks over trees
//   relation_valid.c   checks the invariants

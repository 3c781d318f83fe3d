// merge: snapshots merged into contexts, as new entities
//
//   reference.h    the entities that a value names
//   merging.h      the merge of one context, and of several at once
//   prepare.c      all that can fail, before the first entity is created
//   values.c       copies of the snapshot's values, which name the entities to come
//   siblings.c     the order of the holders of one target
//   make.c         the entities and their components, with all calls
//   merge.c        all together

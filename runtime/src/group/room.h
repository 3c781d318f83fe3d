// group: groups of the entities that match a matcher, and iterators over their members
//
// Owns the groups of a context, found by matcher. Members are not stored: they are computed from the bits of the
// chunks, and the count and the array of members are cached until a component of the matcher changes.
//
//   group.h      making groups, and the stamp by which caches are checked
//   members.c    their count and their array
//   patch.h      correcting the array after few changes
//   group_list.c what tools list of groups (kin/inventory.h)
//   iterator.c   the runs and blocks of members, for generated code (kin/generated/iterator.h)

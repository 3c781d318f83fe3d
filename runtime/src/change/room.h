// change: adding, replacing and removing components, creating and destroying entities
//
// Owns the order of every change: check, reserve, write, notify (DSP-01 to DSP-04). Nothing that can fail comes after
// the first write; what listeners may have made impossible is checked again and given back.
//
//   change.h     one change of one component: check, reserve, write; commit after listeners were called
//   plan.h       several changes, reserved together, then committed or given back
//   component.h  add, replace, remove, touch, stash, restore, readd on one entity
//   stash.h      values that are kept to be restored
//   entity.h     creating and listing entities, removing several components
//   end.h        destroying one entity: silent.h without notifying, destroy_collected.h if only collectors watch,
//                destroy.h in the general case
//   group_destroy.c  all members of a group
//   blueprint.h  parts of spawned entities; spawn.c and apply.c use them
//   clone.c      an entity with the components of another one
//   clone_list.h the components of the set that was cloned last, for clone_fast.c
//   copy.c       components of one entity for another one, as if a blueprint had them
//   unique.c     an entity made for a unique component
//   fast.h       the fast paths: functions and files with the suffix _fast, and the conditions of all
//
//   apply  clone  spawn  unique  →  plan  →  change  →  index, storage, notify
//   component                    →  change
//   *_fast, *_unlistened         →  storage, notify    or, when a condition fails, the function without _fast
//
// Destroy goes through no plan: it reserves nothing, and all components go at once.

// create: creating entities, empty or with components
//
// Owns entities that get several components at once. All that can fail is done first, for all components; if a listener
// then makes one impossible, the entity is destroyed again.
//
//   entity.h      creating and listing entities, removing several components
//   plan.h        several changes, reserved together, then committed or released
//   blueprint.h   parts of spawned entities; spawn.c and apply.c use them
//   spawn_tree.h  the entities of blueprints with children
//   clone.c       an entity with the components of another one; clone_tree.c with all entities below it
//   clone_list.h  the components of the set that was cloned last, for clone_fast.c
//   copy.c        components of one entity for another one, as if a blueprint had them
//   unique.c      an entity made for a unique component
//   spawn_fast.c, spawn_tree_fast.c, clone_fast.c   the fast paths, see change/fast.h
//
//   apply  clone  spawn  unique  →  plan  →  change, destroy

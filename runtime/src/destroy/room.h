// destroy: destroying entities
//
// Owns the steps of a destroy (ENT-11 to ENT-18). A destroy needs no plan: it reserves nothing and removes all
// components at once.
//
//   end.h               destroying one entity: silent.h without notifying, destroy_collected.h if only collectors
//                       watch, cascade.h if the context has relations, destroy.h in the general case
//   cascade.h           an entity that has holders; referenced.c checks the relations of `refuse` first
//   silent_holder.h     the same without notifying: one entity, and the silent steps of a cascade
//   relation_order.c    the holders of one target: moving one, destroying all
//   group_destroy.c     all members of a group
//   destroy_fast.c, group_destroy_fast.c   the fast paths, see change/fast.h
//
//   end  →  cascade  →  destroy  →  index, relation, storage, notify

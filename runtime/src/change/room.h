// change: adding, replacing and removing components
//
// Owns the order of every change of a component: check, reserve, write, notify (DSP-01 to DSP-04). Nothing that can
// fail comes after the first write; what listeners may have made impossible is checked again and given back.
//
//   change.h     one change of one component: check, reserve, write; commit after listeners were called
//   component.h  add, replace, remove, touch, stash, restore, readd on one entity
//   stash.h      values that are kept to be restored
//   list_change.c
//                push, insert, erase and resize of lists, which generated code calls
//   fast.h       the fast paths of this room, of destroy and of create: functions and files with the suffix _fast, and
//                the conditions of all
//
//   component                 →  change  →  index, relation, storage, notify
//   *_fast, *_unlistened      →  storage, notify    or, when a condition fails, the function without _fast

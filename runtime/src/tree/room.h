// tree: the members of groups in the order of trees
//
// Owns what a system over a tree visits: the order of a group's members, parents before children, and which of them
// have changed.
//
//   order.h   the order, rebuilt when the tree or the members have changed
//   order_make.c   builds it; order_sort.c sorts it
//   branches.h   the order of a parallel system, divided into pieces
//   order_restore.c   saves and restores marks
//   marks.h   the entities that changed after the last turn
//   step.c    the steps of a turn
//
//   step  →  order  →  branches  →  relation, group
//            marks  →  notify

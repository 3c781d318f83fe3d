// tree: the members of groups in the order of trees
//
// Owns what a system over a tree visits: the order of a group's members, parents before children, and which of them
// have changed.
//
//   order.h   the order, made anew when the tree or the members have changed; order_make.c makes it
//   order_restore.c   what was marked, after a restore of a snapshot
//   marks.h   the entities that have changed since the last turn
//   step.c    the steps of a turn
//
//   step  →  order  →  relation, group
//            marks  →  notify

// systems: collections of systems and their phases, reactive systems, profiling
//
// Owns kin_systems. Rooms that come later add nodes of their own kinds: a kin__node_type has the functions of such a
// kind, so that nothing here calls a later room by name. Files call each other in one direction:
//
//   systems_run.c, systems_add.c, systems_clear.c, systems_profile.c, systems_walk.c → systems_enabled.c
//   systems_print.c → systems_walk.c
//   systems_enabled.c → systems.c → profile.c → tally.c, and systems_run.c → reactive.c
//   systems_restore.c, systems_probe.c → systems.c
//
//   systems.h          collections and nodes, and what later rooms need to add theirs
//   profile.h          the durations of the last calls of one system
//   tally.h            the structural changes that its calls make
//   systems_restore.h  the state of systems in snapshots of worlds

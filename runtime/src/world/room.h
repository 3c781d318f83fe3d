// world: worlds, which run the systems of a schema in the order of its schedule
//
// Owns the schema systems with their inboxes and memberships. A schema system is a node of a kin_systems, by a
// kin__node_type. Files call each other in one direction:
//
//   world_reset.c → world.c, world_run.c → schema_system.c → schema_system_turn.c → world_error.c
//                                                          → inbox.c, membership.c, leave_values.c
//   world.c → world_probe.c → world_run.c
//
// Cycle: batch.c job_begin.c jobs.c schema_system.c schema_system_turn.c: the turn of a parallel system runs its batch,
// which prepares the systems of the batch.
//
//   world.h          the world and its tables; world_error.c reports its errors, world_info.c serves tools,
//                    world_probe.c calls their probe
//   schema_system.h  a system of the schema, and its turn
//   jobs.h           jobs of parallel systems; batch.c runs them, play.c plays their commands
//   access.h         finds what a batch wrote without a declaration
//   inbox.h          the messages that wait for a system
//   membership.h     which entities entered and left a group since the last turn
//   leave_values.h   the last values of components of the entities that left

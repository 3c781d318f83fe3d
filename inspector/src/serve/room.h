// serve: what an inspector does in the updates of a game
//
//   serve.h  serves the tasks of a host, and its pace
//   hold.h   stops an update at a system
//   run.h    notes the system that runs
//
// Cycle: serve.c, hold.c, run.c: each update is served, which follows the calls of systems, at which it may be held

// site: the worlds and contexts that an inspector shows, and the tasks that wait for their threads
//
//   clock.h  the time of this library
//   timing.h profiles systems while somebody looks
//   viewer.h when each viewer asked last
//   calls.h  follows the calls of systems
//   role.h   names of roles
//   timeline.h  the calls of systems in the last updates
//   until.h  a query that is asked until it holds
//   running.h  the system that runs now
//   pace.h   the time that viewers give a host
//   site.h   contexts, worlds, and whose thread may touch them

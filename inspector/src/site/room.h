// site: the worlds and contexts that an inspector shows, and the tasks that wait for their threads
//
//   clock.h  the time of this library
//   timing.h profiles systems while somebody looks
//   calls.h  follows the calls of systems
//   site.h   contexts, worlds, and whose thread may touch them

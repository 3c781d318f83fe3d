// site: the worlds and contexts that an inspector shows, and the tasks that wait for their threads
//
//   clock.h  the time of this library
//   timing.h profiles systems while somebody looks
//   calls.h  follows the calls of systems
//   notes.h  the journal and the watches of a context
//   traces.h how collectors collect
//   marks.h  copies of entities, to be compared with another moment
//   plots.h  numbers over time
//   watches.h
//            what one watch does
//   site.h   contexts, worlds, and whose thread may touch them

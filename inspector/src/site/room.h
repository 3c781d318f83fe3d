// site: the worlds and contexts that an inspector shows, and the tasks that wait for their threads
//
//   clock.h  the time of this library
//   timing.h profiles systems while somebody looks
//   viewer.h when each viewer asked last
//   calls.h  follows the calls of systems
//   timeline.h  the calls of systems in the last updates
//   until.h  a query that is asked until it holds
//   running.h  the system that runs now
//   pace.h   the time that viewers give a host
//   notes.h  the journal and the watches of a context
//   traces.h how collectors collect
//   moment.h the frame and system in which something happens
//   messages.h  the last messages
//   refusals.h  the last refused calls
//   hidden.h what the schema hides
//   marks.h  copies of entities, to be compared with another moment
//   plots.h  numbers over time
//   watches.h
//            what one watch does
//   site.h   contexts, worlds, and whose thread may touch them

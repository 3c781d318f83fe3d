// site: what viewers record and change of hosts
//
//   clock.h  the time of this library
//   timing.h how long calls of systems take, while a viewer reads it
//   viewer.h when each viewer asked last
//   calls.h  follows the calls of systems
//   timeline.h  the calls of systems in the last updates
//   until.h  a query that is asked until it holds
//   running.h  the system that runs now
//   pace.h   the time that viewers give a host
//   notes.h  the journal, the watches and the audits of a context
//   traces.h how collectors collect
//   moment.h the frame and system in which something happens
//   messages.h  the last messages
//   refusals.h  the last refused calls
//   hidden.h what the schema hides
//   marks.h  copies of entities, to be compared with another moment
//   plots.h  numbers over time
//   snapshots.h
//            states of a host to return to
//   watches.h
//            what one watch does
//   audits.h  which values of a column each system wrote in place
//   site.h   contexts, worlds, and whose thread may touch them

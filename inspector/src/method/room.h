// method: what a viewer can ask for and change
//
//   methods.h   all methods by name; each of the other files has those of one noun
//   host.h      the world that a request names
//   reports.h   what GET gives
//   time.h      what the methods of time share
//   column.h    the fields of entities that a viewer wants to see
//
// Cycle: hello.c, methods.c: rpc.discover lists all methods, and is one of them

// method: what a viewer can ask for and change
//
//   methods.h   all methods by name; each of the other files has those of one noun
//   host.h      the world that a request names
//   reports.h   what GET gives
//   shape.h     what JSON each result is
//   time.h      what the methods of time share
//   diff_row.h  what differs between two moments, as JSON
//   column.h    the fields of entities that a viewer wants to see
//
// Cycle: hello.c, methods.c: rpc.discover lists all methods, and is one of them

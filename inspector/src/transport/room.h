// transport: requests and streams over HTTP, on 127.0.0.1
//
//   token.h       the secret that viewers show, and how often they may be wrong
//   listen.h      the socket, and an event that wakes the thread
//   local_socket.h  the Unix socket, if one is wanted
//   answer.h      answers of HTTP with the headers that all of them have
//   check.h       what a request must be before its body is read
//   connection.h  connections and their deadlines
//   stream.h      events that are pushed to a viewer
//   waiting.h     requests whose tasks wait, and streams
//   notice.h      the file by which games are found
//   handle.h      requests from their first line to their answer
//   transport.h   the thread
//
// All of libmicrohttpd is called by one thread. The thread of a game calls nothing of this room but `done` of tasks,
// which appends to a list and writes to an event.

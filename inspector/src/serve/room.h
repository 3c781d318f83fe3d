// serve: what an inspector does in the updates of a game
//
//   serve.h  serves the tasks of a host, and its pace

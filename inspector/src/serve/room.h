// serve: what an inspector does in the updates of a game
//
//   serve.h  serves the jobs of a host, and its pace

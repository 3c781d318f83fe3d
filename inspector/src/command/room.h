// command: the terminal's side: kin-inspect
//
//   arguments.h  the command line
//   game.h       games that run, found by their files
//   client.h     requests to a game
//   show.h       answers as text
//   follow.h     records as they come
//   top.h        systems by time, metrics and traces

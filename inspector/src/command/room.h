// command: the terminal's side: kin-inspect
//
//   arguments.h  the command line
//   game.h       games that run, found by their files
//   client.h     requests to a game
//   follow.h     results that are shown again whenever they change
//   show.h       answers as text
//   top.h        systems by time, metrics and traces

// command: the terminal's side: kin-inspect
//
//   arguments.h  the command line
//   game.h       games that run, found by their files
//   client.h     requests to a game
//   follow.h     results that are shown again whenever they change
//   value.h      values as JSON, with numbers as the game wrote them
//   show.h       answers as text
//   records.h    messages and refused calls as they come
//   top.h        systems by time, metrics and traces

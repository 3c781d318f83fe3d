// command: the terminal's side: kin-inspect
//
//   arguments.h  the command line
//   commands.h   what a word of it asks for
//   game.h       games that run, found by their files
//   session.h    a command line, and the game that it is about
//   client.h     requests to a game
//   codes.h      errors after which a command does something else than refuse
//   names.h      what words of the command line stand for, as the game says
//   follow.h     results that are shown again whenever they change
//   hold.h       pauses that a person reads in
//   value.h      values as JSON, with numbers as the game wrote them
//   show.h       answers as text
//   records.h    messages, refused calls and journals as they come
//   top.h        systems by time, metrics and traces

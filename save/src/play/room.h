// play: players: recordings played again
//
//   frame_read.h  a frame as it is read
//   replaced.h  which blocks of a context the parts of a frame replace
//   share.h     what is taken over from the moment before
//   apply.h     parts put into a snapshot
//   diverge.h   where a moment differs from the one that was recorded
//   player.h    a player and its file
//   seek.c      kin_player_seek
//   player.c    kin__player_create and the other calls

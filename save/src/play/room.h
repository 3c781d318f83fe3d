// play: players, which repeat a recording in a world
//
//   frame_read.h  a frame as it is read
//   recording.h   a recording that is read, block by block
//   replaced.h    which blocks of a context the parts of a frame replace
//   share.h       what is taken over from the moment before
//   decide.h      migrations in a frame
//   made.h        a moment that is made, before it is put into a snapshot; keep.c: what stays of its systems
//   apply.h       the parts of a frame put into a snapshot
//   diverge.h     where a moment differs from the one that was recorded
//   player.h      a player and its place in a recording
//   seek.c        kin_player_seek
//   player.c      kin__player_create and the other calls

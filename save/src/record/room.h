// record: recordings: what changed outside of the updates of a world, written down
//
//   frame_write.h  the blocks FRAM and KEYF
//   frame_parts.h  the parts of a frame: blocks that differ
//   recorder.c     kin__world_record, and what updates call

// record: recorders, which write what changes a world outside of its updates
//
//   frame_write.h  the blocks FRAM and KEYF
//   frame_parts.h  the parts of a frame: blocks that differ
//   recorder.c     kin__world_record, and what updates call

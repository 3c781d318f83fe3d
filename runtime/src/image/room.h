// image: copies of the blocks of a context, which snapshots share
//
//   image.h       images, and the values in them
//   part.h        all images of a context at one moment
//   store.h       the images of a context: spare ones, and those that blocks were last equal to
//   copy_block.h  blocks to images
//   build.h       images of values that are in no column
//   pin.h         what values in images own
//
// Cycle: part.c and store.c. A store has the parts, which end with it, and a part lets go of its images.

// image: copies of the blocks of a context, which snapshots share
//
//   image.h       images, and the values in them
//   part.h        all images of a context at one moment
//   store.h       the images of a context: spare images, and the last image of each block
//   copy_block.h  copies blocks to images, and compares them
//   build.h       makes images from values that are in no column
//   pin.h         pins the memory that values in images own
//
// Cycle: part.c and store.c. A store owns the parts and releases them at its end, and a part releases its images.

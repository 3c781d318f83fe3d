// Store: everything that a context keeps for its snapshots.
//
//   last    by chunk and number: the image that the block was equal to at the last save or restore
//   spare   images without references, by number
//   slabs   the memory of images, whose bytes lie in the order in which images are first taken
//   parts   the parts of snapshots, and spare parts with their tables
//
// A context has no store before its first save or restore. Thanks to spare images and parts, a save after a warm-up
// allocates nothing. Trimming releases the slabs whose images no snapshot uses.
//
// Invariants:
//   1. an image has one reference for each part that uses it, and one more while it is the last image of its block
//   2. images without references are in the list of spare images
#ifndef KIN_SRC_IMAGE_STORE_H
#define KIN_SRC_IMAGE_STORE_H

#include "image/part.h"

typedef struct kin__image_slab kin__image_slab;

typedef struct kin__store {
    kin__array last;    // of kin__image *
    uint32_t numbers;   // images of one chunk
    kin__image **spare; // by number
    kin__image_slab *slabs;
    uint32_t *slab_counts; // by number: images in the newest slab
    kin__context_snapshot *parts, *spare_parts;
    kin__context_snapshot *adopted; // the copy of a part of another context, during its restore
    uint32_t *holders;              // by component: a table for restores
    unsigned char *scratch;         // room for one value of any component
    size_t scratch_size;
    uint64_t heads_at, epoch; // while the stamp of changes, the count of resets and the pending slots equal these,
    uint32_t pending;         // the heads of all chunks equal their last images
} kin__store;

// Makes the store if it does not exist, and reserves room for the last images of so many chunks. False when out of
// memory.
bool kin__store_reserve(kin_context *context, uint32_t chunk_count);

// Return the last image of a block, NULL if it has none; and set it, to NULL for none.
kin__image *kin__store_last(const kin__store *store, uint32_t chunk, uint32_t number);
void kin__store_set_last(kin_context *context, uint32_t chunk, uint32_t number, kin__image *image);

// Return whether the heads of all chunks are known to equal their last images, without reading them; and note that they
// do.
bool kin__store_heads_stand(const kin_context *context);
void kin__store_note_heads(kin_context *context);

// Forgets the last images of the heads of chunks from `first` on: they are older than the noted moment.
void kin__store_forget_heads(kin_context *context, uint32_t first);

// Returns an image with one reference, whose bytes are not set. NULL when out of memory.
kin__image *kin__store_take(kin_context *context, uint32_t number);

// Reserves memory for the elements of its lists. False when out of memory.
bool kin__image_reserve_extra(kin_context *context, kin__image *image, size_t size);

// Returns an image that was taken but has no pins to the store.
void kin__store_return(kin_context *context, kin__image *image);

// Removes a reference. With the last one the image releases its pins and becomes spare.
void kin__image_let_go(kin_context *context, kin__image *image);

// Returns a part without images, linked to the store. NULL when out of memory.
kin__context_snapshot *kin__part_take(kin_context *context);

// Releases all images and pins of the part, which becomes spare. NULL is allowed.
void kin__part_release(kin__context_snapshot *part);

// Reserves room for so many chunks. False when out of memory.
bool kin__part_reserve(kin__context_snapshot *part, uint32_t chunk_count);

// Reserves room for so many numbers of shared values. False when out of memory.
bool kin__part_reserve_shared(kin__context_snapshot *part, uint32_t count);

// Puts an image into the part and takes over the reference. Room must be reserved.
void kin__part_put(kin__context_snapshot *part, uint32_t chunk, kin__image *image);

// Takes an image out of the part, and removes its reference.
void kin__part_remove(kin__context_snapshot *part, uint32_t chunk, kin__image *image);

// Release the tables of spare parts; and return the size in bytes of the tables of a part.
void kin__parts_release_spare(kin_context *context);
size_t kin__part_used(const kin__context_snapshot *part);

// Reserves `size` bytes; the old content is lost. False when out of memory.
bool kin__bytes_reserve(kin_context *context, kin__bytes *bytes, size_t size);

// Empties the snapshots of the context, and releases all its images. Must be called before its blocks are released.
void kin__store_release(kin_context *context);

// Releases memory that no snapshot uses.
void kin__store_trim(kin_context *context);

// Returns the bytes that snapshots use.
size_t kin__store_used(const kin_context *context);

#endif

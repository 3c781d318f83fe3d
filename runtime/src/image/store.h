// Stores: all that a context keeps for its snapshots.
//
//   last    by chunk and number, an image that the block was equal to when it was last saved or restored
//   spare   images without references, by number
//   slabs   the memory of images: their bytes lie in the order in which they are first taken
//   parts   those of snapshots; and spare ones, with their tables
//
// A context has no store before its first save or restore. Spare images and parts make that the save after a warm-up
// needs no memory; trimming releases the slabs of which no snapshot has an image.
//
// Invariants:
//   1. an image has one reference for each part that has it, and one more while it is the last one of its block
//   2. images without references are in the list of spare ones
#ifndef KIN_SRC_STORE_H
#define KIN_SRC_STORE_H

#include "image/part.h"

typedef struct kin__image_slab kin__image_slab;

typedef struct kin__store {
    kin__array last;    // of kin__image *
    uint32_t numbers;   // of images of one chunk
    kin__image **spare; // by number
    kin__image_slab *slabs;
    uint32_t *slab_counts; // by number: images that the newest slab has
    kin__context_snapshot *parts, *spare_parts;
    kin__context_snapshot *adopted; // the copy of a part of another context, while that is restored
    uint32_t *holders;              // by component: a table for restores
    unsigned char *scratch;         // room for one value of any component
    size_t scratch_size;
    uint64_t heads_at, epoch; // while the stamp of all changes, the count of resets and the pending slots are these,
    uint32_t pending;         // the heads of all chunks are equal to their last images
} kin__store;

// Makes the store unless there is one, and room for the last images of so many chunks. False when out of memory.
bool kin__store_reserve(kin_context *context, uint32_t chunk_count);

// Returns the last image of a block, NULL if there is none; and makes another one, or none, the last.
kin__image *kin__store_last(const kin__store *store, uint32_t chunk, uint32_t number);
void kin__store_set_last(kin_context *context, uint32_t chunk, uint32_t number, kin__image *image);

// Whether the heads of all chunks are equal to their last images, without looking at them; and notes that they are.
bool kin__store_heads_stand(const kin_context *context);
void kin__store_note_heads(kin_context *context);

// Forgets the last images of the heads of chunks from `first` on: they are not those of the moment that is noted.
void kin__store_forget_heads(kin_context *context, uint32_t first);

// Returns an image with one reference, whose bytes are not set. NULL when out of memory.
kin__image *kin__store_take(kin_context *context, uint32_t number);

// Makes room for the elements of its lists. False when out of memory.
bool kin__image_reserve_extra(kin_context *context, kin__image *image, size_t size);

// Takes an image back that was taken and has pinned nothing.
void kin__store_return(kin_context *context, kin__image *image);

// Removes a reference. Without one the image lets go of what it has pinned, and is spare.
void kin__image_let_go(kin_context *context, kin__image *image);

// Returns a part without images, linked to the store. NULL when out of memory.
kin__context_snapshot *kin__part_take(kin_context *context);

// Lets go of all images and of what else it has pinned; the part is spare then. NULL is allowed.
void kin__part_release(kin__context_snapshot *part);

// Makes room for so many chunks. False when out of memory.
bool kin__part_reserve(kin__context_snapshot *part, uint32_t chunk_count);

// Puts an image, whose reference it takes, into the part. There is room.
void kin__part_put(kin__context_snapshot *part, uint32_t chunk, kin__image *image);

// Releases the tables of spare parts; and returns the bytes of the tables of a part.
void kin__parts_release_spare(kin_context *context);
size_t kin__part_used(const kin__context_snapshot *part);

// Makes room for `size` bytes, whose content is lost. False when out of memory.
bool kin__bytes_reserve(kin_context *context, kin__bytes *bytes, size_t size);

// Empties the snapshots of the context, and releases all its images. Before its blocks are released.
void kin__store_release(kin_context *context);

// Releases what no snapshot has.
void kin__store_trim(kin_context *context);

// Returns the bytes that snapshots have.
size_t kin__store_used(const kin_context *context);

#endif

// snapshot: the state of contexts: saved, restored, merged, compared, hashed and encoded
//
// Owns images, which are copies of the blocks of a context that snapshots share, and the canonical order of components
// and fields, which is the same for every schema with the same identities. Bytes depend on the state and the identities
// alone: not on the machine, the compiler, the order of the schema, or how values are stored. A restore reserves all
// memory before it changes anything.
//
//   merge  →  snapshot  →  watch  →  compare, restore  →  part  →  store, image  →  shape
//   compare  →  encode  →  shape
//
// Cycle: compare.c encode.c image.c part.c part_blocks.c part_kept.c part_shared.c restore.c snapshot.c store.c watch.c
// A store has the parts and spare images. The table of sections in part.c names the functions of all sections, which
// compare parts by what is encoded.
#ifndef KIN_SRC_SNAPSHOT_H
#define KIN_SRC_SNAPSHOT_H

#include "entity/entity.h"

#include <kin/entity.h>
#include <kin/generated/relation.h>
#include <kin/info.h>
#include <kin/snapshot.h>
#include <kin/world.h>

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Identities: the names of contexts, components, fields and values in hashes and files, and which of them are left out.

static inline const char *kin__context_identity(const kin_context_info *info)
{
    return info->identity == NULL ? info->name : info->identity;
}

static inline const char *kin__component_identity(const kin_component_info *info)
{
    return info->identity == NULL ? info->name : info->identity;
}

static inline const char *kin__field_identity(const kin_field_info *info)
{
    return info->identity == NULL ? info->name : info->identity;
}

// Whether a component is in hashes and files: it has no `save: false`, and each of its opaque types has functions for
// saving and loading.
static inline bool kin__component_is_saved(const kin_component_info *info)
{
    return !info->is_unsaved && !info->is_unwritable;
}

// Leaves: the numbers, strings, handles, enums and opaque values of a component or a message, in order of their paths.
//
//   Velocity { by: Vec2 { x: float, y: float } }          by.x, by.y
//   Path     { points: Vec2[4] }                          points.x and points.y, 4 elements each
//   Mesh     { parts: Part[4], with uv: float[3] }        parts.uv[3], 12 elements: those of the first part first
//   Route    { stops: Stop[], with at: Vec2 }             stops.at.x and stops.at.y, both lists
//
// A path consists of the identities of the fields. It has the lengths of inner arrays, but not of the outermost array
// or list, whose length a file may change.

// One array on the path from the value to the leaf.
typedef struct kin__dimension {
    uint32_t count;
    size_t stride; // bytes from one element to the next
} kin__dimension;

typedef struct kin__value_leaf {
    const char *path;
    const kin_field_info *field; // of the scalar: its `type` and `of`
    const kin_field_info *top;   // the field of the component or message that the leaf is in
    bool is_list;                // `top` is a list: offset, elements and dimensions are within one of its elements
    uint32_t elements;           // product of the dimensions; 1 without one
    uint32_t dimension_count;
    const kin__dimension *dimensions; // outermost first
    size_t offset;                    // bytes from the beginning of the value; for a list, of its element
    size_t width;                     // bytes of one element in memory
} kin__value_leaf;

typedef struct kin__leaves {
    const kin__value_leaf *leaves; // sorted by the bytes of their paths
    uint32_t count;
} kin__leaves;

// The room that leaves need. Starts as zero, and may sum up several values.
typedef struct kin__leaf_room {
    size_t leaves, dimensions, letters;
} kin__leaf_room;

// Memory for leaves, from which each value takes its share.
typedef struct kin__leaf_memory {
    kin__value_leaf *leaves;
    kin__dimension *dimensions;
    char *letters;
} kin__leaf_memory;

// Makes the leaves of a value's fields and advances the pointers of `memory`, which must have room for them.
kin__leaves kin__leaves_make(kin__leaf_memory *memory, const kin_field_info *fields, uint32_t count);

// Shape: the components of a context that are in hashes and files, in canonical order, each with its leaves.
//
//   block   shape | components[count] | leaves | dimensions | letters of the paths
//
// A shape depends on the schema alone and never changes, so several threads may read it.
//
// Invariants:
//   1. components are sorted by the bytes of their identities, leaves by those of their paths
//   2. a shape has no component or field with `save: false`

typedef struct kin__component_shape {
    const char *identity;
    const kin_component_info *info;
    kin_component_id id;
    kin__leaves leaves;
    uint64_t hash; // of "game.Position": the identities of context and component
} kin__component_shape;

typedef struct kin__shape {
    size_t size; // bytes of the block
    const kin_context_info *info;
    uint64_t hash;  // of the identity of the context
    uint32_t count; // of components
    kin__component_shape components[];
} kin__shape;

// Returns the shape of a context's components; NULL when out of memory. It is one block, of `size` bytes.
kin__shape *kin__shape_make(kin__memory *memory, const kin_context_info *info);

// NULL is allowed.
void kin__shape_release(kin__memory *memory, kin__shape *shape);

// Message leaves: the leaves of all messages of a schema, and which number each message has in hashes and files.

typedef struct kin__message_leaves {
    kin__memory memory;
    void *block;
    size_t size;
    kin__leaves *of; // by number of the message in the schema
} kin__message_leaves;

// Makes the leaves; `info` may be NULL: then there are no messages. False when out of memory.
bool kin__message_leaves_make(kin__message_leaves *leaves, const kin_world_info *info, kin_allocator allocator);
void kin__message_leaves_release(kin__message_leaves *leaves);

static inline const char *kin__message_identity(const kin_message_info *info)
{
    return info->identity != NULL ? info->identity : info->name;
}

// Returns the number of a message in the order of the identities.
uint32_t kin__message_number(const kin_world_info *info, uint32_t message);

// Image: a copy of one block of a context at one moment. An image never changes. Snapshots in which the block was equal
// share one image, which counts its references.
//
//   number                               block            bytes
//   component                            a column         has[8] | values[512] | owned blocks[512]
//   kin__head_number                     a chunk          ids[512] | alive[8] | rows[512 × words]
//   kin__links_number(relation)          its links        kin__relation_block
//
// The layout of a column is that of the context, except that boxed values are copied to their places. The bytes at a
// place without a bit have no meaning. A shared value is stored as its address, as in the column.
//
// The image pins owned blocks instead of copying them: its strings and opaque values are the same memory as the
// context's. Lists may be written in place, so the image has its own copies of their elements, in `extra`.
//
// Invariants:
//   1. an image in the list of spare images has no references, every other image has at least one
//   2. an image with references holds one pin on the owned block or shared value at each of its places

// Apart from the bytes, so that counting references of many images touches few cache lines.
typedef struct kin__image {
    uint32_t references;
    uint32_t number;
    uint64_t hash; // of the content, cached by room compare; 0: not computed yet
    unsigned char *bytes;
    void *extra;             // the elements of its lists; NULL: none yet
    size_t extra_size;       // bytes allocated there
    struct kin__image *next; // in the list of spare images
    bool is_last;            // the block was equal to it at the last save or restore
} kin__image;

static inline uint32_t kin__head_number(const kin_context_info *info)
{
    return info->component_count;
}

static inline uint32_t kin__links_number(const kin_context_info *info, uint32_t relation)
{
    return info->component_count + 1 + relation;
}

// Returns how many block numbers a chunk of the context has.
static inline uint32_t kin__image_numbers(const kin_context_info *info)
{
    return info->component_count + 1 + info->relation_count;
}

// For the image of a column: returns the bits of the places that have a value.
static inline const uint64_t *kin__image_has(const kin__image *image)
{
    return (const uint64_t *)(const void *)image->bytes;
}

// For the image of a head: return the handles, the alive bits and one row.
static inline const kin_entity *kin__image_ids(const kin__image *head)
{
    return (const kin_entity *)(const void *)head->bytes;
}

static inline const uint64_t *kin__image_alive(const kin__image *head)
{
    return (const uint64_t *)(const void *)(head->bytes + offsetof(kin__chunk, alive));
}

static inline const uint64_t *kin__image_row(const kin__image *head, uint32_t row_words, uint32_t place)
{
    return kin__image_alive(head) + KIN__CHUNK_WORDS + (size_t)place * row_words;
}

// For the image of links: returns the links.
static inline const kin__relation_block *kin__image_links(const kin__image *image)
{
    return (const kin__relation_block *)(const void *)image->bytes;
}

// For the image of a column: returns the value at a place with a bit, as the struct of the component. A soa value is
// gathered in `scratch`, which must have the component's size. For a flag, returns some address that is not NULL.
const void *kin__image_value(const kin_context_info *info, const kin__image *image, uint32_t place, void *scratch);

// For the images of a column whose values lie in place: returns those of 64 places at which the bytes differ. Places
// without a value may differ too.
uint64_t kin__image_differing(const kin_component_info *component, const kin__image *one, const kin__image *other,
                              uint32_t word);

// For the image of a column of a soa component: returns the array of one field, for all 512 places.
const void *kin__image_field(const kin_context_info *info, const kin__image *image, uint32_t field);

// For the image of a column of a component that owns memory: returns the owned blocks by place.
kin__owned_block **kin__image_owned_blocks(const kin_context_info *info, const kin__image *image);

// Returns the size of an image in bytes.
size_t kin__image_size(const kin_context_info *info, uint32_t number);

// Parts: a context at one moment. A snapshot of a context has one part, that of a world one for each context.
//
// A part has an image of each block, and a copy of the state that is not in blocks. It belongs to its context
// and uses the context's memory. When the context ends, it releases its parts, and their snapshots lose them.

#define KIN__NO_POOL UINT32_MAX

// Where the first use of a shared value is: the slot of the lowest entity that has it; else, with KIN__SHARED_KEPT, the
// lowest slot with it as a last value. KIN__SHARED_FREE: the number is free.
#define KIN__SHARED_KEPT UINT32_C(0x80000000)
#define KIN__SHARED_FREE UINT32_MAX

// A block of memory that grows. `size` bytes of it are used; both are 0 before the first use.
typedef struct kin__bytes {
    void *at;
    size_t size;
    size_t capacity;
} kin__bytes;

// The numbers of a context at the moment of the save. Copying a part assigns all of them at once.
typedef struct kin__part_counts {
    uint64_t next_creation_index;
    uint64_t first_creation_index; // an option of the context that was saved
    uint64_t created_before;       // as in kin__slots, like the next three
    uint64_t deaths;
    uint32_t assigned_chunks;
    uint32_t pending;
    bool is_held_outside; // a collector of the program held a slot; nothing would release it after a restore
} kin__part_counts;

typedef struct kin__context_snapshot {
    kin_context *context; // the owner of its memory
    const kin_context_info *info;
    struct kin__context_snapshot **home;           // the snapshot's pointer to it, set to NULL when the context ends
    kin__memory *shell;                            // of that snapshot, to be separated then; NULL: not counted there
    struct kin__context_snapshot *next, *previous; // in the store's list of used or spare parts

    kin__part_counts counts;
    kin__pool *pools; // the pool of entities without a blueprint, then the pool of each blueprint

    uint32_t chunk_count;   // later chunks had no entities
    kin__bytes images;      // kin__image *[]: by chunk, then by number
    kin__bytes has;         // uint64_t[]: by chunk, one bit for each number that has an image
    kin__bytes chunk_pools; // uint32_t[]: by chunk, see kin__part_pool

    kin__bytes owners; // kin__saved_owner[] (notify/notify.h)
    kin__bytes held;   // kin_entity[]: dead entities whose slots were held, in ascending slot

    kin__bytes keepsakes;  // last values (store/store.h); their lists point into `kept_lists`
    kin__bytes kept_lists; // the elements of these lists

    uint32_t *limits;      // by component: limit of the numbers of its shared values; NULL if no component is shared
    kin__bytes shared;     // const void *[]: the shared values by component, then by number; NULL for a free number
    kin__bytes first_uses; // uint32_t[]: the first use of each of these values

    kin__bytes keys; // the keys that index functions returned (lookup/lookup.h)
} kin__context_snapshot;

static inline uint32_t kin__part_owner_count(const kin__context_snapshot *part)
{
    return (uint32_t)(part->owners.size / sizeof(kin__saved_owner));
}

static inline uint32_t kin__part_held_count(const kin__context_snapshot *part)
{
    return (uint32_t)(part->held.size / sizeof(kin_entity));
}

// Returns how many numbers shared values have, with the free ones.
static inline uint32_t kin__part_shared_count(const kin__context_snapshot *part)
{
    return (uint32_t)(part->shared.size / sizeof(void *));
}

static inline uint32_t kin__part_words(const kin_context_info *info)
{
    return (kin__image_numbers(info) + 63) / 64;
}

// Returns the images of a chunk by their numbers. Those without a bit are undefined.
static inline kin__image *const *kin__part_images(const kin__context_snapshot *part, uint32_t chunk)
{
    return (kin__image *const *)part->images.at + (size_t)chunk * kin__image_numbers(part->info);
}

// Returns an image of a chunk; NULL if the block did not exist or was empty.
static inline kin__image *kin__part_image(const kin__context_snapshot *part, uint32_t chunk, uint32_t number)
{
    if (chunk >= part->chunk_count)
        return NULL;
    const uint64_t *has = (const uint64_t *)part->has.at + (size_t)chunk * kin__part_words(part->info);
    if ((has[number / 64] >> (number % 64) & 1) == 0)
        return NULL;
    return kin__part_images(part, chunk)[number];
}

// Returns the image of the head of a chunk; NULL if there is none.
static inline kin__image *kin__part_head(const kin__context_snapshot *part, uint32_t chunk)
{
    return kin__part_image(part, chunk, kin__head_number(part->info));
}

// Returns the last value at `*at`, which is 0 at first, and moves `*at` to the next one. NULL after the last one.
static inline kin__keepsake *kin__part_keepsake_next(const kin__context_snapshot *part, size_t *at)
{
    return kin__keepsake_next(part->context, part->keepsakes.at, part->keepsakes.size, at);
}

// Returns the number of the pool that owned a chunk: 0 for entities without a blueprint, else the number of the
// blueprint plus one; KIN__NO_POOL if no pool owned it.
static inline uint32_t kin__part_pool(const kin__context_snapshot *part, uint32_t chunk)
{
    return ((const uint32_t *)part->chunk_pools.at)[chunk];
}

// Returns how many pools the context has.
static inline uint32_t kin__part_pool_count(const kin_context_info *info)
{
    return info->blueprint_count + 1;
}

// Returns the number of a pool of the context, and the pool with a number; NULL for KIN__NO_POOL.
uint32_t kin__pool_number(const kin_context *context, const kin__pool *pool);
kin__pool *kin__pool_at(kin_context *context, uint32_t number);

// The numbers of the shared values of one component.
typedef struct kin__part_numbers {
    const void *const *values;  // NULL: the number is free
    const uint32_t *first_uses; // by number
    uint32_t count;             // up to the last number with a use
} kin__part_numbers;

// Returns the numbers of a component's shared values; none if it is not shared.
kin__part_numbers kin__part_numbers_of(const kin__context_snapshot *part, kin_component_id id);

// Whether the values are numbered from 0 in the order of their first uses, as after reading a file that does not say
// otherwise.
bool kin__part_numbers_are_sorted(const kin__part_numbers *numbers);

// Returns how many entities were alive; and how many slots there were up to the last one of these.
uint32_t kin__part_count(const kin__context_snapshot *part);
uint32_t kin__part_slot_count(const kin__context_snapshot *part);

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

// Whether the head of a chunk equals its image. `heads_stand` is what kin__store_heads_stand returned.
bool kin__head_equals(const kin_context *context, uint32_t chunk, const kin__image *head, bool heads_stand);

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

// Reserves room for so many chunks, which have no images yet. False when out of memory.
bool kin__part_reserve(kin__context_snapshot *part, uint32_t chunk_count);

// Removes the chunks from this one on. They must have no images.
void kin__part_cut(kin__context_snapshot *part, uint32_t chunk_count);

// Reserves room for so many numbers of shared values. False when out of memory.
bool kin__part_reserve_shared(kin__context_snapshot *part, uint32_t count);

// Appends `count` numbers, for which room is reserved.
void kin__part_append_shared(kin__context_snapshot *part, uint32_t count);

// Puts an image into the part and takes over the reference. Room must be reserved.
void kin__part_put(kin__context_snapshot *part, uint32_t chunk, kin__image *image);

// Takes an image out of the part, and removes its reference.
void kin__part_remove(kin__context_snapshot *part, uint32_t chunk, kin__image *image);

// Reserves `size` bytes, and keeps those that are used. False when out of memory.
bool kin__bytes_reserve(kin_context *context, kin__bytes *bytes, size_t size);

// Empties the snapshots of the context, and releases all its images. Must be called before its blocks are released.
void kin__store_release(kin_context *context);

// Releases memory that no snapshot uses.
void kin__store_trim(kin_context *context);

// Returns the bytes that snapshots use.
size_t kin__store_used(const kin_context *context);

// Building: makes the image of a column from the values of another context or of a file, not from a column of its own
// context. Strings and lists are copied to owned blocks that only images use.

// Returns the image of a column without values, with one reference. NULL when out of memory.
kin__image *kin__image_begin(kin_context *context, kin_component_id id);

// Sets the value, a struct of the component, at a place that has none. The value of a flag is not read. False when out
// of memory.
bool kin__image_set(kin_context *context, kin__image *image, uint32_t place, const void *value);

// Completes the image once all values are set. False when out of memory: the caller then releases the image.
bool kin__image_end(kin_context *context, kin__image *image);

// Changing: a copy of an image of which some places are set or cleared, before any snapshot has it.

// Returns a copy of an image with one reference, with pins of its own; its lists are those of the other image until
// kin__image_end. NULL when out of memory.
kin__image *kin__image_copy(kin_context *context, const kin__image *image);

// Removes the value at a place that has one.
void kin__image_clear(kin_context *context, kin__image *image, uint32_t place);

// Copies the strings and lists of a value to an owned block, and makes `value` point there. The block has one pin, and
// is freed with its last pin unless it is revived. `*owned_block` is NULL if the value owns nothing. False when out of
// memory.
bool kin__image_own(kin_context *context, kin_component_id id, void *value, kin__owned_block **owned_block);

// Copying: copies blocks of a context to images, and compares the two.

// Whether the context has the block and it is not empty. The chunk must exist.
bool kin__block_exists(const kin_context *context, uint32_t chunk, uint32_t number);

// Whether the block is equal to its image. The block must exist.
bool kin__image_equals(const kin_context *context, uint32_t chunk, const kin__image *image);

// Returns an image of the current content of the block, with one reference. NULL when out of memory.
kin__image *kin__image_make(kin_context *context, uint32_t chunk, uint32_t number);

// Whether the value of a slot equals the one at its place in the image of a column. Both must have a value.
bool kin__image_value_equals(const kin_context *context, uint32_t chunk, const kin__image *image, uint32_t place);

// Pins: an image pins the owned blocks and shared values of its values, so they are not freed until it unpins them.
//
// Lists may be written in place, so an image has copies of their elements, one after the other:
//
//   value { …, at, count }     at → extra [ elements of the first place | … of the next one | … ]

// Pin, and unpin, everything that the image of a column owns. Room for shared values must be reserved.
void kin__image_pin(kin_context *context, const kin__image *image);
void kin__image_unpin(kin_context *context, const kin__image *image);

// Returns the size in bytes of the elements of all lists of a value.
size_t kin__lists_size(const kin_component_info *info, const void *value);

// Copies the elements to `to`, makes the lists of the value point to them, and returns the end.
char *kin__lists_detach(const kin_component_info *info, void *value, char *to);

// Restores the lists of a saved value: copies its elements to the lists of the owned block, which have room for them,
// and makes the lists of `value`, a copy of the saved one, point there.
void kin__lists_attach(const kin_component_info *info, void *value, kin__owned_block *owned_block);

// Adopting: copies a part of another context with the same schema to a part of this context, with its strings, lists
// and shared values.

// Returns why the part of another context cannot be adopted; NULL if it can. Opaque values with a `drop` cannot be
// copied, and owners that were only counted have no addresses. `reason` is a buffer for the string.
enum { KIN__ADOPT_REASON_SIZE = 200 };
const char *kin__adopt_find_fault(const kin_context *context, const kin__context_snapshot *part,
                                  char reason[KIN__ADOPT_REASON_SIZE]);

// The step that KIN_RESTORE_ANEW adds to a restore: collectors collect every entity, so that views are rebuilt.

// Makes every active collector collect all members of those groups in the context whose additions it collects, in order
// of ascending slot. In their next turn, group systems see all members leave and enter, as after a reset.
void kin__restore_anew(kin_context *context);

// Restoring: brings a context back to the state in which a part was saved.
//
//   kin__restore_check     checks whether the part fits the context
//   kin__restore_reserve   allocates all memory, so that no later step can fail
//   kin__restore_commit    writes all blocks, and updates what is derived from them
//   kin__restore_settle    frees slots and values that are no longer held
//   kin__restore_tell      notifies subscribers of KIN_CONTEXT_RESTORED
//
// With KIN_RESTORE_NOTIFY these stand around them (watch.c):
//
//   kin__restore_watch_begin    before the reserve: remembers what the context shows, and allocates all memory
//   kin__restore_watch_commit   after the commit: remembers what was restored
//   kin__restore_notify         before the tell: notifies of the differences
//
// A world calls each function for all contexts before it calls the next one.

static inline bool kin__restore_mode_exists(kin_restore_mode mode)
{
    return mode == KIN_RESTORE_EXACTLY || mode == KIN_RESTORE_ANEW || mode == KIN_RESTORE_NOTIFY;
}

// Reports KIN_ERROR_INVALID for a part of another schema, and KIN_ERROR_LIMIT for more entities than allowed.
kin_status kin__restore_check(const kin_context *context, const kin__context_snapshot *part, const char *verb);

// False when out of memory: then nothing visible has changed.
bool kin__restore_reserve(kin_context *context, const kin__context_snapshot *part);

// Releases what was reserved, after the restore of another context of the world was refused.
void kin__restore_cancel(kin_context *context);

// Copies the state of the part to the context, and calls no listener. Collectors are cleared first. The world then
// fills the collectors of its systems and calls kin__restore_settle, which frees the slots of dead entities and the
// last values that nothing holds.
void kin__restore_commit(kin_context *context, const kin__context_snapshot *part);
void kin__restore_settle(kin_context *context, const kin__context_snapshot *part);

// Notifies subscribers of KIN_CONTEXT_RESTORED.
void kin__restore_tell(kin_context *context);

// What a restore that notifies remembers of a context: all of it, before and after. Begins as zero.
typedef struct kin__restore_watch {
    kin__context_snapshot *before, *after;
    kin__leaving leaving; // the subscribers of entities that the restore destroys
    void *room[2];        // for a value of any component; one block
} kin__restore_watch;

// Remembers the state of the context, and the subscribers of entities that are not in the part. False when out of
// memory: then nothing has changed, and kin__restore_unwatch is still to be called.
bool kin__restore_watch_begin(kin_context *context, const kin__context_snapshot *saved, kin__restore_watch *watch);

// After the commit and before kin__restore_settle: remembers what is restored. Cannot fail.
void kin__restore_watch_commit(kin_context *context, kin__restore_watch *watch);

// After kin__restore_settle: notifies of all differences, in order of slot, then component. Listeners may do anything
// but save, restore and destroy the context: a difference that one of them has made untrue is not notified.
void kin__restore_notify(kin_context *context, kin__restore_watch *watch);

// Releases what was remembered.
void kin__restore_unwatch(kin_context *context, kin__restore_watch *watch);

// Saving: makes a part from the current state of a context.

// Whether the context may be saved and restored now: not while its own listeners or systems run. Reports
// KIN_ERROR_INVALID if not.
kin_status kin__context_may_save(const kin_context *context, const char *verb);

// The same, without a report.
bool kin__context_can_save(const kin_context *context);

// Returns a part with the state of the context, which the caller puts into a snapshot or releases. NULL when out of
// memory. A context that is saved alone is saved without last values that only events need: a restore clears the
// collectors that would notify them.
kin__context_snapshot *kin__part_save(kin_context *context, bool is_alone);

// Snapshot: parts of contexts, and for a world the state of its systems.
//
// A save makes all parts before it changes the snapshot, and a restore reserves all memory before it changes a context,
// so either one fails without any effect.

struct kin__xxh64;

// Functions of room world_snapshot that other rooms call for the state of systems.
typedef struct kin__systems_functions {
    // Adds the hashes of the path and of the state of each system, in running order, to one hash or two; the second may
    // be NULL. False when out of memory.
    bool (*add_to_hash)(kin_snapshot *snapshot, struct kin__xxh64 *hash, struct kin__xxh64 *second);
    // Returns how many systems differ.
    uint64_t (*compare)(const kin_snapshot *before, const kin_snapshot *after);
} kin__systems_functions;

struct kin_snapshot {
    kin__memory memory; // of this struct and its tables: the allocator of the first context, or of the world
    uint32_t part_count, part_capacity;
    kin__context_snapshot **parts; // in order of the names of the contexts; an entry is NULL once its context has ended
    void *systems;                 // the state of the systems, which the world writes and reads; NULL: none
    size_t systems_size, systems_capacity;
    const kin_world_info *world_info;                // of the world that has the systems; NULL: no world
    const kin__systems_functions *systems_functions; // NULL: no systems
    void *leaves;                                    // of the messages of `leaves_info`, kept for the next hash
    size_t leaves_size;
    const kin_world_info *leaves_info; // NULL: not hashed so far
    void *frames;                      // of a replica: which frames of which views it has, for room frame
    size_t frames_size, frames_capacity;
};

// Moves the parts to `*snapshot`, which is made if it is NULL; else its old parts and its state of systems are
// released. `memory` is the snapshot memory of its only context, or of the world as a whole. False when out of memory,
// with nothing changed: the caller still owns the parts.
bool kin__snapshot_put(kin_snapshot **snapshot, kin__memory *memory, kin__context_snapshot *const *parts,
                       uint32_t part_count);

// Reserves memory for `size` bytes of frames, and keeps those that are used. False when out of memory.
bool kin__snapshot_reserve_frames(kin_snapshot *snapshot, size_t size);

// Returns the part of the context with this info; NULL if the snapshot has none.
kin__context_snapshot *kin__snapshot_part(const kin_snapshot *snapshot, const kin_context_info *info);

// State of systems: the part of a world's snapshot that is not in its contexts, in one block of bytes.
//
//   kin__saved_world | node | node | …           depth first, in the order in which they run
//   node:  kin__saved_node | name | clock | collected… | what the type of the node adds
//                                                 clock: of a collection (kin__saved_clock)
//                                                 collected: of each collector, the part of each source, then the
//                                                 entries: counts, numbers of parts and kin__saved_entry[]
//   a system of the schema adds:  members | inboxes… | order
//                                                 members: their count and kin_entity[]
//                                                 inbox: kin__saved_inbox and its records, as in world.h
//                                                 order: of a system over a tree, the size of
//                                                 what lookup.h saves, and it
//
// The size of each piece is a multiple of 8 bytes, and no piece has addresses. Padding is zero, except in messages,
// which are copied as they are in memory.

typedef struct kin__saved_clock {
    double time;
    uint64_t frame;
    kin_tick tick;
    double accumulated, origin, dropped; // of a fixed step; else 0
    uint64_t steps, step_frame;
} kin__saved_clock;

typedef struct kin__saved_world {
    uint64_t published; // count of published messages: the next serial
    uint64_t seed;      // of random numbers
    uint32_t pushed_count, node_count;
    kin_tick pushed[KIN__MAX_PUSHED];
    kin__saved_clock clock;
} kin__saved_world;

enum {
    KIN__SAVED_ENABLED = 1,
    KIN__SAVED_UPDATED = 2,     // the first update has run
    KIN__SAVED_CURRENT = 4,     // the context was not reset after the members were listed
    KIN__SAVED_DEACTIVATED = 8, // a reactive system
    KIN__SAVED_COLLECTION = 16,
    KIN__SAVED_FIXED_STEP = 32,
    KIN__SAVED_MEMBERS = 64, // the members at its last turn follow
    KIN__SAVED_ORDER = 128,  // the marks of its tree follow
    KIN__SAVED_HASHED = 15
};

typedef struct kin__saved_node {
    uint64_t size;      // bytes up to the next one
    uint64_t added;     // bytes from here to what the type of the node adds
    uint32_t depth;     // 0: in the root
    uint32_t flags;     // a set of KIN__SAVED_…
    uint32_t kind;      // kin_system_kind
    uint32_t name_size; // bytes with the NUL; 0: no name
    uint32_t collector_count, inbox_count;
} kin__saved_node;

#define KIN__NOT_SAVED UINT64_MAX

// The entities that a collector had collected.
typedef struct kin__saved_collected {
    const uint64_t *parts; // by source: the number of the part that it collects in; KIN__NOT_SAVED: not in the snapshot
    const kin__saved_entry *entries;
    uint32_t count;
} kin__saved_collected;

typedef struct kin__saved_inbox {
    uint32_t message, count;
    uint32_t stride; // bytes of a record: a serial of 8 bytes, and the message
    uint32_t is_warned;
} kin__saved_inbox;

// A position in the bytes of a state, at which pieces are written or read in turn.
typedef struct kin__state {
    unsigned char *bytes; // NULL: only the size is computed
    size_t size;          // of the pieces before the position
    uint32_t depth, node_count;
    kin__context_snapshot *const *parts; // of the snapshot; not set while only the size is computed
    uint32_t part_count;
    kin_restore_mode mode;
} kin__state;

// Moves past a piece and returns its address; NULL if only the size is computed.
static inline void *kin__state_take(kin__state *state, size_t size)
{
    void *piece = state->bytes == NULL ? NULL : state->bytes + state->size;
    state->size += (size + 7) / 8 * 8;
    return piece;
}

// Writes a piece, padded with zeros to a multiple of 8 bytes.
static inline void kin__state_put(kin__state *state, const void *piece, size_t size)
{
    unsigned char *place = kin__state_take(state, size);
    if (place == NULL || size == 0)
        return;
    memcpy(place, piece, size);
    memset(place + size, 0, (8 - size % 8) % 8);
}

static inline void kin__state_put_count(kin__state *state, uint64_t count)
{
    kin__state_put(state, &count, sizeof count);
}

static inline size_t kin__state_take_count(kin__state *state)
{
    return (size_t) * (const uint64_t *)kin__state_take(state, sizeof(uint64_t));
}

static inline kin__saved_collected kin__state_take_collected(kin__state *state)
{
    kin__saved_collected saved = {0};
    size_t source_count = kin__state_take_count(state);
    saved.parts = kin__state_take(state, source_count * sizeof *saved.parts);
    saved.count = (uint32_t)kin__state_take_count(state);
    saved.entries = kin__state_take(state, saved.count * sizeof *saved.entries);
    return saved;
}

// References: the fields of a value that name entities, also those in structs, arrays and lists.
//
// Cost: grows with the fields of the component, and with the elements of lists whose elements have references.
// Recursive over structs in structs, of which the schema allows 32 levels.

// Is called with the place of a reference, and its field, whose `target` is the name of a context or NULL.
typedef void kin__reference_visit(kin_entity *place, const kin_field_info *field, void *data);

// Whether values of the component can have references.
bool kin__has_references(const kin_component_info *info);

// Calls `visit` for each reference of a value, in the order of the fields.
void kin__references_visit(const kin_component_info *info, void *value, kin__reference_visit *visit, void *data);

// The same for a value with these fields, such as a message.
void kin__field_references_visit(const kin_field_info *fields, uint32_t count, void *value, kin__reference_visit *visit,
                                 void *data);

// Merging: the entities of a snapshot become new entities of a context, or of several contexts at once.
//
//   slots       [ 3 | 4 | 9 | 700 … ]      of the entities in the snapshot, ascending: number → slot
//   numbers     slot → number + 1
//   entities    [ e0 | e1 | e2 … ]         the entities that are expected, then those that were made
//   firsts      [ 0 | 2 | 5 | … ]          number → its first part
//   parts       [ id, value | … ]          the components of all entities, in the order in which they are added
//   moves       [ relation, holder … ]     holders that are not in the order of their slots in the snapshot; a block of
//                                          its own
//   values      copies of the values, and of the lists with references; they name expected entities
//   homes       by reference, in the order of the parts: the number of the context of the entity that it names
//
// First come all checks, for all contexts, and all memory: the arrays above are in the block of the plan
// (entity/entity.h), and its steps have the storage of every value. From then on the snapshot is not read: listeners
// may destroy it. Then all entities are created, and get their components. A listener may do anything meanwhile: each
// step is checked again. If one has become impossible, all entities are destroyed again, the last one first.
//
// Handles are computed before, as keys may contain them. If listeners create other entities, the handles differ: then
// the values in the plan are made to name the entities that were made, before the first component is added.
//
// Invariants:
//   1. contexts are pinned from the first check to the last report: none is destroyed, saved or restored
//   2. `made` entities exist, or a listener has destroyed them
//
// Cost: each value is copied twice, and each component added as by the user. Memory: 24 bytes an entity, 64 a
// component, and the values.

#define KIN__NO_HOME UINT16_MAX

// A holder stands before a sibling in the list of their target.
typedef struct kin__merge_move {
    uint32_t relation, target, holder, sibling; // numbers of entities
} kin__merge_move;

// The merge of one context. `part` is NULL if the snapshot does not have it.
typedef struct kin__merging {
    kin_context *context;
    const kin__context_snapshot *part;
    struct kin__merge *merge;
    kin__plan plan;
    uint32_t count; // of entities
    uint32_t made;
    uint32_t slot_count; // of the snapshot
    uint32_t move_count;
    size_t part_count, reference_count, values_size;
    uint64_t first; // the creation index of the first entity that is expected
    kin_entity *entities;
    size_t *firsts;
    uint32_t *slots, *numbers;
    uint32_t *chunk_pools; // by chunk of the snapshot: as kin__part_pool
    uint32_t *entries;     // by component: the number of entities that get it
    kin__pool_preview *previews;
    kin__part *parts;
    kin__merge_move *moves;
    uint16_t *homes;
    size_t reference; // the number of the next one, while values are written
    char *values;
    uint64_t *row;                // the components that any of the entities has
    kin__item *items;             // room for keys, by kin__entity_role
    kin__blueprint blueprints[2]; // by the same
    kin__blueprint_use uses[2], whole;
    kin__batch batch;
} kin__merging;

// Why a step that was checked has become impossible.
typedef struct kin__merge_failure {
    const kin__merging *merging;
    kin_entity entity; // 0: the next one could not be created
    kin__plan_failure plan;
    const char *reason;
    char text[KIN__LIMIT_SIZE];
} kin__merge_failure;

typedef struct kin__merge {
    kin__merging *mergings;
    uint32_t count;
    kin__merge_failure failure;
} kin__merge;

#define KIN__MERGE_VERB "merge the snapshot"

// Whether a merge adds the component.
static inline bool kin__is_merged(const kin_context_info *info, uint32_t id)
{
    return !info->components[id].is_unsaved;
}

static inline const kin__image *kin__merging_head(const kin__merging *merging, uint32_t slot)
{
    return kin__part_image(merging->part, slot / KIN__CHUNK_SLOTS, kin__head_number(merging->part->info));
}

// Returns the row of a slot of the snapshot, in which an entity is alive.
static inline const uint64_t *kin__merging_row(const kin__merging *merging, uint32_t slot)
{
    return kin__image_row(kin__merging_head(merging, slot), merging->context->row_words, slot % KIN__CHUNK_SLOTS);
}

// Returns the pool that an entity comes from. Chunks without a pool have none.
static inline kin__pool *kin__merging_pool(const kin__merging *merging, uint32_t number)
{
    uint32_t pool = merging->chunk_pools[merging->slots[number] / KIN__CHUNK_SLOTS];
    return kin__pool_at(merging->context, pool == KIN__NO_POOL ? 0 : pool);
}

// Encoder: buffers little-endian bytes and passes them to a function when the buffer is full.
//
// If the function fails, the encoder remembers that and does not call it again.

enum { KIN__ENCODER_SIZE = 4096 }; // bytes: a few thousand cycles between two calls, and fits a small stack

typedef struct kin__encoder {
    bool (*write)(const void *bytes, size_t size, void *user); // returns false on failure
    void *user;
    bool has_failed;
    size_t used;
    unsigned char bytes[KIN__ENCODER_SIZE];
} kin__encoder;

// Begins without bytes. `write` is called with `user`.
void kin__encoder_begin(kin__encoder *encoder, bool (*write)(const void *bytes, size_t size, void *user), void *user);

// Passes all buffered bytes on. Returns whether every call so far succeeded.
bool kin__encoder_flush(kin__encoder *encoder);

// Returns the address of `size` bytes, at most KIN__ENCODER_SIZE, to write to. kin__encoder_advance appends them.
static inline unsigned char *kin__encoder_room(kin__encoder *encoder, size_t size)
{
    KIN_ASSERT(size <= KIN__ENCODER_SIZE);
    if (size > KIN__ENCODER_SIZE - encoder->used)
        kin__encoder_flush(encoder);
    return encoder->bytes + encoder->used;
}

static inline void kin__encoder_advance(kin__encoder *encoder, size_t size)
{
    KIN_ASSERT(size <= KIN__ENCODER_SIZE - encoder->used);
    encoder->used += size;
}

// Appends any number of bytes.
void kin__encode_bytes(kin__encoder *encoder, const void *bytes, size_t size);

static inline void kin__encode_8(kin__encoder *encoder, uint8_t number)
{
    *kin__encoder_room(encoder, sizeof number) = number;
    kin__encoder_advance(encoder, sizeof number);
}

static inline void kin__encode_16(kin__encoder *encoder, uint16_t number)
{
    kin__little_write_16(kin__encoder_room(encoder, sizeof number), number);
    kin__encoder_advance(encoder, sizeof number);
}

static inline void kin__encode_32(kin__encoder *encoder, uint32_t number)
{
    kin__little_write_32(kin__encoder_room(encoder, sizeof number), number);
    kin__encoder_advance(encoder, sizeof number);
}

static inline void kin__encode_64(kin__encoder *encoder, uint64_t number)
{
    kin__little_write_64(kin__encoder_room(encoder, sizeof number), number);
    kin__encoder_advance(encoder, sizeof number);
}

// Appends a number by its bits.
void kin__encode_double(kin__encoder *encoder, double number);

// Blocks: a context of a snapshot as blocks of format 1, each with its numbers followed by its content.
//
//   CTXT   context                     next index:u64, first index:u64, chunks:u32, pools:u16 × pool, the pool of each
//                                      chunk:u16, FFFF for none
//   SLOT   context, chunk              alive:u64[8], then the creation index:u40 of each entity
//   COLM   context, chunk, component   has:u64[8], then the values, leaf by leaf
//   KEEP   context, chunk, component   kept:u64[8], stashed:u64[8], then the values that were removed or stashed
//   SHAR   context, row, component     the numbers of shared values: the first use of each, at most 512 a row
//
//   pool   blueprint:text, empty for others, fresh:u32, fresh_end:u32, usable:u64[8] if fresh_end % 512, then
//          free:u32 × slot:u32, the next one first
//
// Numbers are u32: indices in the sorted list of contexts, and in the shape. Blocks without content are left out, and
// so are pools that never had a slot. A component has blocks SHAR only if its values are not numbered in the order of
// their first uses: the slot of an entity u32, of a last value with bit 31, FFFFFFFF for a free number.

typedef enum kin__block_kind {
    KIN__BLOCK_CONTEXT,
    KIN__BLOCK_SLOTS,
    KIN__BLOCK_COLUMN,
    KIN__BLOCK_KEPT,
    KIN__BLOCK_SHARED
} kin__block_kind;

enum { KIN__BLOCK_KINDS = 5 };

typedef struct kin__block {
    kin__block_kind kind;
    const kin__context_snapshot *part;
    const kin__shape *shape;
    uint32_t context, chunk, component; // its numbers; a component is an index in `shape`, the chunk of SHAR its row
    kin__image *image;                  // only for KIN__BLOCK_SLOTS and KIN__BLOCK_COLUMN
} kin__block;

// What blocks of one kind have in common.
typedef struct kin__block_traits {
    char letters[5];      // its name in files
    bool is_of_component; // it belongs to one component
    bool hashes_chunk;    // its hash covers its chunk, as no other block depends on its place
    bool is_hashed_first; // the hash of a snapshot begins with all blocks of these kinds
    void (*encode)(kin__encoder *encoder, const kin__block *block); // appends its content
} kin__block_traits;

// By kin__block_kind.
extern const kin__block_traits kin__block_kinds[KIN__BLOCK_KINDS];

// A context whose blocks are visited.
typedef struct kin__blocks {
    const kin__context_snapshot *part;
    const kin__shape *shape; // of the part
    uint32_t context;        // its number
} kin__blocks;

typedef bool kin__block_visitor(const kin__block *block, void *user);

// Visits the blocks of a context in the order of a file until the visitor returns false. Returns whether all were
// visited.
bool kin__blocks_visit(const kin__blocks *blocks, kin__block_visitor *visit, void *user);

// Whether a file has the block of an image: some entity is alive, or has the component.
bool kin__block_has_content(const kin__block *block);

// Returns how many blocks SHAR a component has.
uint32_t kin__shared_rows(const kin__context_snapshot *part, kin_component_id id);

// Append the numbers of a block; and its content, which follows them.
void kin__block_encode_numbers(kin__encoder *encoder, const kin__block *block);
void kin__block_encode_content(kin__encoder *encoder, const kin__block *block);

// Encodes numbers that lie at equal distances in memory as little-endian bytes, one after the other.
//
// Each width has its own loop, as numbers are most of the bytes of a hash: copying a column takes less than half a
// nanosecond a byte.

// Numbers of one width: 1, 2, 4 or 8 bytes.
typedef struct kin__numbers {
    const unsigned char *first;
    size_t stride; // bytes from one number to the next
    size_t width;
} kin__numbers;

// Encodes the state of a context besides chunks and values: creation indices, and which slots are used next.

// Appends the content of CTXT, which follows its numbers.
void kin__encode_context(kin__encoder *encoder, const kin__context_snapshot *part);

// Returns the hash of these bytes.
uint64_t kin__hash_context(const kin__context_snapshot *part);

// Values: encodes the values of many entities leaf by leaf, so that similar bytes are together.
//
//   number, bool, handle   n × elements × width; an enum has 4 bytes
//   string, string[31]     n × elements × length:u32, FFFFFFFF for NULL, then the letters of all
//   opaque                 the same, with the bytes that its `save` function writes
//   list                   n × elements:u32, then the elements of all lists together, as above
//
// Floats are encoded as their bits. Padding, and bytes after the NUL of a string in place, are not encoded.

// Values of up to 512 places, at equal distances.
typedef struct kin__value_source {
    const unsigned char *values; // the value at place 0
    size_t stride;               // bytes from one place to the next
    size_t begin;                // the offset of their first byte in the value: of the field, for a soa component
    bool are_pointers;           // each is the address of a value
} kin__value_source;

// Appends one leaf of the values at the places whose bits are set.
void kin__encode_leaf(kin__encoder *encoder, const kin__value_leaf *leaf, const kin__value_source *source,
                      const uint64_t has[8]);

// Appends all leaves of one value, such as a message.
void kin__encode_value(kin__encoder *encoder, const kin__leaves *leaves, const void *value);

// Kept: the last values of a part, by chunk and component. A part has them in one list (store/store.h). The list
// is short, so it is walked once for each chunk, and for each component with last values in the chunk.

enum { KIN__COMPONENT_WORDS = (KIN__MAX_COMPONENTS + 63) / 64 };

// The last values of one component in one chunk.
typedef struct kin__kept {
    uint64_t has[KIN__CHUNK_WORDS];
    uint64_t stashed[KIN__CHUNK_WORDS];
    const void *values[KIN__CHUNK_SLOTS]; // by place, where the bit in `has` is set
} kin__kept;

// Sets the bits of the components that have last values in a chunk. False, with no bit set, if no component has any.
bool kin__kept_components(const kin__context_snapshot *part, uint32_t chunk, uint64_t components[KIN__COMPONENT_WORDS]);

// Hashes of snapshots and their blocks, for other rooms.

// Returns the hash of the content of a block, which its image keeps.
uint64_t kin__block_hash(const kin__block *block);

// The same as kin_snapshot_hash, without a report. `systems` gets the XXH64, seed 0, of what systems add to the hash;
// NULL: not needed. False when out of memory.
bool kin__snapshot_hash(kin_snapshot *snapshot, uint64_t *hash, uint64_t *systems);

// Equality of values, field by field: comparing whole values would also compare padding and the addresses of strings.
//
//   number, handle, enum, bool   by their bits: NaN is equal to itself, and 0 differs from -0
//   string, string[31]           by content; NULL differs from an empty string
//   list                         by its elements
//   opaque                       by its bytes
//
// Fields with `save: false` are skipped.

// The same for all fields of a struct or component.
bool kin__fields_are_same(const kin_field_info *fields, uint32_t count, const void *one, const void *other);

// Visits the differences of two parts of one context, as kin_snapshot_compare does, and those of components and fields
// with `save: false` too. Allocates nothing.
typedef struct kin__compared {
    void *const *room;       // two buffers for a value of any component
    const uint64_t *watched; // a row: only these components are compared, as it is meanwhile; NULL: all
} kin__compared;

void kin__parts_compare(const kin__context_snapshot *before, const kin__context_snapshot *after,
                        const kin__compared *compared, kin_difference_visitor *visit, void *user);

// Returns the size in bytes of one element of a field.
static inline size_t kin__element_size(const kin_field_info *field)
{
    if (field->is_list)
        return field->element_size;
    return field->count > 0 ? field->size / field->count : field->size;
}

#endif

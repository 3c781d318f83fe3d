// frame: what differs between two snapshots as bytes, and snapshots that take it
//
// Owns the format of frames, of which docs/network.md has the bytes. Nothing here keeps state between calls but the
// table of views of a snapshot, which says which frames it has.
//
//   make  →  difference  →  view, leaf  →  layout, bytes
//   apply  →  build, parse, hash  →  view, leaf, convert  →  layout, shape, bytes
//
// Cycle: convert.c and leaf.c. A leaf of another schema is converted, of which each element is read as a leaf.
//
// Bits: a frame has one bit for each leaf of the components that it shows, in the order of the tables, and entities are
// in the order of their slots.
#ifndef KIN_SRC_NET_FRAME_H
#define KIN_SRC_NET_FRAME_H

#include "file/file.h"
#include "reading/reading.h"
#include "snapshot/snapshot.h"

#include <kin/frame.h>
#include <kin/generated/net.h>

// Bytes that grow.

typedef struct kin__bytes_out {
    kin__memory memory;
    unsigned char *at;
    size_t size, capacity;
    bool has_failed; // out of memory: what is appended is lost
} kin__bytes_out;

bool kin__bytes_out_grow(kin__bytes_out *out, size_t size);

// Makes room for `size` more bytes. False when out of memory.
static inline bool kin__bytes_out_reserve(kin__bytes_out *out, size_t size)
{
    return size <= out->capacity - out->size || kin__bytes_out_grow(out, size);
}

void kin__bytes_out_release(kin__bytes_out *out);
void kin__put_bytes(kin__bytes_out *out, const void *bytes, size_t size);

static inline void kin__put_8(kin__bytes_out *out, uint8_t number)
{
    kin__put_bytes(out, &number, 1);
}

void kin__put_32(kin__bytes_out *out, uint32_t number);
void kin__put_64(kin__bytes_out *out, uint64_t number);

enum { KIN__MOST_NUMBER = 10 }; // bytes

// Writes a number of 1 to 10 bytes, seven bits each, the lowest first. Returns where it ends. There must be room for
// KIN__MOST_NUMBER. Whether it has one byte or two is no branch: differences are around 64 as often as not.
static inline unsigned char *kin__write_number(unsigned char *at, uint64_t number)
{
    if (number < 1 << 14) {
        bool has_two = number >= 128;
        at[0] = (unsigned char)((number & 127) | (uint64_t)has_two << 7);
        at[1] = (unsigned char)(number >> 7);
        return at + 1 + has_two;
    }
    for (; number >= 128; number >>= 7)
        *at++ = (unsigned char)(number | 128);
    *at++ = (unsigned char)number;
    return at;
}

static inline void kin__put_number(kin__bytes_out *out, uint64_t number)
{
    if (kin__bytes_out_reserve(out, KIN__MOST_NUMBER))
        out->size = (size_t)(kin__write_number(out->at + out->size, number) - out->at);
}

// Signed numbers near 0 become small ones.
static inline uint64_t kin__zigzag(uint64_t difference)
{
    return difference << 1 ^ (uint64_t) - (int64_t)(difference >> 63);
}

static inline uint64_t kin__unzigzag(uint64_t number)
{
    return number >> 1 ^ (uint64_t) - (int64_t)(number & 1);
}

static inline void kin__put_signed(kin__bytes_out *out, int64_t number)
{
    kin__put_number(out, kin__zigzag((uint64_t)number));
}

void kin__put_double(kin__bytes_out *out, double number);

// A set of `bits` bits, without the highest groups of seven that are empty.
void kin__put_bits(kin__bytes_out *out, const uint64_t *set, uint32_t bits);

// Bytes that are read. After a fault every read returns 0.
typedef struct kin__bytes_in {
    const unsigned char *at, *end;
    const char *fault; // NULL: none
} kin__bytes_in;

// The fault of reads that get no memory.
extern const char kin__no_memory[];

// Notes that so many bytes were refused, unless there is a fault already. Returns false.
bool kin__note_no_memory(kin__fault *fault, size_t refused);

static inline bool kin__refuse(kin__bytes_in *in, const char *fault)
{
    if (in->fault == NULL)
        in->fault = fault;
    in->at = in->end;
    return false;
}

// NULL, refused: there are fewer.
static inline const unsigned char *kin__take_bytes(kin__bytes_in *in, size_t size)
{
    const unsigned char *at = in->at;
    if (size > (size_t)(in->end - at)) {
        kin__refuse(in, "it ends too early");
        return NULL;
    }
    in->at += size;
    return at;
}

uint32_t kin__take_32(kin__bytes_in *in);
uint64_t kin__take_64(kin__bytes_in *in);
uint64_t kin__take_long_number(kin__bytes_in *in);
void kin__take_bits(kin__bytes_in *in, uint64_t *set, uint32_t bits); // refuses a bit beyond them

static inline uint64_t kin__take_number(kin__bytes_in *in)
{
    if (in->end - in->at >= 2) {
        // One byte or two, which is no branch: the second one is read anyway.
        unsigned first = in->at[0];
        unsigned second = in->at[1];
        bool has_two = first >= 128;
        if (!has_two || (second > 0 && second < 128)) {
            in->at += 1 + has_two;
            return (first & 127) | (has_two ? second << 7 : 0);
        }
    }
    return kin__take_long_number(in);
}

static inline int64_t kin__take_signed(kin__bytes_in *in)
{
    return (int64_t)kin__unzigzag(kin__take_number(in));
}

uint8_t kin__take_8(kin__bytes_in *in);
double kin__take_double(kin__bytes_in *in);
uint64_t kin__take_at_most(kin__bytes_in *in, uint64_t most); // refuses a larger number

static inline kin__bytes_in kin__bytes_begin(const void *bytes, size_t size)
{
    return (kin__bytes_in){bytes, (const unsigned char *)bytes + size, NULL};
}

static inline size_t kin__bytes_left(const kin__bytes_in *in)
{
    return (size_t)(in->end - in->at);
}

// Shapes: what a package sends, by names, so that programs of two versions of its schema can meet (shape.c has the
// bytes). The shape of another program is a table like the own one. In it the identities of components are their indices,
// and the offsets of leaves theirs; it has no `info`.

enum { KIN__SHAPE_NAMES = 300 };

void kin__shape_put(kin__bytes_out *out, const kin__net_info *info);

// Reads a shape, all that `in` has, into the heap. NULL, refused, for bytes that are none, and without memory.
const kin__net_info *kin__shape_take(kin__bytes_in *in, kin__heap *heap);

// Whether a host and a replica can read all that the other sends. Writes the names of what they cannot.
bool kin__shapes_meet(const kin__net_info *host, const kin__net_info *replica, char names[KIN__SHAPE_NAMES]);

// Return the one of a name; NULL if there is none.
const kin__net_context *kin__shape_context(const kin__net_info *info, const char *name);
const kin__net_component *kin__shape_component(const kin__net_context *context, const char *name);
const kin__net_message *kin__shape_message(const kin__net_info *info, const char *name);
const kin__net_leaf *kin__shape_leaf(const kin__net_leaf *leaves, uint32_t count, const char *path);

// Maps: how what another program sends is read here. Both must be able to meet.

typedef struct kin__leaf_map {
    const kin__net_leaf *from;   // as the sender writes it
    const kin__net_leaf *to;     // here; NULL: it is passed over
    bool is_same;                // both write the same bytes
    kin__net_leaf element;       // `from` without its length
    struct kin__leaf_map *inner; // of a struct, by `from->inner`
    const int32_t *numbers;      // of an enum, by `from->values`: the numbers here; NULL: it is none here
    int32_t none;                // here for 0, if the sender has no such value
} kin__leaf_map;

typedef struct kin__context_map {
    const kin__net_context *from, *to; // `to` NULL: it is passed over
    kin__net_component *components;    // of `from`, with the identities here
    kin__leaf_map **leaves;            // by component
} kin__context_map;

typedef struct kin__message_map {
    const kin__net_message *from, *to; // `to` NULL: it is passed over
    kin__leaf_map *leaves;
} kin__message_map;

typedef struct kin__shape_map {
    const kin__net_info *from;
    kin__context_map *contexts; // by those of `from`; of a host without what they have
    kin__message_map *messages;
} kin__shape_map;

// Maps what is read of another program: a replica reads contexts and messages to replicas, a host messages from
// replicas. NULL when out of memory.
const kin__shape_map *kin__shape_map_make(kin__heap *heap, const kin__net_info *from, const kin__net_info *own,
                                          bool is_host);

// Layout: which bit of a mask a leaf has, for the frames of all or those of an owner, and where images have it.

enum { KIN__MOST_LEAF_WORDS = 64 };

// What a leaf is, where one switch decides it. Arrays, lists, strings and entities are KIN__LANE_OTHER.
typedef enum kin__lane_kind {
    KIN__LANE_UNSIGNED_8,
    KIN__LANE_SIGNED_8,
    KIN__LANE_UNSIGNED_16,
    KIN__LANE_SIGNED_16,
    KIN__LANE_UNSIGNED_32,
    KIN__LANE_SIGNED_32,
    KIN__LANE_64,
    KIN__LANE_FLOAT,
    KIN__LANE_DOUBLE,
    KIN__LANE_FLOAT_STEPS, // with `precision`
    KIN__LANE_DOUBLE_STEPS,
    KIN__LANE_OTHER,
    KIN__LANE_MAPPED // of another shape: it is read only
} kin__lane_kind;

// A leaf of a component, resolved once for a frame.
typedef struct kin__lane {
    const kin__net_leaf *leaf;
    size_t column;            // bytes from the beginning of an image to the leaf at place 0
    size_t stride;            // bytes from one place to the next
    const kin__leaf_map *map; // of KIN__LANE_MAPPED
    uint8_t kind;
    bool is_shared; // there is the address of the value that has the leaf
} kin__lane;

typedef struct kin__layout {
    const kin__net_context *context;
    const kin_context_info *info;
    bool is_owner;
    const kin__net_component **components; // that are shown, in the order of their ids
    kin__lane *lanes;                      // by bit
    uint32_t *firsts;                      // the bit of the first leaf of each
    uint32_t component_count, bit_count;
    uint32_t words, component_words; // of a mask of leaves, and of a set of components; at least 1
    void *block;
    size_t block_size;
} kin__layout;

// False when out of memory.
bool kin__layout_make(kin__layout *layout, kin__memory *memory, const kin__net_context *context, bool is_owner);
void kin__layout_release(kin__layout *layout, kin__memory *memory);

// The same for the frames of another shape. Components that are not there here have KIN__NET_NO_COMPONENT.
bool kin__layout_map(kin__layout *layout, kin__memory *memory, const kin__context_map *map, bool is_owner);

// Returns the address of a leaf at a place that has a value, in the bytes of an image.
static inline const char *kin__lane_at(const kin__lane *lane, const unsigned char *image, uint32_t place)
{
    const char *at = (const char *)image + lane->column + place * lane->stride;
    return lane->is_shared ? *(const char *const *)(const void *)at + lane->leaf->offset : at;
}

// Leaves: compared, written and read relative to a base, which is NULL or that of all zeroes.
//
//   bool, integer, enum    the difference, signed
//   float, double          its bits; with `precision` the difference of whole steps
//   entity                 0, or the difference of the slots and one, then the creation index
//   string                 0 for NULL, or its length and one, then its bytes
//   string[n]              its length, then its bytes
//   array                  each element; a list: its length, then each element without a base
//   struct in these        each leaf
//
// What cannot be whole steps, such as NaN, follows the number KIN__BY_BITS, as bits.

#define KIN__BY_BITS UINT64_MAX

// Where a value is.
typedef struct kin__leaf_at {
    const kin__net_leaf *leaf;
    double precision;
    kin_entity entity; // that has it
} kin__leaf_at;

bool kin__leaf_is_same(const kin__net_leaf *leaf, double precision, const void *one, const void *other);

// Returns those of up to 64 places, from `first` on, at which a leaf differs between two images. `base` is NULL: from
// zero.
uint64_t kin__lane_differs(const kin__lane *lane, const kin__image *base, const kin__image *now, uint32_t first,
                           uint64_t places);

// The leaves that follow for each entity of a run.

typedef struct kin__lane_put {
    const kin__lane *lane;
    const unsigned char *base, *now; // the images; `base` is NULL if the leaf's base is zero
    size_t copied;                   // bytes that go as they are, with those of the leaves after it; 0: by its kind
} kin__lane_put;

typedef struct kin__lane_list {
    kin__lane_put *at;
    uint32_t count;
    size_t most; // bytes, without those of KIN__LANE_OTHER
} kin__lane_list;

// Appends a leaf to the list, which has room for it. `base` may be NULL.
void kin__lanes_add(kin__lane_list *list, const kin__lane *lane, const kin__image *base, const kin__image *now);

// Writes the leaves of the entities at places from `begin` to `end`, whose handles are in `ids` by place.
void kin__lanes_put(kin__bytes_out *out, const kin__lane_list *list, uint32_t begin, uint32_t end,
                    const kin_entity *ids);

bool kin__leaf_is_zero(const kin__net_leaf *leaf, double precision, const void *value);

// Reads a leaf to its place, whose value is the base. Strings and lists go to the heap, which may be NULL: then nothing
// is written, only checked. Integers wrap around only if they cannot be checked without a base.
void kin__leaf_take(kin__bytes_in *in, const kin__leaf_at *leaf, void *value, kin__heap *heap);

// Reads a leaf of the layout to its place in a value.
void kin__lane_take_value(kin__bytes_in *in, const kin__lane *lane, kin_entity entity, char *value, kin__heap *heap);

// Returns an integer, bool or enum, extended to 64 bits, or sets it.
uint64_t kin__leaf_integer(const kin__net_leaf *leaf, const void *at);
void kin__leaf_set_integer(const kin__net_leaf *leaf, void *at, uint64_t number);

// Reads a leaf as another program writes it, against what is there, to its place here. (convert.c)
void kin__leaf_convert(kin__bytes_in *in, const kin__leaf_map *map, kin_entity entity, void *value, kin__heap *heap);

// Makes the value here that stands for zero of the sender. Faults are those of the heap.
void kin__leaf_begin(const kin__leaf_map *map, void *value, kin__heap *heap);

// Converts an element that is no struct and no text of the heap.
void kin__element_convert(const kin__leaf_map *map, const void *sent, void *value);

// Leaves that are read for each entity of a run.
typedef struct kin__lane_take {
    const kin__lane *lane;
    unsigned char *image; // its bytes, which no other part has
    size_t copied;        // as in kin__lane_put
    uint32_t component;   // of the layout, if `lane` is NULL: the builder reads all of its leaves
} kin__lane_take;

// Appends a leaf to a list that has room for it, and returns the number of its elements.
uint32_t kin__lanes_add_take(kin__lane_take *takes, uint32_t count, const kin__lane *lane, kin__image *image);

// Reads the leaves of the entities at places from `begin` to `end`, whose handles are in `ids` by place, until a fault.
void kin__lanes_take(kin__bytes_in *in, const kin__lane_take *takes, uint32_t count, uint32_t begin, uint32_t end,
                     const kin_entity *ids, kin__heap *heap);

// How the leaves of a mask are passed over.
enum { KIN__SKIPPED_LANES = 32 };

typedef struct kin__skip {
    const kin__layout *layout;
    const uint64_t *leaves;
    const kin__lane *lanes[KIN__SKIPPED_LANES]; // the first ones
    uint32_t count;                             // of all
    size_t size;                                // bytes of an entity, if all have as many; 0: it is not known
} kin__skip;

kin__skip kin__skip_make(const kin__layout *layout, const uint64_t *leaves);

// Passes over the leaves of `entities` entities. What is skipped is not checked but for its length: it is read later.
void kin__leaves_skip(kin__bytes_in *in, const kin__skip *skip, uint32_t entities);

// Appends the bytes that stand for the value in hashes. `is_shown`: it has been through a frame.
void kin__leaf_put_whole(kin__bytes_out *out, const kin__leaf_at *leaf, const void *value, bool is_shown);

// Views: which entities of a context a frame shows.

typedef struct kin__sight {
    const kin__net_context *context;
    const kin_view *view;
    bool has_zones, is_owner;
} kin__sight;

kin__sight kin__sight_of(const kin__net_context *context, const kin_view *view);

// Returns the image of a number in a chunk of a part; NULL if the part is NULL or has none.
static inline kin__image *kin__side_image(const kin__context_snapshot *part, uint32_t chunk, uint32_t number)
{
    return part == NULL ? NULL : kin__part_image(part, chunk, number);
}

// Sets the bits of the places in a chunk whose entities are shown.
void kin__sight_see(const kin__sight *sight, const kin__context_snapshot *part, uint32_t chunk,
                    uint64_t places[KIN__CHUNK_WORDS]);
bool kin__sight_sees(const kin__sight *sight, const kin__context_snapshot *part, uint32_t slot);

// Whether all entities at places from `begin` to `end` of a chunk are shown.
bool kin__sight_sees_all(const kin__sight *sight, const kin__context_snapshot *part, uint32_t chunk, uint32_t begin,
                         uint32_t end);

// Whether all bits from `begin` to `end` are set.
bool kin__places_have_all(const uint64_t *row, uint32_t begin, uint32_t end);

// Differences: what of a chunk differs, as masks.

enum { KIN__CAME = 1, KIN__WENT = 2, KIN__TOGGLED = 4 };

// Rows of bits by place: one for each kind, leaf and component.
typedef uint64_t kin__places[KIN__CHUNK_WORDS];

typedef struct kin__chunk_masks {
    kin__places differs;  // the places at which anything differs
    kin__places ends;     // those that do not go on with the run of the place before, and those that do not differ
    kin__places kinds[3]; // by the bit of KIN__CAME …
    kin__places *leaves;  // the leaves that follow; those of components that are not in `compared` are undefined
    kin__places *toggled; // the components that were added or removed; of one that came, that it has
    uint32_t *compared;   // indices of components
    uint32_t *active;     // bits of leaves that follow at any place
    uint32_t compared_count, active_count;
} kin__chunk_masks;

// The two sides of a comparison. `base` may be NULL.
typedef struct kin__sides {
    const kin__layout *layout;
    const kin__sight *sight;
    const kin__context_snapshot *base, *now;
} kin__sides;

// Finds what differs in a chunk. False if nothing does.
bool kin__chunk_differs(const kin__sides *sides, uint32_t chunk, kin__chunk_masks *masks);

// Runs: entities with neighbouring slots and equal masks.
//
//   number     skipped slots × 4 + other masks than before × 2 + more than one entity; 0 ends the context
//   [bits]     with other masks: is special, then one bit for each leaf
//   [kind]     if it is special: a set of KIN__CAME …, [bits] with the components
//   [count]    with more than one entity: their number - 2
//   entities   [creation index, of one that came: against that of the last one] leaves

typedef struct kin__span {
    uint32_t slot, count;
    uint8_t kind;
    uint64_t *leaves, *toggled;
} kin__span;

typedef struct kin__span_reader {
    kin__bytes_in *in;
    const kin__layout *layout;
    kin__span run;
    uint64_t next_slot, last_index;
    bool has_masks, has_new_masks; // of this run
    kin__skip skip;                // of the masks, if they were skipped
} kin__span_reader;

// Reads the head of the next run. False at the end, and after a fault.
bool kin__span_next(kin__span_reader *reader);

// kin_frame_apply, of frames of another shape, whose hashes are not compared; NULL: of the own one.
kin_status kin__frames_apply(kin_snapshot **snapshot, kin_source frames, const kin__shape_map *map);

// A frame in bytes.
typedef struct kin__frame_in {
    kin_view view;
    uint64_t hash;
    const unsigned char *begin, *contexts; // where it begins, and where its contexts do
    size_t size;
    bool has_gone; // an entity goes
} kin__frame_in;

enum { KIN__FRAME_HASH = 1, KIN__FRAME_OWNER = 2, KIN__FRAME_LAST = 4, KIN__FRAME_NO_ZONE = 8, KIN__FRAME_FLAGS = 15 };

// Reads the head of a frame.
bool kin__frame_head_take(kin__bytes_in *in, kin__frame_in *frame);

// Visits what the bytes of frames are for, one frame after the other, of at most 64 KiB, and returns how many there are.
// Frames that cannot be read are left out. (cost.c)
uint64_t kin__frames_cost(const kin__world *world, kin__memory *memory, const void *frames, size_t size,
                          kin_network_visitor *visit, void *user);

// Returns the hash of all that a view shows of these parts, one for each context that replicates, in order; NULL for
// one that does not exist. False when out of memory.
typedef struct kin__hash_part {
    const kin__layout *layout;
    const kin__context_snapshot *part;
} kin__hash_part;

bool kin__view_hash(const kin__hash_part *parts, uint32_t count, const kin_view *view, bool is_shown,
                    kin__memory *memory, uint64_t *hash);

// Building: a part that takes frames.
//
//   slots   all are of the pool of entities without a blueprint; free ones are in its list, in ascending order, which
//           is made again when an entity comes or goes
//   links   made again, by the order of slots, when an entity comes or goes or a holder changes
//   unseen  targets of relations that are not alive at the replica: the field is empty meanwhile
//
// Images are shared with the former part until one of their places changes.

typedef struct kin__unseen {
    uint32_t context, relation, slot; // of the holder
    kin_entity target;
} kin__unseen;

typedef struct kin__builder {
    kin_context *context;
    const kin__net_context *net;
    const kin__context_map *map; // of frames of another shape; NULL: of the own one
    kin__context_snapshot *part;
    kin__layout layouts[2]; // of all, and of an owner
    uint64_t *own;          // by chunk: a bit for each image that no other part has
    uint32_t words;
    bool is_moved, is_linked_anew; // an entity came or went; links are to be made
    uint32_t living;               // entities
    uint64_t most;                 // creation index; unknown with `has_lost_most`
    bool has_lost_most;
    kin__lane_take *takes; // what kin__builder_take_places reads, in the chunk `takes_chunk`
    kin__image **taken;    // the images of its components
    uint32_t take_count, taken_count, takes_chunk;
    bool takes_in_place; // all of them
    uint64_t *row;       // room for a row
    kin__heap heap;      // of the strings and lists of a frame
    kin__fault *fault;
    void *scratch;
} kin__builder;

// Begins with the images of a former part, or with none; `chunk_count` is at least that of the part. False when out of
// memory: kin__builder_end is to be called.
bool kin__builder_begin(kin__builder *builder, const kin__context_snapshot *former, uint32_t chunk_count);
void kin__builder_end(kin__builder *builder);

// Take an entity out, and change one. The slot must be in use.
bool kin__builder_remove(kin__builder *builder, uint32_t slot);
bool kin__builder_toggle(kin__builder *builder, uint32_t slot, kin_component_id id);

// Puts entities with these components of the layout at free places. Each is alive as soon as it has a name.
bool kin__builder_open_places(kin__builder *builder, const kin__layout *layout, const uint64_t *components,
                              uint32_t chunk, uint32_t begin, uint32_t end);
void kin__builder_name(kin__builder *builder, kin_entity entity);

// Returns the entity of a slot that is alive; 0: none.
kin_entity kin__builder_entity(const kin__builder *builder, uint32_t slot);

// Reads the leaves of a component that an entity has.
bool kin__builder_take(kin__builder *builder, kin__bytes_in *in, const kin__layout *layout, uint32_t component,
                       const uint64_t *leaves, uint32_t slot);

// Replaces the value at a place of an image that no other part has by what is in `scratch`.
bool kin__builder_set(const kin__builder *builder, kin__image *image, uint32_t place);

// Read leaves of many entities of a chunk: first the images are prepared, and stay so for other places. False after a
// fault of the builder or of `in`.
bool kin__builder_prepare_takes(kin__builder *builder, const kin__layout *layout, const uint64_t *leaves,
                                uint32_t chunk);
bool kin__builder_take_places(kin__builder *builder, kin__bytes_in *in, const kin__layout *layout,
                              const uint64_t *leaves, uint32_t begin, uint32_t end);

// Completes the part: lists, links, numbers, keys. Unseen targets of the context are appended.
typedef struct kin__unseen_list {
    kin__heap *heap;
    kin__unseen *at;
    uint32_t count, capacity;
} kin__unseen_list;

bool kin__builder_show_targets(kin__builder *builder, const kin__unseen *unseen, uint32_t count, uint32_t number);
bool kin__builder_finish(kin__builder *builder, kin__unseen_list *unseen, uint32_t number);

#endif

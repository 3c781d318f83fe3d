// save: saves as lines of JSON and back, and their differences
//
// Knows the format of files, and no context: blocks are read and written by save/src/frame, names by save/src/read and
// save/src/write.
#ifndef KIN_GENERATOR_SAVE_H
#define KIN_GENERATOR_SAVE_H

#include "file/file.h"
#include "generator/base/base.h"
#include "generator/schema/schema.h"
#include "generator/source/source.h"
#include "snapshot/snapshot.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// ---- order
//
// Which block of a save may follow which. Blocks of a context come first, chunk by chunk, then the order of its
// shared values, then its links; then the next context; systems are last.

typedef enum save_kind {
    SAVE_CONTEXT,
    SAVE_SLOTS,
    SAVE_COLUMN,
    SAVE_KEPT,
    SAVE_SHARED, // its chunk is the row
    SAVE_LINKS,
    SAVE_SYSTEM,
    SAVE_DONE,
    SAVE_KIND_COUNT
} save_kind;

// The numbers at the beginning of a block; 0 for those that its kind does not have.
typedef struct save_place {
    save_kind kind;
    uint32_t context, chunk, component, leaf;
} save_place;

enum { SAVE_CHUNK_SLOTS = 512, SAVE_CHUNK_WORDS = 8, SAVE_CHUNK_LIMIT = 1 << 15 };

// Returns the four letters of a kind.
const char *save_kind_letters(save_kind kind);

// Compares the places of two blocks of contexts, in the order of a file.
int save_place_compare(const save_place *a, const save_place *b);

// Reads the numbers of the block that was read last. False, with a fault noted, if there can be no such block.
bool save_place_read(kin__block_reader *blocks, kin__decoder *decoder, save_place *place);

// Checks that a block may follow the one at `last`, which is NULL before the first one, and becomes the last. Notes a
// fault if not.
bool save_place_follows(kin__block_reader *blocks, const save_place *last, const save_place *place);

// ---- save hash
//
// The hash of a state from its blocks, in their order, as kin_snapshot_hash computes it. Slots and columns
// come first, then the other blocks; links are no part of it.

typedef struct save_hash {
    kin__xxh64 first; // of slots and columns
    text later;       // pairs of hashes of the other blocks
} save_hash;

save_hash save_hash_begin(arena *arena);

// Adds a block: the hash of the name of what it is of, and the bytes after its numbers, or after its path.
void save_hash_add(save_hash *hash, const save_place *place, uint64_t name, const void *content, size_t size);

uint64_t save_hash_end(save_hash *hash);

// Returns the hash of the name of a context, or of a component in it; `component` may be NULL.
uint64_t save_hash_name(const char *context, const char *component);

// ---- save moment
//
// The state of a recording after one of its frames, as blocks in the order of a file.
//
//   blocks   [ CTXT 0 | SLOT 0,0 | COLM 0,0,1 | … | SYST "" | SYST "update/Move" | … ]
//
// Without recorded states, a frame has only hashes of what its update changed. Those blocks are then unknown until a
// frame or a key has them again. The clock, which counts puts and forgets, says which came last.
//
// Invariants:
//   1. blocks of contexts are in ascending order (save_place_compare); those of systems follow, as in the file
//   2. a block that is gone stays in the list, so that it is known to be gone
//
// Cost: a put is a binary search, of a system a search from the first one, and a copy of the block.

typedef struct save_block save_block;

typedef struct save_moment {
    arena *arena;
    const kin__file_schema *schema;
    save_block **blocks;
    uint32_t count, capacity, context_blocks; // the first `context_blocks` are of contexts
    uint64_t size;                            // bytes of all blocks
    uint64_t clock, cleared_at;
    uint64_t **forgotten_at; // [context][component]; slots come after the components
    uint64_t systems_forgotten_at, pass_began_at;
    uint32_t next, skipped; // while it is read: the next block, and the context that is left out
} save_moment;

// Returns a moment without blocks, for files with these names.
save_moment *save_moment_create(arena *arena, const kin__file_schema *schema);

// Begins a pass: several systems may have one path, and each put of a pass is of the next of them.
void save_moment_begin_pass(save_moment *moment);

// Puts a block in place of an earlier one. `content` follows the numbers of its place; NULL: the block is gone. False
// if the moment gets too large.
bool save_moment_put(save_moment *moment, const save_place *place, const kin__decoder *content);

// Removes all blocks, before those of a whole state are put.
void save_moment_clear(save_moment *moment);

// Makes the blocks of a component unknown; those of slots, if it is the count of components; those of systems, if the
// context is UINT32_MAX.
void save_moment_forget(save_moment *moment, uint32_t context, uint32_t component);

// Whether the block of a place is known: its content, or that it is gone. Of systems, whether the last one is.
bool save_moment_knows(const save_moment *moment, const save_place *place);

// Begins to read the blocks.
void save_moment_begin(save_moment *moment);

// Returns the next block, without those that are unknown here or in `other`, which may be NULL. False at the end.
bool save_moment_next(save_moment *moment, const save_moment *other, save_place *place, kin__decoder *content);

// ---- save file
//
// A file of Kin while it is read, block by block. What is wrong with it is in `fault`.
//
//   save_file_begin     opens the file, reads its head and its names
//   save_file_next      the next block, in its order, checked
//   save_file_replay    makes it return the blocks of the moment that it keeps
//   save_file_end
//
// Memory: one block, the moment, and what the caller keeps. The file itself may be of any size.

typedef struct save_file {
    arena *arena;
    const char *path;
    kin__fault fault;
    kin__read_file bytes;
    kin__input input;
    kin__block_reader blocks;
    kin__memory memory;
    kin__heap heap;
    // The head.
    const char *package, *writer;
    uint32_t version;
    uint64_t frame;
    bool is_recording;
    const char *meta; // `meta_size` bytes; NULL: the file has none
    size_t meta_size;
    kin__file_schema schema;
    uint64_t schema_hash; // equal in files with the same names and types
    // The block that was read last.
    save_place place;
    kin__decoder decoder; // after its numbers
    bool has_block, is_done;
    save_hash hashing;
    uint64_t hash;    // of the whole state, when all was read
    kin__heap frames; // of the frame that was read last
    // The state after the frame that was read last; NULL: it is not kept.
    save_moment *moment;
    const save_moment *other; // while the moment is replayed: what is unknown there is left out
    bool is_replayed;
} save_file;

// Opens the file at `path`, or standard input if that is "-". False when it cannot be read. End it in any case.
bool save_file_begin(save_file *file, arena *arena, const char *path);

// Reads the next block. False at the end, and when it is wrong: `fault` says which.
bool save_file_next(save_file *file);

// Makes save_file_next return the blocks of the moment, without those that are unknown there or in `other`, if that is
// not NULL.
void save_file_replay(save_file *file, const save_moment *other);

void save_file_end(save_file *file);

// Reads the numbers of the block that `file->decoder` has, and whose kind is in `file->blocks`. False, with a fault
// noted, if there can be no such block.
bool save_file_read_place(save_file *file);

// Puts the block at `file->place` into the moment, if it is kept. False, with a fault noted, if that gets too large.
bool save_file_keep(save_file *file);

// Notes that the block that was read last is wrong. Returns false.
bool save_file_wrong(save_file *file, int code, const char *what);

// Reports the fault, if there is one. Returns the exit status.
int save_file_report(const save_file *file, diagnostics *diagnostics);

static inline bool save_file_is_faulty(const save_file *file)
{
    return file->fault.status != KIN_OK;
}

// ---- save shape
//
// What saves of a schema have, as the runtime computes it from the tables of generated code.

// Returns the shapes of all contexts of the package, also of those that are not saved, by identity. The arena has them.
kin__shape **save_shapes_make(arena *arena, const package *package);

// Returns a table with the messages of the package, and sets `leaves` to what saves have of them. The arena has both.
const kin_world_info *save_messages_make(arena *arena, const package *package, kin__message_leaves *leaves);

// ---- values of a block
//
// Values of a block: those of one component, read one entity after the other. All of them are checked before the first.
//
//   leaf   numbers, or the lengths of texts and then all letters; a list has its counts before them

#define SAVE_TEXT_NULL UINT32_MAX // the length of a string that is NULL

// A leaf of one value.
typedef struct save_leaf_value {
    const kin__file_leaf *leaf;
    uint32_t count;                 // elements
    const unsigned char *elements;  // numbers, or the lengths of texts
    const unsigned char *letters;   // of texts; NULL for numbers
    size_t element_size, text_size; // bytes of one element, and of all letters
} save_leaf_value;

// Where the next value of a leaf is.
typedef struct save_leaf {
    const kin__file_leaf *leaf;
    const unsigned char *counts, *elements, *letters;
} save_leaf;

typedef struct save_values {
    const kin__file_component *component;
    save_leaf *leaves;
    save_leaf_value *next; // room for the leaves of one value
    uint32_t count;        // of values
} save_values;

// Checks the values that a decoder has next, and leaves it after them. The bytes must stay; the arena has the leaves.
// False, with a fault noted, if they are wrong.
bool save_values_begin(save_values *values, save_file *file, arena *arena, kin__decoder *decoder);

// Returns the next value of a leaf, of which there must be one.
save_leaf_value save_values_next(save_values *values, uint32_t leaf);

// Whether the elements of a leaf are texts.
bool save_leaf_is_text(const kin__file_leaf *leaf);

// Whether two leaves are of one list: their paths begin with the same name. Such leaves are side by side.
bool save_leaves_are_of_one_list(const kin__file_leaf *one, const kin__file_leaf *other);

// Whether two leaves have equal values of equal types.
bool save_leaf_values_are_equal(const save_leaf_value *one, const save_leaf_value *other);

// ---- values, handles and names as JSON
//
// Text of saves: their values as JSON, without spaces.
//
//   handle            "12@11", null for none
//   float, double     the shortest number that reads back; "nan", "inf", "-inf"; other bits of NaN as "nan:7fc00001"
//   other numbers     beyond 2^53 as texts; an enum as its name, or as a number that has none
//   string            null for NULL; {"hex":"…"} if it is not UTF-8, and for opaque values
//   array, list       arrays
//   struct            objects; a component without fields is true

void save_append_quoted(text *out, const char *name);
void save_append_bytes(text *out, const unsigned char *bytes, size_t size, bool is_opaque);
void save_append_handle(text *out, uint64_t entity);
void save_append_unsigned(text *out, uint64_t number);
void save_append_double(text *out, double number);

// Appends one leaf of a value.
void save_append_leaf(text *out, const save_leaf_value *value);

// Appends one element of a leaf of numbers.
void save_append_number(text *out, const save_leaf_value *value, uint32_t element);

// Appends the value of a component whose leaves are in `next`, which it uses up.
void save_append_taken(text *out, const save_values *values);

// Appends the next value of a component.
void save_append_value(text *out, save_values *values);

// ---- chunks
//
// The entities of a chunk with all their values, from SLOT and the blocks COLM after it. The bytes are in
// memory until the next chunk.

// The values of one component.
typedef struct save_column {
    uint32_t component;
    uint64_t has[SAVE_CHUNK_WORDS];
    save_values values;
    struct save_column *next; // in the order of their components
} save_column;

typedef struct save_chunk {
    arena arena; // of this chunk
    uint32_t context, number;
    uint64_t alive[SAVE_CHUNK_WORDS];
    uint64_t entities[SAVE_CHUNK_SLOTS]; // handles; 0: none
    save_column *first, *last;
    size_t size; // bytes of all blocks
} save_chunk;

// A save as steps. Of other kinds than chunks, the block is the one that was read last.
typedef struct save_walk {
    save_file file;
    save_chunk chunk;
    uint64_t first_index, next_index; // of the context
    uint32_t chunk_count;
    bool has_next; // the block that was read last belongs to the next step
} save_walk;

typedef enum save_step {
    SAVE_STEP_CONTEXT, // CTXT
    SAVE_STEP_CHUNK,
    SAVE_STEP_KEPT,
    SAVE_STEP_SHARED,
    SAVE_STEP_LINKS,
    SAVE_STEP_SYSTEM,
    SAVE_STEP_END // or a fault
} save_step;

// Goes on to the next step. Chunks without entities are no step.
save_step save_walk_next(save_walk *walk);

// Releases the chunk, and the file.
void save_walk_end(save_walk *walk);

static inline bool save_has(const uint64_t words[SAVE_CHUNK_WORDS], uint32_t place)
{
    return (words[place / 64] >> place % 64 & 1) != 0;
}

// Reads the bits of places. Returns how many there are.
uint32_t save_bits_read(kin__decoder *decoder, uint64_t words[SAVE_CHUNK_WORDS]);

// ---- states of contexts
//
// State besides entities, as JSON lines: which slots come next, last values, the order of shared values, and the order
// of the holders of relations.
//
//   {"game":"slots","next":5,"first":1,"pools":[{"blueprint":"","fresh":3,"fresh_end":512,"free":[2,1]}],"chunks":[0]}
//   {"game":"kept","slot":4,"stashed":true,"Position":{"x":1,"y":2}}
//   {"game":"shared","component":"Look","first":0,"uses":[4,null,2,{"kept":7}]}
//   {"game":"links","component":"Parent","field":"of","target":2,"holders":[5,3]}
//
// `usable` of a pool has its eight words. A chunk of no pool is null. `uses` has for each number, from `first` on, the
// first slot with the value; null for a free number.

// Append the lines of the block that was read last. False, with a fault noted, if it is wrong.
bool save_append_slots(text *out, save_walk *walk);
bool save_append_kept(text *out, save_walk *walk);
bool save_append_shared(text *out, save_walk *walk);
bool save_append_links(text *out, save_walk *walk);

// ---- systems
//
// The state of a system, or of a node of the schedule, as a line of JSON: runtime/src/world/world.h has
// its bytes.
//
//   {"system":"","enabled":true,"time":1.5,"frame":90,"pushed":[{"delta":1,"time":2,"frame":3}],"published":7,"seed":5}
//   {"system":"update/Move","enabled":true,"updated":true,"current":true,"time":0,"frame":0,
//    "step":{"left":0,"origin":0,"dropped":0,"steps":4,"step_frame":9},
//    "collected":[{"game":"1@0"}],"members":["1@0"],
//    "inboxes":[{"message":"Hit","messages":[{"serial":5,"value":{"damage":3}}]}],"warned":[true],
//    "others":[[{"game":"2@1"}]],"marks":[1,0]}
//
// Keys without a value, and lists without items, are left out. The root has the path "", and comes first.

// Bits of the first byte.
enum {
    SAVE_SYSTEM_ENABLED = 1,
    SAVE_SYSTEM_UPDATED = 2,
    SAVE_SYSTEM_CURRENT = 4,
    SAVE_SYSTEM_DEACTIVATED = 8,
    SAVE_SYSTEM_OTHERS = 16,
    SAVE_SYSTEM_MARKS = 32,
    SAVE_SYSTEM_WARNED = 64,
    SAVE_SYSTEM_SEED = 128 // of the root
};

// Appends the line of the block SYST that was read last. False, with a fault noted, if it is wrong.
bool save_append_system(text *out, save_walk *walk);

// ---- frames of recordings
//
// Frames of a recording: what follows its first state.
//
// A recording may end anywhere, so frames end before a block that is cut off.

// Reads the next frame, after the first state was read. It is valid until the next block is read. False at the end, and
// when a block is wrong: `fault` says which.
bool save_frame_next(save_file *file, kin__read_frame *frame);

// Appends the frame as a line of JSON: its number, delta and hash, what the program changed before it, and what the
// update changed.
void save_append_frame(text *out, const save_file *file, const kin__read_frame *frame);

// Appends "game.Health", "game:slots" for the slots of a context, or "systems".
void save_append_changed(text *out, const save_file *file, uint32_t context, uint32_t component);

// Reads the numbers of a part into `file->place`. False, with a fault noted, if there can be no such block.
bool save_frame_read_place(save_file *file, const kin__frame_part *part);

// Puts parts into the moment of the file. False, with a fault noted, if it gets too large.
bool save_frame_apply(save_file *file, const kin__frame_parts *parts);

// Makes the moment of the file what it is after the update of the frame. Without states, what the update changed is
// unknown then. False, with a fault noted, if the moment gets too large.
bool save_frame_update(save_file *file, const kin__read_frame *frame);

// Whether the frame has what its update changed.
bool save_frame_has_states(const kin__read_frame *frame);

// ---- JSON reader
//
// One line of JSON as a tree, whose nodes have their places in the line.
//
// Strict: no comments, no trailing commas, strings in UTF-8. Numbers stay text, so that none loses digits. Not jansson,
// as that does not say where a value is.

enum { JSON_DEPTH_LIMIT = 64 }; // lists and maps inside of each other

typedef enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_TEXT, JSON_LIST, JSON_MAP } json_kind;

typedef struct json_node {
    json_kind kind;
    size_t start, end;         // in the line
    const char *key;           // of an item of a map; NULL otherwise. It has no NUL
    size_t key_start, key_end; // with its quotes
    const char *text;          // of a text, without its quotes and escapes; of a number as it is written
    size_t size;               // bytes of the text, or items
    bool boolean;
    bool is_used; // for who looks items up
    struct json_node *first, *next;
} json_node;

typedef struct json_fault {
    const char *message; // NULL: none
    size_t at;
} json_fault;

// Returns the value that is the whole line; NULL if it is none.
json_node *json_read(arena *arena, const char *line, size_t size, json_fault *fault);

// Returns the first item with a key, and marks it as used; NULL if there is none. The size is that of the key.
json_node *json_find(const json_node *map, const char *key, size_t size);

// ---- dump
//
// A save as lines of JSON.
//
//   {"kin":1,"package":"town","version":3,"frame":1800}
//   {"game":"12@11","Frozen":true,"Position":{"at":{"east":3.5,"y":2}}}     by context and slot
//   …                                                                      the state of the context
//
// All names are those of the file, sorted. In memory are the values of one chunk, one line, and the state of a context.

typedef enum dump_kind {
    DUMP_LINES,
    DUMP_INFO, // one line about the file
    DUMP_HASH  // the hash of its state, as kin_snapshot_hash returns it
} dump_kind;

// Writes the file at `path` ('-': standard input). Returns the exit status after reporting what is wrong with it; lines
// before that were written.
int dump_file(arena *arena, diagnostics *diagnostics, const char *path, dump_kind kind, FILE *output);

// ---- pack
//
// A save from lines of JSON, as dump makes them, checked against a schema.
//
// Lines may be in any order after the head. Without a line of slots, the slots that no entity has are free. In memory
// is the whole state.

// Packs the lines at `lines` ('-': standard input) into the file at `path`, which is replaced as a whole. Returns the
// exit status; nothing is written if a line is wrong.
int pack_file(arena *arena, diagnostics *diagnostics, const package *package, const char *lines, const char *path);

// ---- diff
//
// Diff of saves: what differs between two files, by entity, component and field.
//
//   game 12@11 'Ada'    Position.at.east  3.5 -> 4
//   game 13@12          Health            + {"points":7}
//   game 14@4           - destroyed
//   game 20@4           + created (Name, Position)
//   game slots          differ
//   4 differences in 3 components of 118 entities
//
// Both files are read side by side, so that one chunk of each is in memory. The text after a handle is that of the
// component Name, if it has one field that is a string. The count of entities is that of the second file.

// Returns the exit status: that of a difference if there is one. Files that cannot be read are reported.
int save_diff(arena *arena, diagnostics *diagnostics, const char *const *paths, FILE *output);

#endif

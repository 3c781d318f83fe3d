// recording: records worlds, and plays their recordings
//
//   HEAD META SHAP | moment | FRAM FRAM … KEYF moment FRAM …
//
//   recorder   saves the world before and after each update ─→ delta: the blocks that differ ─→ FRAM
//   player     FRAM ─→ apply: a moment with these blocks ─→ restores and updates the world ─→ diverge: compares hashes
//
// A moment has the blocks of a save from CTXT to DONE. A key (KEYF) is a moment from which seeking starts.
//
// Invariants:
//   1. whatever a frame does not replace is taken over from the moment before: values stay where they are, as images
//      are shared
//   2. all of a moment is made before the snapshot is changed
//   3. where the source ends within a block, the recording ends before it; that is no fault
//   4. while a sink or a source is called, the world is pinned, so that it cannot be destroyed
//   5. after its first fault a recording ends, and the fault is reported once
#ifndef KIN_SRC_SAVE_RECORDING_H
#define KIN_SRC_SAVE_RECORDING_H

#include "file/file.h"
#include "reading/reading.h"
#include "snapshot/snapshot.h"

#include <kin/generated/replay.h>

// ---- what differs

// The blocks of a context (snapshot/snapshot.h) that differ between two moments. Blocks with the same image are equal.
// Others are compared by the hashes of their contents, which images keep, so that what is not saved makes no
// difference. Cost: a look at each block, and a hash of those that do not share an image.

// A context in two moments.
typedef struct kin__moments {
    const kin__context_snapshot *before, *after;
    const kin__shape *shape; // of both
    uint32_t context;        // its number
} kin__moments;

// A visitor is called with a block of the later moment; if the block is gone, with its numbers alone. Returns false to
// end the walk.
typedef bool kin__delta_visitor(const kin__block *block, bool is_gone, void *user);

// Visits the blocks that differ in the order of a file. Returns whether the visitor never returned false.
bool kin__delta_visit(const kin__moments *moments, kin__delta_visitor *visit, void *user);

// Hashes of a context by component say where two moments differ that should not. They are XXH64, seed 0, over the
// number of the chunk as u64 and the hash of the content of each block of the component, in the order of a file.
//
//   a component         its blocks COLM, then KEEP, chunk by chunk; then SHAR, row by row
//   the context itself  CTXT, as of chunk 0, then the blocks SLOT
//
// Cost: a look at each block; images keep the hashes of theirs.
//
// Returns the hash of a component, by its place in the shape; of slots and the context, if that is its count.
uint64_t kin__part_hash(const kin__context_snapshot *part, const kin__shape *shape, uint32_t component);

#define KIN__HASH_SYSTEMS UINT32_MAX // in place of the numbers of a context and a component

// Makes the hash of the systems of a world's snapshot: XXH64, seed 0, over what they add to the hash of the snapshot.
// False when out of memory.
bool kin__systems_hash(kin_snapshot *snapshot, uint64_t *hash);

// ---- frames that are written

// The blocks of a recording, beside those of moments:
//
//   FRAM   frame:u64, delta:f64, hash of the state after the update:u64,
//          hashes:u16 × { context:u32, component:u32, hash:u64 }, parts that changed before the update,
//          and those that the update changed; empty if the recording has no states
//   parts  the blocks in which two moments differ, with kinds and sizes; of a block that is gone only the numbers
//   KEYF   size:u64 of the blocks that follow, up to the next FRAM: the state after the frame before, from CTXT to DONE
//
// The hashes are of the components that the update changed (kin__part_hash), in ascending context and component. The
// count of components stands for slots. The hash of systems has context FFFFFFFF and component FFFFFFFF.

// One update of the world that is recorded.
typedef struct kin__recorded_frame {
    uint64_t number;
    double delta;
    kin_snapshot *ended, *begun, *after; // after the update before it, before it, and after it
    bool has_states;
} kin__recorded_frame;

// Write a frame; and the state after one, as a key.
void kin__frame_write(kin__block_writer *writer, const kin__recorded_frame *frame, const kin__written_parts *parts);
void kin__key_write(kin__block_writer *writer, const kin_snapshot *snapshot, kin__written_parts *parts);

// Writes the magic bytes, the head, the names and the state of a recording. `frame`: how often the world was updated.
void kin__recording_begin(kin__block_writer *writer, const kin_snapshot *snapshot, kin__written_parts *parts,
                          uint64_t frame);

// ---- recordings that are read

// A recording that is read in the order of its blocks: its names, matched with those of a world, then moments and
// frames.

#define KIN__MOMENT_LIMIT ((uint64_t)1 << 30) // bytes of a moment, as of a save

typedef enum kin__recording_block {
    KIN__RECORDING_FRAME,
    KIN__RECORDING_END,
    KIN__RECORDING_FAULT // it is noted
} kin__recording_block;

typedef struct kin__recording {
    kin__world *world;
    kin_source source;
    const kin__migrations *migrations;
    kin__fault fault;
    kin__input input;
    kin__file_reading file;  // its contexts are those of the world that are saved: they have what a reading begins with
    kin__heap heap;          // of the contexts, and `none`
    kin__file_context *none; // stand for contexts that the file does not have
    bool is_open;
    bool is_of_this_version; // all hashes can be compared
} kin__recording;

// Begins to read: the head and the names. False, with a fault noted, if it is no recording, or does not fit the world.
// Close it in any case.
bool kin__recording_open(kin__recording *recording);
void kin__recording_close(kin__recording *recording);

// Begins anew: the source begins again. False, with a fault noted, when that failed.
bool kin__recording_reopen(kin__recording *recording);

// Reads the next frame, after any whole keys, and adds the number of these to `*keys`.
kin__recording_block kin__recording_next_frame(kin__recording *recording, uint64_t *keys);

// Reads up to the moment of the next key, passing frames. False, with a fault noted, if it does not come.
bool kin__recording_next_key(kin__recording *recording);

// Reads the blocks of a moment, and forgets them. False, with a fault noted, if they are not all there.
bool kin__recording_skip_moment(kin__recording *recording);

// Returns the context of the world that is a context of the file, by its number there; NULL if the schema gives it up.
kin__reading *kin__recorded_context(const kin__recording *recording, uint32_t number);

// Whether the values of a component in the file and now are the same bytes.
bool kin__recorded_is_same(const kin__file_component *component);

// ---- which blocks a frame replaces

// Which blocks of a context the parts of a frame replace, or say to be gone. Parts of what the schema gave up replace
// nothing.
//
//   columns[chunk * components + id]    COLM; `kept` is of KEEP
//   slots[chunk]                        SLOT
//   links[chunk * relations + number]   LINK
typedef struct kin__replaced {
    uint32_t chunk_count, component_count, relation_count;
    unsigned char *slots, *columns, *kept, *links;
    const kin__frame_part *context; // CTXT, or NULL if it is not replaced
} kin__replaced;

// Returns whether a part is of the context that is read; its decoder is then after the number.
static inline bool kin__part_is_of(const kin__reading *reading, const kin__frame_part *part, kin__decoder *decoder)
{
    *decoder = part->decoder;
    return !kin__frame_part_is(part, "SYST") && kin__decode_32(decoder) == reading->number;
}

// ---- what is taken over

// What a reading takes over from the present moment of its context, as the frame does not replace it. A component that
// the recording does not have stays with the entities that are the same.

// Take over CTXT, the entities of chunks, the values, and what was stashed or lost; and the order of holders. False,
// with a fault noted, when out of memory, or when the frame leaves something without its entity.
bool kin__share_context(kin__reading *reading, const kin__context_snapshot *present);
bool kin__share_slots(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced);
bool kin__share_columns(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced);
bool kin__share_kept(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced);
bool kin__share_links(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced);

// Takes over the order of all shared values, whose rows the frame then replaces.
bool kin__share_orders(kin__reading *reading, const kin__context_snapshot *present);

// Sets the bits of the places whose entity is the same in two heads, which may be NULL.
void kin__share_find_same(const kin__image *before, const kin__image *now, uint64_t same[KIN__CHUNK_WORDS]);

// Whether a component of the chunk is not taken over, as a migration decides about its entities.
bool kin__share_is_decided(const kin__reading *reading, const kin__replaced *replaced, uint32_t chunk,
                           kin_component_id id);

// Takes over the owners of entities that are the same, once all slots are known.
bool kin__share_owners(kin__reading *reading, const kin__context_snapshot *present);

// ---- migrations

// A frame has only the blocks of a context that changed. A migration is called for entities that the frame creates; if
// the frame replaces the column of its component, for all entities of that chunk. The record shows the blocks of the
// frame. All other entities keep what the world has.

// Reads the values of all chunks, and decides. The parts must be in the order of a file. False, with a fault noted, if
// a part is wrong or a function refuses.
bool kin__decide_read(kin__reading *reading, const kin__context_snapshot *present, const kin__replaced *replaced,
                      const kin__frame_parts *parts);

// ---- moments

// A moment that is made, before it is put into a snapshot: parts of contexts, and the state of systems. It begins with
// readings of all contexts and systems of the world. The functions of reading/ fill them: from the blocks of a moment,
// or from those of a frame and from the moment before.
typedef struct kin__made_moment {
    kin__recording *recording;
    kin_snapshot *snapshot; // one of the world
    kin__heap heap;
    kin__reading *contexts; // as those of the file
    uint32_t count;
    kin__systems_reading systems;
} kin__made_moment;

// Begins. False, with a fault noted, when out of memory. End it in any case.
bool kin__made_begin(kin__made_moment *made, kin__recording *recording, kin_snapshot *snapshot);
void kin__made_end(kin__made_moment *made);

// Returns the part that the snapshot has of a context.
const kin__context_snapshot *kin__made_present(const kin__made_moment *made, const kin__reading *reading);

// Takes over the state of the systems that were not read, as it is in the world. False when out of memory.
bool kin__made_keep_systems(kin__made_moment *made);

// Puts all into the snapshot. False, with a fault noted, when out of memory.
bool kin__made_put(kin__made_moment *made);

// Reads the blocks of a moment, and makes the snapshot that. False, with a fault noted, if they are wrong, and when out
// of memory; then the snapshot is as before.
bool kin__moment_read(kin__recording *recording, kin_snapshot *snapshot);

// Makes the snapshot the moment in which the blocks of the parts are replaced. False, with a fault noted in the file's
// and the snapshot as it was, if they do not fit, or when out of memory.
bool kin__frame_apply(kin__recording *recording, kin_snapshot *snapshot, const kin__frame_parts *parts);

// ---- divergence

// Finds where the moment after an update differs from the one that was recorded. A component whose hash the frame does
// not have must be as it was before the update. If the frame has states, they are put into the moment before, which is
// then the recorded one.

typedef struct kin__played_frame {
    const kin__read_frame *frame;
    kin_snapshot *begun, *after;
} kin__played_frame;

// Sets the divergence if there is one, and returns whether; it may change `begun`. `*is_known` is false when out of
// memory: nothing was compared.
bool kin__divergence_find(kin__recording *recording, const kin__played_frame *played, kin_divergence *divergence,
                          bool *is_known);

#endif
